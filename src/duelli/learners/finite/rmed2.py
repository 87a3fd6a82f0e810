"""Rmed2 and Rmed2f: RMED that also chooses the opponent from whom the most is learnt.

Komiyama, Honda, Kashima, Nakagawa (2015), "Regret lower bound and optimal algorithm in dueling
bandit problem", COLT, https://proceedings.mlr.press/v40/Komiyama15.html. Public programs differ in
the choice of the opponent; the rule here is that of the paper, as far as it is remembered.
Departs: F26 (the least regret of a pair, ln ln t for small t).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from duelli import _check
from duelli.learners.base import takes
from duelli.learners.finite.bounds import MOST_LOG
from duelli.learners.finite.rmed import TARGET, Rmed, RmedConfig, S
from duelli.learners.finite.rmed_state import RmedState
from duelli.learners.finite.ties import smallest

LEAST_REGRET = 0.01  # of a pair, so that none is chosen for an estimate of 0 or less


def log_log(t: int) -> float:
    """Return ln ln t, for t < 3 that of 3, which is above 0."""
    return math.log(math.log(max(t, 3)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rmed2Config(RmedConfig):
    """The inputs of RMED2 and RMED2F: those of `RmedConfig` and one of its own.

    Args:
        alpha: α; every pair meets α ln ln t times at least.
    """

    alpha: float = 3.0

    def _own(self) -> dict[str, object]:
        return {**RmedConfig._own(self), "alpha": _check.positive("alpha", self.alpha)}

    def due(self, t: int) -> int:
        """Return ⌈α ln ln t⌉, and at least 1. Paper: Algorithm 1."""
        return max(1, math.ceil(self.alpha * log_log(t)))


class Rmed2Rule(Rmed[Rmed2Config, S]):
    """The choice of the opponent in RMED2 and RMED2F."""

    def _opponent(self, first: int, best: int, t: int) -> int:
        target, n = self._target_of(first, best, t), self._state.divergences.n[first]
        beaten = self._state.divergences.rates[first, target] <= 0.5  # is b̂ in Ô?
        if target != first and beaten and n[best] >= n[target] / log_log(self._clock(t)):
            return target
        return super()._opponent(first, best, t)

    def _target_of(self, first: int, best: int, t: int) -> int:
        """Return b̂, the opponent of least regret per information; ``first`` if there is none."""
        found = self._state.divergences
        regret = np.maximum(found.rates[best, first] + found.rates[best] - 1, LEAST_REGRET)
        cost = np.full(self.num_arms, math.inf)
        tells = found.terms[first] > 0  # where d⁺ = terms / n is not 0
        np.divide(regret * found.n[first], found.terms[first], out=cost, where=tells)
        return smallest(cost, self._keys[TARGET], t) if tells.any() else first

    def _clock(self, t: int) -> int:
        """Return the time whose double logarithm the rule uses."""
        return t


class Rmed2(Rmed2Rule[RmedState]):
    """RMED2 on a grid: the opponents follow the estimates, and every pair meets now and then.

    Its keyword arguments are those of `Rmed2Config`.

    >>> learner = Rmed2(dim=2, horizon=10**5, cells=4)
    >>> len(learner.ask())
    120

    Paper: Algorithm 1.
    """

    Config: ClassVar[type] = Rmed2Config
    States: ClassVar[Mapping[str, type]] = {"rmed": RmedState}
    EXTENDS: ClassVar[bool] = True

    @takes(Rmed2Config)
    def __init__(self, config: Rmed2Config) -> None:
        super().__init__(config)

    def _due(self, t: int) -> int:
        return self.config.due(t)

    def _end_of(self, due: int) -> float:
        return math.exp(min(due / self.config.alpha, math.log(MOST_LOG)))


@dataclass(slots=True, kw_only=True)
class Rmed2fState(RmedState):
    """The state of RMED2F, which has the opponents in addition.

    Args:
        targets: b̂ of each arm, itself if there is none; empty until all pairs have met.
    """

    targets: tuple[int, ...] = ()


class Rmed2f(Rmed2Rule[Rmed2fState]):
    """RMED2F on a grid: the opponents are chosen once, after α ln ln T duels of every pair.

    Its keyword arguments are those of `Rmed2Config`.

    >>> learner = Rmed2f(dim=2, horizon=10**5, cells=4)
    >>> {block.n for block in learner.ask()}
    {8}

    Paper: Algorithm 1.
    """

    Config: ClassVar[type] = Rmed2Config
    States: ClassVar[Mapping[str, type]] = {"rmed": Rmed2fState}

    @takes(Rmed2Config)
    def __init__(self, config: Rmed2Config) -> None:
        super().__init__(config)

    def _due(self, t: int) -> int:  # noqa: ARG002 (RMED2 depends on it)
        return self.config.due(self.config.horizon)

    def _clock(self, t: int) -> int:  # noqa: ARG002 (RMED2 depends on it)
        return self.config.horizon

    def _target_of(self, first: int, best: int, t: int) -> int:  # noqa: ARG002 (RMED2 needs them)
        return self._state.targets[first]

    def _take(self, i: int, j: int, n: int, wins: float) -> None:
        super()._take(i, j, n, wins)
        state, t = self._state, self._state.duels
        if not state.targets and not state.divergences.short(self._due(t)):
            best = self._best(t)
            arms = range(self.num_arms)
            state.targets = tuple(Rmed2Rule._target_of(self, arm, best, t) for arm in arms)

    def _check_state(self, state: Rmed2fState) -> None:
        super()._check_state(state)
        early = self.num_arms == 1 or state.divergences.short(self._due(state.duels)) > 0
        expected = 0 if early else self.num_arms
        if len(state.targets) != expected or any(arm >= self.num_arms for arm in state.targets):
            raise ValueError(
                f"state.targets must name {expected} arms below {self.num_arms}; "
                f"got {state.targets}"
            )
