"""The random numbers of a duel: a pure function of a key, the duel's number and its dimension.

Play number s of an engine has the key `_rng.word(engine's key, s)`. Duel i of that play owns the
words of `_rng.word` from i (dim + 1) on: one for each coordinate of its left arm, then one for its
outcome. The compiled loop in `_kernels` draws the same words; here they come as arrays.
"""

from duelli import _rng
from duelli._arrays import Array


def uniforms(key: int, first: int, count: int, words: int) -> Array:
    """Return the uniforms of ``count`` duels from number ``first`` on, shape (count, words)."""
    return _rng.units(key, first * words, count * words).reshape(count, words)


def single_outcomes(key: int, first: int, count: int, dim: int) -> list[float]:
    """Return what decides the only duel of plays ``first``, first + 1, ...: its last word."""
    keys = _rng.words(key, first, count)
    outcomes: list[float] = _rng.as_units(_rng.mixed(keys, dim)).tolist()
    return outcomes
