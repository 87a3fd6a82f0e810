"""collapsed: draws the wins of a whole block at once.

The duels of a block are independent and alike: each is Bernoulli(p) with p the mean win
probability over the cube, so that their sum is Binomial(n, p). The witness is drawn first and its
own duel is played with its own probability; the other n - 1 are collapsed. Wins and witness are
exact jointly, up to an error of p that is kept far below the sampling noise of the block.

Where computing p takes more than the block's duels, because the utility is rough or has many
dimensions, the duels are played one by one instead; wins and witness are exact then.
"""

from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from duelli import _rng
from duelli.blocks import Block, Played
from duelli.duels import DuelModel
from duelli.engines import _by_numpy
from duelli.engines._arms import KnownArms
from duelli.engines._played import played
from duelli.engines._quadrature import MOST_DIM, Meshes, UnsettledError, tolerance_of
from duelli.errors import DuelliError

MOST_DUELS = 10_000_000  # of a block that is played duel by duel: a second or two

_MESHES: WeakKeyDictionary[DuelModel, Meshes] = WeakKeyDictionary()  # trials of a model share them


class Collapsed:
    """Answers a block at once, in a time that hardly depends on its n.

    A block of a single arm is one draw in any number of dimensions. A cube has its mean computed
    by quadrature, and its regret is the expected one. If that would take more work than the
    block's duels, they are played one by one, and the regret is that of the arms that were drawn;
    so it is for every cube of more than 8 dimensions. A block that is too large for both is
    refused. Which of the two happens depends on the model and the block alone.

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
        """Draw the wins of ``block`` and its witness."""
        if block.edge == 0:
            return self._play_pair(block)
        if len(block.low) > MOST_DIM:
            return self._play_duels(block)
        f_reference, gap_reference = self._arms[block.reference]
        tolerance = tolerance_of(block.n)
        try:
            mesh = self._meshes.of(block.low, block.edge, tolerance)
            p = mesh.mean_win_prob(f_reference, tolerance)
        except UnsettledError:
            if block.n > MOST_DUELS:
                raise
            return self._play_duels(block)
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

    def _play_duels(self, block: Block) -> Played:
        """Play each duel of a cube; the regret is that of the arms that are drawn.

        The duels are alike and independent, so the first one serves as the witness.
        """
        if block.n > MOST_DUELS:
            raise DuelliError(
                f"the collapsed engine takes at most {MOST_DUELS:,} duels of a cube of more than "
                f"{MOST_DIM} dimensions; got {block.n:,} in {len(block.low)}; use per_duel"
            )
        key = int(self._rng.integers(_rng.WORD, dtype=np.uint64))
        reference = self._arms[block.reference]
        sums = _by_numpy.play_all(self.model, block, key, *reference)
        witness = tuple(_by_numpy.left_arms(block, key, 0, 1)[0][0].tolist())
        regret = sums.regret + block.n * reference[1]
        return played(block.n, int(sums.wins), witness, regret, sums.weak_regret)

    def _wins(self, n: int, p: float) -> int:
        """Draw the number of wins of ``n`` duels that are each won with probability ``p``."""
        if n == 1:
            return 1 if self._random() < p else 0
        return int(self._rng.binomial(n, min(max(p, 0.0), 1.0)))  # rounding may leave [0, 1]
