"""collapsed: draws the wins of a whole block at once.

The duels of a block are independent and alike: each is Bernoulli(p) with p the mean win
probability over the cube, so that their sum is Binomial(n, p). The witness is drawn first and its
own duel is played with its own probability; the other n - 1 are collapsed. Wins and witness are
exact jointly, up to an error of p that is kept far below the sampling noise of the block.
"""

import math
from functools import cached_property
from weakref import WeakKeyDictionary

from duelli import _rng
from duelli.blocks import Block, Played
from duelli.duels import DuelModel
from duelli.engines._arms import KnownArms
from duelli.engines._played import played
from duelli.engines._quadrature import Meshes

# The error of p is at most this share of the largest standard deviation of a win rate, 1/(2 √n).
NOISE_SHARE = 1 / 200

_MESHES: WeakKeyDictionary[DuelModel, Meshes] = WeakKeyDictionary()  # trials of a model share them


class Collapsed:
    """Answers a block in a time that does not depend on its n; regret is its expectation.

    Single arms may have any number of dimensions. Cubes may have at most 8, because the means over
    them are computed by quadrature.

    Args:
        model: The truth.
        seed: Seed of all random draws.
    """

    def __init__(self, model: DuelModel, *, seed: int = 0) -> None:
        self.model = model
        self._rng = _rng.stream(_rng.check_seed(seed), "engine")
        self._random = self._rng.random
        self._arms, self._win_prob = KnownArms(model), model.link.at

    @cached_property
    def _meshes(self) -> Meshes:
        if self.model not in _MESHES:
            _MESHES[self.model] = Meshes(self.model)
        return _MESHES[self.model]

    def play(self, block: Block) -> Played:
        """Draw the wins of ``block`` and its witness; the regret is the expected one."""
        if block.edge == 0:
            return self._play_pair(block)
        f_reference, gap_reference = self._arms[block.reference]
        tolerance = NOISE_SHARE * 0.5 / math.sqrt(block.n)
        mesh = self._meshes.of(block.low, block.edge, tolerance)
        p = mesh.mean_win_prob(f_reference, tolerance)
        offsets = self._rng.random(len(block.low)).tolist()
        witness = tuple(a + block.edge * u for a, u in zip(block.low, offsets, strict=True))
        p_witness = self._win_prob(self.model.landscape.utility_at(witness) - f_reference)
        wins = self._wins(1, p_witness) + self._wins(block.n - 1, p)
        regret = block.n * (mesh.mean_gap + gap_reference)
        weak_regret = block.n * mesh.mean_weak_gap(gap_reference)
        return played(block.n, wins, witness, regret, weak_regret)

    def _play_pair(self, block: Block) -> Played:
        """Draw the wins of a block of one arm, which is its own witness."""
        n, arm = block.n, block.low
        f, gap = self._arms[arm]
        f_reference, gap_reference = self._arms[block.reference]
        p = self._win_prob(f - f_reference)
        wins = (1 if self._random() < p else 0) if n == 1 else self._wins(n, p)
        weak_regret = n * (gap if gap < gap_reference else gap_reference)
        return played(n, wins, arm, n * (gap + gap_reference), weak_regret)

    def _wins(self, n: int, p: float) -> int:
        """Draw the number of wins of ``n`` duels that are each won with probability ``p``."""
        if n == 1:
            return 1 if self._random() < p else 0
        return int(self._rng.binomial(n, min(max(p, 0.0), 1.0)))  # rounding may leave [0, 1]
