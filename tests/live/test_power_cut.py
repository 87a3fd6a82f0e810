"""A power cut keeps what was synchronised and any part of the rest; nothing told is lost (F2, F17).

One session of a ledger on such a disk is cut at many moments: each time, what a cut would leave is
put into a folder of its own, opened as after a restart, and compared with what had been
acknowledged until then. The next session goes on from one of these folders.
"""

import random
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import pytest

from duelli.live.ledger import Ledger
from duelli.live.requests import Ask, Given, Tell
from duelli.live.settings import Settings
from duelli.live.stores.sqlite import SqliteStore
from duelli.live.verifying import faults

from .disks import Disk
from .storm import STUDY

CUTS, SESSIONS, CLIENTS = 400, 10, 8


class Session:
    """A ledger on a disk, whose power is cut in thought at random steps.

    Args:
        path: The database.
        acked: The answers that were acknowledged in the sessions before.
        chance: Decides when, and what is left.
        often: The share of the steps of the disk at which it is cut.
        connect: Makes connections of the disk.
    """

    def __init__(self, path, acked, chance, often, connect=None):
        self.acked, self.cuts = list(acked), []
        self._chance, self._often = chance, often
        self._disk = Disk(self._step)
        self._store = SqliteStore(path, connect=(connect or merging_often)(self._disk))

    def play(self, rounds, ledger_class=Ledger):
        """Let some clients answer so many pairs each; return the cuts."""
        with closing(ledger_class(self._store, deliver=self._deliver)) as ledger:
            if not self._store.studies():
                ledger.create(Settings(**STUDY))
            for k in range(rounds):
                given = self._all(ledger, [Ask("s", f"c{c}") for c in range(CLIENTS)])
                tells = [
                    Tell("s", f"c{c}", g.step, g.place, "left", f"{len(self.acked)}.{k}.{c}")
                    for c, g in enumerate(given)
                    if isinstance(g, Given)
                ]
                self._all(ledger, tells)
        return self.cuts

    def _all(self, ledger, requests):
        futures = []
        for request in requests:
            futures.append(Future())
            futures[-1].request = request
            ledger.submit(request, futures[-1])
        return [future.result(30) for future in futures]

    def _deliver(self, replies):
        """Acknowledge; what is cut afterwards must have all of this."""
        for future, result in replies:
            request = getattr(future, "request", None)
            if isinstance(request, Tell) and getattr(result, "status", "") == "accepted":
                self.acked.append(request)
            if isinstance(result, BaseException):
                future.set_exception(result)
            else:
                future.set_result(result)

    def _step(self, kind):  # noqa: ARG002 (any kind will do)
        if self._chance.random() < self._often:
            self.cuts.append((self._disk.after_cut(self._chance), len(self.acked)))


def restart(folder, files):
    """Put what a cut has left into a folder, and return the path of the database."""
    folder.mkdir()
    for path, content in files.items():
        (folder / Path(path).name).write_bytes(content)
    return folder / "studies.db"


def lost_by(path, acked):
    """Return how many acknowledged answers a restart does not find; nothing else may be wrong."""
    with closing(SqliteStore(path)) as store:
        assert faults(store) == []
        if not acked:
            return 0
        ids = [row.id for row in store.studies()]  # not even the study may be there
        rows = {(row.client, row.key): row for study in ids for row in store.answers(study)}
        kept = [rows.get((told.client, told.key)) for told in acked]
        return sum(
            row is None or (row.step, row.place, row.winner) != (told.step, told.place, told.winner)
            for row, told in zip(kept, acked, strict=True)
        )


def cut_often(tmp_path, cuts, *, sessions=SESSIONS, rounds=12, **how):
    """Cut the power many times; return how many cuts have lost something, of how many."""
    chance, acked, path = random.Random(cuts), [], tmp_path / "studies.db"
    losing = done = 0
    ledger_class = how.pop("ledger_class", Ledger)
    while done < cuts:
        session = Session(path, acked, chance, 0.2, **how)
        found = session.play(rounds, ledger_class)
        chance.shuffle(found)
        for files, told in found[: -(-cuts // sessions)]:
            path, acked = restart(tmp_path / f"cut{done}", files), session.acked[:told]
            gone = lost_by(path, acked)
            losing, done = losing + (gone > 0), done + 1
            if gone:
                return losing, done  # the session that follows would build on the loss
    return losing, done


def merging_often(disk):
    """Return connections that merge the log into the database every few transactions."""

    def connect(path):
        connection = disk.connect(path)
        connection.wal_autocheckpoint(20)
        return connection

    return connect


def without_synchronising(disk):
    """Return connections that synchronise only when the log is merged into the database."""

    class Lazy:
        def __init__(self, connection):
            self._connection = connection

        def execute(self, sql, values=()):
            return self._connection.execute(sql.replace("= FULL", "= NORMAL"), values)

        def __getattr__(self, name):
            return getattr(self._connection, name)

    return lambda path: Lazy(disk.connect(path))


class Hasty(Ledger):
    """The bug to be found: it answers first, and commits a moment later."""

    def _transaction(self, batch):
        commit, kept = self.store.commit, []
        self.store.commit = lambda: kept.append(commit)
        try:
            replies = super()._transaction(batch)
        finally:
            del self.store.commit
        self._deliver(replies)
        for each in kept:
            each()
        return []


@pytest.mark.slow
def test_no_acknowledged_answer_is_lost_by_400_power_cuts(tmp_path):
    assert cut_often(tmp_path, CUTS) == (0, CUTS)


def test_a_log_that_is_not_synchronised_loses_answers(tmp_path):
    losing, _ = cut_often(tmp_path, 100, connect=without_synchronising)
    assert losing


def test_an_answer_before_the_commit_is_found_out_by_power_cuts(tmp_path):
    losing, _ = cut_often(tmp_path, 100, ledger_class=Hasty)
    assert losing
