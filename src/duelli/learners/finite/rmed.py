"""Rmed1: arms duel as often as they may still be the best, judged by the divergence.

Komiyama, Honda, Kashima, Nakagawa (2015), "Regret lower bound and optimal algorithm in dueling
bandit problem", COLT, https://proceedings.mlr.press/v40/Komiyama15.html. The constants agree with
the authors' own program and two others.
Departs: F25 (self-duels, and the order of the arms).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from duelli import _check
from duelli.learners.base import takes
from duelli.learners.finite.bounds import turns_until
from duelli.learners.finite.grid_learner import GridLearner, Meeting
from duelli.learners.finite.grids import MOST_PAIRED_ARMS, GridConfig
from duelli.learners.finite.pair_counts import bits_of, check_wins
from duelli.learners.finite.rmed_state import RmedState, Sweep
from duelli.learners.finite.ties import smallest

BEST, OPPONENT, TARGET = range(3)  # what a draw of each turn is for
POWER = 1.01  # of K in f(K)


@dataclass(frozen=True, slots=True, kw_only=True)
class RmedConfig(GridConfig):
    """The inputs of RMED: those of `GridConfig` and one of its own.

    Args:
        factor: The factor of f(K) = factor · K^1.01, which keeps arms in the race that the duels
            speak against by less than ln t + f(K).
    """

    factor: float = 0.3

    MEETS_ALL_PAIRS: ClassVar[bool] = True
    MOST: ClassVar[int] = MOST_PAIRED_ARMS

    def _own(self) -> dict[str, object]:
        return {"factor": _check.at_least("factor", self.factor, 0)}

    @property
    def slack(self) -> float:
        """f(K) = 0.3 K^1.01."""
        return self.factor * math.pow(self.grid.num_arms, POWER)


M = TypeVar("M", bound=RmedConfig)
S = TypeVar("S", bound=RmedState)


class Rmed(GridLearner[M, S]):
    """What RMED1, RMED2 and RMED2F share: all pairs meet, then sweeps of the likely winners.

    Paper: Algorithm 1.
    """

    def __init__(self, config: M) -> None:
        self._slack = config.slack
        super().__init__(config)
        self._keys = [self._key_of(use) for use in (BEST, OPPONENT, TARGET)]

    def _first_state(self) -> S:
        arms, wins = tuple(range(self.num_arms)), np.zeros((self.num_arms, self.num_arms))
        state: S = self.States["rmed"](duels=0, waiting=arms, chosen=(), wins=wins)
        return state

    def _due(self, t: int) -> int:  # noqa: ARG002 (RMED2 depends on it)
        """Return how often every pair must have met before duel ``t``.

        Paper: Algorithm 1.
        """
        return 1

    def _opponent(self, first: int, best: int, t: int) -> int:
        """Return m(t), given l(t), which is ``first``, and i*."""
        rates = self._state.divergences.rates[first]
        if best != first and rates[best] <= 0.5:
            return best
        others = rates.copy()
        others[first] = 1.0
        second = smallest(others, self._keys[OPPONENT], t)
        return second if others[second] <= 0.5 else best  # without opponents it is i*

    def _meetings(self, left: int) -> list[Meeting]:
        state, t = self._state, self._state.duels + 1
        due = self._due(t)
        if state.divergences.short(due):
            return self._missing(due, left)
        first = state.waiting[0]
        second = self._opponent(first, self._best(t), t)
        return [(first, second, 1)] if first != second else self._alone(due, left)

    def _alone(self, due: int, left: int) -> list[Meeting]:
        """Return the self-duels that come next, and the duel after them if it is known.

        A self-duel changes nothing but the time and the sweep.
        """
        plan: list[Meeting] = []
        state, t = self._state, self._state.duels + 1
        sweep = Sweep(state.waiting, state.chosen, state.named.copy())
        while len(plan) < left and self._due(t) == due:
            first = sweep.waiting[0]
            second = self._opponent(first, self._best(t), t)
            if first != second:
                return [*plan, (first, second, 1)]
            if sweep.waiting == (first,) and not sweep.chosen:  # only this one may be the winner
                return [*plan, (first, first, min(left - len(plan), self._duels_alone(t, due)))]
            plan.append((first, first, 1))
            sweep.advance(self._likely(t))
            t += 1
        return plan

    def _missing(self, due: int, left: int) -> list[Meeting]:
        """Return the pairs that have not met often enough, with the duels that they lack."""
        n, plan = self._state.divergences.n, []
        for i, j in np.argwhere(np.triu(n < due, 1)).tolist():
            duels = min(due - int(n[i, j]), left)
            if duels == 0:
                break
            plan.append((i, j, duels))
            left -= duels
        return plan

    def _best(self, t: int) -> int:
        """Return i*, the arm of the smallest divergence. Paper: Section 3.1."""
        return smallest(self._state.divergences.totals, self._keys[BEST], t)

    def _likely(self, t: int) -> npt.NDArray[np.bool_]:
        """Tell for each arm whether it may be the winner: J_j(t). Paper: Eq. (4)."""
        totals = self._state.divergences.totals
        likely: npt.NDArray[np.bool_] = (
            totals <= totals[totals.argmin()] + math.log(t) + self._slack
        )
        return likely

    def _duels_alone(self, t: int, due: int) -> int:
        """Return how often the only likely winner meets itself at least, from duel ``t`` on."""
        first, second = np.partition(self._state.divergences.totals, 1)[:2].tolist()
        return turns_until(min(second - first - self._slack, self._end_of(due)), t)

    def _end_of(self, due: int) -> float:  # noqa: ARG002 (RMED2 depends on it)
        """Return ln t of the last duel before which ``due`` meetings of each pair are enough."""
        return math.inf

    def _take(self, i: int, j: int, n: int, wins: float) -> None:
        state = self._state
        missing = bool(state.divergences.short(self._due(state.duels - n + 1)))
        if i != j:
            state.divergences.add(i, j, n, wins)
        if not missing:
            sweep = Sweep(state.waiting, state.chosen, state.named)
            sweep.advance(self._likely(state.duels))
            state.waiting, state.chosen = sweep.waiting, sweep.chosen

    def _check_state(self, state: S) -> None:
        check_wins(state.wins, self.num_arms, state.duels)

    def _champion(self) -> int:
        state = self._state
        return int(state.divergences.totals.argmin()) if state.duels else self._middle

    def state_bits(self) -> int:
        """Return the bits to remember: the counter, two sets, and two counts for each pair."""
        return self._state.duels.bit_length() + 2 * self.num_arms + bits_of(self._state.wins)


class Rmed1(Rmed[RmedConfig, RmedState]):
    """RMED1, relative minimum empirical divergence, on a grid.

    Its keyword arguments are those of `RmedConfig`.

    >>> learner = Rmed1(dim=2, horizon=10**5, cells=4)
    >>> len(learner.ask())  # every pair meets once
    120

    Paper: Algorithm 1.
    """

    Config: ClassVar[type] = RmedConfig
    States: ClassVar[Mapping[str, type]] = {"rmed": RmedState}
    EXTENDS: ClassVar[bool] = True

    @takes(RmedConfig)
    def __init__(self, config: RmedConfig) -> None:
        super().__init__(config)
