"""per_duel: draws and plays every duel, one by one."""

import math

import numpy as np

from duelli import _rng
from duelli.blocks import Block, Played, Tally
from duelli.duels import DuelModel
from duelli.engines import _draws, _series

CHUNK = 1 << 16  # duels at a time where NumPy does them


class PerDuel:
    """Plays each duel of a block; a compiled loop where the utility allows it, else NumPy.

    What duel t draws is a pure function of the seed and t, the same in both ways.

    Args:
        model: The truth.
        seed: Of all draws.
    """

    def __init__(self, model: DuelModel, *, seed: int = 0) -> None:
        self.model = model
        self.duels = 0
        self._key = _rng.key(_rng.check_seed(seed), "engine")
        self._witness_key = _rng.key(seed, "witness")
        self._series = _first_series(model)

    def play(self, block: Block) -> Played:
        """Fight the duels of ``block``."""
        landscape = self.model.landscape
        f_reference = landscape.utility_at(block.reference)
        gap_reference = float(self.model.link(landscape.best_utility - f_reference)) - 0.5
        play_all = self._by_numpy if self._series is None else self._compiled
        wins, regret, weak = play_all(block, f_reference, gap_reference)
        place = _rng.below(self._witness_key, self.duels, block.n)
        witness = tuple(map(float, self._arms(block, self.duels + place, 1)[0][0]))
        self.duels += block.n
        tally = Tally(block.n, wins, witness)
        return Played(tally, regret + block.n * gap_reference, weak)

    def _compiled(
        self, block: Block, f_reference: float, gap_reference: float
    ) -> tuple[float, float, float]:
        from duelli.engines import _kernels  # numba is loaded on first use

        landscape, series = self.model.landscape, self._series
        assert series is not None  # `play` asked
        assert landscape.pointwise is not None  # or there would be no series
        run = _kernels.loop(landscape.pointwise, landscape.dim, len(series.terms))
        position = (self._key + self.duels * (landscape.dim + 1) * _rng.GOLDEN) % _rng.WORD
        wins, regret, weak, beyond = run(
            np.uint64(position),
            block.n,
            block.low,
            block.edge,
            f_reference,
            landscape.best_utility,
            gap_reference,
            series.terms,
            series.reach,
        )
        if math.isfinite(regret) and not beyond:
            return wins, regret, weak
        # A wider series, or a utility that NumPy's way will name; the draws stay the same.
        self._series = _series.fit(self.model.link, 1.5 * series.reach) if beyond else None
        again = self._by_numpy if self._series is None else self._compiled
        return again(block, f_reference, gap_reference)

    def _by_numpy(
        self, block: Block, f_reference: float, gap_reference: float
    ) -> tuple[float, float, float]:
        landscape, link = self.model.landscape, self.model.link
        wins, regret, weak = 0, 0.0, 0.0
        for start in range(0, block.n, CHUNK):
            count = min(CHUNK, block.n - start)
            arms, uniforms = self._arms(block, self.duels + start, count)
            f = landscape.utility(arms)
            gaps = link(landscape.best_utility - f) - 0.5
            wins += int(np.count_nonzero(uniforms < link(f - f_reference)))
            regret += float(gaps.sum())
            weak += float(np.minimum(gaps, gap_reference).sum())
        return float(wins), regret, weak

    def _arms(self, block: Block, first: int, count: int) -> tuple[_series.Array, _series.Array]:
        """Return the left arms of ``count`` duels from ``first`` on, and what decides them."""
        dim = len(block.low)
        uniforms = _draws.uniforms(self._key, first, count, dim + 1)
        return np.array(block.low) + block.edge * uniforms[:, :dim], uniforms[:, dim]


def _first_series(model: DuelModel) -> _series.Series | None:
    """Return a series for the differences that a coarse grid shows; it widens when it must."""
    landscape = model.landscape
    if landscape.pointwise is None:
        return None
    ticks = np.linspace(0.0, 1.0, max(2, int(1000 ** (1 / landscape.dim))))
    grid = np.stack(np.meshgrid(*[ticks] * landscape.dim, indexing="ij"), -1)
    f = landscape.utility(grid.reshape(-1, landscape.dim))
    reach = 1.05 * max(landscape.best_utility - f.min(), np.ptp(f))
    return _series.fit(model.link, float(reach)) if reach > 0 else None
