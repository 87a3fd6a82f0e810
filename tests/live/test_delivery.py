"""Requests that come twice, late, out of order or never: each duel counts once (F5-F9, F26)."""

import random
import threading
import time
from contextlib import closing
from itertools import permutations

import pytest

from duelli.live import Client
from duelli.live.ledger import Ledger
from duelli.live.requests import Ask, Tell
from duelli.live.settings import Settings
from duelli.live.stores import open_reader, open_store
from duelli.live.verifying import faults

from .servers import Servers
from .storm import STUDY, Post, Storm, check_kept, create, state_of


@pytest.fixture
def servers():
    with Servers() as servers:
        yield servers


@pytest.fixture
def make(tmp_path):
    """Return a function that opens a ledger on a file."""

    def make(name="studies", **more):
        return closing(Ledger(open_store(str(tmp_path / f"{name}.db")), **more))

    return make


def posted(url, times, body, key):
    """Send one answer several times at once; return the answers."""
    said = []

    def send():
        with closing(Post([url])) as post:
            said.append(post("/v1/studies/s/tell", body, key))

    threads = [threading.Thread(target=send) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return said


def test_answers_that_come_up_to_five_times_across_a_restart_count_once(servers, tmp_path):
    db, chance, sent = tmp_path / "studies.db", random.Random(0), []
    server = servers.start(db)
    create(server.url, horizon=10**4)
    for restart in range(2):
        for k in range(8):
            with closing(Post([server.url])) as post:
                _, pair = post("/v1/studies/s/ask", {"client": f"c{k}"}, None)
            body = {"duel": pair["duel"], "ticket": pair["ticket"], "winner": "left"}
            sent.append((body, f"key{restart}.{k}"))
            times = chance.randint(1, 5)
            said = [answer["status"] for _, answer in posted(server.url, times, *sent[-1])]
            assert sorted(said) == ["accepted"] + ["replay"] * (times - 1)
        server.kill()
        server = servers.start(db)
        for body, key in sent:
            times = chance.randint(1, 5)
            assert posted(server.url, times, body, key) == [(200, {"status": "replay"})] * times
    assert server.stop() == 0
    with closing(open_reader(str(db))) as reader:
        assert reader.study("s").duels == len(sent)
        assert faults(reader) == []


def test_answers_in_any_order_lead_to_the_same_next_step(make, tmp_path):
    found = set()
    for number, order in enumerate(list(permutations(range(4)))[::5]):
        with make(f"order{number}") as ledger:
            ledger.create(Settings(name="s", box={"a": (0, 1), "b": (0, 1)}, horizon=20, batch=4))
            pairs = [ledger.do(Ask("s", f"c{k}")) for k in range(4)]
            for k in order:
                winner = ("left", "right", "tie", "left")[k]
                ledger.do(Tell("s", f"c{k}", 0, pairs[k].place, winner))
        with closing(open_reader(str(tmp_path / f"order{number}.db"))) as reader:
            assert reader.study("s").step == 1
            found.add(state_of(reader, "s"))
    assert len(found) == 1


def test_a_client_that_never_answers_delays_one_pair_until_its_lease_ends(make):
    now = [0.0]
    with make(clock=lambda: now[0]) as ledger:
        ledger.create(Settings(**STUDY, lease=60.0))
        gone, other = ledger.do(Ask("s", "gone")), ledger.do(Ask("s", "other"))
        assert gone.pair != other.pair
        now[0] = 61.0
        again = ledger.do(Ask("s", "third"))
        assert (again.pair, again.number) == (gone.pair, 2)  # never a fresh draw
        late = ledger.do(Tell("s", "gone", gone.step, gone.place, "left", "k"))
        assert late.status == "accepted"  # it is still undecided, so the slow answer counts


@pytest.mark.parametrize("first", ["gone", "third"])
def test_the_first_of_two_answers_to_one_pair_counts(make, first):
    now = [0.0]
    with make(clock=lambda: now[0]) as ledger:
        ledger.create(Settings(**STUDY, lease=60.0))
        pair = ledger.do(Ask("s", "gone"))
        now[0] = 61.0
        assert ledger.do(Ask("s", "third")).pair == pair.pair
        second = {"gone": "third", "third": "gone"}[first]
        said = [
            ledger.do(Tell("s", client, pair.step, pair.place, winner, "k"))
            for client, winner in ((first, "left"), (second, "right"))
        ]
        assert [(taken.status, taken.winner) for taken in said] == [
            ("accepted", "left"),
            ("late", "left"),
        ]
        rows = list(ledger.store.answers(1))
        assert [(row.kind, row.client, row.winner) for row in rows] == [
            ("told", first, "left"),
            ("late", second, "right"),
        ]


def jumping_clock():
    """Plant a wall clock that jumps by hours and days, mostly back."""
    real, chance = time.time, random.Random(0)
    time.time = lambda: real() + chance.choice([0, -3600, 3600, -86400, 86400])


def test_a_wall_clock_that_jumps_rejects_and_doubles_nothing(servers, tmp_path):
    db = tmp_path / "studies.db"
    server = servers.start(db, plant=jumping_clock)
    create(server.url, horizon=10**4)
    with Storm(server.url, clients=4) as storm:
        storm.wait_for(100)
    assert (storm.wrong, set(storm.codes) <= {200, 204, 409}) == ([], True)
    assert server.stop() == 0
    with closing(open_reader(str(db))) as reader:
        check_kept(reader, "s", storm.acked)


def test_a_token_that_is_revoked_in_a_duel_keeps_what_it_has_told(servers, tmp_path):
    db = tmp_path / "studies.db"
    server = servers.start(db)
    owner = Client(server.url)
    owner.create(**STUDY)
    token = owner.post("/v1/tokens", {"scope": "rater", "study": "s"})["token"]
    rater = Client(server.url, "s", token=token)
    assert rater.tell(rater.ask(), "left") == "accepted"
    pair = rater.ask()
    owner.post("/v1/tokens/revoke", {"token": token})
    with pytest.raises(PermissionError, match="token"):
        rater.tell(pair, "right")
    assert owner.status()["duels"] == 1
    owner.post("/v1/studies/s/close", {})
    body = {"duel": pair["duel"], "ticket": pair["ticket"], "winner": "left"}
    said = posted(server.url, 1, body, "k")
    assert (said[0][0], "closed" in said[0][1]["error"]) == (409, True)
    assert owner.status()["duels"] == 1
    for client in (owner, rater):
        client.close()
    assert server.stop() == 0
