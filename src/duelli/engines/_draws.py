"""What duel number t draws: a pure function of the key, t and the place of the word.

SplitMix64 in counter mode (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number
generators"): word i is the finaliser applied to key + i · GOLDEN. Duel t owns the words from
t (dim + 1) on: one a coordinate, then one for its outcome. The compiled loop in `_kernels` draws
the same words; here they come as arrays.
"""

import numpy as np
import numpy.typing as npt

from duelli import _rng

GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
TO_UNIT = 2.0**-53  # a word's upper 53 bits make a float in [0, 1)
WORD = 2**64


def keys(seed: int) -> tuple[int, int]:
    """Return two independent keys of ``seed``: for the duels and for the witnesses."""
    first, second = _rng.stream(seed, "engine").integers(WORD, size=2, dtype=np.uint64)
    return int(first), int(second)


def word(key: int, index: int) -> int:
    """Return word ``index`` of ``key``."""
    z = (key + index * GOLDEN) % WORD
    z = ((z ^ (z >> 30)) * MIX_1) % WORD
    z = ((z ^ (z >> 27)) * MIX_2) % WORD
    return z ^ (z >> 31)


def below(key: int, index: int, n: int) -> int:
    """Return a number in [0, n), uniform up to n / 2^64."""
    return word(key, index) * n // WORD


def uniforms(key: int, first: int, count: int, words: int) -> npt.NDArray[np.float64]:
    """Return the uniforms of ``count`` duels from number ``first`` on, shape (count, words)."""
    start = np.uint64((key + first * words * GOLDEN) % WORD)
    z = np.arange(count * words, dtype=np.uint64) * np.uint64(GOLDEN) + start
    z = (z ^ (z >> np.uint64(30))) * np.uint64(MIX_1)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(MIX_2)
    z ^= z >> np.uint64(31)
    units: npt.NDArray[np.float64] = (z >> np.uint64(11)) * np.float64(TO_UNIT)
    return units.reshape(count, words)
