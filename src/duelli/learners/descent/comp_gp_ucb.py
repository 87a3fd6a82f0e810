"""CompGpUcb: duels against random opponents show the Borda function, which GP-UCB maximises.

Xu, Joshi, Singh, Dubrawski (2020), "Zeroth order non-convex optimization with dueling-choice
bandits", UAI, https://proceedings.mlr.press/v124/xu20b.html. The paper has direct queries too; this
is its first phase alone, which needs duels only. Details are from memory and uncertain.
Departs: F68 (duels only, a set of candidates, steps that grow).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from duelli import _check
from duelli._arrays import Array
from duelli.blocks import Block, Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners.base import takes
from duelli.learners.descent.arm_counts import ArmCounts
from duelli.learners.descent.gp_learner import GpLearner, settle_gp
from duelli.learners.model.pool import Indices


@dataclass(frozen=True, slots=True, kw_only=True)
class CompGpUcbConfig:
    """The inputs of COMP-GP-UCB with duels only.

    Args:
        dim: d, the number of coordinates.
        horizon: The number of duels.
        candidates: |D|, the number of points to choose from, at most 1000.
        batch: The least number of duels in a step.
        length: The length scale of the kernel; 0.25 √d if None.
        failure_prob: δ, the probability with which the confidence bounds may fail.
        start: One of the points; the middle of the box if None.
        seed: Seed of the other points.
    """

    dim: int
    horizon: int
    candidates: int = 256
    batch: int = 1
    length: float | None = None
    failure_prob: float = 0.05
    start: Arm | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        settle_gp(self, failure_prob=_check.probability("failure_prob", self.failure_prob))


class CompGpUcb(GpLearner[CompGpUcbConfig]):
    """COMP-GP-UCB with duels only: the point that may win most often meets random opponents.

    Its keyword arguments are those of `CompGpUcbConfig`. It plays exactly ``horizon`` duels; once
    one point is surely the best one it rests. As opponents are random, its strong regret grows with
    every duel: it is meant for those who want the answer.

    >>> learner = CompGpUcb(dim=2, horizon=1000)
    >>> learner.ask()[0].edge
    1.0
    """

    Config: ClassVar[type] = CompGpUcbConfig
    PER_DUEL: ClassVar[int] = 1

    @takes(CompGpUcbConfig)
    def __init__(self, config: CompGpUcbConfig) -> None:
        super().__init__(config)

    def bounds(self) -> tuple[Array, Array]:
        """Return the lower and the upper confidence bound of the win rate of each candidate."""
        mean, deviation = self._posterior().mean, self._posterior().deviation
        t, delta = self._state.duels + 1, self.config.failure_prob
        scale = 2 * math.log(len(mean) * t**2 * math.pi**2 / (6 * delta))  # β_t of GP-UCB
        width = math.sqrt(scale) * deviation
        return mean - width, mean + width  # LCB_b and UCB_b

    def contenders(self) -> Indices:
        """Return C, the candidates that may be the best one."""
        low, high = self.bounds()
        return np.flatnonzero(high >= low.max())  # C = {x: UCB_b(x) >= max LCB_b}

    def _next_step(self) -> Step:
        left = self.config.horizon - self._state.duels
        if left == 0:
            return ()
        if self._rests():
            return (Block.rest(self.recommend(), left),)
        best = self._candidate(self._chosen())
        return (Block((0.0,) * self.config.dim, 1.0, best, self._size()),)  # Phase 1: x' uniform

    def _advance(self, tallies: Sequence[Tally]) -> ArmCounts:
        (tally,), state = tallies, self._state
        if self._rests():
            return replace(state, duels=state.duels + tally.n)
        won = tally.n - tally.wins  # the random opponents are on the left
        return state.after(tally.n, [(self._chosen(), tally.n, won)])

    def _chosen(self) -> int:
        """Return the candidate with the largest upper bound."""
        return int(self.bounds()[1].argmax())  # Phase 1: GP-UCB on b

    def _rests(self) -> bool:
        return len(self.contenders()) == 1

    def progress(self) -> Progress:
        """Return the phase, no rounds, and the recommended candidate."""
        return Progress("cleanup" if self._rests() else "model", 0, self.recommend())
