"""The OpenAPI document, made from the models that check the requests."""

from functools import cache
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel

from duelli.live import overview
from duelli.live.exporting import MEDIA_TYPES
from duelli.live.service import bodies

STUDY = "/v1/studies/{name}"
NAME: dict[str, Any] = {
    "name": "name",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
}
KEY: dict[str, Any] = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "The same for every repetition of a request, and for no other request.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[!-~]+$"},
}
DIGEST: dict[str, Any] = {
    "name": "digest",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
}
FORMAT: dict[str, Any] = {"name": "format", "in": "query", "schema": {"enum": list(MEDIA_TYPES)}}
PROBLEMS = {
    400: "The request is no HTTP",
    401: "A token is needed",
    403: "The token, the ticket or the site does not allow that",
    404: "There is no such thing",
    405: "Another method is needed",
    408: "The content did not arrive in time",
    409: "What was stored before rules it out; an answer is then kept as late",
    413: "The content is too long",
    415: "The content must be application/json",
    421: "The server does not answer for this host",
    422: "The content is not allowed",
    429: "Too many requests are waiting; Retry-After says when to come back",
    503: "The store cannot take it now; Retry-After says when to come back",
}
POSTS: list[tuple[str, str, type[BaseModel], str]] = [
    ("/v1/studies", "create", bodies.CreateBody, "Make a study"),
    (f"{STUDY}/ask", "ask", bodies.AskBody, "Give a client a pair to judge"),
    (f"{STUDY}/tell", "tell", bodies.TellBody, "Take in an answer"),
    (f"{STUDY}/skip", "skip", bodies.SkipBody, "Take back a pair that is not judged"),
    (f"{STUDY}/undo", "undo", bodies.AskBody, "Take back the last answer of a client"),
    (f"{STUDY}/close", "close", bodies.NoBody, "Let a study take no more answers"),
    ("/v1/session", "session", bodies.SessionBody, "Change a token for a cookie"),
    ("/v1/tokens", "makeToken", bodies.TokenBody, "Make a token"),
    ("/v1/tokens/revoke", "revokeToken", bodies.RevokeBody, "Revoke a token"),
]
GETS = [
    ("/v1/studies", "studies", "All studies"),
    (STUDY, "study", "How a study stands"),
    (f"{STUDY}/page", "page", "What the page for people needs"),
    (f"{STUDY}/export", "export", "Every counted answer as a file"),
    ("/v1/tokens", "tokens", "All tokens, by their hashes"),
    ("/v1/assets/{digest}", "asset", "An image"),
    ("/healthz", "health", "Whether the server takes answers"),
    *((f"{STUDY}/{v}", v, f"One aspect of a study: {v}") for v in overview.VIEWS),
]
CREATED = ("create", "makeToken")


@cache
def openapi() -> dict[str, Any]:
    """Return the document."""
    paths: dict[str, dict[str, Any]] = {}
    schemas: dict[str, Any] = {"Problem": _problem()}
    for path, name, summary in GETS:
        paths.setdefault(path, {})["get"] = _operation(path, name, summary)
    for path, name, model, summary in POSTS:
        schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas[model.__name__] = schema
        content = {"schema": {"$ref": f"#/components/schemas/{model.__name__}"}}
        operation = _operation(path, name, summary)
        operation["requestBody"] = {"required": True, "content": {"application/json": content}}
        paths.setdefault(path, {})["post"] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "duelli live studies", "version": version("duelli")},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _operation(path: str, name: str, summary: str) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = [NAME] * ("{name}" in path) + [DIGEST] * ("{digest}" in path)
    parameters += [KEY] * (name in ("tell", "undo")) + [FORMAT] * (name == "export")
    done = "201" if name in CREATED else "200"
    kinds = _media(name)
    responses: dict[str, Any] = {done: {"description": "Done", "content": {k: {} for k in kinds}}}
    if name == "ask":
        responses["204"] = {"description": "No pair now; Retry-After says when to come back"}
    problem = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for code, text in PROBLEMS.items():
        responses[str(code)] = {"description": text, "content": problem}
    return {
        "operationId": name,
        "summary": summary,
        "parameters": parameters,
        "responses": responses,
    }


def _media(name: str) -> list[str]:
    if name == "export":
        return [kind.partition(";")[0] for kind in MEDIA_TYPES.values()]
    if name == "asset":
        return ["image/png", "image/jpeg", "image/webp"]
    return ["application/json"]


def _problem() -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["error"],
        "properties": {
            "error": {"type": "string", "description": "What is wrong, in one sentence"},
            "status": {"type": "string"},
            "winner": {"type": "string"},
        },
    }
