"""MultiSbm: each cell of a grid has a scalar learner of its own, and the arms follow each other.

Ailon, Karnin, Joachims (2014), "Reducing dueling bandits to cardinal bandits", ICML,
https://arxiv.org/abs/1405.3396. The algorithm and the width agree with two public implementations;
the bound is from memory and is not used. Departs: F50 (a grid, the recommended arm).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from duelli import _check, _rng
from duelli.blocks import Block, Progress, Tally
from duelli.cubes import Arm
from duelli.learners.base import AIMS, takes
from duelli.learners.grid import Grid
from duelli.learners.scalar.inputs import check_cells, rate_cells, set_checked
from duelli.learners.scalar.reduction import Reduction, Scalar
from duelli.learners.scalar.ucb1 import Ucb1

MOST_ARMS = 1024  # it remembers every pair
WARM_UP = 10  # duels for each pair of arms, unless that leaves one cell per axis
FIRST_ARM = 2**62  # the address of the first arm


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiSbmConfig:
    """The inputs of MultiSBM on a grid.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of duels.
        cells: The cells along each axis, whose centres are the arms. If None, as many as suit the
            horizon, but at most so many that there are ten duels for each pair, or two.
        scale: α of the width √(α ln t / N) of each UCB.
        aim: "regret" plays exactly ``horizon`` duels; "answer" at most so many, and no arm meets
            itself.
        seed: Seed of all random draws.
    """

    dim: int
    horizon: int
    cells: int | None = None
    scale: float = 3.0
    aim: str = "regret"
    seed: int = 0

    def __post_init__(self) -> None:
        _check.one_of("aim", self.aim, AIMS)
        set_checked(self, scale=_check.positive("scale", self.scale))
        if self.cells is not None:
            object.__setattr__(self, "cells", check_cells(self.cells, self.dim, MOST_ARMS))

    @property
    def grid(self) -> Grid:
        """The cells that serve as arms."""
        few = int((self.horizon / WARM_UP) ** 0.5)
        most = min(max(few, 2**self.dim), MOST_ARMS)
        return Grid(self.dim, self.cells or rate_cells(self.horizon, self.dim, most))


@dataclass(slots=True, kw_only=True)
class Chain:
    """The duels and turns so far, the next opponent, and a scalar learner for each arm."""

    duels: int
    turns: int
    arm: int
    scalars: list[Scalar] = field(init=False, default_factory=list)


class MultiSbm(Reduction[MultiSbmConfig, Chain]):
    """MultiSBM: the UCB of an arm chooses its rival, and the rival is the next arm.

    Its keyword arguments are those of `MultiSbmConfig`.

    >>> MultiSbm(dim=2, horizon=10_000).grid.num_arms
    25
    """

    Config: ClassVar[type] = MultiSbmConfig
    States: ClassVar[Mapping[str, type]] = {"chain": Chain}

    @takes(MultiSbmConfig)
    def __init__(self, config: MultiSbmConfig) -> None:
        self.grid = config.grid
        super().__init__(config)

    def _members(self, turns: int) -> list[tuple[type[Scalar], dict[str, Any]]]:  # noqa: ARG002
        config, cells = self.config, self.grid.cells
        shared = {"dim": config.dim, "horizon": config.horizon, "cells": cells}
        return [
            (Ucb1, {**shared, "scale": config.scale, "seed": self._seed(arm)})
            for arm in range(self.grid.num_arms)
        ]

    def _fresh(self) -> Chain:
        return Chain(duels=0, turns=0, arm=self._first())

    def _first(self) -> int:
        """Return x_1, the opponent of the first duel."""
        return _rng.below(self._key, FIRST_ARM, self.grid.num_arms)

    def _block(self, state: Chain) -> Block:
        rival = state.scalars[state.arm].pull()  # MultiSBM: y_t
        assert rival is not None  # its horizon is that of the run
        return Block.pair(rival, self.grid.centre(state.arm))

    def _take(self, state: Chain, tally: Tally) -> None:
        state.scalars[state.arm].update(tally.wins)  # MultiSBM: 1 if y_t wins
        state.arm = self.grid.index(tally.witness)  # MultiSBM: x_(t+1) = y_t

    def _check_state(self, state: Chain) -> None:
        super()._check_state(state)
        if state.arm >= self.grid.num_arms:
            raise ValueError(f"state.arm must be below {self.grid.num_arms}; got {state.arm}")

    def _check_scalars(self, state: Chain) -> None:
        if (pulls := sum(scalar.pulls for scalar in state.scalars)) != state.turns:
            raise ValueError(f"state.scalars must have {state.turns} pulls in all; got {pulls}")

    def recommend(self) -> Arm:
        """Return the arm that was most often chosen as a rival, the first one of several.

        A rival is the next arm, whose scalar learner is pulled then: but for the last rival and
        the first arm, an arm was chosen as often as its scalar learner was pulled.
        """
        chosen = [scalar.pulls for scalar in self._state.scalars]
        chosen[self._state.arm] += 1
        chosen[self._first()] -= 1
        return self.grid.centre(chosen.index(max(chosen)))

    def progress(self) -> Progress:
        """Return the phase, no rounds, and the arm that is the next opponent."""
        return Progress("chain", 0, self.grid.centre(self._state.arm))

    def _own_bits(self) -> int:
        return self.grid.num_arms.bit_length()
