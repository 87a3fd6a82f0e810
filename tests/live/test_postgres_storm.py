"""PostgreSQL that crashes, cuts connections and has two servers: nothing is lost (F10, F18, P7)."""

import random
import time
from contextlib import closing

import psycopg
import pytest

from duelli.live.stores import open_reader

from .servers import Servers
from .storm import Storm, check_kept, create, lost

CRASHES, CUTS = 8, 60


@pytest.fixture
def url(cluster):
    return cluster.url()


def crash_often(cluster, url, crashes, plant=None):
    """Crash the database under 16 clients of one server; return what they were told."""
    chance = random.Random(crashes)
    with Servers() as servers:
        server = servers.start(url, plant=plant)
        create(server.url)
        with Storm(server.url) as storm:
            storm.wait_for(100)
            for _ in range(crashes):
                time.sleep(chance.uniform(0.3, 0.6))
                cluster.stop("immediate")
                cluster.start()
            if plant is None:  # a server that knows more than its disk may refuse everything
                storm.wait_for(len(storm.acked) + 100)
        ended = server.stop()
        assert plant or (storm.wrong, ended) == ([], 0)  # a planted bug may show in other ways too
    return storm


def without_waiting_for_the_disk():
    """Plant a connection that believes a commit before it is on disk."""
    from duelli.live.stores.postgres import PostgresStore

    begin = PostgresStore.begin

    def lazy(self):
        begin(self)
        self._connection.execute("SET LOCAL synchronous_commit = off")

    PostgresStore.begin = lazy


def cut_connections(url, cuts, seed=0):
    """End random connections of servers, one after the other."""
    chance = random.Random(seed)
    with psycopg.connect(url, autocommit=True) as connection:
        for _ in range(cuts):
            time.sleep(chance.uniform(0, 0.1))
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> "
                "pg_backend_pid() AND backend_type = 'client backend' ORDER BY random() LIMIT 1"
            )


@pytest.mark.slow
def test_crashes_of_the_database_lose_and_double_nothing(cluster, url):
    storm = crash_often(cluster, url, CRASHES)
    with closing(open_reader(url)) as reader:
        check_kept(reader, "s", storm.acked)


@pytest.mark.slow
def test_commits_that_are_not_on_disk_are_found_out_by_crashes(cluster, url):
    storm = crash_often(cluster, url, 2, plant=without_waiting_for_the_disk)
    with closing(open_reader(url)) as reader:
        assert lost(reader, "s", storm.acked)


@pytest.mark.slow
def test_two_servers_advance_each_step_once_while_connections_are_cut(url):
    with Servers() as servers:
        both = [servers.start(url), servers.start(url)]
        create(both[0].url, horizon=10**4)  # with steps of 64 duels
        with Storm(*(server.url for server in both)) as storm:
            storm.wait_for(100)
            cut_connections(url, CUTS)
            both[1].kill()
            storm.wait_for(len(storm.acked) + 200)
        assert storm.wrong == []
        assert both[0].stop() == 0
    with closing(open_reader(url)) as reader:
        check_kept(reader, "s", storm.acked)
        row = reader.study("s")
        assert row.step > 2
        assert [step.number for step in reader.steps(row.id)] == list(range(row.step + 1))
