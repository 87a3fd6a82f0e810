"""The per-duel loop, compiled by numba for one utility and one length of the link's series.

The loop has no branches and no allocations, and every call in it is inlined, so that LLVM can turn
it into vector instructions. It draws the words of `_draws`, so that both ways of playing a duel
give the same duel. This module is imported on first use only, and only if numba is installed.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numba import njit

from duelli._rng import GOLDEN, MIX_1, MIX_2, TO_UNIT, WORD

# Sums may be reordered; NaNs keep their meaning, since they tell of a broken utility.
FAST = {"reassoc", "contract", "nsz"}
_M1, _M2 = np.uint64(MIX_1), np.uint64(MIX_2)
_S30, _S27, _S31, _S11, _S32 = (np.uint64(shift) for shift in (30, 27, 31, 11, 32))
_LOW, _EXPONENT_52, _EXPONENT_84 = (np.uint64(x) for x in (2**32 - 1, 0x433 << 52, 0x453 << 52))
_OFFSET = 2.0**84 + 2.0**52

Loop = Callable[..., tuple[float, float, float, float]]


@njit
def _as_float(z: Any) -> Any:
    """Return a whole number below 2^53 as a float, in operations that every vector unit has.

    Both halves of the bits become the digits of a float with a fixed exponent. It is compiled on
    its own, as the order of its sums must stay.
    """
    low = np.uint64((z & _LOW) | _EXPONENT_52).view(np.float64)  # 2^52 + the low half
    high = np.uint64((z >> _S32) | _EXPONENT_84).view(np.float64)  # 2^84 + 2^32 the high half
    return (high - _OFFSET) + low


@njit(inline="always")
def _uniform(z: Any) -> Any:
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    z = z ^ (z >> _S31)
    return _as_float(z >> _S11) * TO_UNIT


def _arm_drawer(dim: int) -> Any:
    """Return a compiled (low, edge, counter) -> arm; a tuple of known length lives in registers."""
    last = dim - 1
    offset = np.uint64(last * GOLDEN % WORD)
    if dim == 1:

        @njit(inline="always")
        def draw(low: Any, edge: Any, counter: Any) -> Any:
            return (low[0] + edge * _uniform(counter),)
    else:
        head = _arm_drawer(dim - 1)

        @njit(inline="always")
        def draw(low: Any, edge: Any, counter: Any) -> Any:
            entry = low[last] + edge * _uniform(counter + offset)
            return (*head(low, edge, counter), entry)

    return draw


def _horner(count: int) -> Any:
    """Return a compiled (terms, q) -> Σ_k terms[k] q^k for a tuple of ``count`` terms."""
    if count == 1:

        @njit(inline="always")
        def value(terms: Any, q: Any) -> Any:  # noqa: ARG001 (the same signature at every length)
            return terms[0]
    else:
        tail = _horner(count - 1)

        @njit(inline="always")
        def value(terms: Any, q: Any) -> Any:
            return terms[0] + q * tail(terms[1:], q)

    return value


@lru_cache(maxsize=64)
def compiled(pointwise: Callable[[Any], Any]) -> Any:
    """Return ``pointwise`` as a numba function; one that is compiled already is returned as is."""
    return pointwise if hasattr(pointwise, "py_func") else njit(pointwise)


@lru_cache(maxsize=64)
def loop(pointwise: Callable[[Any], Any], dim: int, count: int) -> Loop:
    """Return the compiled loop over the duels of a block.

    It takes (key, n, low, edge, f_reference, gap_reference, f_best, terms, reach) and returns the
    wins, the sum of Δ(x*, x), the sum of min(Δ(x*, x), Δ(x*, reference)), and how many duels had
    a difference of utilities beyond the reach of the series.
    """
    utility, draw, series = compiled(pointwise), _arm_drawer(dim), _horner(count)
    stride = np.uint64((dim + 1) * GOLDEN % WORD)
    outcome = np.uint64(dim * GOLDEN % WORD)

    @njit(fastmath=FAST, error_model="numpy")
    def run(
        key: Any,
        n: int,
        low: Any,
        edge: float,
        f_reference: float,
        gap_reference: float,
        f_best: float,
        terms: Any,
        reach: float,
    ) -> tuple[float, float, float, float]:
        scale = 1.0 / reach
        # s + t is the same for all arms, so both lie in [-1, 1] if t is near enough to its middle.
        middle = 0.5 * (f_best - f_reference) * scale
        room = max(1.0 - abs(middle), 0.0) ** 2
        wins, regret, weak, beyond = 0.0, 0.0, 0.0, 0.0
        for i in range(n):
            counter = key + np.uint64(i) * stride
            f_x = utility(draw(low, edge, counter))
            s = (f_x - f_reference) * scale
            t = (f_best - f_x) * scale
            gap = t * series(terms, t * t)  # Δ(x*, x)
            won = _uniform(counter + outcome) - 0.5 < s * series(terms, s * s)
            wins += 1.0 if won else 0.0
            regret += gap
            weak += gap if gap < gap_reference else gap_reference
            beyond += 1.0 if (t - middle) ** 2 > room else 0.0
        return wins, regret, weak, beyond

    return run
