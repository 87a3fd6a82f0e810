"""per_duel: draws and plays every duel, one by one."""

import math
import warnings
from functools import cache
from types import ModuleType

import numpy as np

from duelli import _rng
from duelli._arrays import lattice
from duelli.blocks import Block, Played
from duelli.cubes import Arm
from duelli.duels import DuelModel
from duelli.engines import _by_numpy, _draws, _series
from duelli.engines._arms import KnownArms
from duelli.engines._by_numpy import Sums
from duelli.engines._played import played

AHEAD = 256  # plays of one duel whose outcomes are drawn together


class PerDuel:
    """Plays each duel of a block, in a compiled loop where that is possible, else with NumPy.

    Duel i of play number s, both counted from 0, is a pure function of the seed, s and i, and both
    ways of playing it agree. The compiled loop needs numba, and a utility that numba can compile.

    Args:
        model: The truth.
        seed: Seed of all random draws.
    """

    def __init__(self, model: DuelModel, *, seed: int = 0) -> None:
        seed = _rng.check_seed(seed)
        self.model = model
        self.plays = 0
        self._key, self._witness_key = _rng.key(seed, "engine"), _rng.key(seed, "witness")
        self._arms, self._win_prob = KnownArms(model), model.link.at
        self._series = _first_series(model)
        self._outcomes: list[float] = []  # what decides the next plays, if each is of one duel
        self._outcomes_from = 0

    def play(self, block: Block) -> Played:
        """Fight the duels of ``block``."""
        if block.edge == 0 and block.n == 1:
            answer = self._play_one(block)
        else:
            key = _rng.word(self._key, self.plays)
            sums = self._play_all(block, key)
            witness = block.low if block.edge == 0 else self._witness(block, key)
            regret = sums.regret + block.n * self._arms[block.reference][1]
            answer = played(block.n, sums.wins, witness, regret, sums.weak_regret)
        self.plays += 1
        return answer

    def _play_one(self, block: Block) -> Played:
        """Fight the only duel of a block of one arm, for which arrays would be slow."""
        arm = block.low
        place = self.plays - self._outcomes_from
        if not 0 <= place < len(self._outcomes):
            self._outcomes = _draws.single_outcomes(self._key, self.plays, AHEAD, len(arm))
            self._outcomes_from, place = self.plays, 0
        f, gap = self._arms[arm]
        f_reference, gap_reference = self._arms[block.reference]
        won = self._outcomes[place] < self._win_prob(f - f_reference)
        weak_regret = gap if gap < gap_reference else gap_reference
        return played(1, 1.0 if won else 0.0, arm, gap + gap_reference, weak_regret)

    def _witness(self, block: Block, key: int) -> Arm:
        """Return the left arm of one duel of the block, each with the same probability."""
        place = _rng.below(self._witness_key, self.plays, block.n)
        return tuple(_by_numpy.left_arms(block, key, place, 1)[0][0].tolist())

    def _play_all(self, block: Block, key: int) -> Sums:
        if self._series is not None and (kernels := _kernels()) is not None:
            return self._play_compiled(block, key, kernels)
        return _by_numpy.play_all(self.model, block, key, *self._arms[block.reference])

    def _play_compiled(self, block: Block, key: int, kernels: ModuleType) -> Sums:
        landscape, series = self.model.landscape, self._series
        assert series is not None  # `_play_all` asked
        assert landscape.pointwise is not None  # or there would be no series
        run = kernels.loop(landscape.pointwise, landscape.dim, len(series.terms))
        *sums, beyond = run(
            np.uint64(key),
            block.n,
            block.low,
            block.edge,
            *self._arms[block.reference],
            landscape.best_utility,
            series.terms,
            series.reach,
        )
        if math.isfinite(sums[1]) and not beyond:
            return Sums(*sums)
        # Use a wider series; or leave it to NumPy, which names a utility that is not finite. The
        # random numbers stay the same.
        self._series = _series.fit(self.model.link, 1.5 * series.reach) if beyond else None
        return self._play_all(block, key)


@cache
def _kernels() -> ModuleType | None:
    """Return the compiled loops, None if numba cannot be imported; only the first call warns."""
    try:
        from duelli.engines import _kernels  # imported here because numba is slow to import
    except ImportError as error:
        warnings.warn(
            f"per_duel plays its duels with NumPy, which takes some ten times as long, because "
            f"numba cannot be imported ({error}); install it with: pip install duelli[fast]",
            stacklevel=4,  # the caller of `PerDuel.play`
        )
        return None
    return _kernels


def _first_series(model: DuelModel) -> _series.Series | None:
    """Return a series for the differences that a coarse grid shows; it is widened when needed."""
    landscape = model.landscape
    if landscape.pointwise is None:
        return None
    side = max(2, int(1000 ** (1 / landscape.dim)))
    f = landscape.utility(lattice(np.linspace(0.0, 1.0, side), landscape.dim))
    reach = 1.05 * max(landscape.best_utility - f.min(), np.ptp(f))
    return _series.fit(model.link, float(reach)) if reach > 0 else None
