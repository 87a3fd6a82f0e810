"""PairSweeps: the pairs of SAVAGE that still matter, and which of them meet next.

Urvoy, Clerot, Féraud, Naamane (2013), "Generic exploration and K-armed voting bandits", ICML,
https://proceedings.mlr.press/v28/urvoy13.html.

The pair that has met least is next, so that the pairs that matter meet in sweeps. Let a pair's lead
ℓ be the wins of its first arm less half of its n duels. It is decided once |ℓ| > √(C n). A duel
moves ℓ by 1/2 at most, so that the first sweep in which any pair can be decided is known. Up to the
sweep before that, all pairs meet as often as it takes, in one step. In that sweep the pairs meet in
random order, and a step ends with a pair that can be decided: its outcome may settle the others.
"""

import numpy as np

from duelli import _rng
from duelli._arrays import Array
from duelli.learners.finite.filter_sweeps import passes, sweeps_to_decide
from duelli.learners.finite.grids import pairs_of
from duelli.learners.finite.ties import Places

WINNERS = ("condorcet", "copeland")


class PairSweeps:
    """All pairs of arms with their duels, and what follows from them.

    Args:
        arms: K.
        n: The duels of each pair, (0, 1), (0, 2), ...; changed in place.
        wins: The wins of the first arm of each pair; changed in place.
        width: C = ln(η/δ) / 2.
        winner: "condorcet" or "copeland", the arm that is looked for.
        key: The key of the order of the pairs in each sweep.
    """

    def __init__(
        self, arms: int, n: Array, wins: Array, *, width: float, winner: str, key: int
    ) -> None:
        self.n, self.wins, self.width = n, wins, width
        self.winner, self._key = winner, key
        self.left, self.right = np.triu_indices(arms, 1)
        self.relevant = np.ones(pairs_of(arms), dtype=bool)
        self.won = np.zeros(arms)  # the others that the arm surely beats
        self.lost = np.zeros(arms)  # and those that surely beat it
        for pair in np.flatnonzero(n).tolist():
            self._decide(pair)

    @property
    def decided(self) -> int:
        """The number of pairs that are decided."""
        return int(self.won.sum())

    def number(self, i: int, j: int) -> int:
        """Return the number of the pair of ``i`` < ``j``."""
        arms = len(self.won)
        return pairs_of(arms) - pairs_of(arms - i) + j - i - 1

    def meetings(self, most: int) -> list[tuple[int, int]]:
        """Return pairs that meet next with the number of their duels; none if all is decided."""
        matter = np.flatnonzero(self.relevant)
        if not len(matter):
            return []
        counts = self.n[matter]
        sweep = int(counts.min())
        behind = matter[counts == sweep]
        if len(behind) == len(matter) and (jump := self._jump(matter, sweep, most)):
            return [(pair, jump) for pair in matter.tolist()]
        return self._rest_of_sweep(behind, sweep, most)

    def leader(self) -> int:
        """Return the arm that fewest others surely beat, of those the one with the most wins.

        Wins are counted pair by pair: an arm wins a pair if it has won more than half of its duels.
        """
        leads = self.wins - self.n / 2
        ahead = np.bincount(self.left, leads > 0, len(self.won))
        ahead += np.bincount(self.right, leads < 0, len(self.won))
        return int((ahead - len(self.won) * self.lost).argmax())

    def add(self, pair: int, n: int, won: float) -> None:
        """Add duels of a pair."""
        self.n[pair] += n
        self.wins[pair] += won
        self._decide(pair)

    def _jump(self, pairs: Places, sweep: int, most: int) -> int:
        """Return how many sweeps cannot decide anything, as far as ``most`` duels allow."""
        lead = float(np.abs(self.wins[pairs] - sweep / 2).max())  # the nearest to a decision
        return min(sweeps_to_decide(lead, sweep, self.width) - 1, most // len(pairs))

    def _rest_of_sweep(self, behind: Places, sweep: int, most: int) -> list[tuple[int, int]]:
        """Return the next pairs of the sweep, up to one that can be decided."""
        words = _rng.mixed(behind.astype(np.uint64), _rng.word(self._key, sweep))
        order = behind[words.argsort()][:most]
        leads = np.abs(self.wins[order] - sweep / 2) + 0.5
        deciding = np.flatnonzero(leads > np.sqrt(self.width * (sweep + 1)))
        if len(deciding):
            order = order[: deciding[0] + 1]
        return [(pair, 1) for pair in order.tolist()]

    def _decide(self, pair: int) -> None:
        """Note if the pair is decided, and which pairs matter no more."""
        n = int(self.n[pair])
        lead = float(self.wins[pair]) - n / 2
        if not passes(abs(lead), n, self.width):
            return
        i, j = int(self.left[pair]), int(self.right[pair])
        better, worse = (i, j) if lead > 0 else (j, i)
        self.won[better] += 1
        self.lost[worse] += 1
        self.relevant[pair] = False
        if self.winner == "condorcet":
            self.relevant[(self.left == worse) | (self.right == worse)] = False
        else:
            hopeless = len(self.won) - 1 - self.lost < self.won.max()
            self.relevant[hopeless[self.left] & hopeless[self.right]] = False
