"""collapsed: a block's wins at once, because its duels are independent and alike.

The duels of a block are Bernoulli(p) with p the mean win probability over the cube, so that their
sum is Binomial(n, p). The witness is drawn first and its own duel played with its own
probability; the other n - 1 are collapsed. Wins and witness are exact jointly, up to an error of
p that is kept far below the sampling noise of the block.
"""

import math
from weakref import WeakKeyDictionary

from duelli import _rng
from duelli.blocks import Block, Played, Tally
from duelli.cubes import Arm
from duelli.duels import DuelModel
from duelli.engines._quadrature import Meshes

# The error of p is at most this share of the largest standard deviation of a win rate, 1/(2 √n).
NOISE_SHARE = 1 / 200

_MESHES: WeakKeyDictionary[DuelModel, Meshes] = WeakKeyDictionary()  # trials of a model share them


class Collapsed:
    """Answers a block in a time that does not depend on its n; regret is its expectation.

    Args:
        model: The truth.
        seed: Of all draws.
    """

    def __init__(self, model: DuelModel, *, seed: int = 0) -> None:
        self.model = model
        self._rng = _rng.stream(_rng.check_seed(seed), "engine")
        if model not in _MESHES:
            _MESHES[model] = Meshes(model)
        self._meshes = _MESHES[model]
        self._reference: tuple[Arm, float, float] | None = None

    def play(self, block: Block) -> Played:
        """Draw the wins of ``block`` and its witness; the regret is the expected one."""
        f_reference, gap_reference = self._at_reference(block.reference)
        if block.edge == 0:
            return self._single(block, f_reference, gap_reference)
        tolerance = NOISE_SHARE * 0.5 / math.sqrt(block.n)
        mesh = self._meshes.of(block.low, block.edge, tolerance)
        p = mesh.mean_win_prob(f_reference, tolerance)
        offsets = self._rng.random(len(block.low)).tolist()
        witness = tuple(a + block.edge * u for a, u in zip(block.low, offsets, strict=True))
        p_witness = float(self.model.link(self.model.landscape.utility_at(witness) - f_reference))
        wins = int(self._rng.random() < p_witness) + self._binomial(block.n - 1, p)
        regret = block.n * (mesh.mean_gap + gap_reference)
        weak_regret = block.n * mesh.mean_weak_gap(gap_reference)
        return Played(Tally(block.n, wins, witness), regret, weak_regret)

    def _single(self, block: Block, f_reference: float, gap_reference: float) -> Played:
        if block.low == block.reference:
            p, gap = 0.5, gap_reference
        else:
            f = self.model.landscape.utility_at(block.low)
            p = float(self.model.link(f - f_reference))
            gap = self._gap(f)
        wins = self._binomial(block.n, p)
        regret, weak = block.n * (gap + gap_reference), block.n * min(gap, gap_reference)
        return Played(Tally(block.n, wins, block.low), regret, weak)

    def _binomial(self, n: int, p: float) -> int:
        return int(self._rng.binomial(n, min(max(p, 0.0), 1.0)))  # rounding may leave [0, 1]

    def _at_reference(self, arm: Arm) -> tuple[float, float]:
        """Return f and Δ(x*, ·) at the reference, which stays the same for many blocks."""
        if self._reference is None or self._reference[0] != arm:
            f = self.model.landscape.utility_at(arm)
            self._reference = (arm, f, self._gap(f))
        return self._reference[1:]

    def _gap(self, f: float) -> float:
        return float(self.model.link(self.model.landscape.best_utility - f)) - 0.5
