"""Ucb1: upper confidence bounds on the cells of a uniform grid.

Auer, Cesa-Bianchi, Fischer (2002), "Finite-time analysis of the multiarmed bandit problem",
Machine Learning 47, https://doi.org/10.1023/A:1013689704352. The constants agree with two public
implementations of Sparring and MultiSBM. Departs: F40 (a grid, and ties at random).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from duelli import _check, _rng
from duelli.cubes import Arm
from duelli.learners.grid import Grid
from duelli.learners.scalar.base import PullLearner
from duelli.learners.scalar.inputs import check_cells, rate_cells, set_checked
from duelli.learners.stateful import takes


@dataclass(frozen=True, slots=True, kw_only=True)
class Ucb1Config:
    """The inputs of UCB1 on a grid.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of pulls; only the number of cells depends on it, if that is None.
        cells: The cells along each axis, whose centres are the arms; ⌈(T / ln T)^(1 / (d + 2))⌉
            if None.
        scale: α of the width √(α ln t / N); 2 as printed.
        seed: Seed of the choice between arms of equal index.
    """

    dim: int
    horizon: int
    cells: int | None = None
    scale: float = 2.0
    seed: int = 0

    def __post_init__(self) -> None:
        set_checked(self, scale=_check.positive("scale", self.scale))
        if self.cells is not None:
            object.__setattr__(self, "cells", check_cells(self.cells, self.dim))

    @property
    def grid(self) -> Grid:
        """The cells that serve as arms."""
        return Grid(self.dim, self.cells or rate_cells(self.horizon, self.dim))


@dataclass(slots=True, kw_only=True)
class GridState:
    """The pulls so far, and the number and the sum of the rewards of each arm."""

    pulls: int
    counts: list[int]
    sums: list[float]


class Indices:
    """The indices of all arms of a grid, so that one reward changes one arm's part only."""

    def __init__(self, state: GridState, scale: float) -> None:
        self._scale = scale
        self._counts = np.array(state.counts, dtype=np.float64)
        pulled = np.maximum(self._counts, 1.0)
        self._means = np.array(state.sums, dtype=np.float64) / pulled
        self._shares = 1.0 / np.sqrt(pulled)
        self._unpulled = int((self._counts == 0).sum())

    def choose(self, pulls: int, key: int) -> int:
        """Return an arm of the largest index, drawn with word ``pulls`` of ``key``."""
        if self._unpulled:
            largest = np.flatnonzero(self._counts == 0)
        else:
            width = math.sqrt(self._scale * math.log(pulls))
            index = self._means + width * self._shares  # Figure 1: mean + √(2 ln n / n_j)
            largest = np.flatnonzero(index == index.max())
        return int(largest[_rng.below(key, pulls, len(largest))])

    def set(self, arm: int, count: int, total: float) -> None:
        """Take over the number and the sum of the rewards of one arm."""
        if self._counts[arm] == 0:
            self._unpulled -= 1
        self._counts[arm] = count
        self._means[arm] = total / count
        self._shares[arm] = 1.0 / math.sqrt(count)


class Ucb1(PullLearner[Ucb1Config, GridState]):
    """UCB1 on a grid: pulls the arm whose mean could be the largest.

    Its keyword arguments are those of `Ucb1Config`.

    >>> Ucb1(dim=2, horizon=10_000).grid.num_arms
    36
    """

    Config: ClassVar[type] = Ucb1Config
    States: ClassVar[Mapping[str, type]] = {"grid": GridState}

    @takes(Ucb1Config)
    def __init__(self, config: Ucb1Config) -> None:
        self.grid = config.grid
        super().__init__(config)

    def _first_state(self) -> GridState:
        arms = self.grid.num_arms
        return GridState(pulls=0, counts=[0] * arms, sums=[0.0] * arms)

    def _prepare(self) -> None:
        self._indices = Indices(self._state, self.config.scale)
        self._arm = 0  # the one that was pulled last, as a number

    def _next_arm(self) -> Arm:
        self._arm = self._indices.choose(self._state.pulls, self._key)
        return self.grid.centre(self._arm)

    def _learn(self, reward: float) -> None:
        state, arm = self._state, self._arm
        state.pulls += 1
        state.counts[arm] += 1
        state.sums[arm] += reward
        self._indices.set(arm, state.counts[arm], state.sums[arm])

    def _check_state(self, state: GridState) -> None:
        check_counts(state, self.grid.num_arms, state.pulls)

    def recommend(self) -> Arm:
        """Return the arm that was pulled most often, the first one of several."""
        return self.grid.centre(most_pulled(self._state))

    def state_bits(self) -> int:
        """Return the bits to remember: the pulls, and two counts for each arm."""
        return counter_bits(self._state)


def most_pulled(state: GridState) -> int:
    """Return the first arm of those that were pulled most often."""
    return max(range(len(state.counts)), key=state.counts.__getitem__)


def counter_bits(state: GridState) -> int:
    """Return the bits that the counts of a grid take."""
    return 1 + state.pulls.bit_length() + 2 * sum(n.bit_length() for n in state.counts)


def check_counts(state: GridState, arms: int, pulls: int) -> None:
    """Check that a state has so many arms, and that its counts are those of so many pulls."""
    if len(state.counts) != arms or len(state.sums) != arms:
        raise ValueError(
            f"state.counts and state.sums must have {arms} entries, one for each arm; "
            f"got {len(state.counts)} and {len(state.sums)}"
        )
    if sum(state.counts) != pulls:
        raise ValueError(f"state.counts must add up to {pulls}; got {sum(state.counts)}")
    if not all(0 <= total <= n for total, n in zip(state.sums, state.counts, strict=True)):
        raise ValueError("state.sums must lie between 0 and state.counts; they do not")
