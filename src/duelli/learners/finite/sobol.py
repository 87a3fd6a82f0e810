"""Sobol points: they fill the box more evenly than random ones, in every part of it.

Sobol (1967), "On the distribution of points in a cube and the approximate evaluation of integrals",
USSR Computational Mathematics and Mathematical Physics 7(4), with the direction numbers of Joe, Kuo
(2008), "Constructing Sobol sequences with better two-dimensional projections", SIAM Journal on
Scientific Computing 30(5), https://doi.org/10.1137/070709359.
"""

from duelli import _rng
from duelli.cubes import Arm

BITS = 32
# For each axis but the first: the coefficients of a primitive polynomial as bits, from the highest
# power to the constant, and the direction numbers m_1, m_2, ... to begin with.
AXES = (
    (0b11, (1,)),
    (0b111, (1, 3)),
    (0b1011, (1, 3, 1)),
    (0b1101, (1, 1, 1)),
    (0b10011, (1, 1, 3, 3)),
    (0b11001, (1, 3, 5, 13)),
    (0b100101, (1, 1, 5, 5, 17)),
    (0b101001, (1, 1, 5, 5, 5)),
    (0b101111, (1, 1, 7, 11, 19)),
    (0b110111, (1, 1, 5, 1, 1)),
    (0b111011, (1, 1, 1, 3, 11)),
    (0b111101, (1, 3, 5, 5, 31)),
)
MOST_DIM = 1 + len(AXES)


def directions(axis: int) -> list[int]:
    """Return the direction numbers v_k = m_k 2^(BITS - k) of an axis, for k = 1, ..., BITS."""
    if axis == 0:
        return [1 << (BITS - k) for k in range(1, BITS + 1)]
    polynomial, first = AXES[axis - 1]
    degree, m = len(first), list(first)
    while len(m) < BITS:
        new = m[-degree] ^ (m[-degree] << degree)
        for k in range(1, degree):
            if polynomial >> (degree - k) & 1:
                new ^= m[-k] << k
        m.append(new)
    return [number << (BITS - k) for k, number in enumerate(m, 1)]


def sobol_points(count: int, dim: int, key: int) -> list[Arm]:
    """Return the first points of the sequence, shifted bit by bit by the words of ``key``."""
    columns = []
    for axis in range(dim):
        numbers, place = directions(axis), _rng.word(key, axis) >> (64 - BITS)
        column = [place]
        for i in range(1, count):
            place ^= numbers[(i & -i).bit_length() - 1]  # the Gray code of i changes in this bit
            column.append(place)
        columns.append([(x + 0.5) / 2**BITS for x in column])
    return list(zip(*columns, strict=True))
