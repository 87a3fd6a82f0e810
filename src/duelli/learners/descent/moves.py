"""Directions, moves and pairs of points in the box."""

import math

from duelli import _rng
from duelli.cubes import Arm


def direction(key: int, index: int, dim: int) -> Arm:
    """Return unit vector number ``index`` of a key, uniform on the sphere.

    It is a vector of normal variables (Box and Muller 1958), divided by its length.
    """
    words = dim + dim % 2
    normals: list[float] = []
    for first in range(index * words, (index + 1) * words, 2):
        radius = math.sqrt(-2 * math.log(1 - _rng.unit(key, first)))
        angle = 2 * math.pi * _rng.unit(key, first + 1)
        normals += [radius * math.cos(angle), radius * math.sin(angle)]
    length = math.hypot(*normals[:dim])
    if length == 0:  # a word of 53 zero bits
        return (1.0,) + (0.0,) * (dim - 1)
    return tuple(x / length for x in normals[:dim])


def clipped(point: Arm, margin: float = 0.0) -> Arm:
    """Return the point of [margin, 1 - margin]^dim that is nearest to ``point``."""
    return tuple(min(max(x, margin), 1 - margin) for x in point)


def moved(point: Arm, move: Arm, size: float, margin: float = 0.0) -> Arm:
    """Return point + size · move, clipped to [margin, 1 - margin]^dim."""
    shifted = tuple(x + size * step for x, step in zip(point, move, strict=True))
    return clipped(shifted, margin)


def either_side(point: Arm, move: Arm, size: float) -> tuple[Arm, Arm]:
    """Return point + size · move and point - size · move, for |move| of at most 1 on every axis.

    A point that is nearer to a wall than ``size`` gives way, so that both are in the box.
    """
    centre = clipped(point, size)
    return moved(centre, move, size), moved(centre, move, -size)


def middle(dim: int) -> Arm:
    """Return the middle of the box."""
    return (0.5,) * dim
