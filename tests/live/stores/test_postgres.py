"""PostgreSQL: several servers on one database, and connections that break."""

import threading
from contextlib import closing

import psycopg
import pytest

from duelli.live import StoreBusyError, StoreError
from duelli.live.errors import StoreLostError
from duelli.live.ledger import Ledger
from duelli.live.reading import current_run
from duelli.live.requests import Ask
from duelli.live.stores import open_reader, open_store
from duelli.live.stores.postgres import PostgresStore, redacted
from duelli.live.verifying import faults
from duelli.testing.store.ledgers import asked, play, played_by_run, settings, tell_of


@pytest.fixture
def url(cluster):
    return cluster.url()


def broken(url):
    """End all other connections, as a failing network would."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )


def test_two_servers_advance_each_step_once(url):
    with closing(Ledger(open_store(url))) as one, closing(Ledger(open_store(url))) as two:
        wanted = settings(horizon=30, batch=5)
        one.create(wanted)
        names = [(ledger, f"c{k}") for k, ledger in enumerate([one, two] * 4)]
        threads = [threading.Thread(target=play, args=pair) for pair in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        row = one.store.study("s")
        assert (row.status, row.duels) == ("done", 30)
        assert current_run(one.store, row).saved() == played_by_run(wanted).saved()
        assert faults(one.store) == []


def test_an_answer_given_to_one_server_is_a_replay_for_the_other(url):
    with closing(Ledger(open_store(url))) as one, closing(Ledger(open_store(url))) as two:
        one.create(settings())
        given = asked(one, "c")
        assert asked(two, "c") == given
        request = tell_of(given, "c", key="k")
        assert one.do(request).status == "accepted"
        assert two.do(request).status == "replay"


def test_a_connection_that_breaks_loses_and_doubles_nothing(url):
    with closing(Ledger(open_store(url))) as ledger:
        ledger.create(settings())
        for _ in range(12):
            given = asked(ledger, "c")
            broken(url)
            assert ledger.do(tell_of(given, "c", key=f"{given.pair.id}")).status == "accepted"
        assert ledger.store.study("s").duels == 12
        assert faults(ledger.store) == []


def test_a_connection_that_breaks_in_the_commit_is_tried_again(url, monkeypatch):
    with closing(Ledger(open_store(url))) as ledger:
        ledger.create(settings())
        given = asked(ledger, "c")
        commit, lost = PostgresStore.commit, []

        def commit_unheard(store):
            commit(store)
            if not lost:
                lost.append(1)
                broken(url)
                raise StoreLostError("the answer to the commit did not come")

        monkeypatch.setattr(PostgresStore, "commit", commit_unheard)
        taken = ledger.do(tell_of(given, "c", key="k"))
        assert (taken.status, lost) == ("replay", [1])


@pytest.mark.slow
def test_a_server_that_is_away_is_busy_and_comes_back(cluster):
    url = cluster.url()
    with closing(Ledger(open_store(url))) as ledger:
        ledger.create(settings())
        given = asked(ledger, "c")
        cluster.stop("immediate")
        with pytest.raises(StoreBusyError):
            ledger.do(tell_of(given, "c", key="k"))
        cluster.start()
        assert ledger.do(tell_of(given, "c", key="k")).status == "accepted"
        play(ledger)
        assert faults(ledger.store) == []


def test_a_store_synchronises_whatever_the_database_says(url):
    name = url.rpartition("/")[2]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    try:
        with closing(open_store(url)) as store:
            assert store._execute("SHOW synchronous_commit") == [("on",)]
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} RESET synchronous_commit")


def test_two_servers_that_start_at_once_make_the_tables_once(url):
    stores = []
    threads = [threading.Thread(target=lambda: stores.append(open_store(url))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stores) == 4
    for store in stores:
        store.close()


def test_an_empty_database_has_nothing_to_read(url):
    with pytest.raises(StoreError, match="no studies"):
        open_reader(url)


@pytest.mark.parametrize(
    "url",
    ["postgresql://me:secret@host/db", "postgresql://host/db?user=me&password=secret&x=1"],
)
def test_a_password_is_never_shown(url):
    assert "secret" not in redacted(url)
    assert "host/db" in redacted(url)


def test_a_server_that_is_not_there_is_said_so_without_its_password():
    with pytest.raises(StoreBusyError, match="cannot be reached") as caught:
        open_store("postgresql://me:secret@127.0.0.1:1/db")
    assert "secret" not in str(caught.value)


def test_an_unknown_study_is_unknown_to_both(url):
    with closing(Ledger(open_store(url))) as ledger, pytest.raises(KeyError):
        ledger.do(Ask("nobody", "c"))
