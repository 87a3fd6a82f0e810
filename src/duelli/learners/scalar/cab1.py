"""Cab1: UCB1 on grids that become finer, each of them fresh for twice as many pulls.

Kleinberg (2004), "Nearly tight bounds for the continuum-armed bandit problem", NIPS 17,
https://papers.nips.cc/paper/2634. The exponent for more than one dimension is from memory.
Departs: F41 (centres of cells, several dimensions, what is recommended).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from duelli import _check
from duelli.cubes import Arm
from duelli.learners.codec import Point
from duelli.learners.grid import Grid
from duelli.learners.scalar.base import PullLearner
from duelli.learners.scalar.epochs import begins_at, epoch_at, half_over
from duelli.learners.scalar.inputs import rate_cells, set_checked
from duelli.learners.scalar.ucb1 import (
    GridState,
    Indices,
    check_counts,
    counter_bits,
    most_pulled,
)
from duelli.learners.stateful import takes

WORD_BITS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Cab1Config:
    """The inputs of CAB1.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of pulls. The algorithm does not use it.
        scale: α of the width √(α ln t / N) of UCB1; 2 as printed.
        seed: Seed of the choice between arms of equal index.
    """

    dim: int
    horizon: int
    scale: float = 2.0
    seed: int = 0

    def __post_init__(self) -> None:
        set_checked(self, scale=_check.positive("scale", self.scale))


@dataclass(slots=True, kw_only=True)
class Cab1State:
    """The pulls so far, the answer of the last epoch, and what this epoch knows of its arms."""

    pulls: int
    answer: Point | None
    epoch: GridState


class Cab1(PullLearner[Cab1Config, Cab1State]):
    """CAB1: UCB1 on a uniform grid, refined and begun again whenever the pulls have doubled.

    Its keyword arguments are those of `Cab1Config`.

    >>> [Cab1(dim=1, horizon=10**6).grid_of(number).cells for number in (1, 5, 9, 13)]
    [2, 3, 5, 10]
    """

    Config: ClassVar[type] = Cab1Config
    States: ClassVar[Mapping[str, type]] = {"epochs": Cab1State}

    @takes(Cab1Config)
    def __init__(self, config: Cab1Config) -> None:
        super().__init__(config)

    def grid_of(self, number: int) -> Grid:
        """Return the grid of epoch ``number``, which has 2^number pulls."""
        # Algorithm CAB1: n = ⌈(T / ln T)^(1 / (2α + 1))⌉ cells, with α = 1 and T = 2^number
        return Grid(self.dim, rate_cells(2**number, self.dim))

    def _first_state(self) -> Cab1State:
        return Cab1State(pulls=0, answer=None, epoch=self._fresh(1))

    def _fresh(self, number: int) -> GridState:
        arms = self.grid_of(number).num_arms
        return GridState(pulls=0, counts=[0] * arms, sums=[0.0] * arms)

    def _prepare(self) -> None:
        self.grid = self.grid_of(epoch_at(self._state.pulls).number)
        self._indices = Indices(self._state.epoch, self.config.scale)
        self._arm = 0

    def _next_arm(self) -> Arm:
        # The key moves with the epoch, so that no two epochs break ties alike.
        key = self._key + epoch_at(self._state.pulls).number
        self._arm = self._indices.choose(self._state.epoch.pulls, key)  # Algorithm CAB1: UCB1
        return self.grid.centre(self._arm)

    def _learn(self, reward: float) -> None:
        state, epoch, arm = self._state, self._state.epoch, self._arm
        state.pulls += 1
        epoch.pulls += 1
        epoch.counts[arm] += 1
        epoch.sums[arm] += reward
        self._indices.set(arm, epoch.counts[arm], epoch.sums[arm])
        if begins_at(state.pulls):
            state.answer = self.grid.centre(most_pulled(epoch))
            state.epoch = self._fresh(epoch_at(state.pulls).number)  # Algorithm CAB1: T doubles
            self._prepare()

    def _check_state(self, state: Cab1State) -> None:
        epoch = epoch_at(state.pulls)
        pulls = state.pulls - epoch.start
        if state.epoch.pulls != pulls:
            raise ValueError(f"state.epoch.pulls must be {pulls}; got {state.epoch.pulls}")
        if (state.answer is None) != (epoch.number == 1):
            raise ValueError("state.answer must be there after the first epoch, and not before")
        check_counts(state.epoch, self.grid_of(epoch.number).num_arms, pulls)

    def recommend(self) -> Arm:
        """Return the most pulled arm of this epoch, or of the last one until half of it is over."""
        if self._state.answer is not None and not half_over(self._state.pulls):
            return self._state.answer
        return self.grid.centre(most_pulled(self._state.epoch))

    def state_bits(self) -> int:
        """Return the bits to remember: the counts of one epoch, and the answer of the last one."""
        return counter_bits(self._state.epoch) + WORD_BITS * self.dim
