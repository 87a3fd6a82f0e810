"""The client repeats whatever it must, and is right."""

import asyncio
import contextlib
import http.server
import json
import threading

import pytest

import duelli
from duelli.live import Client, ConflictError, StoreBusyError, UnknownStudyError
from duelli.live.client import word_of
from duelli.live.settings import box_of


class Fake(http.server.BaseHTTPRequestHandler):
    """A server that answers from a list: a code and a value, or None to hang up."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"null"
        self.server.seen.append((self.path, json.loads(body), dict(self.headers)))
        answer = self.server.answers.pop(0)
        if answer is None:
            self.close_connection = True
            self.connection.close()
            return
        text = json.dumps(answer[1]).encode() if answer[1] is not None else b""
        self.send_response(answer[0])
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST  # noqa: N815

    def handle(self):
        with contextlib.suppress(OSError, ValueError):  # it hung up
            super().handle()

    def log_message(self, *args):
        pass


@pytest.fixture
def fake():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Fake)
    server.daemon_threads = True
    server.seen, server.answers = [], []
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def client(fake):
    return Client(f"http://127.0.0.1:{fake.server_port}", "s", client="c", patience=3)


PAIR = {"duel": "0.0", "ticket": "t", "left": {"a": 1}, "right": {"a": 0}}


def test_an_answer_is_repeated_with_the_same_key(fake, client):
    fake.answers += [None, (503, {"error": "busy"}), (429, {}), (200, {"status": "replay"})]
    assert client.tell(PAIR, "left") == "replay"
    assert len({seen[2]["Idempotency-Key"] for seen in fake.seen}) == 1
    assert len(fake.seen) == 4


def test_different_answers_have_different_keys(fake, client):
    fake.answers += [(200, {"status": "accepted"})] * 2
    client.tell(PAIR, "left")
    client.tell(PAIR, "left")
    assert len({seen[2]["Idempotency-Key"] for seen in fake.seen}) == 2


def test_an_answer_that_came_too_late_is_said_so(fake, client):
    fake.answers += [(409, {"error": "decided", "winner": "right"})]
    assert client.tell(PAIR, "left") == "late"


def test_a_client_waits_for_a_pair(fake, client):
    fake.answers += [(204, None), (204, None), (200, PAIR)]
    assert client.ask() == PAIR


def test_an_ended_study_has_no_pair(fake, client):
    fake.answers += [(200, {"done": True})]
    assert client.ask() is None


@pytest.mark.parametrize(
    ("code", "error"),
    [(401, PermissionError), (403, PermissionError), (404, UnknownStudyError), (422, ValueError)],
)
def test_what_no_repetition_can_mend_is_raised(fake, client, code, error):
    fake.answers += [(code, {"error": "one plain sentence"})]
    with pytest.raises(error, match="one plain sentence"):
        client.ask()


def test_patience_ends(fake):
    client = Client(f"http://127.0.0.1:{fake.server_port}", "s", patience=0.1)
    fake.answers += [(503, {"error": "busy"})] * 20
    with pytest.raises(StoreBusyError, match="busy"):
        client.ask()


def test_a_token_is_sent(fake):
    client = Client(f"http://127.0.0.1:{fake.server_port}", "s", token="duelli_x")
    fake.answers += [(200, PAIR)]
    client.ask()
    assert fake.seen[0][2]["Authorization"] == "Bearer duelli_x"


def test_play_turns_a_function_into_a_judge(fake, client):
    fake.answers += [(200, PAIR), (200, {"status": "accepted"}), (200, {"done": True})]
    assert client.play(lambda left, right: left["a"] > right["a"]) == 1
    assert fake.seen[1][1]["winner"] == "left"


def test_each_thread_is_a_client_of_its_own(fake, client):
    fake.answers += [(200, {"done": True})] * 3
    client.play(lambda *_: True, parallel=3)
    assert {seen[1]["client"] for seen in fake.seen} == {"c.1", "c.2", "c.3"}


def test_a_judge_may_be_an_async_function(fake, client):
    async def prefers(left, right):
        await asyncio.sleep(0)
        return left["a"] > right["a"]

    fake.answers += [(200, PAIR), (200, {"status": "accepted"}), (200, {"done": True})]
    assert client.play(prefers) == 1
    assert fake.seen[1][1]["winner"] == "left"


def test_a_box_may_have_choices_and_be_one_of_duelli(fake, client):
    fake.answers += [(201, {"study": "t", "rater_link": ""})] * 2
    sides = {"size": (10, 24), "font": duelli.choice("a", "b")}
    client.create(name="t", box=sides, horizon=10)
    client.create(name="t", box=duelli.Box(sides), horizon=10)
    assert fake.seen[0][1]["box"] == {"size": [10, 24], "font": {"choices": ["a", "b"]}}
    assert box_of(fake.seen[0][1]["box"]) == box_of(fake.seen[1][1]["box"]) == duelli.Box(sides)


def test_a_judge_that_raises_stops_the_play(fake, client):
    fake.answers += [(200, PAIR)]
    with pytest.raises(ZeroDivisionError):
        client.play(lambda *_: 1 / 0)


def test_most_ends_the_play(fake, client):
    fake.answers += [(200, PAIR), (200, {"status": "accepted"})]
    assert client.play(lambda *_: True, most=1) == 1


@pytest.mark.parametrize(
    ("outcome", "word"),
    [(True, "left"), (False, "right"), (0.5, "tie"), (1, "left"), (0.0, "right"), ("tie", "tie")],
)
def test_outcomes_have_words(outcome, word):
    assert word_of(outcome) == word


@pytest.mark.parametrize("outcome", ["x", 0.7, None, 2])
def test_what_is_no_outcome_is_refused(outcome):
    with pytest.raises((ValueError, TypeError), match="winner"):
        word_of(outcome)


def test_an_address_is_checked():
    with pytest.raises(ValueError, match="url must be such as"):
        Client("localhost:8765", "s")
    with pytest.raises(ValueError, match="study must be named"):
        Client("http://localhost:8765").ask()


MADE = {"name": "s", "box": {"a": [0, 1]}, "horizon": 9}
SUMMARY = {"horizon": 9, "learner": "auto", "seed": 0, "batch": 1}


def test_a_study_that_was_made_before_its_answer_was_lost_is_made(fake, client):
    fake.answers += [None, (409, {"error": "exists already"}), (200, SUMMARY)]
    assert client.create(**MADE)["study"] == "s"


@pytest.mark.parametrize(
    "answers",
    [
        [(409, {"error": "exists already"})],
        [None, (409, {"error": "exists already"}), (200, {**SUMMARY, "horizon": 8})],
    ],
)
def test_a_study_of_somebody_else_is_not_taken_for_ours(fake, client, answers):
    fake.answers += answers
    with pytest.raises(ConflictError, match="exists already"):
        client.create(**MADE)


def test_a_pair_can_be_given_back(fake, client):
    fake.answers += [(200, {"status": "skipped"})]
    client.skip(PAIR)
    assert fake.seen[0][:2] == ("/v1/studies/s/skip", {"duel": "0.0", "ticket": "t"})


def test_play_raises_what_an_image_function_failed_with(fake, client):
    fake.answers = [(422, {"error": "the image function draw failed: KeyError: 'size'"})]
    with pytest.raises(ValueError, match="the image function draw failed"):
        client.play(lambda *_: "left")
    assert len(fake.seen) == 1
