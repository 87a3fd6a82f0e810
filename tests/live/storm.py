"""A storm: many clients that repeat every request until it is answered, while servers come and go.

with Storm(url, study, clients=16) as storm:
    ...                                 # kill servers, restart them
check_kept(reader, study, storm.acked)  # what was acknowledged is there, and counts once
"""

import contextlib
import hashlib
import http.client
import json
import random
import threading
import time
from collections import Counter
from typing import NamedTuple
from urllib.parse import urlsplit

from duelli.live.reading import current_run, settings_of
from duelli.live.study import SCORES
from duelli.live.verifying import faults

STUDY = {"name": "s", "box": {"a": [0, 1], "b": [0, 1]}, "horizon": 10**6, "learner": "arc_race"}
LOST = (OSError, http.client.HTTPException, ValueError)


class Acked(NamedTuple):
    """An answer that the server said it has."""

    client: str
    key: str
    duel: str
    winner: str
    status: str


class Storm:
    """Clients in threads, each of which asks and tells, and sends again what got no answer.

    Args:
        urls: The servers; a client goes to the next one when a request fails.
        clients: How many clients there are.
        twice: The share of answers that are sent again although they were acknowledged.
        study: The name of the study.
        pause: Seconds between two tries.
    """

    def __init__(self, *urls, clients=16, twice=0.05, study="s", pause=0.01):
        self.acked, self.tries, self.codes = [], 0, Counter()
        self.wrong = []  # answers that no client should get
        self._urls, self._twice, self._study, self._pause = urls, twice, study, pause
        self._stopped = threading.Event()
        self._threads = [
            threading.Thread(target=self._play, args=(k,), daemon=True) for k in range(clients)
        ]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error):
        self._stopped.set()
        for thread in self._threads:
            thread.join(30)
        assert not any(thread.is_alive() for thread in self._threads)

    def wait_for(self, acked, seconds=30):
        """Wait until so many answers were acknowledged."""
        until = time.monotonic() + seconds
        while len(self.acked) < acked and time.monotonic() < until:
            time.sleep(0.01)
        assert len(self.acked) >= acked

    def _play(self, k):
        chance, post = random.Random(k), Post(self._urls[k % len(self._urls) :] + self._urls)
        name = f"client{k}"
        with contextlib.closing(post):
            while not self._stopped.is_set():
                code, pair = self._sent(post, "ask", {"client": name})
                if code == 200 and "duel" in pair:
                    self._answer(post, name, pair, chance)
                elif code is not None:
                    self._stopped.wait(0.005)

    def _answer(self, post, name, pair, chance):
        key, winner = f"{chance.getrandbits(64):x}", chance.choice(["left", "right", "tie"])
        body = {"duel": pair["duel"], "ticket": pair["ticket"], "winner": winner}
        for _ in range(1 + (chance.random() < self._twice)):
            code, said = self._sent(post, "tell", body, key)
            status = said.get("status")
            if code in (200, 409) and status:
                self.acked.append(Acked(name, key, pair["duel"], winner, status))
            elif code is not None:
                self.wrong.append((code, said))

    def _sent(self, post, what, body, key=None):
        """Send a request until it is answered; None if the storm is over before."""
        while not self._stopped.is_set():
            self.tries += 1
            try:
                code, said = post(f"/v1/studies/{self._study}/{what}", body, key)
            except LOST:
                post.next()
                self._stopped.wait(self._pause)
                continue
            self.codes[code] += 1
            if code not in (429, 503):
                return code, said
            self._stopped.wait(self._pause)
        return None, {}


class Post:
    """A connection to the first of some servers, until it is told to go to the next one."""

    def __init__(self, urls):
        self._places, self._at, self._connection = [urlsplit(u).netloc for u in urls], 0, None

    def __call__(self, path, body, key):
        if self._connection is None:
            place = self._places[self._at % len(self._places)]
            self._connection = http.client.HTTPConnection(place, timeout=10)
        headers = {"Content-Type": "application/json", **({"Idempotency-Key": key} if key else {})}
        self._connection.request("POST", path, json.dumps(body), headers)
        answer = self._connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else {}

    def next(self):
        self.close()
        self._at += 1

    def close(self):
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def create(url, **settings):
    """Make the study."""
    post = Post([url])
    with contextlib.closing(post):
        code, said = post("/v1/studies", {**STUDY, **settings}, None)
    assert code == 201, said


def lost(reader, name, acked):
    """Return the acknowledged answers that a store does not have as they were acknowledged."""
    rows = {(row.client, row.key): row for row in reader.answers(reader.study(name).id)}
    return [each for each in acked if not _is_kept(rows.get((each.client, each.key)), each)]


def _is_kept(row, acked):
    if row is None:
        return False
    kinds = {"accepted": ("told",), "replay": ("told",), "late": ("late",)}[acked.status]
    place = f"{row.step}.{row.place}"
    counts = row.counted == (row.kind == "told")  # nobody in a storm takes an answer back
    return row.kind in kinds and (place, row.winner) == (acked.duel, acked.winner) and counts


def counted_twice(reader, name):
    """Return the duels with more than one answer that counts."""
    rows = reader.answers(reader.study(name).id)
    counts = Counter((row.step, row.place) for row in rows if row.counted)
    return [duel for duel, count in counts.items() if count > 1]


def check_kept(reader, name, acked):
    """Check everything that may be said of a study after a storm."""
    assert lost(reader, name, acked) == []
    assert counted_twice(reader, name) == []
    assert faults(reader, name) == []  # the file, the chain of hashes, and a replay of all steps
    assert state_of(reader, name) == replayed(reader, name)


def state_of(reader, name):
    """Return a hash of the run of a study, with all its answers in it."""
    return _hash(current_run(reader, reader.study(name)).saved())


def replayed(reader, name):
    """Return the same hash of a run that is told the same answers from its beginning."""
    row = reader.study(name)
    run = settings_of(row).run()
    scores = {}
    for answer in reader.answers(row.id):
        if answer.counted:
            scores[f"{answer.step}.{answer.place}"] = SCORES[answer.winner]
    told = True
    while told:
        pairs = run.ask(10**6)
        told = [pair.id for pair in pairs if pair.id in scores]
        for each in told:
            run.tell(each, scores[each])
    return _hash(run.saved())


def _hash(saved):
    return hashlib.sha256(json.dumps(saved, sort_keys=True).encode()).hexdigest()
