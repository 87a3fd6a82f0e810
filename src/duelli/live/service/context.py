"""Context: what the routes of one server share."""

import asyncio
import queue
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from starlette.requests import Request as HttpRequest

from duelli.live.images import Images
from duelli.live.ledger import Ledger, Replies, deliver
from duelli.live.reading import settings_of
from duelli.live.requests import Call, Request
from duelli.live.service.answers import RefusedError
from duelli.live.settings import Settings
from duelli.live.stores import Reader, Store
from duelli.live.stores.rows import TokenRow
from duelli.live.tickets import SCOPES, Tickets, ticket_secret, valid_token

T = TypeVar("T")
TOKEN_SECONDS = 1.0  # how long a token that was looked up is believed
MOST_TOKENS = 4096
READERS = 3  # connections that only read
COOKIE = "duelli"
BURST, PER_SECOND = 200.0, 40.0  # requests by one link from one address; many may share both


class Context:
    """A ledger for what changes, a connection for what is only read, and who may do what.

    Args:
        store: The store.
        free: Whether no token is needed; only for servers that nobody else can reach.
        images: The owner's functions that make images.
        on_failure: Called if the store has failed; the server must stop then.
        ledger: More inputs of the ledger.
    """

    def __init__(
        self,
        store: Store,
        *,
        free: bool,
        images: Images | None = None,
        on_failure: Callable[[BaseException], None] | None = None,
        **ledger: Any,
    ) -> None:
        self.free, self.images = free, images or Images()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._readers: queue.LifoQueue[Reader] = queue.LifoQueue()
        for _ in range(READERS):
            self._readers.put(store.reader())
        self._pool = ThreadPoolExecutor(READERS, thread_name_prefix="duelli-reader")
        self._tokens: dict[str, tuple[float, TokenRow | None]] = {}
        self._settings: dict[str, Settings] = {}
        self._allowance: dict[str, tuple[float, float]] = {}  # requests left, and when that was
        with store.transaction():
            self.tickets = Tickets(ticket_secret(store))
        self.ledger = Ledger(store, deliver=self._deliver, on_failure=on_failure, **ledger)

    async def do(self, request: Request) -> Any:
        """Return the result of a request, once it is kept."""
        self._loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = self._loop.create_future()
        self.ledger.submit(request, future)
        return await future

    async def call(self, action: Callable[[Store], T]) -> T:
        """Return what an action on the store returns, once what it wrote is kept."""
        result: T = await self.do(Call(action))
        return result

    async def read(self, action: Callable[..., T], *values: Any) -> T:
        """Return what an action finds in the store; it does not hold up other requests."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._read, action, values)

    async def stream(self, action: Callable[..., Iterator[T]], *values: Any) -> AsyncIterator[T]:
        """Yield what an action finds in the store, through a connection of its own."""
        reader = await asyncio.to_thread(self.ledger.store.reader)
        found = action(reader, *values)
        try:
            while (each := await asyncio.to_thread(next, found, None)) is not None:
                yield each
        finally:
            reader.close()

    async def settings(self, name: str) -> Settings:
        """Return the settings of a study, which never change."""
        if name not in self._settings:
            found = await self.read(lambda reader: settings_of(reader.study(name)))
            if len(self._settings) >= MOST_TOKENS:
                self._settings.clear()
            self._settings[name] = found
        return self._settings[name]

    async def check(self, request: HttpRequest, right: str, study: str | None = None) -> None:
        """Refuse a request that lacks a right, in one study or in all."""
        tokens = _tokens(request, study)
        if not tokens and self.free:
            return
        rows = [row for token in tokens if (row := await self._token(token))]
        if not rows:
            raise RefusedError(401, "a token is needed; open the link that you were sent")
        fitting = [row for row in rows if row.study is None or row.study == study]
        allowed = [row for row in fitting if right in SCOPES[row.scope]]
        if not allowed:
            raise RefusedError(403, f"this token does not allow that: it lacks the right {right}")
        if all(row.scope == "rater" for row in allowed):
            self._limit(f"{allowed[0].hash} {request.client and request.client.host}")

    def _limit(self, who: str) -> None:
        """Refuse somebody with a link for people who acts faster than people do."""
        now = time.monotonic()
        if len(self._allowance) >= MOST_TOKENS:
            self._allowance.clear()
        left, then = self._allowance.get(who, (BURST, now))
        left = min(BURST, left + PER_SECOND * (now - then)) - 1
        if left < 0:
            raise RefusedError(429, "too many requests came with this link; wait a moment")
        self._allowance[who] = left, now

    def forget_tokens(self) -> None:
        """Look all tokens up again."""
        self._tokens.clear()

    def close(self) -> None:
        """Answer what waits, then close the store."""
        self.ledger.close()
        self._pool.shutdown()
        while not self._readers.empty():
            self._readers.get().close()

    async def _token(self, token: str) -> TokenRow | None:
        until, row = self._tokens.get(token, (0.0, None))
        if until < time.monotonic():
            row = await self.read(valid_token, token)
            if len(self._tokens) >= MOST_TOKENS:
                self._tokens.clear()
            self._tokens[token] = (time.monotonic() + TOKEN_SECONDS, row)
        return row

    def _read(self, action: Callable[..., T], values: tuple[Any, ...]) -> T:
        reader = self._readers.get()
        try:
            return action(reader, *values)
        finally:
            self._readers.put(reader)

    def _deliver(self, replies: Replies) -> None:
        assert self._loop is not None  # a request came from there
        self._loop.call_soon_threadsafe(deliver, replies)


def cookie_name(study: str | None, *, secure: bool) -> str:
    """Return what the cookie with a token is called; one study's does not replace another's."""
    return f"{'__Host-' if secure else ''}{COOKIE}{f'-{study}' if study else ''}"


def _tokens(request: HttpRequest, study: str | None) -> list[str]:
    """Return the tokens that a request carries: one in its header, or those of its cookies."""
    carried = {name for name, _ in request.scope["headers"]}
    if b"authorization" in carried:
        kind, _, token = request.headers["authorization"].partition(" ")
        return [token.strip() if kind.lower() == "bearer" else ""]
    if b"cookie" not in carried:
        return []
    names = {cookie_name(s, secure=safe) for s in (study, None) for safe in (True, False)}
    return [value for name, value in request.cookies.items() if name in names]
