"""WinnerStays: the arm that has won most plays on until another one has taken its seat.

Chen, Frazier (2017), "Dueling bandits with weak regret", ICML,
https://proceedings.mlr.press/v70/chen17c.html. The rule of the weak version was checked against one
public program. When the strong version exploits is from memory, and public programs differ in it.
Departs: F29 (draws, the two readings of WS-S).
"""

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
from duelli.learners.finite.ties import one_of

FIRST, SECOND, DRAW = range(3)  # what a word of each turn is for
PERIODS = ("round", "duel")


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerStaysConfig(GridConfig):
    """The inputs of Winner Stays: those of `GridConfig` and two of its own.

    Args:
        beta: β > 1 of WS-S, the version for strong regret: after its ℓ-th period the leader plays
            itself ⌊β^ℓ⌋ times. None for WS-W, the version for weak regret, which never does.
        period: "round": a period ends when one arm has won the round, that is when it has a score
            of ℓ (K - 1). "duel": every duel is a period, as in duelpy.
    """

    beta: float | None = None
    period: str = "round"

    def _own(self) -> dict[str, object]:
        _check.one_of("period", self.period, PERIODS)
        if self.beta is None:
            return {}
        beta = _check.real("beta", self.beta)
        if beta <= 1:
            raise ValueError(f"beta must be above 1, or None; got {self.beta!r}")
        return {"beta": beta}


@dataclass(slots=True, kw_only=True)
class WinnerState:
    """The duels so far, and what decides who plays; changed in place.

    Args:
        duels: The duels so far.
        periods: ℓ, the periods that are done.
        alone: How many duels of the leader with itself are due.
        last: The two arms of the last duel, the first one first; () before it.
        scores: C_i, the wins of each arm less its losses; a draw is decided by a coin.
    """

    duels: int
    periods: int
    alone: int
    last: tuple[int, ...]
    scores: Annotated[Array, ArrayMark(1, least=-np.inf)]


class WinnerStays(GridLearner[WinnerStaysConfig, WinnerState]):
    """Winner Stays, WS-W and WS-S, on a grid: it remembers one number for each arm.

    Its keyword arguments are those of `WinnerStaysConfig`.

    >>> learner = WinnerStays(dim=2, horizon=10**5, cells=4)
    >>> len(learner.ask())
    1

    Paper: Algorithms 1 and 2.
    """

    Config: ClassVar[type] = WinnerStaysConfig
    States: ClassVar[Mapping[str, type]] = {"winner": WinnerState}
    EXTENDS: ClassVar[bool] = True

    @takes(WinnerStaysConfig)
    def __init__(self, config: WinnerStaysConfig) -> None:
        super().__init__(config)
        self._keys = [self._key_of(use) for use in (FIRST, SECOND, DRAW)]

    def _first_state(self) -> WinnerState:
        return WinnerState(duels=0, periods=0, alone=0, last=(), scores=np.zeros(self.num_arms))

    def _meetings(self, left: int) -> list[Meeting]:
        alone = min(self._state.alone, left)
        rest = [(self._champion(), self._champion(), alone)] if alone else []
        if alone == left:
            return rest
        return [*rest, (*self._pair(self._state.duels + alone + 1), 1)]

    def _pair(self, t: int) -> tuple[int, int]:
        """Return the arms of turn ``t``: the leader, and the leader of the others.

        Paper: Algorithm 1.
        """
        scores = self._state.scores
        first = self._top(scores, t, self._keys[FIRST])
        score, scores[first] = scores[first], -np.inf
        second = self._top(scores, t, self._keys[SECOND])
        scores[first] = score
        return first, second

    def _top(self, scores: Array, t: int, key: int) -> int:
        """Return the arm of the largest score, one of the last duel if possible."""
        most = scores[scores.argmax()]
        for arm in self._state.last:
            if scores[arm] == most:
                return arm
        return one_of(np.flatnonzero(scores == most), key, t)

    def _take(self, i: int, j: int, n: int, wins: float) -> None:
        state = self._state
        if i == j:
            state.alone = max(0, state.alone - n)
            return
        won = wins == 1 or (wins > 0 and _rng.unit(self._keys[DRAW], state.duels) < wins)
        state.scores[i] += 1 if won else -1
        state.scores[j] += -1 if won else 1
        state.last = (i, j)
        if self.config.beta is not None and self._period_ends():
            state.periods += 1
            state.alone = self._length(self.config.beta)

    def _period_ends(self) -> bool:
        """Tell whether the period is over with this duel."""
        scores = self._state.scores
        needed = (self._state.periods + 1) * (self.num_arms - 1)
        return self.config.period == "duel" or bool(scores[scores.argmax()] >= needed)

    def _length(self, beta: float) -> int:
        """Return ⌊β^ℓ⌋, or all duels that are left. Paper: Algorithm 2."""
        try:
            length = int(beta**self._state.periods)
        except OverflowError:
            length = _check.MAX_HORIZON
        return min(length, _check.MAX_HORIZON)

    def _check_state(self, state: WinnerState) -> None:
        scores = state.scores
        if len(scores) != self.num_arms or (scores != np.rint(scores)).any() or scores.sum():
            raise ValueError(
                f"state.scores must be {self.num_arms} whole numbers that add up to 0; "
                f"got {scores.tolist()}"
            )
        known = {arm for arm in state.last if arm < self.num_arms}
        if len(state.last) not in (0, 2) or len(known) != len(state.last):
            raise ValueError(
                f"state.last must name no arm, or two below {self.num_arms}; got {state.last}"
            )

    def _champion(self) -> int:
        """Return the arm of the largest score, one of the last duel if possible."""
        scores, last = self._state.scores, self._state.last
        if not last:
            return self._middle
        leader = last[0] if scores[last[0]] >= scores[last[1]] else last[1]
        return leader if scores[leader] == scores[scores.argmax()] else int(scores.argmax())

    def state_bits(self) -> int:
        """Return the bits to remember: counters, the last arms, and one score for each arm."""
        state = self._state
        scores = int(np.ceil(np.log2(np.abs(state.scores) + 1)).sum()) + self.num_arms
        counters = sum(n.bit_length() for n in (state.duels, state.periods, state.alone))
        return counters + 2 * self.num_arms.bit_length() + scores
