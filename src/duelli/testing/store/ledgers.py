"""What a ledger promises on top of a store."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from duelli.live.errors import ConflictError, KeyReusedError, UnknownStudyError
from duelli.live.ledger import Ledger
from duelli.live.reading import current_run
from duelli.live.requests import Ask, Close, Done, Given, Skip, Taken, Tell, Undo, Wait
from duelli.live.settings import Settings
from duelli.live.stores import Store
from duelli.live.verifying import faults

MakeStore = Callable[[], Store]
BOX = {"a": (0.0, 1.0), "n": (1, 5, "int")}


def settings(name: str = "s", **more: Any) -> Settings:
    """Return the settings of a small study."""
    return Settings(name=name, box=BOX, **{"horizon": 12, "batch": 3, **more})  # type: ignore[arg-type]


def judged(given: Given) -> str:
    """Return what a judge says who wants a large a."""
    return "left" if given.pair.x["a"] > given.pair.y["a"] else "right"


def tell_of(given: Given, client: str, winner: str | None = None, key: str | None = None) -> Tell:
    """Return the answer of a client to a pair."""
    return Tell("s", client, given.step, given.place, winner or judged(given), key)


def asked(ledger: Ledger, client: str) -> Given | Done:
    """Return a pair, once there is one."""
    while isinstance(given := ledger.do(Ask("s", client)), Wait):
        time.sleep(0.002)
    assert isinstance(given, Given | Done)
    return given


def play(ledger: Ledger, client: str = "c", most: int = 10**6) -> int:
    """Judge pairs until there are none; return how many."""
    for count in range(most):
        given = asked(ledger, client)
        if isinstance(given, Done):
            return count
        ledger.do(tell_of(given, client, key=f"{given.step}.{given.place}"))
    return most


def played_by_run(wanted: Settings) -> Any:
    """Return the run that the same judge has played without any study."""
    run = wanted.run()
    while pairs := run.ask():
        for pair in pairs:
            run.tell(pair.id, "x" if pair.x["a"] > pair.y["a"] else "y")
    return run


class LedgerTests:
    """Each answer counts once, whatever is repeated, and the end is that of a run."""

    @pytest.fixture
    def ledger(self, make: MakeStore) -> Iterator[Ledger]:
        with closing(Ledger(make())) as ledger:
            ledger.create(settings())
            yield ledger

    def test_a_study_ends_in_the_state_of_a_run(self, ledger: Ledger) -> None:
        assert play(ledger) == 12
        run = current_run(ledger.store, ledger.store.study("s"))
        assert run.saved() == played_by_run(settings()).saved()

    def test_restarted_after_every_answer_it_ends_in_the_same_state(self, make: MakeStore) -> None:
        with closing(Ledger(make())) as ledger:
            ledger.create(settings())
        while True:
            with closing(Ledger(make())) as ledger:
                if play(ledger, most=1) == 0:
                    run = current_run(ledger.store, ledger.store.study("s"))
                    break
        assert run.saved() == played_by_run(settings()).saved()

    def test_a_played_study_verifies(self, ledger: Ledger) -> None:
        play(ledger)
        assert faults(ledger.store) == []

    def test_many_threads_end_in_the_same_state(self, ledger: Ledger) -> None:
        names = [f"c{k}" for k in range(6)]
        threads = [threading.Thread(target=play, args=(ledger, name)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        row = ledger.store.study("s")
        assert (row.status, row.duels) == ("done", 12)
        run = current_run(ledger.store, row)
        assert run.saved() == played_by_run(settings()).saved()
        assert faults(ledger.store) == []

    def test_a_client_has_the_same_pair_until_it_answers(self, ledger: Ledger) -> None:
        first = asked(ledger, "c")
        assert asked(ledger, "c") == first
        assert asked(ledger, "d") != first

    def test_a_client_has_the_same_pair_after_a_restart(self, make: MakeStore) -> None:
        with closing(Ledger(make())) as ledger:
            ledger.create(settings())
            asked(ledger, "b")
            first = asked(ledger, "c")
        with closing(Ledger(make())) as ledger:
            assert asked(ledger, "c") == first

    def test_a_repeated_answer_is_a_replay(self, ledger: Ledger) -> None:
        given = asked(ledger, "c")
        assert isinstance(given, Given)
        request = tell_of(given, "c", key="k")
        assert ledger.do(request) == Taken("accepted", request.winner)
        assert ledger.do(request) == Taken("replay", request.winner)
        assert ledger.store.study("s").duels == 1

    def test_a_repeated_answer_is_a_replay_after_a_restart(self, make: MakeStore) -> None:
        with closing(Ledger(make())) as ledger:
            ledger.create(settings(batch=1))
            given = asked(ledger, "c")
            assert isinstance(given, Given)
            request = tell_of(given, "c", key="k")
            assert ledger.do(request).status == "accepted"  # it closes its step
        with closing(Ledger(make())) as ledger:
            assert ledger.do(request).status == "replay"

    def test_a_repeated_answer_without_a_key_is_a_replay(self, ledger: Ledger) -> None:
        given = asked(ledger, "c")
        assert isinstance(given, Given)
        assert ledger.do(tell_of(given, "c")).status == "accepted"
        assert ledger.do(tell_of(given, "c")).status == "replay"

    def test_a_key_is_refused_with_another_answer(self, ledger: Ledger) -> None:
        given = asked(ledger, "c")
        assert isinstance(given, Given)
        ledger.do(tell_of(given, "c", "left", "k"))
        with pytest.raises(KeyReusedError):
            ledger.do(tell_of(given, "c", "right", "k"))

    def test_the_first_of_two_answers_counts(self, ledger: Ledger) -> None:
        given = asked(ledger, "c")
        assert isinstance(given, Given)
        ledger.do(tell_of(given, "c", "left"))
        late = tell_of(given, "d", "right", "k")
        assert ledger.do(late) == Taken("late", "left")
        assert ledger.do(late) == Taken("late", "left")
        kinds = [row.kind for row in ledger.store.answers(ledger.store.study("s").id)]
        assert kinds == ["told", "late"]

    def test_an_answer_to_a_step_that_is_over_is_late(self, ledger: Ledger) -> None:
        first = asked(ledger, "slow")
        assert isinstance(first, Given)
        play(ledger)
        other = "tie"
        assert ledger.do(tell_of(first, "slow", other)).status == "late"
        assert faults(ledger.store) == []

    def test_when_all_pairs_are_out_the_oldest_goes_to_a_second_rater(self, ledger: Ledger) -> None:
        out = [asked(ledger, f"c{k}") for k in range(3)]
        again = asked(ledger, "d")
        assert isinstance(again, Given)
        assert isinstance(out[0], Given)
        assert (again.place, again.pair, again.number) == (out[0].place, out[0].pair, 2)

    def test_an_answer_can_be_taken_back_while_its_step_is_open(self, ledger: Ledger) -> None:
        given = asked(ledger, "c")
        assert isinstance(given, Given)
        ledger.do(tell_of(given, "c", "left", "k"))
        undone = ledger.do(Undo("s", "c", "u"))
        assert (undone.pair, undone.winner) == (given.pair, "left")
        assert ledger.do(Undo("s", "c", "u")) == undone
        assert ledger.store.study("s").duels == 0
        assert ledger.do(tell_of(given, "c", "left", "k")).status == "replay"  # sent twice before
        assert ledger.store.study("s").duels == 0
        assert ledger.do(tell_of(given, "c", "right", "l")).status == "accepted"
        play(ledger)
        assert faults(ledger.store) == []

    def test_an_answer_cannot_be_taken_back_once_it_was_used(self, ledger: Ledger) -> None:
        play(ledger, most=3)
        with pytest.raises(ConflictError):
            ledger.do(Undo("s", "c"))

    def test_a_skipped_pair_goes_to_somebody_else(self, ledger: Ledger) -> None:
        given = asked(ledger, "c")
        assert isinstance(given, Given)
        assert ledger.do(Skip("s", "c", given.step, given.place)) == Taken("skipped")
        assert asked(ledger, "c") != given
        other = asked(ledger, "d")
        assert isinstance(other, Given)
        assert other.pair == given.pair

    def test_a_closed_study_takes_no_answers_and_keeps_those_it_has(self, ledger: Ledger) -> None:
        first, second = asked(ledger, "c"), asked(ledger, "d")
        assert isinstance(first, Given)
        assert isinstance(second, Given)
        ledger.do(tell_of(first, "c"))
        ledger.do(Close("s"))
        with pytest.raises(ConflictError, match="closed"):
            ledger.do(tell_of(second, "d"))
        assert ledger.do(Ask("s", "c")) == Done(closed=True)
        assert ledger.store.study("s").duels == 1
        assert faults(ledger.store) == []

    def test_what_concerns_no_study_is_said_so(self, ledger: Ledger) -> None:
        with pytest.raises(UnknownStudyError):
            ledger.do(Ask("nobody", "c"))

    def test_a_change_in_the_store_is_seen(self, ledger: Ledger) -> None:
        play(ledger, most=5)
        with ledger.store.transaction():
            ledger.store._execute("UPDATE answer SET winner = 'tie' WHERE seq = 2")
        assert faults(ledger.store) == ["study s: answer 2 was changed after it was written"]
