"""BeatTheMean: each arm duels random others, and the one with the fewest wins leaves.

Yue, Joachims (2011), "Beat the mean bandit", ICML,
https://icml.cc/2011/papers/169_icmlpaper.pdf. The constants agree with three public programs.
Departs: F22 (the narrower bound, steps of many duels).
"""

import math
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from duelli import _check, _rng
from duelli.learners.base import takes
from duelli.learners.finite.grid_learner import GridLearner, Meeting
from duelli.learners.finite.grids import MOST_PAIRED_ARMS, GridConfig
from duelli.learners.finite.mean_state import MeanState
from duelli.learners.finite.ties import Places, smallest

ORDER, OPPONENT, WORST = range(3)  # what a draw is for
MOST_DUELS = 256  # of a step


@dataclass(frozen=True, slots=True, kw_only=True)
class BeatTheMeanConfig(GridConfig):
    """The inputs of Beat-the-Mean: those of `GridConfig` and two of its own.

    Args:
        gamma: γ of relaxed transitivity, at least 1; 1 is right for every utility and link.
        coef: The factor of γ² in c = coef · γ² √(ln(1/δ) / n): 3 as printed; 1 is the narrower
            bound that the paper gives for γ = 1.
        meets_itself: Whether an arm is among its own opponents, as printed. Without such duels,
            which tell nothing, arms leave sooner.
    """

    gamma: float = 1.0
    coef: float = 3.0
    meets_itself: bool = True

    MOST: ClassVar[int] = MOST_PAIRED_ARMS

    def _own(self) -> dict[str, object]:
        return {
            "gamma": _check.at_least("gamma", self.gamma, 1),
            "coef": _check.positive("coef", self.coef),
            "meets_itself": _check.flag("meets_itself", self.meets_itself),
        }

    @property
    def scale(self) -> float:
        """The number coef · γ² √ln(1/δ), where δ = 1/(2TK)."""
        log = math.log(2 * self.horizon) + math.log(self.grid.num_arms)  # ln(1/δ)
        return self.coef * self.gamma**2 * math.sqrt(log)


def width(scale: float, n: float) -> float:
    """Return c of ``n`` duels: coef · γ² √(ln(1/δ) / n), and 1 if there are none."""
    return scale / math.sqrt(n) if n else 1.0


class BeatTheMean(GridLearner[BeatTheMeanConfig, MeanState]):
    """Beat-the-Mean on a grid.

    Its keyword arguments are those of `BeatTheMeanConfig`. Who duels whom does not depend on the
    outcomes until an arm can leave, so that a step has as many duels as there are before that.

    >>> learner = BeatTheMean(dim=2, horizon=10**5, cells=4)
    >>> len(learner.ask())
    256

    Paper: Algorithm 1.
    """

    Config: ClassVar[type] = BeatTheMeanConfig
    States: ClassVar[Mapping[str, type]] = {"mean": MeanState}

    @takes(BeatTheMeanConfig)
    def __init__(self, config: BeatTheMeanConfig) -> None:
        self._scale = config.scale
        super().__init__(config)
        self._keys = [self._key_of(use) for use in (ORDER, OPPONENT, WORST)]

    def _first_state(self) -> MeanState:
        arms = self.num_arms
        n, wins = np.zeros((arms, arms)), np.zeros((arms, arms))
        return MeanState(duels=0, left=tuple(range(arms)), n=n, wins=wins)

    def _meetings(self, left: int) -> list[Meeting]:
        state, most = self._state, min(left, MOST_DUELS)
        plan: list[Meeting] = []
        while len(plan) < most and len(state.left) > 1:
            firsts, safe = self._challengers(state, most - len(plan))
            if safe:
                found = enumerate(firsts[: most - len(plan)], state.duels)
                return [*plan, *((b, self._opponent(state, b, t), 1) for t, b in found)]
            b = firsts[0]
            other = self._opponent(state, b, state.duels)
            plan.append((b, other, 1))
            if other != b:
                return plan
            state = copy(state)  # it is known what follows from a draw of an arm with itself
            state.duels += 1
            self._learn(state, b, b, 0.5)
        return plan or [(state.left[0], state.left[0], left)]

    def _challengers(self, state: MeanState, most: int) -> tuple[list[int], bool]:
        """Return who asks for the next duels, and whether no arm can leave before the last of them.

        The arm with the fewest duels is next, and ties are broken at random.

        Paper: Algorithm 1.
        """
        totals, levels = state.totals[state.places], 1
        firsts: list[int] = []
        safe = self._no_arm_can_leave(state, levels)
        while True:
            fewest = totals[totals.argmin()]
            behind = np.flatnonzero(totals == fewest)
            firsts += self._in_random_order(state, state.places[behind], int(fewest))
            levels += 1
            if not safe or len(firsts) >= most or not self._no_arm_can_leave(state, levels):
                return firsts, safe
            totals[behind] += 1

    def _no_arm_can_leave(self, state: MeanState, levels: int) -> bool:
        """Tell whether P̂ cannot be far enough apart after ``levels`` more duels of each arm.

        A duel moves P̂_b by at most 1/(n_b + 1).
        """
        low, high, fewest = state.extremes()
        apart = high - low + 2 * levels / (fewest + 1)
        return min(1.0, apart) < 2 * width(self._scale, fewest + levels)

    def _in_random_order(self, state: MeanState, arms: Places, level: int) -> list[int]:
        """Return arms with equally many duels in the order of their turns."""
        key = _rng.word(self._keys[ORDER], level * (self.num_arms + 1) + len(state.left))
        return sorted(arms.tolist(), key=lambda b: _rng.word(key, b))

    def _opponent(self, state: MeanState, b: int, t: int) -> int:
        """Return b', drawn from the arms that are left. Paper: Algorithm 1."""
        left, key = state.left, self._keys[OPPONENT]
        if self.config.meets_itself:
            return left[_rng.below(key, t, len(left))]
        place = _rng.below(key, t, len(left) - 1)
        return left[place] if left[place] < b else left[place + 1]

    def _take(self, i: int, j: int, n: int, wins: float) -> None:
        if len(self._state.left) > 1:
            assert n == 1  # of an arm that is alone there may be more
            self._learn(self._state, i, j, wins)

    def _learn(self, state: MeanState, b: int, other: int, won: float) -> None:
        """Add a duel that ``b`` has asked for, and let the worst arm leave if it is clear."""
        state.add(b, other, won)
        low, high, fewest = state.extremes()
        bound = width(self._scale, fewest)  # c*
        if low + bound <= high - bound:
            rates = state.rates[state.places]
            state.drop(state.left[smallest(rates, self._keys[WORST], state.duels)])

    def _check_state(self, state: MeanState) -> None:
        if len(state.n) != self.num_arms:
            raise ValueError(f"state.n must have {self.num_arms} rows; got {len(state.n)}")
        if np.abs(state.n - np.rint(state.n)).max() or state.n.sum() > state.duels:
            raise ValueError(
                f"state.n must hold whole numbers, {state.duels} duels in all at most; it does not"
            )

    def _champion(self) -> int:
        state = self._state
        if not state.totals.any() and len(state.left) > 1:
            return self._middle
        return state.left[int(state.rates[state.places].argmax())]

    def _settled(self) -> bool:
        return len(self._state.left) == 1

    def _rounds(self) -> int:
        return self.num_arms - len(self._state.left)

    def state_bits(self) -> int:
        """Return the bits to remember: the counter, W, and two counts for each pair in order."""
        counts = int(2 * np.ceil(np.log2(self._state.n + 1)).sum())
        return self._state.duels.bit_length() + self.num_arms + counts
