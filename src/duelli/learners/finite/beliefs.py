"""Beliefs: how often each arm beats each other one, as far as the duels so far can tell.

If arm i won w of its n duels with j, its chance θ_ij of winning one has the law
Beta(w + 1, n - w + 1), and θ_ji = 1 - θ_ij.
"""

import math

import numpy as np
import numpy.typing as npt

from duelli._arrays import Array
from duelli.learners.finite.ties import Places

FEW = 24  # arms for which a sample of all θ takes less time than a chance to lead
PRECISION = 1e-15  # relative; the terms fall quickly once they do
MOST_TERMS = 100_000  # enough for 10^9 duels of a pair


def tail(a: float, b: float) -> float:
    """Return P(θ <= 1/2) for θ ~ Beta(a, b), where a > b: a continued fraction.

    Press, Teukolsky, Vetterling, Flannery (2007), "Numerical Recipes", section 6.4, by the method
    of Lentz. It takes some √a terms where a is near b, and few elsewhere.
    """
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) - (a + b) * math.log(2)
    c, d = 1.0, 1 / (1 - (a + b) / (a + 1) / 2)
    value = d
    for m in range(1, MOST_TERMS):
        even = m * (b - m) / ((a + 2 * m - 1) * (a + 2 * m)) / 2
        d, c = 1 / (1 + even * d), 1 + even / c
        value *= c * d
        odd = (a + m) * (a + b + m) / ((a + 2 * m) * (a + 2 * m + 1)) / 2
        d, c = 1 / (1 - odd * d), 1 - odd / c
        value *= c * d
        if abs(c * d - 1) < PRECISION:
            break
    return min(0.5, math.exp(scale) * value / a)


def chance_to_lead(wins: float, losses: float) -> float:
    """Return P(θ > 1/2) for θ ~ Beta(wins + 1, losses + 1)."""
    if wins == losses:
        return 0.5
    small = tail(max(wins, losses) + 1, min(wins, losses) + 1)
    return 1 - small if wins > losses else small


class Beliefs:
    """What is believed of every pair, brought up to date pair by pair.

    Args:
        wins: w_ij; the counts of which `update` is told.
    """

    def __init__(self, wins: Array) -> None:
        self._wins = wins
        # In row i: the shapes w_ji + 1 and w_ij + 1 of the beliefs of how often j and i win.
        self.shapes = np.stack([wins.T, wins], axis=1) + 1
        self._leads = np.full_like(wins, 0.5)  # P(θ_ij > 1/2), if there are more than a few arms
        if len(wins) > FEW:
            for i, j in np.argwhere(np.triu(wins + wins.T)).tolist():
                self.update(i, j)

    def update(self, i: int, j: int) -> None:
        """Take in that the pair's counts have changed."""
        won, lost = float(self._wins[i, j]), float(self._wins[j, i])
        self.shapes[i, :, j] = lost + 1, won + 1
        self.shapes[j, :, i] = won + 1, lost + 1
        if len(self._wins) > FEW:
            self._leads[i, j] = chance = chance_to_lead(won, lost)
            self._leads[j, i] = 1 - chance

    def sampled_scores(
        self, arms: Places, turns: int, draws: np.random.Generator
    ) -> npt.NDArray[np.intp]:
        """Return #{j: θ_ij > 1/2} of some arms in samples of all θ, shape ``(turns, len(arms))``.

        Only whether θ_ij > 1/2 matters, so that a coin takes the place of θ_ij if there are many
        arms. Of two of these arms the first one has the coin: the other is ahead where it is not.
        """
        if len(self._wins) <= FEW:
            above: npt.NDArray[np.intp] = (self.sampled(turns, draws) > 0.5).sum(axis=2)
            return above[:, arms]
        here = slice(None) if len(arms) == len(self._leads) else arms  # a slice is not copied
        chances = self._leads[arms]
        chances[:, here] *= arms[:, None] < arms
        ahead = draws.random((turns, *chances.shape)) < chances
        lost = ahead[:, :, here].sum(axis=1)
        scores: npt.NDArray[np.intp] = ahead.sum(axis=2) - lost + np.arange(len(arms))
        return scores

    def sampled(self, turns: int, draws: np.random.Generator) -> Array:
        """Return samples of all θ_ij, shape ``(turns, K, K)``."""
        won = draws.standard_gamma(self.shapes[:, 1], (turns, *self._leads.shape))
        return won / (won + np.swapaxes(won, 1, 2))

    def sampled_against(self, arms: Places, draws: np.random.Generator) -> Array:
        """Return samples of θ_ia, where a is the arm of each turn, shape ``(len(arms), K)``.

        An arm beats itself in half of all duels.
        """
        won, lost = np.swapaxes(draws.standard_gamma(self.shapes[arms]), 0, 1)
        theta: Array = won / (won + lost)
        theta[np.arange(len(arms)), arms] = 0.5
        return theta
