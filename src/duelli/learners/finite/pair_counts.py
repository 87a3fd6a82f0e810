"""The wins of every arm over every other one: how they are checked, and who leads with them."""

import numpy as np

from duelli._arrays import Array
from duelli._check import MAX_HORIZON

SLACK = 1e-6  # wins are multiples of 2^-20 at the finest, and their sums are exact


def check_square(name: str, table: Array) -> None:
    """Raise ValueError if a table does not hold a possible count for every two arms."""
    if table.ndim != 2 or len(set(table.shape)) > 1 or not len(table):
        raise ValueError(f"{name} must have as many rows as columns; got the shape {table.shape}")
    if table.max() > MAX_HORIZON:
        raise ValueError(f"{name} must hold at most {MAX_HORIZON:g} duels; got {table.max():g}")


def check_wins(wins: Array, arms: int, duels: int) -> None:
    """Raise ValueError if no run with ``duels`` duels of ``arms`` arms can have these wins."""
    if len(wins) != arms:
        raise ValueError(f"state.wins must have {arms} rows, one for each arm; got {len(wins)}")
    if wins.diagonal().any():
        raise ValueError("state.wins must be 0 for an arm against itself; it is not")
    met = wins + wins.T
    if np.abs(met - np.rint(met)).max() > SLACK:
        raise ValueError("state.wins must add up to whole numbers of duels; they do not")
    if (total := met.sum() / 2) > duels + SLACK:
        raise ValueError(
            f"state.duels must be at least the {total:g} duels of state.wins; got {duels}"
        )


def bits_of(wins: Array) -> int:
    """Return the bits that two counts for each pair of arms take."""
    met = np.triu(wins + wins.T, 1)
    return int(2 * np.ceil(np.log2(met + 1)).sum())


class Standings:
    """The wins of all pairs, and the arm that won more than half of its duels with the most others.

    Ties are broken by the share of all its duels that an arm has won.

    Args:
        wins: w_ij, the duels that arm i won against arm j; changed in place.
    """

    def __init__(self, wins: Array) -> None:
        check_square("state.wins", wins)
        self.wins = wins
        self._won = wins.sum(axis=1)
        self._played = self._won + wins.sum(axis=0)
        self._leads = (wins > wins.T).sum(axis=1).astype(float)
        shares = np.divide(self._won, self._played, out=0 * self._won, where=self._played > 0)
        self._scores = self._leads + shares / 2

    def add(self, i: int, j: int, n: int, won: float) -> None:
        """Add a meeting of two different arms, of which ``i`` won so many of the ``n`` duels."""
        wins = self.wins
        before = wins[i, j] - wins[j, i]
        wins[i, j] += won
        wins[j, i] += n - won
        after = wins[i, j] - wins[j, i]
        self._count(i, n, won, int(after > 0) - int(before > 0))
        self._count(j, n, n - won, int(after < 0) - int(before < 0))

    def _count(self, i: int, n: int, won: float, lead: int) -> None:
        self._won[i] += won
        self._played[i] += n
        self._leads[i] += lead
        self._scores[i] = self._leads[i] + self._won[i] / self._played[i] / 2

    def best(self, middle: int) -> int:
        """Return the arm that leads; ``middle`` before the first duel."""
        leader = int(self._scores.argmax())
        return leader if self._played[leader] else middle
