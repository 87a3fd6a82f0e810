"""What a store keeps, row by row."""

from collections.abc import Callable, Iterator

import pytest

from duelli.live.errors import ConflictError, StoreError, UnknownStudyError
from duelli.live.stores import Store
from duelli.live.stores.rows import (
    AnswerRow,
    LeaseRow,
    StepRow,
    StudyRow,
    TokenRow,
    first_link,
)

MakeStore = Callable[[], Store]
LINK = first_link("s", "{}")
FIRST = StepRow(0, "[]", "{}", "[0.5]", 0, 0, LINK, 1.5)


def begun(store: Store, name: str = "s") -> int:
    """Return the id of a study with one step."""
    with store.transaction():
        return store.begin_study(name, "{}", FIRST, "open")


def told(study: int, seq: int, place: int, key: str | None = None, kind: str = "told") -> AnswerRow:
    """Return an answer, linked to nothing."""
    client, counted = "c", int(kind == "told")
    row = AnswerRow(study, seq, kind, 0, place, "left", client, key, 2.25, "", counted)
    return row.linked(LINK)


class RowTests:
    """A store keeps what was committed, nothing else, and each duel once."""

    @pytest.fixture
    def store(self, make: MakeStore) -> Iterator[Store]:
        store = make()
        yield store
        store.close()

    def test_what_was_committed_is_found_again(self, make: MakeStore) -> None:
        store = make()
        study = begun(store)
        with store.transaction():
            store.add_answers([told(study, 1, 0, "k")])
        store.close()
        again = make()
        assert again.study("s").id == study
        assert list(again.answers(study)) == [told(study, 1, 0, "k")]
        assert again.step(study, 0) == FIRST
        again.close()

    def test_what_was_not_committed_is_gone(self, store: Store) -> None:
        study = begun(store)
        store.begin()
        store.add_answers([told(study, 1, 0)])
        store.rollback()
        assert list(store.answers(study)) == []

    def test_a_failed_transaction_leaves_nothing(self, store: Store) -> None:
        study = begun(store)
        store.begin()
        store.add_answers([told(study, 1, 0)])
        with pytest.raises(StoreError):
            store.add_answers([told(study, 2, 0)])
        store.rollback()
        assert list(store.answers(study)) == []

    def test_the_store_works_after_a_failed_transaction(self, store: Store) -> None:
        with pytest.raises(UnknownStudyError), store.transaction():
            store.study("nobody")
        assert begun(store) == store.study("s").id

    def test_a_name_is_taken_once(self, store: Store) -> None:
        begun(store)
        with pytest.raises(ConflictError, match="exists already"):
            begun(store)

    def test_a_study_that_is_not_there_is_said_to_be_unknown(self, store: Store) -> None:
        with pytest.raises(UnknownStudyError, match="no study 'nobody'"):
            store.study("nobody")
        with pytest.raises(UnknownStudyError), store.transaction():
            store.locked("nobody")

    def test_studies_come_in_the_order_of_their_making(self, store: Store) -> None:
        for name in ("b", "a", "c"):
            begun(store, name)
        assert [row.name for row in store.studies()] == ["b", "a", "c"]

    def test_a_duel_counts_once(self, store: Store) -> None:
        study = begun(store)
        with pytest.raises(StoreError), store.transaction():
            store.add_answers([told(study, 1, 0), told(study, 2, 0)])
        assert list(store.answers(study)) == []

    def test_a_late_answer_stands_beside_the_one_that_counts(self, store: Store) -> None:
        study = begun(store)
        with store.transaction():
            store.add_answers([told(study, 1, 0), told(study, 2, 0, kind="late")])
        assert store.counted(study, 0, 0) == told(study, 1, 0)

    def test_a_key_is_used_once_by_a_client(self, store: Store) -> None:
        study = begun(store)
        with pytest.raises(StoreError), store.transaction():
            store.add_answers([told(study, 1, 0, "k"), told(study, 2, 1, "k")])

    def test_answers_are_found_by_their_keys(self, store: Store) -> None:
        study = begun(store)
        with store.transaction():
            store.add_answers([told(study, 1, 0, "k"), told(study, 2, 1, "l")])
        wanted = [(study, "c", "k"), (study, "c", "m"), (study, "d", "k"), (study + 1, "c", "k")]
        assert store.keyed(wanted) == [told(study, 1, 0, "k")]
        assert store.keyed([]) == []

    def test_an_answer_that_was_taken_back_frees_its_duel(self, store: Store) -> None:
        study = begun(store)
        with store.transaction():
            store.add_answers([told(study, 1, 0)])
            store.uncount(study, 0, 0)
            store.add_answers([told(study, 2, 0)])
        assert [row.counted for row in store.answers(study)] == [0, 1]

    def test_many_answers_come_in_order(self, store: Store) -> None:
        study, count = begun(store), 300
        with store.transaction():
            store.add_answers([told(study, k + 1, k) for k in range(count)])
        assert [row.place for row in store.answers(study)] == list(range(count))
        assert [row.place for row in store.last_answers(study, 2)] == [count - 1, count - 2]
        assert [row.seq for row in store.some_answers(study, 7, 2)] == [8, 9]

    def test_a_study_is_changed_only_from_the_step_that_it_is_in(self, store: Store) -> None:
        begun(store)
        row = store.study("s")
        changed = row._replace(step=1, version=row.version + 1, duels=3)
        with store.transaction():
            store.update_study(changed, step=0)
        assert store.study("s") == changed
        with pytest.raises(ConflictError, match="another server"), store.transaction():
            store.update_study(changed._replace(version=row.version + 2), step=0)

    def test_a_study_does_not_go_back_to_an_earlier_version(self, store: Store) -> None:
        begun(store)
        with pytest.raises(ConflictError), store.transaction():
            store.update_study(store.study("s"), step=0)

    def test_only_the_open_step_has_a_run(self, store: Store) -> None:
        study = begun(store)
        with store.transaction():
            store.add_step(study, FIRST._replace(number=1))
        assert [step.run for step in store.steps(study)] == [None, "{}"]

    def test_a_client_has_one_lease(self, store: Store) -> None:
        study = begun(store)
        lease = LeaseRow(study, "c", 0, 3, 1, 1.0, 1)
        with store.transaction():
            store.put_leases([lease, lease._replace(client="d")])
            store.put_leases([lease._replace(place=4, version=2)])
        assert [(row.client, row.place) for row in store.leases(study)] == [("d", 3), ("c", 4)]
        assert [row.client for row in store.leases(study, 1)] == ["c"]

    def test_answers_are_counted_by_client_side_and_time(self, store: Store) -> None:
        study = begun(store)
        rows = [told(study, 1, 0), told(study, 2, 1), told(study, 3, 1, kind="late")]
        other = rows[2]._replace(client="d", winner="right")
        with store.transaction():
            store.add_answers([*rows[:2], other])
        assert store.by_client(study) == [("c", "told", 2, 2.25), ("d", "late", 1, 2.25)]
        assert store.by_winner(study) == {"left": 2}
        assert store.by_time(study, 2.0) == [(2.0, 2)]
        assert store.agreements(study) == (1, 0)

    def test_a_token_is_found_until_it_is_revoked(self, store: Store) -> None:
        token = TokenRow("ab", "rater", "s", "friends", 1.0, None, None)
        with store.transaction():
            store.add_token(token)
        assert store.token("ab") == token
        assert store.token("cd") is None
        with store.transaction():
            assert store.revoke_token("ab", 2.0)
            assert not store.revoke_token("ab", 3.0)
        assert store.tokens() == [token._replace(revoked_at=2.0)]

    def test_what_belongs_to_the_store_is_set_once(self, store: Store) -> None:
        with store.transaction():
            store.put_meta("secret", "a")
            store.put_meta("secret", "b")
        assert (store.meta("secret"), store.meta("other")) == ("a", None)

    def test_an_asset_is_kept_by_its_content(self, store: Store) -> None:
        with store.transaction():
            store.put_asset("ab", "image/png", b"\x00\xff")
            store.put_asset("ab", "image/png", b"\x00\xff")
        assert store.asset("ab") == ("image/png", b"\x00\xff")
        assert store.asset("cd") is None

    def test_texts_come_back_as_they_were(self, store: Store) -> None:
        study = begun(store)
        client = "Zoë 🙂 ' \" \\ %s ? <b>"
        with store.transaction():
            store.add_answers([told(study, 1, 0)._replace(client=client)])
        assert next(store.answers(study)).client == client

    def test_numbers_come_back_bit_for_bit(self, store: Store) -> None:
        study, at = begun(store), 1763406909.1234567
        with store.transaction():
            store.add_answers([told(study, 1, 2**53 + 1)._replace(at=at)])
        assert next(store.answers(study))[4:9] == (2**53 + 1, "left", "c", None, at)

    def test_a_reader_sees_what_was_committed_and_writes_nothing(self, store: Store) -> None:
        study = begun(store)
        reader = store.reader()
        with store.transaction():
            store.add_answers([told(study, 1, 0)])
        assert len(list(reader.answers(study))) == 1
        with pytest.raises(StoreError):
            reader._execute("DELETE FROM answer")
        reader.close()
        assert len(list(store.answers(study))) == 1

    def test_a_copy_holds_the_same_rows(self, store: Store, tmp_path_factory: object) -> None:
        from duelli.live.stores import open_reader

        study = begun(store)
        with store.transaction():
            store.add_answers([told(study, 1, 0, "k")])
            store.put_asset("ab", "image/png", b"\x00\xff")
        target = tmp_path_factory.mktemp("copy") / "copy.db"  # type: ignore[attr-defined]
        store.copy(str(target))
        copy = open_reader(str(target))
        assert copy.studies() == store.studies()
        assert list(copy.answers(study)) == list(store.answers(study))
        assert copy.steps(study) == store.steps(study)
        assert copy.asset("ab") == store.asset("ab")
        copy.close()

    def test_a_study_says_how_it_stands(self, store: Store) -> None:
        study = begun(store)
        row = StudyRow(study, "s", "{}", "open", 0, 1, 0, LINK, 0, store.study("s").created_at)
        assert store.study("s") == row
