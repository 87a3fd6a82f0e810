"""The server: uvicorn with deadlines, which stops for good if its store has failed."""

import asyncio
import contextlib
import json
import resource
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import uvicorn

from duelli.live.images import Images
from duelli.live.service.app import make_app
from duelli.live.service.context import Context
from duelli.live.service.guard import LOCAL_NAMES
from duelli.live.stores import Store, open_store
from duelli.live.tickets import new_token

HEAD_SECONDS = 10.0  # in which the head of a request must have come
IDLE_SECONDS = 75  # after which a connection without a request is closed
OWNER_SECONDS = 30 * 24 * 3600.0  # how long the link for the owner is valid
SWITCH_SECONDS = 5e-4  # the thread that writes waits this long for its turn, not ten times that
LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")


class HeadDeadline:
    """Closes a connection on which the head of a request does not come to its end.

    It is mixed into one of uvicorn's protocols.
    """

    seconds = HEAD_SECONDS
    head: asyncio.TimerHandle | None = None
    last_cycle: Any = None
    cycle: Any
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait for a head."""
        super().connection_made(transport)  # type: ignore[misc]
        self.head = self.loop.call_later(self.seconds, transport.close)

    def data_received(self, data: bytes) -> None:
        """Stop to wait if the head is complete; the content has a deadline of its own."""
        if self.head is None:
            self.head = self.loop.call_later(self.seconds, self.transport.close)
        super().data_received(data)  # type: ignore[misc]
        begun = self.cycle is not self.last_cycle
        if begun or (self.cycle is not None and self.cycle.more_body):
            self.last_cycle = self.cycle
            self._no_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop to wait."""
        self._no_deadline()
        super().connection_lost(exc)  # type: ignore[misc]

    def _no_deadline(self) -> None:
        if self.head is not None:
            self.head.cancel()
            self.head = None


def with_deadline(seconds: float) -> type[asyncio.Protocol]:
    """Return uvicorn's protocol with a deadline for the head of each request."""
    try:
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as Protocol
    except ImportError:  # httptools is optional
        from uvicorn.protocols.http.h11_impl import H11Protocol as Protocol  # type: ignore[assignment]
    return type("Deadline", (HeadDeadline, Protocol), {"seconds": seconds})


class Server(uvicorn.Server):
    """Says when it is ready, and remembers why it had to stop."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self.failure: BaseException | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take requests."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Stop when told to; that is no failure, so that the exit code is 0."""
        if sig == signal.SIGTERM:
            self.should_exit = True
        else:
            super().handle_exit(sig, frame)

    def fail(self, error: BaseException) -> None:
        """Stop, as the store cannot be trusted any more."""
        self.failure = error
        self.should_exit = True


def serve(
    where: str,
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    public: str | None = None,
    forced: bool = False,
    images: Images | None = None,
    say: Callable[[str], None] = print,
    on_ready: Callable[[str], None] | None = None,
    **ledger: Any,
) -> int:
    """Serve a store until told to stop; return the exit code, which is 1 if the store failed.

    Args:
        where: The store: a path or the URL of a database.
        host: The address to listen on. On any but the local one, tokens are needed.
        port: The port; 0 for any that is free.
        public: The address under which a reverse proxy shows the server, which needs tokens then.
        forced: Whether a network file system is accepted.
        images: The owner's functions that make images.
        say: Prints a line.
        on_ready: Called with the address once requests are taken.
        ledger: More inputs of the ledger, for tests.
    """
    local, public = host in LOCAL_HOSTS and public is None, _checked_public(public)
    listening = _bound(host, port)
    try:
        store = _opened(where, images, forced=forced)
    except BaseException:
        listening.close()
        raise
    own_port, token = listening.getsockname()[1], None if local else _owner_token(store)
    url = _url(host, own_port, everywhere=socket.gethostname())
    if hasattr(store, "lock"):  # only those who may read the database may read this
        store.lock.tell(url=_url(host, own_port, everywhere="127.0.0.1"), token=token)

    def ready() -> None:
        say(f"serving {_shown(store, where)} at {public or url}/{f'#{token}' if token else ''}")
        sys.stdout.flush()
        if on_ready is not None:
            on_ready(url)

    server: Server

    def fail(error: BaseException) -> None:
        server.fail(error)

    context = Context(store, free=local, public=public, images=images, on_failure=fail, **ledger)
    app = make_app(context, hosts=LOCAL_NAMES if local else None)
    server = Server(_config(app), ready)
    sys.setswitchinterval(SWITCH_SECONDS)
    server.run([listening])
    if server.failure is not None:
        say(f"stopped: {server.failure}")
    return 0 if server.failure is None else 1


def _config(app: Any) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=with_deadline(HEAD_SECONDS),
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=10,
        backlog=2048,
    )


def _bound(host: str, port: int) -> socket.socket:
    """Return a socket on the address, so that a port that is taken is seen at once."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 16384)), hard))
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise OSError(f"cannot listen on {host}:{port}: {error.strerror}") from None
    return listening


def _url(host: str, port: int, *, everywhere: str) -> str:
    """Return the address of a server; ``everywhere`` is its name if it listens on all addresses."""
    host = everywhere if host in ("0.0.0.0", "::") else host
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _checked_public(public: str | None) -> str | None:
    if public is None:
        return None
    parts = urlsplit(public)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError(f"public must be such as https://study.example.org; got {public!r}")
    return public.rstrip("/")


def _opened(where: str, images: Images | None, *, forced: bool) -> Store:
    """Return the store, provided that the images have what its open studies show."""
    store = open_store(where, forced=forced)
    try:
        if images is not None:
            rows = [row for row in store.studies() if row.status == "open"]
            images.check_all(json.loads(row.settings)["show"] for row in rows)
    except BaseException:
        store.close()
        raise
    return store


def _owner_token(store: Store) -> str:
    with store.transaction():
        return new_token(store, "admin", None, label="serve", seconds=OWNER_SECONDS)


def _shown(store: Store, where: str) -> str:
    return str(getattr(store, "shown", where))
