"""VersatileDb: two learners of losses choose one arm of each duel, whatever the preferences do.

Saha, Gaillard (2022), "Versatile dueling bandits: best-of-both-world analyses for learning from
relative preferences", ICML, https://proceedings.mlr.press/v162/saha22a.html. The rates were checked
against one public program. That program leaves out a part of the estimator of reduced variance,
which follows Zimmert and Seldin (2021) here.
Departs: F28 (the estimators, self-duels beside the next pair).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from duelli import _check, _rng
from duelli._arrays import Array
from duelli.learners.base import takes
from duelli.learners.codec import ArrayMark
from duelli.learners.finite.grid_learner import GridLearner, Meeting
from duelli.learners.finite.grids import GridConfig
from duelli.learners.finite.tsallis import weights

RATES = {"importance_weighted": 2.0, "reduced_variance": 4.0}  # √t η_t of each estimator
MOST_ALONE = 256  # turns of a step in which an arm meets itself
MOST_LOSS = 1e90  # beyond all that a run can reach; its cube is still a number
WORD_BITS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class VersatileDbConfig(GridConfig):
    """The inputs of Versatile-DB: those of `GridConfig` and one of its own.

    Args:
        estimator: How losses are estimated: "importance_weighted" or "reduced_variance".
    """

    estimator: str = "importance_weighted"

    def _own(self) -> dict[str, object]:
        _check.one_of("estimator", self.estimator, RATES)
        return {}

    def rate(self, t: int) -> float:
        """Return η_t, which is 2/√t or, with reduced variance, 4/√t."""
        return RATES[self.estimator] / math.sqrt(t)


@dataclass(slots=True, kw_only=True)
class VersatileState:
    """The duels so far, and the estimated losses of all arms; changed in place.

    Args:
        duels: The duels so far.
        losses: L⁺ and L⁻, the losses of the arms as the first and as the second one of a duel.
    """

    duels: int
    losses: Annotated[Array, ArrayMark(2, least=-math.inf)]


class VersatileDb(GridLearner[VersatileDbConfig, VersatileState]):
    """Versatile-DB on a grid: it remembers two numbers for each arm, however many pairs there are.

    Its keyword arguments are those of `VersatileDbConfig`. A step ends with a pair of different
    arms; turns in which an arm meets itself come before it in the same step. A step of nothing else
    says that this happened in 256 turns in a row.

    >>> learner = VersatileDb(dim=2, horizon=10**5, cells=4)
    >>> learner.ask()[-1].n
    1

    Paper: Algorithm 3.
    """

    Config: ClassVar[type] = VersatileDbConfig
    States: ClassVar[Mapping[str, type]] = {"versatile": VersatileState}
    EXTENDS: ClassVar[bool] = True

    @takes(VersatileDbConfig)
    def __init__(self, config: VersatileDbConfig) -> None:
        super().__init__(config)
        self._keys = [self._key_of(side) for side in (0, 1)]
        self._weights: dict[int, Array] = {}  # of the turns that are planned

    def _first_state(self) -> VersatileState:
        return VersatileState(duels=0, losses=np.zeros((2, self.num_arms)))

    def _meetings(self, left: int) -> list[Meeting]:
        plan: list[Meeting] = []
        losses, first = self._state.losses, self._state.duels + 1
        self._weights = {}
        for t in range(first, first + min(left, MOST_ALONE)):
            i, j = self._pair(losses, t)
            if i != j:
                return [*plan, (i, j, 1)]
            losses = losses.copy()  # it is known what follows from a draw of an arm with itself
            self._learn(losses, t, i, j, 0.5)
            alone = plan.pop()[2] if plan and plan[-1][0] == i else 0
            plan.append((i, i, alone + 1))
        return plan

    def _pair(self, losses: Array, t: int) -> tuple[int, int]:
        """Return the arms of turn ``t``, drawn with the weights of each side.

        Paper: Algorithm 3.
        """
        self._weights[t] = found = weights(losses, self.config.rate(t))
        i, j = (
            int(side.searchsorted(_rng.unit(key, t), side="right"))
            for side, key in zip(found[:, :-1].cumsum(axis=1), self._keys, strict=True)
        )
        return i, j

    def _take(self, i: int, j: int, n: int, wins: float) -> None:
        state = self._state
        for t in range(state.duels - n + 1, state.duels + 1):
            self._learn(state.losses, t, i, j, wins / n)

    def _learn(self, losses: Array, t: int, i: int, j: int, outcome: float) -> None:
        """Add the estimated losses of turn ``t``, of which the first arm's outcome is given.

        Paper: Algorithm 3.
        """
        played = ((i, 1 - outcome), (j, outcome))
        for side, (arm, loss) in enumerate(played):
            found = self._weights[t][side]
            if self.config.estimator == "importance_weighted":
                losses[side, arm] += loss / found[arm]
            else:
                base = np.where(found >= self.config.rate(t) ** 2, 0.5, 0.0)
                losses[side] += base
                losses[side, arm] += (loss - base[arm]) / found[arm]

    def _check_state(self, state: VersatileState) -> None:
        if state.losses.shape != (2, self.num_arms):
            raise ValueError(
                f"state.losses must have the shape (2, {self.num_arms}); got {state.losses.shape}"
            )
        if np.abs(state.losses).max() > MOST_LOSS:
            raise ValueError(f"state.losses must lie in [-{MOST_LOSS:g}, {MOST_LOSS:g}]")

    def _champion(self) -> int:
        return int(self._state.losses.sum(axis=0).argmin()) if self._state.duels else self._middle

    def state_bits(self) -> int:
        """Return the bits to remember: the counter, and two floats for each arm."""
        return self._state.duels.bit_length() + 2 * WORD_BITS * self.num_arms
