"""An upgrade that is killed goes on; of two that begin at once, one upgrades (F15)."""

import multiprocessing
import os
import signal
from contextlib import closing

import pytest

from duelli.live.ledger import Ledger
from duelli.live.requests import Ask, Tell
from duelli.live.settings import Settings
from duelli.live.stores import open_store
from duelli.live.stores.migrating import Migration, migrations
from duelli.live.stores.sqlite import SqliteReader, SqliteStore
from duelli.live.verifying import faults

from .storm import STUDY

LATER = [
    Migration(2, "notes", ("ALTER TABLE study ADD COLUMN note TEXT", "CREATE TABLE more (a)")),
    Migration(3, "marks", ("ALTER TABLE answer ADD COLUMN mark TEXT", "DROP TABLE more")),
]


def later():
    """Return the steps of a release to come."""
    return [*migrations("sqlite"), *LATER]


@pytest.fixture
def old(tmp_path):
    """Return a database of this release, with answers in it."""
    path = tmp_path / "studies.db"
    with closing(Ledger(open_store(str(path)))) as ledger:
        ledger.create(Settings(**STUDY))
        for _ in range(3):
            pair = ledger.do(Ask("s", "c"))
            ledger.do(Tell("s", "c", pair.step, pair.place, "left"))
    return path


def upgrade_until(path, statement):
    """Upgrade, and kill this process before its ``statement``-th statement."""
    execute, left = SqliteReader._execute, [statement]

    def counted(self, sql, values=()):
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        return execute(self, sql, values)

    SqliteReader._execute = counted
    SqliteStore(path, steps=later()).close()


def in_process(work, *values):
    """Run something in a process of its own; return its exit code."""
    process = multiprocessing.get_context("fork").Process(target=work, args=values)
    process.start()
    process.join()
    return process.exitcode


def check_upgraded(path):
    with closing(SqliteStore(path, steps=later())) as store:
        assert store._execute("PRAGMA user_version") == [(3,)]
        assert store._execute("SELECT COUNT(*), COUNT(mark) FROM answer") == [(3, 0)]
        assert faults(store) == []


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # a fork beside threads, of newer Python
def test_an_upgrade_killed_before_any_statement_goes_on(old, tmp_path):
    before, killed, statement = old.read_bytes(), True, 0
    while killed:
        path = tmp_path / f"killed{statement}.db"
        path.write_bytes(before)
        killed = in_process(upgrade_until, path, statement) == -signal.SIGKILL
        check_upgraded(path)
        statement += 1
    assert statement > 10  # before the first of these it was killed, after the last it was not


def start(path, gate, said):
    """Open a store of the release to come as soon as all are ready."""
    gate.wait()
    try:
        with closing(SqliteStore(path, steps=later())):
            said.put("opened")
            gate.wait()  # until both have tried
    except RuntimeError as error:
        said.put("in use" if "in use" in str(error) else str(error))
        gate.wait()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_of_two_that_start_at_once_one_upgrades_and_one_is_refused(old):
    context = multiprocessing.get_context("fork")
    gate, said = context.Barrier(2), context.SimpleQueue()
    processes = [context.Process(target=start, args=(old, gate, said)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert sorted(said.get() for _ in range(2)) == ["in use", "opened"]
    check_upgraded(old)


def test_a_release_that_is_older_than_the_file_refuses_it_and_changes_nothing(old):
    SqliteStore(old, steps=later()).close()
    before = old.read_bytes()
    with pytest.raises(RuntimeError, match=r"version 3.*knows up to 1"):
        open_store(str(old))
    assert old.read_bytes() == before
