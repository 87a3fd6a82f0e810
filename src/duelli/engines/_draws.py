"""The random numbers of a duel: a pure function of a key, the duel's number and its dimension.

Play number s of an engine has the key `_rng.word(engine's key, s)`. Duel i of that play owns the
words of `_rng.word` from i (dim + 1) on: one for each coordinate of its left arm, then one for its
outcome. The compiled loop in `_kernels` draws the same words; here they come as arrays.
"""

import numpy as np

from duelli._arrays import Array
from duelli._rng import GOLDEN, MIX_1, MIX_2, TO_UNIT, WORD


def uniforms(key: int, first: int, count: int, words: int) -> Array:
    """Return the uniforms of ``count`` duels from number ``first`` on, shape (count, words)."""
    start = np.uint64((key + first * words * GOLDEN) % WORD)
    z = np.arange(count * words, dtype=np.uint64) * np.uint64(GOLDEN) + start
    z = (z ^ (z >> np.uint64(30))) * np.uint64(MIX_1)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(MIX_2)
    z ^= z >> np.uint64(31)
    units: Array = (z >> np.uint64(11)) * np.float64(TO_UNIT)
    return units.reshape(count, words)
