"""What a ledger can be asked to do, and what it answers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from duelli.live.settings import Settings
from duelli.live.stores import Store
from duelli.live.study import Opening, Study
from duelli.pairs import Pair


@dataclass(frozen=True, slots=True)
class Create:
    """Make a study; its first step was computed before."""

    settings: Settings
    opening: Opening


@dataclass(frozen=True, slots=True)
class Ask:
    """Give a client a pair to judge."""

    study: str
    client: str


@dataclass(frozen=True, slots=True)
class Tell:
    """Take in an answer to a pair that a client was given."""

    study: str
    client: str
    step: int
    place: int
    winner: str
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Skip:
    """Take a pair back that a client does not want to judge."""

    study: str
    client: str
    step: int
    place: int


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last answer of a client."""

    study: str
    client: str
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Close:
    """Let a study take no more answers."""

    study: str


@dataclass(frozen=True, slots=True)
class Call:
    """Do something with the store that concerns no study, in the transaction of the others."""

    action: Callable[[Store], Any]


@dataclass(frozen=True, slots=True)
class Finish:
    """Close a step by its last answer, now that the step that follows is known."""

    study: str
    tell: Tell
    before: Study  # what it was computed from
    changes: int
    opening: Opening | Exception


Request = Create | Ask | Tell | Skip | Undo | Close | Call | Finish


@dataclass(frozen=True, slots=True)
class Given:
    """A pair for a client, with how often it was handed out and how long the client has it.

    ``winner`` is the answer that was taken back, if it is the pair of an undo.
    """

    step: int
    place: int
    pair: Pair
    number: int
    expires_in: float
    winner: str | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """There is no pair for this client now."""

    seconds: int = 1


@dataclass(frozen=True, slots=True)
class Done:
    """There will be no more pairs."""

    closed: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of an answer: "accepted", "replay", "late" or "skipped".

    ``winner`` is the answer that counts for the pair.
    """

    status: str
    winner: str | None = None


@dataclass(slots=True)
class Waiting:
    """A request with the future that waits for its result."""

    request: Request
    future: Any = field(repr=False)
