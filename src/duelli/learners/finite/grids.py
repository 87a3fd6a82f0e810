"""The grid of a learner for finitely many arms: how many cells it has, and where its arms lie.

The choices "match_arc", "paper" and "theory" follow from the number of coordinates and the horizon.
They are made once, when the learner is made: its ``config.cells`` is a number.
Departs: F20 (the number of cells, its limits and the shift).
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from duelli import _check, _rng
from duelli.learners.arc.schedule import round_cost
from duelli.learners.grid import Grid

FAILURE_PROB = 0.05  # δ of ARC-DuelLi (F2)
PAIRS_SHARE = 10  # all pairs may use one duel in so many, if the learner chooses its cells
MOST_ARMS = 1_000_000  # a learner remembers a few numbers for each arm
MOST_PAIRED_ARMS = 1024  # and one that counts the duels of all pairs some for each pair


def match_arc(dim: int, horizon: int) -> int:
    """Return 2^(m-1), where m is the last round that ARC-DuelLi completes, and at least 1.

    Paper: Section 7, whose baseline has the resolution of ARC-DuelLi's last round.

    ARC-DuelLi eliminates nothing at these depths, so that its rounds have a fixed cost.
    """
    rounds, spent = 0, 0
    while True:
        cost = round_cost(rounds + 1, dim=dim, horizon=horizon, failure_prob=FAILURE_PROB)
        spent += cost
        if spent > horizon:
            return 1 << max(rounds - 1, 0)
        rounds += 1


def theory(dim: int, horizon: int) -> int:
    """Return max(2, ⌈(T / ln T)^(1 / (d + 2))⌉).

    It balances the regret of exploring K = cells^d arms with that of missing the best point by up
    to half a cell.
    """
    ratio = horizon / math.log(max(horizon, 2))
    return max(2, math.ceil(math.pow(ratio, 1 / (dim + 2))))


def paper(dim: int, horizon: int) -> int:  # noqa: ARG001 (the number is fixed)
    """Return 16, the cells of the paper's baseline. Paper: Section 7."""
    return 16


CELLS = {"match_arc": match_arc, "paper": paper, "theory": theory}


def pairs_of(arms: int) -> int:
    """Return K (K - 1) / 2, the number of pairs of different arms."""
    return arms * (arms - 1) // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class GridConfig:
    """The inputs that all learners on a grid share.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of duels.
        cells: The cells along each axis, of which there are K = cells^dim in all; "match_arc" for
            the resolution that ARC-DuelLi reaches, "paper" for the 16 of the paper's baseline,
            "theory" for ⌈(T / ln T)^(1 / (d + 2))⌉. A choice with a name has fewer cells where
            that makes too many arms.
        jitter: The arms are the centres of the cells if it is 0. Otherwise the whole grid is
            shifted by a random part of this share of a cell along each axis, so that a best point
            on the corner of cells does not make arms that tie exactly. Below 1.
        seed: Seed of all random draws, the shift among them.
    """

    dim: int
    horizon: int
    cells: int | str = "theory"
    jitter: float = 0.0
    seed: int = 0

    MEETS_ALL_PAIRS: ClassVar[bool] = False  # whether every pair of arms has to meet
    MOST: ClassVar[int] = MOST_ARMS

    def __post_init__(self) -> None:
        for name, value in {**self._shared(), **self._own()}.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "cells", self._number_of_cells())

    @property
    def grid(self) -> Grid:
        """The cells that serve as arms."""
        assert isinstance(self.cells, int)  # it was made a number
        return Grid(self.dim, self.cells, self._shift())

    def _shared(self) -> dict[str, object]:
        """Return the checked values of the inputs that all learners on a grid share."""
        jitter = _check.real("jitter", self.jitter)
        if not 0 <= jitter < 1:
            raise ValueError(f"jitter must lie in [0, 1); got {self.jitter!r}")
        return {
            "dim": _check.whole("dim", self.dim, 1),
            "horizon": _check.horizon(self.horizon),
            "jitter": jitter,
            "seed": _rng.check_seed(self.seed),
        }

    def _own(self) -> dict[str, object]:
        """Return the checked values of the inputs of this learner."""
        return {}

    def _number_of_cells(self) -> int:
        """Return the number of cells; the limits bind the choices that have a name only."""
        if isinstance(self.cells, str):
            wish = _check.registered("cells", self.cells, CELLS)(self.dim, self.horizon)
            cells = min(wish, math.floor(math.pow(self.MOST, 1 / self.dim)) + 1)
            while cells > 1 and not self._fits(cells**self.dim):
                cells -= 1
            return cells
        cells = _check.whole("cells", self.cells, 1)
        if cells**self.dim > self.MOST:
            raise ValueError(
                f"cells must make at most {self.MOST} arms; got {self.cells}^{self.dim}"
            )
        return cells

    def _fits(self, arms: int) -> bool:
        """Tell whether a learner may choose so many arms by itself."""
        compulsory = pairs_of(arms) if self.MEETS_ALL_PAIRS else 0
        return arms <= self.MOST and compulsory * PAIRS_SHARE <= self.horizon

    def _shift(self) -> tuple[float, ...]:
        """Return the shift of the grid, along each axis and as a share of a cell."""
        if not self.jitter:
            return ()
        key = _rng.key(self.seed, "learner")  # of which words below 0 serve nothing else
        return tuple(self.jitter * (_rng.unit(key, -1 - axis) - 0.5) for axis in range(self.dim))
