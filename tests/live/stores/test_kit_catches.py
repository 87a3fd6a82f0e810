"""The contract kit of stores can fail: it catches the faults that it is there for."""

import pytest

from duelli.live import StoreError
from duelli.live.stores.migrating import Migration, migrations
from duelli.live.stores.sqlite import SqliteStore
from duelli.testing.store import StoreKit

CAUGHT = (AssertionError, pytest.fail.Exception, StoreError)


class Forgetful(SqliteStore):
    """Says that it has committed, and has not."""

    def commit(self):
        self.rollback()


class Careless(SqliteStore):
    """Counts a duel as often as it is told."""

    def __init__(self, path):
        (first,) = migrations("sqlite")
        loose = tuple(text.replace("UNIQUE INDEX", "INDEX") for text in first.statements)
        super().__init__(path, steps=[Migration(1, first.name, loose)])


class Hasty(SqliteStore):
    """Keeps what was rolled back."""

    def rollback(self):
        self.commit()


class Blind(SqliteStore):
    """Advances a step whoever has advanced it before."""

    def update_study(self, row, *, step):
        del step
        self._execute("UPDATE study SET version = ? WHERE id = ?", (row.version, row.id))


@pytest.mark.parametrize(
    ("kind", "test", "needs"),
    [
        (Forgetful, "test_what_was_committed_is_found_again", "make"),
        (Careless, "test_a_duel_counts_once", "store"),
        (Careless, "test_a_key_is_used_once_by_a_client", "store"),
        (Hasty, "test_what_was_not_committed_is_gone", "store"),
        (Blind, "test_a_study_is_changed_only_from_the_step_that_it_is_in", "store"),
    ],
)
def test_a_faulty_store_is_caught(tmp_path, kind, test, needs):
    made = []

    def make():
        made.append(kind(tmp_path / "studies.db"))
        return made[-1]

    with pytest.raises(CAUGHT):
        getattr(StoreKit(), test)(make if needs == "make" else make())
    made[-1].close()
