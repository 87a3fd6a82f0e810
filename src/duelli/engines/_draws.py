"""What duel number t draws: a pure function of the key, t and the place of the word.

Duel t owns the words of `_rng.word` from t (dim + 1) on: one a coordinate, then one for its
outcome. The compiled loop in `_kernels` draws the same words; here they come as arrays.
"""

import numpy as np
import numpy.typing as npt

from duelli._rng import GOLDEN, MIX_1, MIX_2, TO_UNIT, WORD


def uniforms(key: int, first: int, count: int, words: int) -> npt.NDArray[np.float64]:
    """Return the uniforms of ``count`` duels from number ``first`` on, shape (count, words)."""
    start = np.uint64((key + first * words * GOLDEN) % WORD)
    z = np.arange(count * words, dtype=np.uint64) * np.uint64(GOLDEN) + start
    z = (z ^ (z >> np.uint64(30))) * np.uint64(MIX_1)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(MIX_2)
    z ^= z >> np.uint64(31)
    units: npt.NDArray[np.float64] = (z >> np.uint64(11)) * np.float64(TO_UNIT)
    return units.reshape(count, words)
