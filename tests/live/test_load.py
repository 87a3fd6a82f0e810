"""Overload, a slow learner, long readers, backups and stray programs (F14, F20-F23, P10)."""

import os
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from duelli.live.errors import StoreError
from duelli.live.ledger import Ledger
from duelli.live.requests import Ask, Tell
from duelli.live.settings import Settings
from duelli.live.stores import open_reader, open_store
from duelli.live.study import advanced
from duelli.live.verifying import faults

from .servers import Servers
from .storm import STUDY, Post, Storm, check_kept, counted_twice, create, lost


@pytest.fixture
def servers():
    with Servers() as servers:
        yield servers


def told(ledger, pair, client):
    return ledger.do(Tell("s", client, pair.step, pair.place, "left", f"{pair.step}.{pair.place}"))


def memory(pid):
    """Return the resident memory of a process in megabytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmRSS"))) / 1024


def slow_learner(saved, scores):
    time.sleep(0.7)
    return advanced(saved, scores)


def test_while_the_learner_thinks_others_are_answered_at_once(servers, tmp_path):
    server = servers.start(tmp_path / "studies.db", advance=slow_learner)
    create(server.url, name="t", learner="auto", batch=2, horizon=20)
    create(server.url)
    post = Post([server.url])
    with closing(post):

        def pair_of(client, study="t"):
            return post(f"/v1/studies/{study}/ask", {"client": client}, None)[1]

        pairs = [pair_of("a"), pair_of("b")]
        bodies = [{"duel": p["duel"], "ticket": p["ticket"], "winner": "left"} for p in pairs]
        assert post("/v1/studies/t/tell", bodies[0], "k0")[0] == 200
        last = threading.Thread(target=_alone, args=(server.url, bodies[1]))
        last.start()
        time.sleep(0.2)  # the learner thinks by now
        took = []
        for k in range(10):
            assert post("/v1/studies/t/ask", {"client": "a"}, None)[0] == 204
            pair = pair_of("a", "s")
            body = {"duel": pair["duel"], "ticket": pair["ticket"], "winner": "left"}
            began = time.monotonic()
            assert post("/v1/studies/s/tell", body, f"s{k}") == (200, {"status": "accepted"})
            took.append(time.monotonic() - began)
            if sum(took) > 0.3:
                break
        assert sorted(took)[len(took) // 2] < 0.1
        last.join()
    assert server.stop() == 0


def _alone(url, body):
    with closing(Post([url])) as post:
        assert post("/v1/studies/t/tell", body, "k1") == (200, {"status": "accepted"})


COUNT = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
print(database.execute("SELECT COUNT(*) FROM answer").fetchone()[0], flush=True)
sys.stdin.read()  # it has the database open for as long
"""


@contextmanager
def outsider(db):
    """Yield what a stray program counts in the database, which it has open."""
    command = [sys.executable, "-c", COUNT, str(db)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as program:
        yield int(program.stdout.readline())
        program.stdin.close()


@pytest.mark.parametrize("replaced", [False, True])
def test_a_program_that_takes_the_log_away_stops_the_acknowledgements(tmp_path, replaced):
    db, log = tmp_path / "studies.db", tmp_path / "studies.db-wal"
    with closing(Ledger(open_store(str(db)))) as ledger, ExitStack() as stack:
        ledger.create(Settings(**STUDY))
        told(ledger, ledger.do(Ask("s", "c")), "c")
        pair = ledger.do(Ask("s", "c"))
        old = log.open("rb")  # so that the number of the file is not used again
        stack.callback(old.close)
        db.open("rb").close()  # drops the locks that SQLite has in this process
        with outsider(db):
            pass
        assert not log.exists()
        if replaced:
            stack.enter_context(outsider(db))
            assert log.stat().st_ino != os.fstat(old.fileno()).st_ino
        with pytest.raises(StoreError, match="removed or replaced"):
            told(ledger, pair, "c")
    with outsider(db) as found:
        assert found == 1  # the log that was taken away is not merged afterwards


def test_a_long_reader_delays_nobody_and_the_log_is_short_again_after_it(tmp_path, monkeypatch):
    monkeypatch.setattr("duelli.live.stores.sqlite.LARGE_LOG", 200_000)
    monkeypatch.setattr("duelli.live.stores.sqlite.SHORTENING_SECONDS", 0.05)
    db = tmp_path / "studies.db"
    with closing(Ledger(open_store(str(db)))) as ledger, closing(open_reader(str(db))) as reader:
        ledger.create(Settings(**STUDY))
        with reader.snapshot():
            reader.studies()
            slowest = 0.0
            for _ in range(60):
                began = time.monotonic()
                told(ledger, ledger.do(Ask("s", "c")), "c")
                slowest = max(slowest, time.monotonic() - began)
            assert db.with_name("studies.db-wal").stat().st_size > 200_000
        assert slowest < 2.0  # it would be five seconds if anybody waited for the reader
        time.sleep(0.06)
        told(ledger, ledger.do(Ask("s", "c")), "c")
        assert db.with_name("studies.db-wal").stat().st_size < 200_000


@pytest.mark.slow
def test_backups_between_kills_verify_and_are_beginnings(servers, tmp_path):
    db, copies = tmp_path / "studies.db", []
    server = servers.start(db)
    port = int(server.url.rpartition(":")[2])
    create(server.url)
    with Storm(server.url) as storm:
        for k in range(10):
            storm.wait_for(len(storm.acked) + 20)
            before = list(storm.acked)
            with closing(open_reader(str(db))) as reader:
                reader.copy(str(tmp_path / f"copy{k}.db"))
            copies.append((tmp_path / f"copy{k}.db", before))
            server.kill()
            server = servers.start(db, port=port)
    assert server.stop() == 0
    with closing(open_reader(str(db))) as reader:
        check_kept(reader, "s", storm.acked)
        whole = list(reader.answers(1))
    for path, before in copies:
        with closing(open_reader(str(path))) as copy:
            assert faults(copy) == []
            assert lost(copy, "s", before) == []
            rows = list(copy.answers(1))
        assert rows == whole[: len(rows)]


@pytest.mark.slow
def test_overload_is_refused_politely_and_takes_no_memory(servers, tmp_path):
    db = tmp_path / "studies.db"
    server = servers.start(db, most_waiting=8)
    create(server.url)
    with Storm(server.url, clients=64, pause=0.001) as storm:
        storm.wait_for(500)
        before = memory(server.pid)
        storm.wait_for(len(storm.acked) + 2000, seconds=60)
        after = memory(server.pid)
    assert storm.codes[429] > 0
    assert set(storm.codes) <= {200, 204, 409, 429}
    assert (storm.wrong, after - before < 20) == ([], True)
    assert server.stop() == 0
    with closing(open_reader(str(db))) as reader:
        assert lost(reader, "s", storm.acked) == []
        assert counted_twice(reader, "s") == []


def test_a_lock_of_the_command_line_is_not_left_behind(tmp_path):
    db = tmp_path / "studies.db"
    open_store(str(db)).close()
    assert os.path.exists(f"{db}.lock")
    with closing(open_store(str(db))):
        pass  # a lock is held by a process, not by the file that is left
