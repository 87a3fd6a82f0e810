"""One seed, many named and independent streams. Nothing else in duelli makes a generator.

A stream is a NumPy generator; a key is for draws that are addressed by a number instead of by
their turn. Those are SplitMix64 in counter mode (Steele, Lea, Flood 2014, "Fast splittable
pseudorandom number generators"): word i of a key is the finaliser applied to key + i · GOLDEN.
`Turns` has other laws than the uniform one, addressed by a number as well.
"""

import numpy as np
import numpy.typing as npt

from duelli import _check

# A stream's number is part of every result that was ever published: append, never renumber.
STREAMS = {
    "start": 0,
    "order": 1,
    "engine": 2,
    "arms": 3,
    "witness": 4,
    "trial": 5,
    "coins": 6,
    "copy": 7,
    "learner": 8,
    "serving": 9,
    "shape": 10,
    "problem": 11,
    "rewards": 12,
}

GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
TO_UNIT = 2.0**-53  # a word's upper 53 bits make a float in [0, 1)
WORD = 2**64

Words = npt.NDArray[np.uint64]
MASK = WORD - 1


def check_seed(seed: object) -> int:
    """Return ``seed`` as a Python int of at least 0; a float such as 1.0 counts as whole."""
    return _check.whole("seed", int(seed) if isinstance(seed, np.integer) else seed)


def stream(seed: int, name: str, *index: int) -> np.random.Generator:
    """Return the generator called ``name`` of ``seed``, the one at ``index`` if there are many.

    The stream is a pure function of its arguments: the same in every process and at any time.
    """
    entropy = np.random.SeedSequence(entropy=seed, spawn_key=(STREAMS[name], *index))
    return np.random.Generator(np.random.Philox(entropy))


def trial_seed(seed: int, trial: int) -> int:
    """Return the seed of trial number ``trial`` of an experiment whose seed is ``seed``."""
    entropy = np.random.SeedSequence(entropy=seed, spawn_key=(STREAMS["trial"], trial))
    return int(entropy.generate_state(1, np.uint64)[0])


def key(seed: int, name: str) -> int:
    """Return the key called ``name`` of ``seed``."""
    return int(stream(seed, name).integers(WORD, dtype=np.uint64))


def word(key: int, index: int) -> int:
    """Return word ``index`` of ``key``, 64 random bits."""
    z = (key + index * GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * MIX_1) & MASK
    z = ((z ^ (z >> 27)) * MIX_2) & MASK
    return z ^ (z >> 31)


def unit(key: int, index: int) -> float:
    """Return word ``index`` of ``key`` as a float in [0, 1)."""
    return (word(key, index) >> 11) * TO_UNIT


def below(key: int, index: int, n: int) -> int:
    """Return word ``index`` of ``key`` as a number in [0, n), uniform up to n / 2^64."""
    return word(key, index) * n // WORD


def mixed(keys: Words, index: int) -> Words:
    """Return word ``index`` of each key; many at once what `word` does for one."""
    z = keys + np.uint64(index * GOLDEN % WORD)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(MIX_1)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(MIX_2)
    z ^= z >> np.uint64(31)
    return z


def words(key: int, first: int, count: int) -> Words:
    """Return words ``first``, first + 1, ... of ``key``, ``count`` of them."""
    steps = np.arange(count, dtype=np.uint64) * np.uint64(GOLDEN)
    return mixed(steps + np.uint64(key), first)


def as_units(words: Words) -> npt.NDArray[np.float64]:
    """Return words as floats in [0, 1)."""
    return (words >> np.uint64(11)) * np.float64(TO_UNIT)


def units(key: int, first: int, count: int) -> npt.NDArray[np.float64]:
    """Return words ``first``, first + 1, ... of ``key`` as floats in [0, 1), ``count`` of them."""
    return as_units(words(key, first, count))


def permutation(key: int, n: int) -> tuple[int, ...]:
    """Return a random order of 0, ..., n - 1, drawn with the words of ``key`` (Fisher-Yates)."""
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = below(key, i, i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


class Turns:
    """A generator for laws that single words do not have; what it draws depends on the turn alone.

    Args:
        key: The key of its draws.
    """

    def __init__(self, key: int) -> None:
        self._key = key
        self._bits = np.random.PCG64DXSM(np.random.SeedSequence(key))
        self._state = self._bits.state
        self._generator = np.random.Generator(self._bits)

    def at(self, turn: int) -> np.random.Generator:
        """Return the generator, set to the beginning of ``turn``, whatever was drawn before."""
        place = word(self._key, 2 * turn) * WORD + word(self._key, 2 * turn + 1)
        self._state["state"]["state"] = place
        self._state["has_uint32"] = 0  # no half of a word is left over
        self._bits.state = self._state
        return self._generator
