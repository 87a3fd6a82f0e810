"""Bounds: which arms are surely worse than others, by bounds that widen with ln t.

RUCB and Double Thompson Sampling use μ̂_ij ± √(α ln t / n), where i won w of its n duels with j and
μ̂_ij = w / n. Let ℓ_ij = (n/2 - w)² / n if w < n/2, and 0 otherwise. Then the upper bound of μ̂_ij is
below 1/2 exactly if ℓ_ij > α ln t. A duel changes ℓ of one pair only, and α ln t is one number, so
that nothing has to be computed anew for the other pairs when t grows.
"""

import math

import numpy as np

from duelli._arrays import Array

EARLY = 1e-9  # of the turns: one too few costs another block, one too many is wrong
MOST_LOG = 700.0  # exp has no more


def turns_until(log_time: float, t: int) -> int:
    """Return how many turns there are, from ``t`` on, before ln t is ``log_time``; at least 1."""
    return max(1, math.floor(math.exp(min(log_time, MOST_LOG)) * (1 - EARLY)) - t)


def evidence(n: float, wins: float) -> float:
    """Return ℓ = (n/2 - w)² / n, how clearly an arm has lost that won ``wins`` of ``n`` duels."""
    short = n / 2 - wins
    return short * short / n if short > 0 else 0.0


class Bounds:
    """How clearly each arm has lost to each other one.

    Args:
        wins: w_ij; the counts of which `update` is told.
    """

    def __init__(self, wins: Array) -> None:
        self._wins = wins
        n = wins + wins.T
        short = np.maximum(n / 2 - wins, 0)
        self.lost = np.divide(short * short, n, out=np.zeros_like(n), where=n > 0)  # ℓ_ij
        self._level, self._next = 0.0, 0.0
        self._beaten: Array = np.zeros(len(n))
        self._recount(0.0)

    def update(self, i: int, j: int) -> None:
        """Take in that the pair's counts have changed."""
        won, lost = float(self._wins[i, j]), float(self._wins[j, i])
        self._set(i, j, evidence(won + lost, won))
        self._set(j, i, evidence(won + lost, lost))

    def beaten(self, level: float) -> Array:
        """Return for each arm how many others surely beat it at ``level`` = α ln t.

        It must not be changed, and levels must not fall from call to call.
        """
        if level >= self._next:
            self._recount(level)
        return self._beaten

    def turns_until_change(self, t: int, alpha: float) -> int:
        """Return for how many turns, from ``t`` on, no arm comes to be beaten by fewer others.

        `beaten` must have been called for turn ``t``.
        """
        return turns_until(self._next / alpha, t)  # α ln t has reached the next ℓ then

    def _set(self, i: int, j: int, value: float) -> None:
        over, was_over = value > self._level, self.lost[i, j] > self._level
        self._beaten[i] += int(over) - int(was_over)
        self.lost[i, j] = value
        if over and value < self._next:
            self._next = value

    def _recount(self, level: float) -> None:
        over = self.lost > level
        self._level = level
        self._beaten = over.sum(axis=1).astype(float)
        self._next = float(self.lost[over].min()) if over.any() else math.inf
