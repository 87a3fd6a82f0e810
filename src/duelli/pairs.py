"""OpenPairs: the duels of one step handed out as pairs in the user's units, each to one judge."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from duelli.boxes import Box
from duelli.errors import OutOfTurnError
from duelli.serving import OUTCOME_UNIT, OpenStep


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair to be judged, in the user's own units.

    Args:
        id: The pair's name, for `Run.tell`.
        x: The point to show first.
        y: The point to show second.
    """

    id: str
    x: Any
    y: Any


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Many pairs of one step, to be judged at once.

    Args:
        step: The number of the step.
        first: The number of the first pair in the step.
        xs: The points to show first: an array if the box has no names, else a list of dicts.
        ys: The points to show second.
        left_first: Whether the learner's own left arm is the one that is shown first.
    """

    step: int
    first: int
    xs: Any
    ys: Any
    left_first: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.left_first)


class OpenPairs:
    """Hands out the duels of a step that have no outcome yet, and takes the outcomes.

    Args:
        step: The step.
        box: The user's parameters.
        skip_equal: Whether a point ties with itself without any judge being asked.
        resumed: Whether pairs may be answered that were handed out before the run was saved.
    """

    def __init__(
        self, step: OpenStep, box: Box, *, skip_equal: bool, resumed: bool = False
    ) -> None:
        self.step, self.box, self._resumed = step, box, resumed
        self._next = 0  # duels below this were handed out
        self._released: list[int] = []  # those that are to be handed out again
        self._out: dict[str, int] = {}  # handed out and not answered yet, by name
        if skip_equal and step.answered == 0:
            self._settle_equal()

    def take(self) -> Pair | None:
        """Hand out a pair that nobody has; None if there is none."""
        i = self._next_free()
        if i is None:
            return None
        pair = self.pair(i)
        self._out[pair.id] = i
        return pair

    def pair(self, i: int) -> Pair:
        """Return duel ``i`` as a pair, whoever has it."""
        left, reference, left_first = self.step.duel(i)
        ours, theirs = self.box.to_raw(left), self.box.to_raw(reference)
        name = f"{self.step.number}.{i}"
        return Pair(name, ours, theirs) if left_first else Pair(name, theirs, ours)

    def take_batch(self, most: int) -> Batch | None:
        """Hand out the pairs that nobody has, up to ``most`` of them; None if there is none."""
        first = self._next_free()
        if first is None:
            return None
        again = first < self._next - 1  # a pair that was given back comes alone
        count = 1 if again else self.step.unanswered_from(first, most)
        self._next = max(self._next, first + count)
        left, right, left_first = self.step.many(first, count)
        shown_first = np.where(left_first[:, None], left, right)
        shown_second = np.where(left_first[:, None], right, left)
        xs, ys = self.box.to_raw_many(shown_first), self.box.to_raw_many(shown_second)
        return Batch(self.step.number, first, xs, ys, left_first)

    def answer(self, name: str, score: float) -> None:
        """Take in the score of the point of a pair that was shown first."""
        i = self._number(name)
        self.step.take(i, score if self.step.left_first(i) else 1 - score)
        self._out.pop(name, None)

    def answer_batch(self, batch: Batch, scores: npt.NDArray[np.float64]) -> None:
        """Take in the scores of the points of a batch that were shown first."""
        if batch.step != self.step.number or self.step.has(batch.first):
            raise OutOfTurnError("the batch is not open; it was answered before")
        self.step.take_many(batch.first, np.where(batch.left_first, scores, 1 - scores))

    def release(self, name: str) -> None:
        """Take back a pair that will not be judged; it is handed out again."""
        i = self._number(name)
        if i in self._released:
            raise not_open(name)
        if i < self._next:  # else it was handed out before the run was saved, and comes by itself
            self._released.append(i)
        self._out.pop(name, None)

    def _next_free(self) -> int | None:
        """Return the number of a duel that nobody has; None if there is none."""
        while self._released:
            if not self.step.has(i := self._released.pop()):
                return i
        return self._fresh()

    def _fresh(self) -> int | None:
        while self._next < self.step.total and self.step.has(self._next):
            self._next += 1
        if self._next >= self.step.total:
            return None
        self._next += 1
        return self._next - 1

    def _number(self, name: object) -> int:
        """Return the number of the open pair called ``name``."""
        if isinstance(name, str) and name in self._out:
            return self._out[name]
        step, _, i = name.partition(".") if self._resumed and isinstance(name, str) else ("",) * 3
        known = step == str(self.step.number) and i.isdecimal() and int(i) < self.step.total
        if known and name == f"{step}.{int(i)}" and not self.step.has(int(i)):
            return int(i)
        raise not_open(name)

    def _settle_equal(self) -> None:
        """Let a point tie with itself.

        Different arms can be the same point for the user, where a parameter is a whole number or
        a choice.
        """
        for b, block in enumerate(self.step.step):
            first = self.step.first_of(b)
            if block.edge == 0:
                if self.box.same_point(block.low, block.reference):
                    self.step.take_many(first, np.full(block.n, 0.5))
            elif not self.box.continuous:
                for i in range(first, first + block.n):
                    if self.box.same_point(self.step.duel(i).left, block.reference):
                        self.step.take(i, 0.5)


def not_open(name: object) -> OutOfTurnError:
    """Return the error for a pair that nobody has been given."""
    return OutOfTurnError(
        f"no pair {name!r} is open; it was answered or given back before, or never asked"
    )


def scores_of(outcomes: Any, count: int) -> npt.NDArray[np.float64]:
    """Return the outcomes of a batch as ``count`` numbers in [0, 1]."""
    try:
        scores = np.asarray(outcomes, dtype=np.float64)
    except (TypeError, ValueError):  # strings, or lists of different lengths
        scores = np.empty(0)
    if scores.shape != (count,) or not ((scores >= 0) & (scores <= 1)).all():
        raise ValueError(f"outcomes must be {count} numbers in [0, 1]; got {outcomes!r}")
    return np.round(scores / OUTCOME_UNIT) * OUTCOME_UNIT
