"""What is answered: values as JSON, and problems as one plain sentence."""

import json
from typing import Any

from starlette.responses import Response

from duelli.live.errors import (
    ConflictError,
    DamagedStudyError,
    KeyReusedError,
    QueueFullError,
    StoreBusyError,
    StoreError,
    UnknownStudyError,
)

CODES: dict[type[Exception], int] = {  # the first that fits
    UnknownStudyError: 404,
    ConflictError: 409,
    KeyReusedError: 422,
    QueueFullError: 429,
    StoreBusyError: 503,
    StoreError: 503,
    DamagedStudyError: 503,
    ValueError: 422,
    TypeError: 422,
}
RETRY_SECONDS = 1


class RefusedError(Exception):
    """A request that is answered with a problem."""

    def __init__(self, code: int, message: str, **more: Any) -> None:
        super().__init__(message)
        self.code, self.more = code, more


def answer(value: Any, code: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return a value as JSON."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return Response(text, code, headers, "application/json")


def problem(code: int, message: str, **more: Any) -> Response:
    """Return what is wrong with a request, in one sentence."""
    headers = {"Retry-After": str(RETRY_SECONDS)} if code in (429, 503) else {}
    if code in (408, 413):
        headers["Connection"] = "close"
    return answer({"error": message, **more}, code, headers)


def of_error(error: Exception) -> Response:
    """Return the answer to a request that raised."""
    if isinstance(error, RefusedError):
        return problem(error.code, str(error), **error.more)
    for kind, code in CODES.items():
        if isinstance(error, kind):
            return problem(code, str(error))
    raise error
