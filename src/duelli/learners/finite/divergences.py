"""Divergences: how unlikely the duels so far are if an arm is the best one.

Komiyama, Honda, Kashima, Nakagawa (2015), "Regret lower bound and optimal algorithm in dueling
bandit problem", COLT, https://proceedings.mlr.press/v40/Komiyama15.html.
"""

import math

import numpy as np

from duelli._arrays import Array
from duelli.learners.finite.pair_counts import check_square


def divergence(n: float, wins: float) -> float:
    """Return n d⁺(w/n, 1/2), where d is the divergence of coins; 0 if at least half are wins.

    Paper: Section 3.1.
    """
    lost = n - wins
    if wins >= lost:
        return 0.0
    share = wins * math.log(2 * wins / n) if wins > 0 else 0.0
    return share + lost * math.log(2 * lost / n)


class Divergences:
    """The empirical divergence of every arm, brought up to date pair by pair.

    Args:
        wins: w_ij, the duels that arm i won against arm j; changed in place.
    """

    def __init__(self, wins: Array) -> None:
        check_square("state.wins", wins)
        self.wins = wins
        self.n = wins + wins.T  # N_ij
        self.rates = np.divide(wins, self.n, out=np.full_like(wins, 0.5), where=self.n > 0)  # μ̂_ij
        self.terms = np.zeros_like(wins)  # N_ij d(μ̂_ij, 1/2) where μ̂_ij <= 1/2
        for i, j in np.argwhere(self.n > 0).tolist():
            self.terms[i, j] = divergence(float(self.n[i, j]), float(wins[i, j]))
        self.totals = np.array([np.add.reduce(row) for row in self.terms])  # I_i; Section 3.1
        self._due, self._short = 0, 0

    def add(self, i: int, j: int, n: int, won: float) -> None:
        """Add a meeting of two different arms, of which ``i`` won so many of the ``n`` duels."""
        before = float(self.n[i, j])
        wins, losses, met = self.wins[i, j] + won, self.wins[j, i] + (n - won), before + n
        self._set(i, j, float(wins), met)
        self._set(j, i, float(losses), met)
        if before < self._due <= met:
            self._short -= 1

    def short(self, due: int) -> int:
        """Return how many pairs have met fewer than ``due`` times."""
        if due != self._due:
            self._due, self._short = due, int(np.triu(self.n < due, 1).sum())
        return self._short

    def _set(self, i: int, j: int, wins: float, n: float) -> None:
        self.wins[i, j], self.n[i, j], self.rates[i, j] = wins, n, wins / n
        self.terms[i, j] = divergence(n, wins)
        self.totals[i] = np.add.reduce(self.terms[i])
