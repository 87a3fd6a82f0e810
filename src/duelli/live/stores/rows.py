"""The rows that a store keeps, and the chain of hashes over the answers."""

import hashlib
import json
from typing import Any, NamedTuple


class StudyRow(NamedTuple):
    """What a store knows of a study as a whole."""

    id: int
    name: str
    settings: str
    status: str
    step: int
    version: int  # grows with every transaction that changes the study
    seq: int  # the number of its answers, counted or not
    chain: str  # the hash of the last of them
    duels: int  # those that count
    created_at: float


class StepRow(NamedTuple):
    """A step: its blocks, and where the study stood when it was opened."""

    number: int
    blocks: str
    run: str | None
    answer: str
    duels: int
    seq: int
    chain: str
    opened_at: float


class AnswerRow(NamedTuple):
    """Something that a client said of a pair. Only ``counted`` ever changes."""

    study: int
    seq: int
    kind: str  # told, late, undo or skip
    step: int
    place: int
    winner: str | None
    client: str
    key: str | None
    at: float
    chain: str
    counted: int

    def linked(self, before: str) -> "AnswerRow":
        """Return the row with its place in the chain of hashes, after ``before``."""
        return self._replace(chain=link(before, self))


class LeaseRow(NamedTuple):
    """The pair that a client was given last; none if ``place`` is -1."""

    study: int
    client: str
    step: int
    place: int
    number: int
    at: float
    version: int


class TokenRow(NamedTuple):
    """A token, known by its hash only."""

    hash: str
    scope: str
    study: str | None
    label: str
    created_at: float
    expires_at: float | None
    revoked_at: float | None


def first_link(name: str, settings: str) -> str:
    """Return what the chain of a study begins with: SHA-256 of what its owner decided."""
    return hashlib.sha256(json.dumps([name, settings]).encode()).hexdigest()


def link(before: str, row: AnswerRow) -> str:
    """Return SHA-256 of the hash before and of all of a row that never changes."""
    fixed: list[Any] = [before, *row[1:9]]
    return hashlib.sha256(json.dumps(fixed).encode()).hexdigest()
