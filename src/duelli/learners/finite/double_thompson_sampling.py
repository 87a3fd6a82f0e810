"""DoubleThompsonSampling: both arms of a duel are drawn from what is believed of the preferences.

Wu, Liu (2016), "Double Thompson sampling for dueling bandits", NeurIPS,
https://arxiv.org/abs/1604.07101. The constants agree with the authors' own program.
Departs: F27 (coins instead of samples where they suffice, self-duels beside the next pair).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from duelli import _check, _rng
from duelli.learners.base import takes
from duelli.learners.codec import Table
from duelli.learners.finite.beliefs import Beliefs
from duelli.learners.finite.bounds import Bounds
from duelli.learners.finite.grid_learner import GridLearner, Meeting
from duelli.learners.finite.grids import MOST_PAIRED_ARMS, GridConfig
from duelli.learners.finite.pair_counts import Standings, bits_of, check_wins
from duelli.learners.finite.rucb import above_half
from duelli.learners.finite.ties import Places

MOST_ALONE = 256  # turns of a step in which an arm meets itself
GROWTH = 4  # after one turn the next four are looked at together, and so on
MOST_DRAWS = 1 << 16  # of the turns that are looked at together
TINY = 2.0**-53  # a sample that rounds to 0, 1/2 or 1 still has a logarithm


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleThompsonSamplingConfig(GridConfig):
    """The inputs of Double Thompson Sampling: those of `GridConfig` and two of its own.

    Args:
        alpha: α, how wide the bounds are; above 1/2.
        plus: D-TS+: a tie for the first arm goes to the one that costs least to compare with all.
    """

    alpha: float = 0.51
    plus: bool = False

    MEETS_ALL_PAIRS: ClassVar[bool] = True
    MOST: ClassVar[int] = MOST_PAIRED_ARMS

    def _own(self) -> dict[str, object]:
        return {
            "alpha": above_half("alpha", self.alpha),
            "plus": _check.flag("plus", self.plus),
        }


@dataclass(slots=True, kw_only=True)
class ThompsonState:
    """The duels so far and the wins of all pairs; changed in place."""

    duels: int
    wins: Table
    standings: Standings = field(init=False, repr=False, compare=False)
    bounds: Bounds = field(init=False, repr=False, compare=False)
    beliefs: Beliefs = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.standings = Standings(self.wins)
        self.bounds, self.beliefs = Bounds(self.wins), Beliefs(self.wins)

    def add(self, i: int, j: int, n: int, won: float) -> None:
        """Add a meeting of two different arms, of which ``i`` won so many duels."""
        self.standings.add(i, j, n, won)
        self.bounds.update(i, j)
        self.beliefs.update(i, j)


class DoubleThompsonSampling(GridLearner[DoubleThompsonSamplingConfig, ThompsonState]):
    """Double Thompson Sampling, D-TS and D-TS+, on a grid.

    Its keyword arguments are those of `DoubleThompsonSamplingConfig`. A step ends with a pair of
    different arms; turns in which an arm meets itself come before it in the same step. A step of
    nothing else says that this happened in 256 turns in a row.

    >>> learner = DoubleThompsonSampling(dim=2, horizon=10**5, cells=4)
    >>> learner.ask()[-1].n
    1

    Paper: Algorithm 1.
    """

    Config: ClassVar[type] = DoubleThompsonSamplingConfig
    States: ClassVar[Mapping[str, type]] = {"thompson": ThompsonState}
    EXTENDS: ClassVar[bool] = True

    @takes(DoubleThompsonSamplingConfig)
    def __init__(self, config: DoubleThompsonSamplingConfig) -> None:
        super().__init__(config)
        self._turns = _rng.Turns(self._key)

    def _first_state(self) -> ThompsonState:
        return ThompsonState(duels=0, wins=np.zeros((self.num_arms, self.num_arms)))

    def _meetings(self, left: int) -> list[Meeting]:
        plan: list[Meeting] = []
        t = self._state.duels + 1
        draws, end, turns = self._turns.at(t), t + min(left, MOST_ALONE), 1
        while t < end:
            turns = min(turns, end - t)
            firsts, seconds = self._pairs(t, turns, draws)
            for a, b in zip(firsts.tolist(), seconds.tolist(), strict=True):
                if a != b:
                    return [*plan, (a, b, 1)]
                alone = plan.pop()[2] if plan and plan[-1][0] == a else 0
                plan.append((a, a, alone + 1))
            t, turns = t + len(firsts), GROWTH * turns
        return plan

    def _pairs(self, t: int, turns: int, draws: np.random.Generator) -> tuple[Places, Places]:
        """Return the arms of turn ``t`` and up to as many as ``turns``, if no bound changes sides.

        Paper: Algorithm 1.
        """
        bounds, level = self._state.bounds, self.config.alpha * math.log(t)  # α ln t
        beaten = bounds.beaten(level)
        likely = np.flatnonzero(beaten == beaten[beaten.argmin()])  # C
        room = MOST_DRAWS // (self.num_arms * len(likely))
        turns = max(1, min(turns, room, bounds.turns_until_change(t, self.config.alpha)))
        if len(likely) == 1:
            firsts = np.repeat(likely, turns)
        elif self.config.plus:
            firsts = likely[self._cheapest(likely, turns, draws)]
        else:
            scores = self._state.beliefs.sampled_scores(likely, turns, draws)
            firsts = likely[(scores + draws.random(scores.shape)).argmax(axis=1)]
        theta = self._state.beliefs.sampled_against(firsts, draws)  # θ'
        theta[bounds.lost[firsts] > level] = -1.0  # l_ia > 1/2: i is surely better
        return firsts, theta.argmax(axis=1)

    def _cheapest(self, likely: Places, turns: int, draws: np.random.Generator) -> Places:
        """Return the place in C of the first arm of each turn: the best, and the cheapest of those.

        Its cost is Σ_j (2 ζ* - ζ_i - ζ_j) / d(θ_ij, 1/2), where ζ* = ζ_i is the largest score in C.
        """
        theta = self._state.beliefs.sampled(turns, draws)
        scores = (theta > 0.5).sum(axis=2)
        ours = scores[:, likely]
        turn, place = np.nonzero(ours == ours.max(axis=1, keepdims=True))  # the best of each turn
        p = np.clip(theta[turn, likely[place]], TINY, 1 - TINY)
        divergence = np.maximum(p * np.log(2 * p) + (1 - p) * np.log(2 * (1 - p)), TINY)
        divergence[np.arange(len(place)), likely[place]] = math.inf  # of an arm with itself
        costs = np.full(ours.shape, math.inf)
        costs[turn, place] = ((ours[turn, place, None] - scores[turn]) / divergence).sum(axis=1)
        cheapest: Places = costs.argmin(axis=1)
        return cheapest

    def _take(self, i: int, j: int, n: int, wins: float) -> None:
        if i != j:
            self._state.add(i, j, n, wins)

    def _check_state(self, state: ThompsonState) -> None:
        check_wins(state.wins, self.num_arms, state.duels)

    def _champion(self) -> int:
        return self._state.standings.best(self._middle)

    def state_bits(self) -> int:
        """Return the bits to remember: the counter, and two counts for each pair of arms."""
        return 1 + self._state.duels.bit_length() + bits_of(self._state.wins)
