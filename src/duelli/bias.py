"""The position bias: how much more often than half the point that is shown first wins."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bias:
    """How much more often than half the point that is shown first wins.

    Args:
        estimate: The mean outcome of the first point, less 1/2; 0 if nothing was judged.
        error: Its standard error.
        duels: The number of outcomes that it rests on.
    """

    estimate: float
    error: float
    duels: int

    def __str__(self) -> str:
        if self.duels == 0:
            return "no duel was judged"
        return (
            f"the point shown first wins {0.5 + self.estimate:.1%} ± {self.error:.1%} of the duels"
        )


@dataclass(slots=True)
class BiasTally:
    """Running sums of the outcomes of the points that are shown first."""

    duels: int = 0
    wins: float = 0.0
    squares: float = 0.0

    def add(self, first: float, count: int = 1, squares: float | None = None) -> None:
        """Take in the sum of ``count`` outcomes of the first points, and of their squares."""
        self.duels += count
        self.wins += first
        self.squares += first * first if squares is None else squares

    def bias(self) -> Bias:
        """Return the estimate with its standard error."""
        if self.duels == 0:
            return Bias(0.0, 0.5, 0)
        mean = self.wins / self.duels
        # With the prior of one win and one loss an early run of equal outcomes claims no certainty.
        variance = (self.squares + 1) / (self.duels + 2) - ((self.wins + 1) / (self.duels + 2)) ** 2
        return Bias(mean - 0.5, math.sqrt(max(variance, 0.0) / self.duels), self.duels)
