"""Client: a program as a judge over HTTP, with the standard library alone.

Every request may be repeated: a lost answer of the server is asked for again with the same key,
and the server then says what it said before.
"""

import asyncio
import http.client
import inspect
import json
import random
import threading
import time
import uuid
import weakref
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlsplit

from duelli import _check
from duelli.boxes import Box
from duelli.live.errors import ConflictError, DeniedError, StoreBusyError, UnknownStudyError
from duelli.parameters import Choices
from duelli.serving import outcome_of

FIRST_PAUSE, LONGEST_PAUSE = 0.02, 2.0  # seconds between two tries
SHOWN_SETTINGS = ("horizon", "learner", "seed", "batch")  # by which a study is known again
WORDS = {"left", "right", "tie"}
PASSING = (408, 425, 429, 500, 502, 503, 504)  # answers after which a request is sent again
ERRORS: dict[int, type[Exception]] = {
    401: DeniedError,
    403: DeniedError,
    404: UnknownStudyError,
    409: ConflictError,
}

Duel = Callable[[Any, Any], Any]


class Client:
    """Talks to a server; it may be used from several threads. `close` drops its connections.

    Args:
        url: Where the server is, such as http://127.0.0.1:8765.
        study: The name of the study.
        client: The name under which answers are given; a random one if None.
        token: The token, if the server needs one.
        patience: Seconds for which a server that does not answer is asked again.
        timeout: Seconds that one request may take.
    """

    def __init__(
        self,
        url: str,
        study: str = "",
        *,
        client: str | None = None,
        token: str | None = None,
        patience: float = 300.0,
        timeout: float = 60.0,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(f"url must be such as http://127.0.0.1:8765; got {url!r}")
        self.study, self.client = study, client or f"client-{uuid.uuid4().hex[:8]}"
        self._parts, self._token = parts, token
        self._patience, self._timeout = _check.positive("patience", patience), timeout
        self._own = threading.local()
        self._all: set[http.client.HTTPConnection] = set()
        self.close = weakref.finalize(self, _close, self._all)  # when it is no longer used

    def create(self, **settings: Any) -> dict[str, Any]:
        """Make a study, and go on with that one.

        Args:
            **settings: As `duelli.live.Settings` takes them: name, box, horizon, learner, ...
        """
        try:
            made = self.post("/v1/studies", settings)
        except ConflictError:
            # The first try may have made it, and only the answer was lost.
            if not self._own.repeated or not self._is_ours(settings):
                raise
            url, name = self._parts.geturl().rstrip("/"), settings["name"]
            made = {"study": name, "rater_link": f"{url}/s/{name}"}
        self.study = made["study"]
        return made

    def _is_ours(self, settings: dict[str, Any]) -> bool:
        found = self.get(f"/v1/studies/{quote(settings['name'], safe='')}")
        return all(found[name] == settings.get(name, found[name]) for name in SHOWN_SETTINGS)

    def ask(self, client: str | None = None) -> dict[str, Any] | None:
        """Return a pair to judge, waiting for one if need be; None once the study has ended."""
        pause = FIRST_PAUSE
        while True:
            given = self.post(self._path("ask"), {"client": client or self.client})
            if given.get("done"):
                return None
            if given:
                return given
            time.sleep(pause * random.uniform(0.5, 1.5))
            pause = min(2 * pause, 1.0)

    def tell(self, pair: dict[str, Any], winner: Any, *, key: str | None = None) -> str:
        """Give the answer to a pair; return "accepted", "replay" or "late".

        Args:
            pair: What `ask` returned.
            winner: "left", "right" or "tie"; or True, False or 1/2, the outcome of the left one.
            key: The same for every repetition of this answer; made up if None.
        """
        body = {"duel": pair["duel"], "ticket": pair["ticket"], "winner": word_of(winner)}
        headers = {"Idempotency-Key": key or uuid.uuid4().hex}
        try:
            return str(self.post(self._path("tell"), body, headers)["status"])
        except ConflictError:
            return "late"

    def skip(self, pair: dict[str, Any]) -> None:
        """Give a pair back without an answer; it goes to somebody else."""
        self.post(self._path("skip"), {"duel": pair["duel"], "ticket": pair["ticket"]})

    def undo(self) -> dict[str, Any]:
        """Take back the last answer, and return its pair."""
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        return self.post(self._path("undo"), {"client": self.client}, headers)

    def best(self) -> dict[str, Any]:
        """Return the best point so far, with what may be claimed for it."""
        return self.get(self._path("best"))

    def status(self) -> dict[str, Any]:
        """Return how the study stands."""
        return self.get(self._path())

    def play(self, duel: Duel, *, parallel: int = 1, most: int | None = None) -> int:
        """Judge pairs until the study ends; return how many answers were accepted.

        Args:
            duel: (left, right) -> "left", "right" or "tie"; or the outcome of the left one. It
                may be an async function.
            parallel: How many pairs are judged at once, each in a thread of its own.
            most: How many answers to give at the most; None for all.
        """
        crew = _Crew(self, duel, most)
        names = [self.client] if parallel == 1 else _numbered(self.client, parallel)
        threads = [threading.Thread(target=crew.work, args=(name,), daemon=True) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if crew.failure is not None:
            raise crew.failure
        return crew.accepted

    def get(self, path: str) -> dict[str, Any]:
        """Return what is at a path."""
        return self._request("GET", path, None, {})

    def post(
        self, path: str, body: dict[str, Any], headers: dict[str, str] | None = None
    ) -> dict[str, Any]:
        """Send something to a path, as often as it takes, and return the answer."""
        return self._request("POST", path, json.dumps(body, default=_plain), headers or {})

    def _path(self, what: str = "") -> str:
        if not self.study:
            raise ValueError("study must be named: Client(url, study)")
        return f"/v1/studies/{quote(self.study, safe='')}{f'/{what}' if what else ''}"

    def _request(
        self, method: str, path: str, body: str | None, headers: dict[str, str]
    ) -> dict[str, Any]:
        until, pause = time.monotonic() + self._patience, FIRST_PAUSE
        self._own.repeated = False
        while True:
            try:
                status, value = self._once(method, path, body, headers)
            except (OSError, http.client.HTTPException) as error:
                self._drop()
                status, value = PASSING[0], {"error": repr(error)}
            if status not in PASSING:
                return _checked(status, value)
            why = value.get("error", status)
            if time.monotonic() + pause > until:
                raise StoreBusyError(f"{self._parts.netloc} does not take the request: {why}")
            time.sleep(pause * random.uniform(0.5, 1.5))
            pause = min(2 * pause, LONGEST_PAUSE)
            self._own.repeated = True

    def _once(
        self, method: str, path: str, body: str | None, headers: dict[str, str]
    ) -> tuple[int, dict[str, Any]]:
        connection = self._connection()
        own = {"Content-Type": "application/json"} if body is not None else {}
        if self._token:
            own["Authorization"] = f"Bearer {self._token}"
        connection.request(method, self._parts.path.rstrip("/") + path, body, {**own, **headers})
        response = connection.getresponse()
        text = response.read()
        try:
            value = json.loads(text) if text else {}
        except ValueError:
            value = {"error": text[:200].decode(errors="replace")}
        return response.status, value

    def _connection(self) -> http.client.HTTPConnection:
        """Return the connection of this thread."""
        found: http.client.HTTPConnection | None = getattr(self._own, "connection", None)
        if found is None:
            secure = self._parts.scheme == "https"
            kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
            found = self._own.connection = kind(self._parts.netloc, timeout=self._timeout)
            self._all.add(found)
        return found

    def _drop(self) -> None:
        if (connection := getattr(self._own, "connection", None)) is not None:
            connection.close()
            self._all.discard(connection)
            self._own.connection = None


class _Crew:
    """Threads that judge for one client."""

    def __init__(self, client: Client, duel: Duel, most: int | None) -> None:
        self._client, self._duel, self._most = client, duel, most
        self._lock = threading.Lock()
        self._begun = 0
        self.accepted = 0
        self.failure: BaseException | None = None

    def work(self, name: str) -> None:
        """Judge one pair after the other, until there are none or another thread has failed."""
        try:
            with asyncio.Runner() as runner:  # one loop for all the duels of the thread
                while self._go_on() and (pair := self._client.ask(name)):
                    answer = self._duel(pair["left"], pair["right"])
                    winner = runner.run(answer) if inspect.iscoroutine(answer) else answer
                    status = self._client.tell(pair, winner)
                    with self._lock:
                        self.accepted += status != "late"
        except BaseException as error:  # the thread that called `play` raises it
            self.failure = error
        finally:
            self._client._drop()

    def _go_on(self) -> bool:
        with self._lock:
            self._begun += 1
            return self.failure is None and (self._most is None or self._begun <= self._most)


def word_of(winner: Any) -> str:
    """Return an outcome as the service takes it: left, right or tie."""
    if isinstance(winner, str):
        if winner not in WORDS:
            raise ValueError(f'winner must be "left", "right" or "tie"; got {winner!r}')
        return winner
    score = outcome_of("winner", winner)
    if score not in (0.0, 0.5, 1.0):
        raise ValueError(f"winner must be 1, 0 or 1/2 in a live study; got {winner!r}")
    return {1.0: "left", 0.0: "right", 0.5: "tie"}[score]


def _plain(value: object) -> Any:
    """Return the parts of a box that JSON does not know, as the service takes them."""
    if isinstance(value, Box):
        return value.as_json()
    if isinstance(value, Choices):
        return {"choices": list(value.values)}
    raise TypeError(f"a request must be JSON; got {value!r}")


def _close(connections: set[http.client.HTTPConnection]) -> None:
    for connection in connections:
        connection.close()


def _numbered(name: str, count: int) -> list[str]:
    return [f"{name[:56]}.{k + 1}" for k in range(_check.whole("parallel", count, 1))]


def _checked(status: int, value: dict[str, Any]) -> dict[str, Any]:
    if status < 400:
        return value
    raise ERRORS.get(status, ValueError)(value.get("error", f"the server answered {status}"))
