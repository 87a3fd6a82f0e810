"""Study: a run whose pairs are judged by many clients at once, without any input or output.

A study is in one step of its run at a time. Each transition has two halves: a method that decides
what is to happen and changes nothing, and `apply`, which takes in the record of it. A store keeps
the records, so that a study that is loaded again is in the same state.

The step that follows is computed by `advanced`, a pure function of the run at the opening of the
step and of its answers; it is that of `duelli.Run`, so that both end in the same state.
"""

import json
import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from duelli.live.errors import ConflictError
from duelli.live.leases import Leased, Leases
from duelli.live.settings import Settings
from duelli.pairs import OpenPairs, Pair
from duelli.runs import Run

WINNERS = ("left", "right", "tie")
SCORES = {"left": 1.0, "right": 0.0, "tie": 0.5}  # of the point on the left, which is shown first
UNDECIDED = 0  # beside the places of WINNERS, counted from 1
NOBODY = -1


@dataclass(frozen=True, slots=True)
class Told:
    """An answer that counts."""

    index: int
    winner: str
    client: str


@dataclass(frozen=True, slots=True)
class Undone:
    """A client took its answer back, and has the pair again."""

    index: int
    client: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A client gave a pair back without an answer."""

    index: int
    client: str


Record = Leased | Told | Undone | Skipped
Verdict = Literal["accepted", "replay", "late"]


@dataclass(frozen=True, slots=True)
class Opening:
    """A step that is opened, and the run at that moment.

    Args:
        run: The run, with the step open and no answer of anybody in it.
        number: The number of the step.
        answer: The point that the learner recommends now, in the user's units.
    """

    run: Run
    number: int
    answer: Any

    @property
    def saved(self) -> str:
        """The run as JSON text."""
        return json.dumps(self.run.saved(), separators=(",", ":"))

    @property
    def blocks(self) -> list[list[Any]]:
        """The blocks of the step as JSON; none once the run has ended."""
        opened = self.run.opened
        step = () if opened is None else opened.step.step
        return [[list(b.low), b.edge, list(b.reference), b.n] for b in step]


def opening(run: Run) -> Opening:
    """Return the opening of the step that a run has come to; this runs the learner's policy."""
    opened = run.opened
    assert opened is None or opened.step.number == run.steps
    return Opening(run, run.steps, run.recommend())


def first_opening(settings: Settings) -> Opening:
    """Return the opening of the first step of a study."""
    return opening(settings.run())


def advanced(saved: object, scores: list[tuple[int, float]]) -> Opening:
    """Return the opening that follows once a step has all its answers.

    Args:
        saved: The run at the opening of the step.
        scores: The number of each duel that was judged with the score of its left point.
    """
    run = Run.from_saved(saved)
    number, left = run.steps, dict(scores)
    while run.steps == number:  # until the last answer has closed the step
        batch = run.ask_batch()
        assert batch is not None
        told = [left.pop(i, None) for i in range(batch.first, batch.first + len(batch))]
        assert None not in told
        run.tell_batch(batch, told)
    assert not left
    return opening(run)


