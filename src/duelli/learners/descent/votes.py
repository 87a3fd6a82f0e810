"""Comparisons by vote: the same pair is judged in stages until the better point is clear.

The stages are those of Jamieson, Nowak, Recht (2012), "Query complexity of derivative-free
optimization", NeurIPS, https://arxiv.org/abs/1209.2434; the widths are derived from Hoeffding's
inequality, as the paper's own constants were not at hand. Departs: F65.
"""

import math
from dataclasses import dataclass

from duelli.blocks import Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes:
    """The duels of one comparison so far, and the wins of its left point."""

    n: int = 0
    wins: float = 0.0

    def plus(self, tally: Tally) -> "Votes":
        """Return the votes with those of a block."""
        return Votes(n=self.n + tally.n, wins=self.wins + tally.wins)


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages of a comparison: the number of its duels doubles until a decision falls.

    Args:
        failure_prob: The probability with which one comparison may be wrong.
        cap: The most duels of a comparison, a power of 2.
        least: The fewest duels of the first stage, a power of 2 that is at most the cap.
    """

    failure_prob: float
    cap: int
    least: int = 1

    @property
    def first(self) -> int:
        """The duels of the first stage in which a decision can fall; at most the cap."""
        n = self.least
        while n < self.cap and self.width(n) > 0.5:
            n *= 2
        return n

    def width(self, n: int) -> float:
        """Return √((k + 1) ln(2/δ) / 2^(k + 1)) for n = 2^k.

        By Hoeffding's inequality the share of wins is off by so much with probability at most
        2 (δ/2)^(k + 1): at most δ for all stages of two duels or more together.
        """
        return math.sqrt(n.bit_length() * math.log(2 / self.failure_prob) / (2 * n))

    def wanted(self, votes: Votes) -> int:
        """Return how many duels the next stage adds; 0 once the comparison is decided."""
        if self.verdict(votes) is not None:
            return 0
        return min(max(2 * votes.n, self.first), self.cap) - votes.n  # Noisy comparison: 2^k

    def verdict(self, votes: Votes) -> float | None:
        """Return 1 if the left point is better, 0 if it is worse, 1/2 if the cap was reached.

        None means that more duels are needed.
        """
        if votes.n == 0:
            return None
        lead = votes.wins / votes.n - 0.5
        if abs(lead) >= self.width(votes.n):  # Noisy comparison: the rule to stop
            return 1.0 if lead > 0 else 0.0
        return 0.5 if votes.n >= self.cap else None  # Noisy comparison: a tie at the cap


def power_of_two(n: float) -> int:
    """Return the largest power of 2 that is at most ``n``, but no less than 1."""
    return 1 << (max(1, int(n)).bit_length() - 1)
