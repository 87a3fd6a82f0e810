"""Guard: what is refused before any route sees it, and what every answer carries."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from duelli.live.service.answers import problem

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BODY = 64 << 10  # bytes
BODY_SECONDS = 10.0
MOST_REQUESTS = 512  # in progress at once; more would only make each of them wait longer
LOCAL_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'"
)
HEADERS = [
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    (b"cache-control", b"no-store"),
]
NAMES = frozenset(name for name, _ in HEADERS)
SAME_SITE = (b"same-origin", b"none")


class Guard:
    """Checks host, origin, kind and size of each request, and reads its content.

    Args:
        app: What comes after it; it finds the content as ``scope["body"]``.
        hosts: The host names that are served; None for all.
        seconds: How long the content of a request may take.
        most: How many requests may be in progress.
    """

    def __init__(
        self,
        app: App,
        *,
        hosts: frozenset[str] | None,
        seconds: float = BODY_SECONDS,
        most: int = MOST_REQUESTS,
    ) -> None:
        self._app, self._hosts, self._seconds, self._most = app, hosts, seconds, most
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self._running += 1
        try:
            await self._answer(scope, receive, _sealed(send))
        finally:
            self._running -= 1

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        refusal = self._refusal(scope, headers)
        if self._running > self._most:
            refusal = problem(503, "too many requests are in progress; try again")
        if refusal is None and scope["method"] not in ("GET", "HEAD"):
            refusal = await self._read(scope, headers, receive)
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> App | None:
        host = headers.get(b"host", b"").decode("latin-1").lower()
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        if not host or (self._hosts is not None and name not in self._hosts):
            return problem(421, f"this server does not answer for the host {host[:80]!r}")
        if not scope["path"].startswith("/v1/"):
            return None
        origin = headers.get(b"origin")
        if origin is not None and origin.partition(b"://")[2].lower() != host.encode("latin-1"):
            return problem(403, "this request came from a page of another site")
        if headers.get(b"sec-fetch-site", b"none") not in SAME_SITE:
            return problem(403, "this request came from a page of another site")
        return None

    async def _read(
        self, scope: Scope, headers: dict[bytes, bytes], receive: Receive
    ) -> App | None:
        """Read the content; return what is answered if it is refused."""
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if kind != b"application/json":
            return problem(415, "the content of a request must be application/json")
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length[:20]) > MOST_BODY:
            return problem(413, f"a request may have at most {MOST_BODY} bytes")
        try:
            async with asyncio.timeout(self._seconds):
                body = await _whole(receive)
        except TimeoutError:
            return problem(408, "the content of the request did not arrive in time")
        if body is None:
            return problem(413, f"a request may have at most {MOST_BODY} bytes")
        scope["body"] = body
        return None


async def _whole(receive: Receive) -> bytes | None:
    """Return the content of a request; None if it is too long."""
    message = await receive()
    body: bytes = message.get("body", b"")
    while message.get("more_body"):
        if len(body) > MOST_BODY:
            return None
        message = await receive()
        body += message.get("body", b"")
    return body if len(body) <= MOST_BODY else None


def _sealed(send: Send) -> Send:
    """Return ``send`` with the headers that every answer carries, unless it has its own."""

    async def sealed(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = list(message.get("headers", ()))
            names = {name for name, _ in own} & NAMES
            message["headers"] = own + [each for each in HEADERS if each[0] not in names]
        await send(message)

    return sealed
