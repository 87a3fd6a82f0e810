"""The application: its routes, with the guard before them."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route

from duelli.live import overview
from duelli.live.service import guard, manage, play
from duelli.live.service.answers import RefusedError, of_error, problem
from duelli.live.service.context import Context
from duelli.live.service.guard import CSP, LOCAL_NAMES, App, Guard
from duelli.live.settings import NAME
from duelli.live.shows import frame_source

Handler = Callable[[Request], Awaitable[Response]]
MEDIA = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webmanifest": "application/manifest+json",
}
STUDY = "/v1/studies/{name}"


def answered(handler: Handler) -> Handler:
    """Return a route whose errors are answered as problems."""

    async def route(request: Request) -> Response:
        name = request.path_params.get("name")
        if name is not None and not NAME.fullmatch(name):
            return problem(404, "there is no study of that name")
        try:
            return await handler(request)
        except Exception as error:
            return of_error(error)

    return route


def routes() -> list[Route]:
    """Return every route; those that are asked most come first."""
    table: list[tuple[str, str, Handler]] = [
        ("POST", f"{STUDY}/ask", play.ask),
        ("POST", f"{STUDY}/tell", play.tell),
        ("POST", f"{STUDY}/skip", play.skip),
        ("POST", f"{STUDY}/undo", play.undo),
        ("POST", f"{STUDY}/close", manage.close),
        ("GET", f"{STUDY}/page", manage.page),
        ("GET", f"{STUDY}/export", manage.export),
        *(("GET", f"{STUDY}/{name}", manage.view(name)) for name in overview.VIEWS),
        ("GET", STUDY, manage.view("summary")),
        ("GET", "/v1/studies", manage.studies),
        ("POST", "/v1/studies", manage.create),
        ("POST", "/v1/session", manage.session),
        ("GET", "/v1/tokens", manage.tokens),
        ("POST", "/v1/tokens", manage.make_token),
        ("POST", "/v1/tokens/revoke", manage.revoke),
        ("GET", "/v1/assets/{digest}", manage.asset),
        ("GET", "/healthz", manage.health),
        ("GET", "/openapi.json", manage.document),
        ("GET", "/", owner_page),
        ("GET", "/s/{name}", rater_page),
        ("GET", "/web/{file}", web_file),
    ]
    return [Route(path, answered(handler), methods=[method]) for method, path, handler in table]


async def owner_page(request: Request) -> Response:  # noqa: ARG001 (as all routes)
    """Return the page for owners."""
    return static("owner.html")


async def rater_page(request: Request) -> Response:
    """Return the page for people who judge; a frame may show the owner's own page in it."""
    response = static("rater.html")
    with contextlib.suppress(KeyError):  # the page itself says that there is no such study
        settings = await play.context_of(request).settings(request.path_params["name"])
        if source := frame_source(settings.show):
            response.headers["Content-Security-Policy"] = f"{CSP}; frame-src {source}"
    return response


async def web_file(request: Request) -> Response:
    """Return a file of the pages."""
    return static(request.path_params["file"])


def static(name: str) -> Response:
    """Return a file of ``duelli/live/web``, none of whose names begins with a dot."""
    kind = MEDIA.get(name.rpartition(".")[2])
    file = files("duelli.live").joinpath("web", name)
    if kind is None or name.startswith(".") or "/" in name or not file.is_file():
        raise RefusedError(404, "there is no such page")
    return Response(file.read_bytes(), 200, {"Cache-Control": "no-cache"}, kind)


async def not_routed(request: Request, error: Exception) -> Response:
    """Answer a request for which there is no route."""
    assert isinstance(error, HTTPException)
    response = problem(error.status_code, f"{error.detail}")
    response.headers.update(error.headers or {})
    if error.status_code == 405:
        response.headers["Allow"] = ", ".join(allowed(request))
    return response


def allowed(request: Request) -> list[str]:
    """Return the methods of all routes that a path has."""
    fitting = [r for r in request.app.routes if r.matches(request.scope)[0] != Match.NONE]
    return sorted({method for route in fitting for method in route.methods})


def make_app(context: Context, *, hosts: frozenset[str] | None = LOCAL_NAMES) -> App:
    """Return the application.

    Args:
        context: The store, and who may do what.
        hosts: The host names that are served; None for all, which needs tokens.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[None]:  # noqa: ARG001 (Starlette's signature)
        yield
        import asyncio

        await asyncio.to_thread(context.close)

    app = Starlette(
        routes=routes(), lifespan=lifespan, exception_handlers={HTTPException: not_routed}
    )
    app.state.context = context
    return Guard(app, hosts=hosts, seconds=guard.BODY_SECONDS)
