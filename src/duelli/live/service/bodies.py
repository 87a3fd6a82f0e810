"""What requests may contain, read strictly: no number that is none, no text that is none."""

import json
import math
import reprlib
import unicodedata
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from duelli import _check
from duelli.live.settings import LEASE, MOST_TEXT, NAME
from duelli.live.tickets import SCOPES

MOST_DEPTH = 32
MOST_HORIZON = 10**18
M = TypeVar("M", bound="Body")


def plain(text: str) -> str:
    """Return a text without control characters and halves of characters, or refuse it."""
    if not text.isprintable() and any(unicodedata.category(c) in ("Cc", "Cs") for c in text):
        raise ValueError("must have no control characters and no halves of characters")
    return text


Name = Annotated[str, Field(pattern=f"^{NAME.pattern}$")]
Client = Annotated[str, Field(min_length=1, max_length=64), AfterValidator(plain)]
Text = Annotated[str, Field(max_length=MOST_TEXT), AfterValidator(plain)]
Duel = Annotated[str, Field(pattern=r"^(0|[1-9][0-9]{0,17})\.(0|[1-9][0-9]{0,17})$")]
Ticket = Annotated[str, Field(min_length=1, max_length=512, pattern=r"^[A-Za-z0-9_.=-]+$")]
Key = Annotated[str, Field(min_length=1, max_length=128, pattern=r"^[!-~]+$")]


class Body(BaseModel):
    """What all requests share: nothing is converted, nothing is ignored."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class CreateBody(Body):
    """A study to be made."""

    name: Name
    box: dict[str, Any] | list[Any] = Field(description="The parameters, as duelli.Box takes them")
    horizon: int = Field(ge=1, le=MOST_HORIZON, description="The largest number of duels")
    learner: str = Field("auto", max_length=64)
    seed: int = Field(0, ge=0, lt=2**64)
    batch: int = Field(1, ge=1, le=10_000, description="How many pairs may be open at once")
    link: Text | None = None
    lipschitz: float | None = Field(None, gt=0)
    inputs: dict[str, Any] = Field(default_factory=dict)
    title: Text = ""
    question: Text = ""
    show: dict[str, Any] = Field(default_factory=lambda: {"kind": "parameters"})
    lease: float = Field(LEASE, ge=1, le=1e6)
    share: float = Field(1.0, gt=0, le=1)


class AskBody(Body):
    """A client that wants a pair."""

    client: Client


class TellBody(Body):
    """An answer."""

    duel: Duel
    ticket: Ticket
    winner: Literal["left", "right", "tie"]


class SkipBody(Body):
    """A pair that is given back."""

    duel: Duel
    ticket: Ticket


class SessionBody(Body):
    """A token that a page has found behind the # of its link."""

    token: Annotated[str, Field(max_length=128, pattern=r"^duelli_[A-Za-z0-9_-]+$")]


class TokenBody(Body):
    """A token to be made."""

    scope: Literal["admin", "client", "rater", "reader"]
    study: Name | None = None
    label: Text = ""
    seconds: float | None = Field(None, gt=0, le=1e10)


class RevokeBody(Body):
    """A token that shall open nothing any more, by its hash or by itself."""

    token: Annotated[str, Field(min_length=1, max_length=128, pattern=r"^[A-Za-z0-9_-]+$")]


class NoBody(Body):
    """A request that needs no content."""


assert set(TokenBody.model_fields["scope"].annotation.__args__) == set(SCOPES)  # type: ignore[union-attr]


RULES = {  # what each field of a request must be, in words
    "name": "1 to 64 letters, digits, - or _",
    "study": "the name of a study: 1 to 64 letters, digits, - or _",
    "box": 'an object of parameters such as {"size": [10, 24]}, or a list of bounds',
    "horizon": "a whole number of at least 1 and at most 10^18",
    "learner": "the name of a learner, as a text of at most 64 characters",
    "seed": "a whole number of at least 0 and below 2^64",
    "batch": "a whole number of at least 1 and at most 10,000",
    "link": f"a text of at most {MOST_TEXT} characters without control characters, or null",
    "lipschitz": "a number above 0, or null",
    "inputs": "an object of the learner's own inputs",
    "title": f"a text of at most {MOST_TEXT} characters without control characters",
    "question": f"a text of at most {MOST_TEXT} characters without control characters",
    "show": 'an object such as {"kind": "parameters"}',
    "lease": "a number of seconds of at least 1 and at most 1,000,000",
    "share": "a number above 0 and at most 1",
    "client": "a text of 1 to 64 characters without control characters",
    "duel": "the duel of a pair that was asked for, such as 0.1",
    "ticket": "the ticket of a pair that was asked for",
    "winner": '"left", "right" or "tie"',
    "token": "a token as it was shown when it was made, or to revoke it, its hash",
    "scope": f"one of {', '.join(SCOPES)}",
    "label": f"a text of at most {MOST_TEXT} characters without control characters",
    "seconds": "a number above 0 and at most 10^10, or null",
}
SECRETS = ("ticket", "token")  # fields that no message repeats


class BadBodyError(ValueError):
    """A content that is refused; the message says where and why."""


def read(model: type[M], body: bytes) -> M:
    """Return a request's content, or refuse it."""
    try:
        return model.model_validate(strict_json(body))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        raise BadBodyError(_refusal(model, name, first["type"], first["input"])) from None


def _refusal(model: type[Body], name: str, kind: str, value: Any) -> str:
    """Return what is wrong with a field of a request, in words."""
    if not name:
        return f"the body must be a JSON object; got {reprlib.repr(value)}"
    if kind == "extra_forbidden":
        known = ", ".join(model.model_fields) or "none"
        return f"the body must have known fields only ({known}); got {name[:80]!r}"
    if kind == "missing":
        return f"{name} is missing; it must be {RULES[name]}"
    got = "" if name in SECRETS else f"; got {reprlib.repr(value)}"
    return f"{name} must be {RULES[name]}{got}"


def strict_json(body: bytes) -> Any:
    """Return a JSON value in which every number is finite and every text is one."""
    try:
        text = body.decode("utf-8")
        value = json.loads(
            text,
            object_pairs_hook=_check.unique_names,
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_short,
        )
    except RecursionError:
        raise BadBodyError("the body must not be nested so deeply") from None
    except ValueError as error:
        raise BadBodyError(f"the body must be JSON: {_short_message(error)}") from None
    _check_texts(value, MOST_DEPTH, escapes="\\u" in text or not text.isprintable())
    return value


def _check_texts(value: Any, depth: int, *, escapes: bool) -> None:
    """Refuse what is nested too deeply, and texts with NUL or halves of characters."""
    if isinstance(value, str):
        if escapes and any(c == "\0" or "\ud800" <= c <= "\udfff" for c in value):
            raise BadBodyError("a text must have no NUL and no halves of characters")
    elif isinstance(value, dict | list):
        if depth == 0:
            raise BadBodyError("the body must not be nested so deeply")
        parts = value if isinstance(value, list) else [*value, *value.values()]
        for part in parts:
            _check_texts(part, depth - 1, escapes=escapes)


def _no_constant(word: str) -> float:
    raise ValueError(f"{word} is no number")


def _finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError("a number is too large")
    return number


def _short(text: str) -> int:
    if len(text) > 40:
        raise ValueError("a whole number has too many digits")
    return int(text)


def _short_message(error: ValueError) -> str:
    words = str(error).encode("ascii", "replace").decode()
    return words[:120]
