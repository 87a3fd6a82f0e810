"""Rucb: the arm that may still be the best meets the one that may beat it most often.

Zoghi, Whiteson, Munos, de Rijke (2014), "Relative upper confidence bound for the K-armed dueling
bandit problem", ICML, https://proceedings.mlr.press/v32/zoghi14.html. The constants agree with two
public programs; that a challenger differs from the champion on a tie is from memory.
Departs: F24 (pairs that have not met, self-duels in one block).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from duelli import _check, _rng
from duelli._arrays import Array
from duelli.learners.base import takes
from duelli.learners.codec import Table
from duelli.learners.finite.bounds import Bounds, turns_until
from duelli.learners.finite.grid_learner import GridLearner, Meeting
from duelli.learners.finite.grids import MOST_PAIRED_ARMS, GridConfig
from duelli.learners.finite.pair_counts import Standings, bits_of, check_wins
from duelli.learners.finite.ties import Places, one_of

COIN, CHAMPION, CHALLENGER = range(3)  # what a draw of each turn is for


@dataclass(frozen=True, slots=True, kw_only=True)
class RucbConfig(GridConfig):
    """The inputs of RUCB: those of `GridConfig` and one of its own.

    Args:
        alpha: α, how wide the bounds are; above 1/2.
    """

    alpha: float = 0.51

    MEETS_ALL_PAIRS: ClassVar[bool] = True
    MOST: ClassVar[int] = MOST_PAIRED_ARMS

    def _own(self) -> dict[str, object]:
        return {"alpha": above_half("alpha", self.alpha)}


def above_half(name: str, value: object) -> float:
    """Return ``value`` as a finite float above 1/2, which the analysis of such bounds needs."""
    if (number := _check.real(name, value)) <= 0.5:
        raise ValueError(f"{name} must be above 0.5; got {value!r}")
    return number


@dataclass(slots=True, kw_only=True)
class RucbState:
    """The duels so far, B if there is one, and the wins of all pairs; changed in place."""

    duels: int
    best: int | None
    wins: Table
    standings: Standings = field(init=False, repr=False, compare=False)
    bounds: Bounds = field(init=False, repr=False, compare=False)
    rates: Array = field(init=False, repr=False, compare=False)
    widths: Array = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.standings, self.bounds = Standings(self.wins), Bounds(self.wins)
        n = self.wins + self.wins.T
        met = n > 0
        # Of U_jc, in row c: w_jc / n and 1 / √n; 1 and 0 if they have not met, 1/2 and 0 for c.
        self.rates = np.divide(self.wins.T, n, out=np.ones_like(n), where=met)
        self.widths = np.divide(1.0, np.sqrt(n), out=np.zeros_like(n), where=met)
        np.fill_diagonal(self.rates, 0.5)

    def add(self, i: int, j: int, n: int, won: float) -> None:
        """Add a meeting of two different arms, of which ``i`` won so many duels."""
        self.standings.add(i, j, n, won)
        self.bounds.update(i, j)
        total = self.wins[i, j] + self.wins[j, i]
        self.rates[i, j], self.rates[j, i] = self.wins[j, i] / total, self.wins[i, j] / total
        self.widths[i, j] = self.widths[j, i] = 1.0 / np.sqrt(total)


class Rucb(GridLearner[RucbConfig, RucbState]):
    """RUCB, relative upper confidence bound, on a grid.

    Its keyword arguments are those of `RucbConfig`. Once one arm surely beats all others it meets
    itself, until the bounds have widened so far that another arm may be better after all.

    >>> learner = Rucb(dim=2, horizon=10**5, cells=4)
    >>> len(learner.ask())
    1

    Paper: Algorithm 1.
    """

    Config: ClassVar[type] = RucbConfig
    States: ClassVar[Mapping[str, type]] = {"rucb": RucbState}
    EXTENDS: ClassVar[bool] = True

    @takes(RucbConfig)
    def __init__(self, config: RucbConfig) -> None:
        super().__init__(config)
        self._keys = [self._key_of(use) for use in (COIN, CHAMPION, CHALLENGER)]

    def _first_state(self) -> RucbState:
        return RucbState(duels=0, best=None, wins=np.zeros((self.num_arms, self.num_arms)))

    def _meetings(self, left: int) -> list[Meeting]:
        state, t = self._state, self._state.duels + 1
        level = self.config.alpha * math.log(t)  # α ln t
        possible = (state.bounds.beaten(level) == 0).nonzero()[0]  # C; Algorithm 1, line 6
        c = self._pick_champion(possible, t)
        d = self._pick_challenger(c, math.sqrt(level), t)
        return [(c, d, 1 if c != d else min(left, self._duels_alone(c, t)))]

    def _pick_champion(self, possible: Places, t: int) -> int:
        """Return c, given C.

        Paper: Algorithm 1, lines 7-12.
        """
        coin, key, _ = self._keys
        if len(possible) == 0:
            return _rng.below(key, t, self.num_arms)
        best = self._kept(possible)
        if best is None or len(possible) == 1:
            return one_of(possible, key, t)
        return best if _rng.below(coin, t, 2) else one_of(possible[possible != best], key, t)

    def _kept(self, possible: Places) -> int | None:
        """Return B if it is in C. Paper: Algorithm 1, line 8."""
        best = self._state.best
        return best if best is not None and best in possible else None

    def _pick_challenger(self, c: int, width: float, t: int) -> int:
        """Return d, the arm of the largest U_dc, where ``width`` is √(α ln t).

        Paper: Algorithm 1, line 13.
        """
        upper = self._state.rates[c] + width * self._state.widths[c]  # U_jc
        first = (upper == upper[upper.argmax()]).nonzero()[0]
        if len(first) > 1:
            first = first[first != c]  # on a tie it is not c
        return one_of(first, self._keys[CHALLENGER], t)

    def _duels_alone(self, c: int, t: int) -> int:
        """Return how often ``c`` meets itself at least, from duel ``t`` on: while α ln t < ℓ_jc."""
        others = np.delete(self._state.bounds.lost[:, c], c)
        return turns_until(float(others.min()) / self.config.alpha, t)

    def _take(self, i: int, j: int, n: int, wins: float) -> None:
        state = self._state
        level = self.config.alpha * math.log(state.duels - n + 1)  # that of the choice
        possible = (state.bounds.beaten(level) == 0).nonzero()[0]
        state.best = int(possible[0]) if len(possible) == 1 else self._kept(possible)
        if i != j:
            state.add(i, j, n, wins)

    def _check_state(self, state: RucbState) -> None:
        check_wins(state.wins, self.num_arms, state.duels)
        if state.best is not None and state.best >= self.num_arms:
            raise ValueError(f"state.best must be below {self.num_arms}; got {state.best}")

    def _champion(self) -> int:
        return self._state.standings.best(self._middle)

    def state_bits(self) -> int:
        """Return the bits to remember: the counter, B, and two counts for each pair of arms."""
        name = self.num_arms.bit_length()
        return self._state.duels.bit_length() + name + bits_of(self._state.wins)
