"""History: the judged pairs as a table in the user's units."""

import csv
import math
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from duelli.blocks import Block
from duelli.boxes import Box
from duelli.history.past import PastStep
from duelli.serving import OpenStep


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

    def answers(self) -> list[tuple[int, Any]]:
        """Return how the answer came about: after how many duels which point was recommended.

        There is one entry for each step that was judged whole; points are in the user's units.
        """
        rows, duels = [], 0
        for past in self._steps:
            opened = OpenStep(past.step, past.number, self._key)
            duels += sum(
                1 for b in range(len(past.step)) for _ in self._rows(opened, b, past.outcomes[b])
            )
            if past.answer is not None:
                rows.append((duels, self._box.to_raw(past.answer)))
        return rows

    def log_names(self) -> frozenset[str]:
        """Return the parameters that have a logarithmic scale."""
        sides = self._box.parameters
        return frozenset(each.name for each in sides if "log" in getattr(each, "scale", ""))

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


def _values(point: Any) -> list[Any]:
    if isinstance(point, dict):
        return list(point.values())
    return point if isinstance(point, list) else list(map(float, point))
