"""History: every pair that a judge was asked, and the position bias that the answers show."""

import csv
import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from duelli import _check
from duelli.blocks import Block, Step
from duelli.boxes import Box
from duelli.serving import OpenStep, outcomes_as_json


@dataclass(frozen=True, slots=True)
class Bias:
    """How much more often than half the point that is shown first wins.

    Args:
        estimate: The mean outcome of the first point, less 1/2; 0 if nothing was judged.
        error: Its standard error.
        duels: The number of outcomes that it rests on.
    """

    estimate: float
    error: float
    duels: int

    def __str__(self) -> str:
        if self.duels == 0:
            return "no duel was judged"
        return (
            f"the point shown first wins {0.5 + self.estimate:.1%} ± {self.error:.1%} of the duels"
        )


@dataclass(slots=True)
class BiasTally:
    """Running sums of the outcomes of the points that are shown first."""

    duels: int = 0
    wins: float = 0.0
    squares: float = 0.0

    def add(self, first: float, count: int = 1, squares: float | None = None) -> None:
        """Take in the sum of ``count`` outcomes of the first points, and of their squares."""
        self.duels += count
        self.wins += first
        self.squares += first * first if squares is None else squares

    def bias(self) -> Bias:
        """Return the estimate with its standard error."""
        if self.duels == 0:
            return Bias(0.0, 0.5, 0)
        mean = self.wins / self.duels
        # With the prior of one win and one loss an early run of equal outcomes claims no certainty.
        variance = (self.squares + 1) / (self.duels + 2) - ((self.wins + 1) / (self.duels + 2)) ** 2
        return Bias(mean - 0.5, math.sqrt(max(variance, 0.0) / self.duels), self.duels)


class PastStep(NamedTuple):
    """A step that was told: its number, its blocks, and the outcomes of their left arms."""

    number: int
    step: Step
    outcomes: tuple["array[float]", ...]


class History:
    """A table of the judged pairs in the user's units, one row per duel, in the order asked.

    A row has ``step``, ``duel`` (its number in the step), ``x`` and ``y`` (the points; x was shown
    first), ``outcome`` (that of x: 1, 0, or 1/2 for a tie) and ``reference`` ("x" or "y": which of
    the two was the learner's reference). Make a data frame of it with
    ``pandas.DataFrame(history.columns())``.
    """

    def __init__(self, box: Box, key: int, steps: list[PastStep], *, skip_equal: bool) -> None:
        self._box, self._key, self._steps, self._skip_equal = box, key, steps, skip_equal

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for past in self._steps:
            opened = OpenStep(past.step, past.number, self._key)
            for b in range(len(past.step)):
                yield from self._rows(opened, b, past.outcomes[b])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return list(self)[index]

    def columns(self) -> dict[str, list[Any]]:
        """Return the table by columns; a point has one column for each parameter."""
        names = self._box.names
        head = ["step", "duel", *(f"x_{n}" for n in names), *(f"y_{n}" for n in names)]
        table: dict[str, list[Any]] = {name: [] for name in (*head, "outcome", "reference")}
        for row in self:
            cells = [row["step"], row["duel"], *_values(row["x"]), *_values(row["y"])]
            for name, cell in zip(table, (*cells, row["outcome"], row["reference"]), strict=True):
                table[name].append(cell)
        return table

    def to_csv(self, path: str | Path) -> None:
        """Write the table as CSV."""
        table = self.columns()
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(table)
            writer.writerows(zip(*table.values(), strict=True))

    def __repr__(self) -> str:
        return f"History({len(self)} duels)"

    def _rows(self, opened: OpenStep, b: int, outcomes: "array[float]") -> Iterator[dict[str, Any]]:
        block, first = opened.step[b], opened.first_of(b)
        for i, outcome in enumerate(outcomes, start=first):
            if math.isnan(outcome) or (self._skip_equal and self._is_equal(opened, block, i)):
                continue
            left, reference, left_first = opened.duel(i)
            points = self._box.to_raw(left), self._box.to_raw(reference)
            yield {
                "step": opened.number,
                "duel": i,
                "x": points[0] if left_first else points[1],
                "y": points[1] if left_first else points[0],
                "outcome": outcome if left_first else 1 - outcome,
                "reference": "y" if left_first else "x",
            }

    def _is_equal(self, opened: OpenStep, block: Block, i: int) -> bool:
        left = block.low if block.edge == 0 else opened.duel(i).left
        return self._box.same_point(left, block.reference)


def past_as_json(past: PastStep) -> list[Any]:
    """Return a step that was told as JSON: number, blocks, outcomes."""
    blocks = [[list(b.low), b.edge, list(b.reference), b.n] for b in past.step]
    return [past.number, blocks, [outcomes_as_json(each) for each in past.outcomes]]


def past_from_json(value: Any, dim: int) -> PastStep:
    """Return the step that `past_as_json` wrote; refuse what cannot be one."""
    name = "an entry of history"
    if not isinstance(value, list) or len(value) != 3 or not isinstance(value[1], list):
        raise ValueError(f"{name} must be a number, blocks and outcomes; got {value!r}")
    step = tuple(_block(entry, dim) for entry in value[1])
    if not step:
        raise ValueError(f"{name} must have at least one block; got none")
    opened = OpenStep(step, _check.whole(f"the number of {name}", value[0]), 0)
    opened.restore(value[2])
    return PastStep(opened.number, step, opened.outcomes)


def _block(entry: Any, dim: int) -> Block:
    if not isinstance(entry, list) or len(entry) != 4:
        raise ValueError(f"a block of history must have 4 entries; got {entry!r}")
    low, reference = (_check.arm("a block of history", entry[k], dim) for k in (0, 2))
    return Block(low, _check.real("the edge of a block of history", entry[1]), reference, entry[3])


def _values(point: Any) -> list[Any]:
    if isinstance(point, dict):
        return list(point.values())
    return point if isinstance(point, list) else list(map(float, point))
