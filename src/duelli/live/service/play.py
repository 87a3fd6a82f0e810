"""The routes of those who judge: ask, tell, skip and undo."""

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from duelli.live import requests
from duelli.live.requests import Done, Given, Taken, Wait
from duelli.live.service.answers import RefusedError, answer
from duelli.live.service.bodies import AskBody, BadBodyError, SkipBody, TellBody, read
from duelli.live.service.context import Context
from duelli.live.settings import Settings
from duelli.live.shows import shown

MOST_KEY = 128


def context_of(request: Request) -> Context:
    """Return what the routes share."""
    context: Context = request.app.state.context
    return context


async def ask(request: Request) -> Response:
    """Give a client a pair to judge."""
    context, name = context_of(request), request.path_params["name"]
    await context.check(request, "play", name)
    body = read(AskBody, request.scope["body"])
    result = await context.do(requests.Ask(name, body.client))
    if isinstance(result, Done):
        return answer({"done": True, "closed": result.closed})
    if isinstance(result, Wait):
        return Response(status_code=204, headers={"Retry-After": str(result.seconds)})
    return answer(await _pair(context, name, body.client, result))


async def tell(request: Request) -> Response:
    """Take in an answer."""
    context, name = context_of(request), request.path_params["name"]
    await context.check(request, "play", name)
    body = read(TellBody, request.scope["body"])
    client = _client(context, name, body)
    step, place = map(int, body.duel.split("."))
    made = requests.Tell(name, client, step, place, body.winner, key_of(request))
    return _taken(await context.do(made))


async def skip(request: Request) -> Response:
    """Take a pair back that a client does not want to judge."""
    context, name = context_of(request), request.path_params["name"]
    await context.check(request, "play", name)
    body = read(SkipBody, request.scope["body"])
    client = _client(context, name, body)
    step, place = map(int, body.duel.split("."))
    taken: Taken = await context.do(requests.Skip(name, client, step, place))
    return answer({"status": taken.status})


async def undo(request: Request) -> Response:
    """Take back the last answer of a client, and give it the pair again."""
    context, name = context_of(request), request.path_params["name"]
    await context.check(request, "play", name)
    body = read(AskBody, request.scope["body"])
    given = await context.do(requests.Undo(name, body.client, key_of(request)))
    return answer({"status": "undone", **await _pair(context, name, body.client, given)})


def key_of(request: Request) -> str | None:
    """Return the Idempotency-Key of a request; None if it has none."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    if not 1 <= len(key) <= MOST_KEY or not all("!" <= c <= "~" for c in key):
        raise BadBodyError(f"Idempotency-Key must be 1 to {MOST_KEY} visible ASCII characters")
    return key


def _client(context: Context, name: str, body: TellBody | SkipBody) -> str:
    client = context.tickets.client_of(name, body.duel, body.ticket)
    if client is None:
        raise RefusedError(403, "this ticket is not valid for this duel; ask for a pair first")
    return client


def _taken(taken: Taken) -> Response:
    if taken.status == "late":
        raise RefusedError(
            409,
            "this pair was decided before; the answer is kept and does not count",
            status="late",
            winner=taken.winner,
        )
    headers = {"Idempotent-Replayed": "true"} if taken.status == "replay" else None
    return answer({"status": taken.status}, headers=headers)


async def _pair(context: Context, name: str, client: str, given: Given) -> dict[str, Any]:
    settings = await context.settings(name)
    left = await _shown(context, settings, given.pair.x)
    right = await _shown(context, settings, given.pair.y)
    pair = {
        "duel": given.pair.id,
        "ticket": context.tickets.issue(name, given.pair.id, client),
        "left": _listed(given.pair.x),
        "right": _listed(given.pair.y),
        "expires_in": given.expires_in,
        "handed_out": given.number,
        "shown": {"left": left, "right": right},
    }
    return pair if given.winner is None else {**pair, "winner": given.winner}


async def _shown(context: Context, settings: Settings, point: Any) -> dict[str, Any]:
    show = settings.show
    if show["kind"] != "image":
        return shown(show, settings.box, point)
    function, images = show["function"], context.images
    digest = images.known(function, point)
    if digest is None:
        made = await asyncio.to_thread(images.made, function, point)
        digest = await context.call(lambda store: images.keep(store, function, point, made))
    return {"src": f"/v1/assets/{digest}", "alt": show["alt"]}


def _listed(point: Any) -> Any:
    return point if isinstance(point, dict | list) else point.tolist()
