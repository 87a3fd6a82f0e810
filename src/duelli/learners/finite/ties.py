"""The largest or smallest of some numbers, with ties broken at random."""

import numpy as np
import numpy.typing as npt

from duelli import _rng
from duelli._arrays import Array

Places = npt.NDArray[np.intp]


def one_of(arms: Places, key: int, index: int) -> int:
    """Return one of these arms, uniformly, drawn with word ``index`` of ``key``."""
    return int(arms[0] if len(arms) == 1 else arms[_rng.below(key, index, len(arms))])


def largest(values: Array, key: int, index: int) -> int:
    """Return the place of the largest value; word ``index`` of ``key`` decides between equals."""
    return one_of((values == values[values.argmax()]).nonzero()[0], key, index)


def smallest(values: Array, key: int, index: int) -> int:
    """Return the place of the smallest value; word ``index`` of ``key`` decides between equals."""
    return one_of((values == values[values.argmin()]).nonzero()[0], key, index)
