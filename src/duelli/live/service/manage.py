"""The routes of owners: studies, tokens, and what a study has come to."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from duelli.live import overview, requests
from duelli.live.exporting import MEDIA_TYPES, check_format, exported
from duelli.live.service.answers import RefusedError, answer
from duelli.live.service.bodies import (
    CreateBody,
    NoBody,
    RevokeBody,
    SessionBody,
    TokenBody,
    read,
)
from duelli.live.service.context import cookie_name
from duelli.live.service.play import context_of
from duelli.live.settings import Settings
from duelli.live.study import first_opening
from duelli.live.tickets import PREFIX, digest_of, new_token, valid_token

WEEK = 7 * 24 * 3600


async def create(request: Request) -> Response:
    """Make a study."""
    context = context_of(request)
    await context.check(request, "admin")
    settings = Settings(**read(CreateBody, request.scope["body"]).model_dump())
    if settings.show["kind"] == "image":
        context.images.check(settings.show["function"])
    opened = await asyncio.to_thread(first_opening, settings)
    await context.do(requests.Create(settings, opened))
    link = f"{context.address(request)}/s/{settings.name}"
    if not context.free:
        name = settings.name
        token = await context.call(lambda store: new_token(store, "rater", name, label="link"))
        link += f"#{token}"
    return answer({"study": settings.name, "rater_link": link}, 201)


async def close(request: Request) -> Response:
    """Let a study take no more answers."""
    context, name = context_of(request), request.path_params["name"]
    await context.check(request, "admin", name)
    read(NoBody, request.scope["body"] or b"{}")
    await context.do(requests.Close(name))
    row = await context.read(lambda reader: reader.study(name))
    return answer({"study": name, "status": row.status})


async def studies(request: Request) -> Response:
    """List all studies."""
    context = context_of(request)
    await context.check(request, "admin")
    return answer({"studies": await context.read(overview.studies)})


def view(kind: str) -> Callable[[Request], Awaitable[Response]]:
    """Return the route that says how a study stands, or one aspect of it."""
    found = overview.VIEWS[kind]

    async def study(request: Request) -> Response:
        context, name = context_of(request), request.path_params["name"]
        await context.check(request, "read", name)
        return answer(await context.read(found, name))

    return study


async def page(request: Request) -> Response:
    """Say what the page for people needs before the first pair."""
    context, name = context_of(request), request.path_params["name"]
    await context.check(request, "play", name)
    return answer(await context.read(overview.page, name))


async def export(request: Request) -> Response:
    """Return every counted answer as a file."""
    context, name = context_of(request), request.path_params["name"]
    await context.check(request, "read", name)
    kind = request.query_params.get("format", "jsonl")
    check_format(kind)
    await context.read(lambda reader: reader.study(name))  # an unknown one is refused now
    chunks = context.stream(exported, name, kind)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    return StreamingResponse(chunks, 200, headers, MEDIA_TYPES[kind])


async def session(request: Request) -> Response:
    """Change a token from the link of a page for a cookie."""
    context = context_of(request)
    token = read(SessionBody, request.scope["body"]).token
    row = await context.read(valid_token, token)
    if row is None:
        raise RefusedError(401, "this link is not valid, or not any more; ask for a new one")
    secure = context.address(request).startswith("https:")
    response = answer({"scope": row.scope, "study": row.study})
    response.set_cookie(
        cookie_name(row.study, secure=secure),
        token,
        max_age=WEEK,
        secure=secure,
        httponly=True,
        samesite="strict",
    )
    return response


async def tokens(request: Request) -> Response:
    """List tokens, by their hashes."""
    context = context_of(request)
    await context.check(request, "admin")
    found = await context.read(lambda reader: reader.tokens())
    return answer({"tokens": [row._asdict() for row in found]})


async def make_token(request: Request) -> Response:
    """Make a token; it is shown once."""
    context = context_of(request)
    await context.check(request, "admin")
    body = read(TokenBody, request.scope["body"])
    token = await context.call(
        lambda store: new_token(
            store, body.scope, body.study, label=body.label, seconds=body.seconds
        )
    )
    return answer({"token": token, "scope": body.scope, "study": body.study}, 201)


async def revoke(request: Request) -> Response:
    """Let a token open nothing any more."""
    context = context_of(request)
    await context.check(request, "admin")
    named = read(RevokeBody, request.scope["body"]).token
    digest = digest_of(named) if named.startswith(PREFIX) else named
    found = await context.call(lambda store: store.revoke_token(digest, time.time()))
    context.forget_tokens()
    if not found:
        raise RefusedError(404, "there is no such token, or it was revoked before")
    return answer({"status": "revoked"})


async def asset(request: Request) -> Response:
    """Return an image by its hash; whoever knows the hash has been shown it."""
    found = await context_of(request).read(
        lambda reader: reader.asset(request.path_params["digest"])
    )
    if found is None:
        raise RefusedError(404, "there is no such image")
    headers = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(found[1], 200, headers, found[0])


async def health(request: Request) -> Response:
    """Say whether the server takes answers."""
    failure = context_of(request).ledger.failure
    if failure is not None:
        raise RefusedError(503, f"the store has failed: {failure}")
    return answer({"status": "ok"})


async def document(request: Request) -> Response:  # noqa: ARG001 (as all routes)
    """Return the OpenAPI document."""
    from duelli.live.service.openapi import openapi

    return Response(json.dumps(openapi()), 200, None, "application/json")
