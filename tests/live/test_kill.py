"""Kill -9: what was acknowledged is kept and counts once, wherever the server was (F1, P1-P3)."""

import random
import time
from contextlib import closing

import pytest

from duelli.live.stores import open_reader
from duelli.live.stores.sqlite import SqliteStore

from .servers import Servers
from .storm import Storm, check_kept, create, lost

KILLS = 200


def kill_often(db, kills, *, shortest=0.0, longest=0.12, plant=None, **settings):
    """Kill and restart a server many times under 16 clients; return what they were told."""
    chance = random.Random(kills)
    with Servers() as servers:
        server = servers.start(db, plant=plant)
        create(server.url, **settings)
        port = int(server.url.rpartition(":")[2])
        with Storm(server.url) as storm:
            for _ in range(kills):
                time.sleep(chance.uniform(shortest, longest))
                server.kill()
                server = servers.start(db, port=port, plant=plant)
            storm.wait_for(len(storm.acked) + 100)
        assert plant or storm.wrong == []  # a planted bug may show in other ways too
        assert server.stop() == 0
    return storm


def acknowledge_before_commit():
    """Plant the bug: answers go out first, and are kept a moment later."""
    from duelli.live.ledger import Ledger

    transaction = Ledger._transaction

    def early(self, batch):
        commit = self.store.commit
        kept = []
        self.store.commit = lambda: kept.append(commit)
        try:
            replies = transaction(self, batch)
        finally:
            del self.store.commit
        self._deliver(replies)
        time.sleep(0.002)
        for each in kept:
            each()
        return []

    Ledger._transaction = early


@pytest.mark.slow
def test_no_acknowledged_answer_is_lost_by_200_kills(tmp_path):
    db = tmp_path / "studies.db"
    storm = kill_often(db, KILLS, learner="auto", batch=16)  # short steps, so that many are closed
    assert len(storm.acked) > KILLS
    with closing(open_reader(str(db))) as reader:
        check_kept(reader, "s", storm.acked)
        assert reader.study("s").step > 3  # the kills came between steps too


@pytest.mark.slow
def test_an_answer_before_the_commit_is_found_out_by_kills(tmp_path):
    db = tmp_path / "studies.db"
    storm = kill_often(db, 20, shortest=0.1, longest=0.2, plant=acknowledge_before_commit)
    with closing(open_reader(str(db))) as reader:
        assert lost(reader, "s", storm.acked)


def test_after_a_kill_the_file_opens_as_it_was(tmp_path):
    db = tmp_path / "studies.db"
    storm = kill_often(db, 2, shortest=0.1)
    with closing(SqliteStore(db)) as store:
        check_kept(store, "s", storm.acked)
