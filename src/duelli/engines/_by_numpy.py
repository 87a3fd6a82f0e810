"""The duels of a block, each drawn and played, a chunk of them at a time with NumPy."""

from typing import NamedTuple

import numpy as np

from duelli._arrays import Array
from duelli.blocks import Block
from duelli.duels import DuelModel
from duelli.engines import _draws

CHUNK = 1 << 16  # duels at a time


class Sums(NamedTuple):
    """Sums over the duels of a block: wins, Δ(x*, x), and min(Δ(x*, x), Δ(x*, reference))."""

    wins: float
    regret: float
    weak_regret: float


def play_all(
    model: DuelModel, block: Block, key: int, f_reference: float, gap_reference: float
) -> Sums:
    """Play the duels of ``block`` with the random numbers of ``key``.

    Args:
        model: The truth.
        block: The duels.
        key: The key of the play; see `_draws`.
        f_reference: The utility of the block's reference.
        gap_reference: Δ(x*, reference).
    """
    landscape, link = model.landscape, model.link
    wins, regret, weak_regret = 0, 0.0, 0.0
    for start in range(0, block.n, CHUNK):
        arms, uniforms = left_arms(block, key, start, min(CHUNK, block.n - start))
        f = landscape.utility(arms)
        gaps = link(landscape.best_utility - f) - 0.5
        wins += int(np.count_nonzero(uniforms < link(f - f_reference)))
        regret += float(gaps.sum())
        weak_regret += float(np.minimum(gaps, gap_reference).sum())
    return Sums(float(wins), regret, weak_regret)


def left_arms(block: Block, key: int, first: int, count: int) -> tuple[Array, Array]:
    """Return the left arms of ``count`` duels from ``first`` on, and what decides their outcomes.

    A duel is won if its number of the second array is below its win probability.
    """
    dim = len(block.low)
    uniforms = _draws.uniforms(key, first, count, dim + 1)
    return np.array(block.low) + block.edge * uniforms[:, :dim], uniforms[:, dim]
