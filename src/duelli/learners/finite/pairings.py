"""Pairings: who meets whom in a round of successive halving, as in a round-robin tournament."""

from collections.abc import Sequence

MOST_PASSES = 32  # opponents of each point in a round; more duels are of the same pairs


class Pairings:
    """Pairs of a round, each pair once, with the duels spread evenly over them.

    By the circle method, one player stays and the others move on by one seat in each pass, so that
    everybody meets somebody else in each pass and nobody twice. If their number is odd, one player
    sits out in each pass.

    Args:
        order: The players, 0, 1, ..., in a random order.
        duels: The duels of the round.
    """

    def __init__(self, order: Sequence[int], duels: int) -> None:
        self.order, self.duels = order, duels
        players = len(order)
        self._even = players % 2 == 0
        self._passes = players - 1 if self._even else players
        self._half = players // 2
        self.count = min(duels, self._half * min(self._passes, MOST_PASSES))  # of pairs

    def pair(self, k: int) -> tuple[int, int, int]:
        """Return the players of pair number ``k``, and the number of their duels."""
        turn, table = divmod(k, self._half)
        n = self.duels_before(k + 1) - self.duels_before(k)
        if self._even and table == 0:
            return self.order[self._passes], self.order[turn], n
        away = table + (not self._even)
        left, right = (turn + away) % self._passes, (turn - away) % self._passes
        return self.order[left], self.order[right], n

    def duels_before(self, k: int) -> int:
        """Return the duels of the first ``k`` pairs."""
        return self.duels * k // self.count

    def games(self) -> list[int]:
        """Return the number of duels of each player in the whole round."""
        games = [0] * len(self.order)
        for k in range(self.count):
            i, j, n = self.pair(k)
            games[i] += n
            games[j] += n
        return games
