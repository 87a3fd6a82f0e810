"""MeanState: the duels of Beat-the-Mean that count, arm by arm.

Yue, Joachims (2011), "Beat the mean bandit", ICML,
https://icml.cc/2011/papers/169_icmlpaper.pdf.
"""

from dataclasses import dataclass, field

import numpy as np

from duelli._arrays import Array
from duelli.learners.codec import Table
from duelli.learners.finite.pair_counts import check_square
from duelli.learners.finite.ties import Places


@dataclass(slots=True, kw_only=True)
class MeanState:
    """The duels so far, and those that count; changed in place.

    Args:
        duels: The duels so far.
        left: W, the arms that are left, in order.
        n: C(b, b'), the duels that b has asked for against b'; 0 once one of them has left.
        wins: W(b, b'), those of them that b has won.
    """

    duels: int
    left: tuple[int, ...]
    n: Table
    wins: Table
    places: Places = field(init=False, repr=False, compare=False)  # left, as an array
    totals: Array = field(init=False, repr=False, compare=False)  # n_b
    won: Array = field(init=False, repr=False, compare=False)  # w_b
    rates: Array = field(init=False, repr=False, compare=False)  # P̂_b

    def __post_init__(self) -> None:
        self._check()
        self._count()

    def _check(self) -> None:
        check_square("state.n", self.n)
        if self.n.shape != self.wins.shape or (self.wins > self.n).any():
            raise ValueError("state.wins must be at most state.n, pair by pair; it is not")
        known = tuple(sorted({arm for arm in self.left if arm < len(self.n)}))
        if not known or known != self.left:
            raise ValueError(
                f"state.left must name different arms below {len(self.n)} in order; got {self.left}"
            )
        gone = np.delete(np.arange(len(self.n)), self.left)
        if self.n[gone].any() or self.n[:, gone].any():
            raise ValueError("state.n must be 0 for arms that are not in state.left; it is not")

    def _count(self) -> None:
        self.places = np.array(self.left)
        self.totals, self.won = self.n.sum(axis=1), self.wins.sum(axis=1)
        half = np.full_like(self.won, 0.5)
        self.rates = np.divide(self.won, self.totals, out=half, where=self.totals > 0)

    def __copy__(self) -> "MeanState":
        n, wins = self.n.copy(), self.wins.copy()
        return MeanState(duels=self.duels, left=self.left, n=n, wins=wins)

    def extremes(self) -> tuple[float, float, float]:
        """Return the smallest and the largest P̂, and n*, the fewest duels of an arm."""
        rates, totals = self.rates[self.places], self.totals[self.places]
        low, high, fewest = rates.argmin(), rates.argmax(), totals.argmin()
        return float(rates[low]), float(rates[high]), float(totals[fewest])

    def add(self, b: int, other: int, won: float) -> None:
        """Add a duel that ``b`` has asked for. Paper: Algorithm 1."""
        self.n[b, other] += 1
        self.wins[b, other] += won
        self.totals[b] += 1
        self.won[b] += won
        self.rates[b] = self.won[b] / self.totals[b]

    def drop(self, worst: int) -> None:
        """Let an arm leave, and forget the duels with it. Paper: Algorithm 1."""
        for table in (self.n, self.wins):
            table[worst] = table[:, worst] = 0
        self.left = tuple(b for b in self.left if b != worst)
        self._count()
