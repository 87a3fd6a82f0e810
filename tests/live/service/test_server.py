"""Servers in processes of their own: killed, started twice, and kept waiting."""

import json
import socket
import subprocess
import sys
import time
from contextlib import closing
from urllib.parse import urlsplit

import pytest

import duelli
from duelli.live import Client, ConflictError, StoreBusyError
from duelli.live.managing import close_study, create_study, make_token
from duelli.live.service import guard, server
from duelli.live.settings import Settings
from duelli.live.stores import open_reader
from duelli.live.verifying import faults
from live.servers import Servers

BOX = {"a": [0, 1], "n": [1, 5, "int"]}


@pytest.fixture(scope="module")
def servers():
    with Servers() as servers:
        yield servers


@pytest.fixture
def db(tmp_path):
    path = str(tmp_path / "studies.db")
    create_study(path, Settings(name="s", box=BOX, horizon=12, batch=3))
    return path


def judge(left, right):
    return left["a"] > right["a"]


def played_by_run():
    run = duelli.Run(BOX, horizon=12, batch=3, keep_history=False)
    while pairs := run.ask():
        for pair in pairs:
            run.tell(pair.id, "x" if judge(pair.x, pair.y) else "y")
    return json.loads(json.dumps(run.saved()))


def test_a_study_that_clients_play_ends_in_the_state_of_a_run(servers, db):
    running = servers.start(db)
    client = Client(running.url, "s")
    assert client.play(judge, parallel=4) >= 12
    assert client.get("/v1/studies/s/saved") == played_by_run()
    assert running.stop() == 0


def test_killed_after_every_answer_it_ends_in_the_same_state(servers, db):
    told, pair, other = None, {}, None
    while pair is not None:
        running = servers.start(db)
        client = Client(running.url, "s", client="c")
        if told is not None:
            assert client.ask("other") == other
            assert client.tell(*told[:2], key=told[2]) == "replay"
        pair, other = client.ask(), client.ask("other")
        if pair is not None:
            told = pair, judge(pair["left"], pair["right"]), f"k{pair['duel']}"
            assert client.tell(*told[:2], key=told[2]) == "accepted"
            other = client.ask("other")
            running.kill()
    assert client.get("/v1/studies/s/saved") == played_by_run()
    running.kill()
    with closing(open_reader(db)) as reader:
        assert faults(reader) == []


def test_a_second_server_exits_with_1_and_names_the_first(servers, db):
    running = servers.start(db)
    command = [sys.executable, "-m", "duelli", "serve", "--db", db, "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 1
    assert f"pid {running.pid};" in done.stderr
    running.kill()
    servers.start(db).stop()


def test_the_command_line_asks_a_server_that_has_the_file(servers, db):
    running = servers.start(db)
    made = create_study(db, Settings(name="t", box=BOX, horizon=5))
    assert made["rater_link"] == f"{running.url}/s/t"
    with pytest.raises(ConflictError, match="exists already"):
        create_study(db, Settings(name="t", box=BOX, horizon=5))
    running.stop()


def test_the_command_line_has_the_token_of_a_server_that_needs_one(servers, db):
    running = servers.start(db, host="0.0.0.0")
    assert make_token(db, scope="rater", study="s")["token"].startswith("duelli_")
    assert close_study(db, "s") == {"study": "s", "status": "closed"}
    running.stop()


def hasty():
    """Let a server have short deadlines."""
    server.HEAD_SECONDS = guard.BODY_SECONDS = 0.3


def answered(url, *parts, pause=0.1):
    """Send parts of a request slowly; return what came back until the end, and how long it took."""
    where = urlsplit(url)
    started = time.monotonic()
    with socket.create_connection((where.hostname, where.port), timeout=5) as one:
        got = b""
        try:
            for part in parts:
                one.sendall(part)
                time.sleep(pause)
            while data := one.recv(4096):
                got += data
        except OSError:
            pass  # closed while we were sending
    return got, time.monotonic() - started


HEAD = b"POST /v1/studies/s/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


def test_sockets_that_say_nothing_or_too_slowly_are_closed(servers, db):
    running = servers.start(db, plant=hasty)
    assert answered(running.url)[0] == b""
    drips = [bytes([byte]) for byte in HEAD[:40]]
    got, seconds = answered(running.url, *drips)
    assert (got, seconds < 4.5) == (b"", True)
    got, _ = answered(running.url, HEAD + b"Content-Length: 20\r\n\r\n", b" ", b" ")
    assert got.startswith(b"HTTP/1.1 408")
    assert Client(running.url, "s").ask()["duel"] == "0.0"
    running.stop()


def test_a_large_body_is_refused_before_it_has_come(servers, db):
    running = servers.start(db)
    got, seconds = answered(running.url, HEAD + b"Content-Length: 50000000\r\n\r\n", pause=0)
    assert got.startswith(b"HTTP/1.1 413")
    assert seconds < 2
    running.stop()


def test_a_server_that_others_can_reach_needs_a_token(servers, db):
    running = servers.start(db, host="0.0.0.0")
    port = urlsplit(running.url).port
    with pytest.raises(PermissionError, match="a token is needed"):
        Client(f"http://127.0.0.1:{port}", "s", patience=2).ask()
    running.stop()


def broken_disk():
    """Let the store of a server fail in its third transaction."""
    from duelli.live.errors import StoreError
    from duelli.live.stores.sqlite import SqliteStore

    commit, count = SqliteStore.commit, []

    def failing(store):
        count.append(1)
        if len(count) >= 3:
            raise StoreError("disk I/O error")
        commit(store)

    SqliteStore.commit = failing


def test_a_server_whose_store_fails_stops_with_1(servers, db):
    running = servers.start(db, plant=broken_disk)
    client = Client(running.url, "s", patience=1)
    client.ask("a")
    with pytest.raises(StoreBusyError):
        client.ask("b")
    assert running.wait() == 1
    again = servers.start(db)
    assert Client(again.url, "s").ask()["duel"].startswith("0.")
    again.stop()


def stuck(saved, scores):  # noqa: ARG001 (as the learner is called)
    """Never come to an end, as a policy that is killed does not."""
    time.sleep(60)


def test_killed_while_the_learner_thinks_the_study_goes_on(servers, tmp_path):
    db = str(tmp_path / "one.db")
    create_study(db, Settings(name="s", box=BOX, horizon=12))
    running = servers.start(db, advance=stuck)
    client = Client(running.url, "s", client="c", patience=0.5, timeout=0.5)
    pair = client.ask()
    with pytest.raises(StoreBusyError):
        client.tell(pair, "left", key="k")
    running.kill()
    again = servers.start(db)
    client = Client(again.url, "s", client="c")
    assert client.ask() == pair
    assert client.tell(pair, "left", key="k") == "accepted"
    assert client.ask()["duel"] == "1.0"
    again.stop()