class Study:
    """The open step of a study: who has which pair, and what came of the pairs.

    Args:
        settings: What the owner decided.
        opened: The opening of the step.
        closed: Whether the owner has closed the study.
    """

    def __init__(self, settings: Settings, opened: Opening, *, closed: bool = False) -> None:
        self.settings, self.opening, self.closed = settings, opened, closed
        self._pairs: OpenPairs | None = opened.run.opened
        self._winners = bytearray()  # for each duel up to the last one that was answered
        self._tellers = array("l")
        self._clients: dict[str, int] = {}
        self._names: list[str] = []
        self._told: dict[str, array[int]] = {}  # the answers of each client, the last one at last
        self.judged = 0
        self.changes = 0  # of what the next step depends on
        self.leases = Leases(self.total, self.decided, settings.lease)

    @classmethod
    def begun(cls, settings: Settings) -> "Study":
        """Return a study in its first step."""
        return cls(settings, first_opening(settings))

    @property
    def step(self) -> int:
        """The number of the open step, from 0."""
        return self.opening.number

    @property
    def done(self) -> bool:
        """Whether the run has ended or was closed, so that no more pairs come."""
        return self.closed or self._pairs is None

    @property
    def total(self) -> int:
        """The number of duels of the open step."""
        return 0 if self._pairs is None else self._pairs.step.total

    @property
    def left(self) -> int:
        """How many pairs of the step have no answer yet."""
        return 0 if self._pairs is None else self.total - self._pairs.step.answered - self.judged

    @property
    def duels(self) -> int:
        """The number of answers that count, in all steps."""
        return self.opening.run.duels + self.judged

    def pair(self, index: int) -> Pair:
        """Return a pair of the open step in the user's units; x is on the left."""
        assert self._pairs is not None
        return self._pairs.pair(index)

    def decided(self, index: int) -> bool:
        """Tell whether a duel has its answer, or needs none as its points are the same."""
        assert self._pairs is not None
        return self.winner(index) is not None or self._pairs.step.has(index)

    def winner(self, index: int) -> str | None:
        """Return which side of a pair has won; None while that is open."""
        place = self._winners[index] if index < len(self._winners) else UNDECIDED
        return WINNERS[place - 1] if place else None

    def teller(self, index: int) -> str | None:
        """Return whose answer to a pair counts; None while that is open."""
        place = self._tellers[index] if index < len(self._tellers) else NOBODY
        return None if place == NOBODY else self._names[place]

    def scores(self, *more: Told) -> list[tuple[int, float]]:
        """Return the answers of the step, with some that are about to be taken in."""
        told = [(i, SCORES[WINNERS[w - 1]]) for i, w in enumerate(self._winners) if w]
        return sorted([*told, *((each.index, SCORES[each.winner]) for each in more)])

    def answered_by(self, client: str) -> int:
        """Return how many pairs of the step a client has answered."""
        return len(self._told.get(client, ()))

    def ask(self, client: str, now: float) -> Leased | None:
        """Decide which pair a client gets; None if there is none for it now."""
        if self.done or self.left == 0:
            return None
        most = math.ceil(self.settings.share * self.total)
        if self.settings.share < 1 and self.answered_by(client) >= most:
            return None
        return self.leases.choose(client, now)

    def tell(self, told: Told) -> Verdict:
        """Decide what becomes of an answer to a pair of the open step."""
        if not self.decided(told.index):
            if self.closed:
                raise ConflictError("the study was closed; this answer came too late")
            return "accepted"
        same = self.teller(told.index) == told.client and self.winner(told.index) == told.winner
        return "replay" if same else "late"

    def closes(self, told: Told) -> bool:
        """Tell whether an answer is the last one of the step."""
        return self.left == 1 and not self.decided(told.index)

    def undo(self, client: str) -> Undone:
        """Decide which answer of a client is taken back: its last one, while its step is open."""
        if self.done:
            why = "is closed" if self.closed else "has ended"
            raise ConflictError(f"no answer can be taken back any more: the study {why}")
        answers = self._told.get(client)
        if not answers:
            raise ConflictError(
                f"there is no answer to take back: client {client!r} has given none in the open "
                "step"
            )
        return Undone(answers[-1], client)

    def skip(self, index: int, client: str) -> Skipped | None:
        """Decide whether a client gives a pair back; None if it is decided already."""
        return None if self.decided(index) else Skipped(index, client)

    def apply(self, record: Record, now: float) -> None:
        """Take in what was decided."""
        match record:
            case Leased():
                if not self.decided(record.index):
                    self.leases.give(record, now)
            case Told():
                self._take(record)
            case Undone():
                self._untake(record)
                self.leases.give(Leased(record.index, record.client), now)
            case Skipped():
                self.leases.release(record.index, record.client, skipped=True)

    def outcomes(self) -> Iterator[Told]:
        """Yield the answers of the step that count."""
        for index, place in enumerate(self._winners):
            if place:
                yield Told(index, WINNERS[place - 1], self._names[self._tellers[index]])

    def _take(self, told: Told) -> None:
        assert not self.decided(told.index)
        missing = told.index + 1 - len(self._winners)
        if missing > 0:
            self._winners.extend(bytes(missing))
            self._tellers.extend([NOBODY] * missing)
        self._winners[told.index] = 1 + WINNERS.index(told.winner)
        self._tellers[told.index] = self._number(told.client)
        self._told.setdefault(told.client, array("l")).append(told.index)
        self.judged += 1
        self.changes += 1
        self.leases.drop(told.index)

    def _untake(self, undone: Undone) -> None:
        last = self._told[undone.client].pop()
        assert last == undone.index
        self._winners[undone.index], self._tellers[undone.index] = UNDECIDED, NOBODY
        self.judged -= 1
        self.changes += 1

    def _number(self, client: str) -> int:
        if client not in self._clients:
            self._clients[client] = len(self._names)
            self._names.append(client)
        return self._clients[client]
