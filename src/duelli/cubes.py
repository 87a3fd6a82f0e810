"""Dyadic cubes of [0, 1]^dim, named by their path of child numbers from the root.

A path is the whole call stack of a depth-first walk: ``dim`` bits a level (Lemma 5.5). Child
``c`` of a cube lies in the upper half along coordinate ``i`` when bit ``dim - 1 - i`` of ``c`` is
set, so that counting children up is the lexicographic order with the first coordinate slowest.
"""

import math
from collections.abc import Callable

Arm = tuple[float, ...]
Path = tuple[int, ...]


def edge(path: Path) -> float:
    """Return r_h = 2^(1 - h), the edge of the cube at ``path``, whose depth h is one more."""
    return 2.0 ** -len(path)


def depth(edge: float) -> int:
    """Return h, the depth of a dyadic cube of the given edge r_h = 2^(1 - h)."""
    return 1 - round(math.log2(edge))


def low(path: Path, dim: int) -> Arm:
    """Return the corner of the cube at ``path`` that is nearest to the origin."""
    corner = [0] * dim
    for child in path:
        for i in range(dim):
            corner[i] = 2 * corner[i] + (child >> (dim - 1 - i) & 1)
    size = edge(path)
    return tuple(index * size for index in corner)


def path_to(arm: Arm, levels: int) -> Path:
    """Return the path of ``levels`` steps to a cube that holds ``arm``.

    On a shared face it is the upper cube, except at 1, where there is none.
    """
    dim, top = len(arm), 2**levels - 1
    index = [min(int(entry * 2**levels), top) for entry in arm]
    return tuple(
        sum((index[i] >> level & 1) << (dim - 1 - i) for i in range(dim))
        for level in range(levels - 1, -1, -1)
    )


def contains(path: Path, arm: Arm) -> bool:
    """Tell whether the closed cube at ``path`` holds ``arm``."""
    return within(low(path, len(arm)), edge(path), arm)


def within(low: Arm, edge: float, arm: Arm) -> bool:
    """Tell whether the closed cube with corner ``low`` and edge ``edge`` holds ``arm``."""
    return all(a <= x <= a + edge for a, x in zip(low, arm, strict=True))


def successor(path: Path, next_child: Callable[[Path, int], int | None]) -> Path | None:
    """Return the cube that a depth-first walk visits after all below ``path``; None at the end.

    Args:
        path: The cube that has just been left for good.
        next_child: Parent's path and child number in, the number of the next child out.
    """
    while path:
        parent, child = path[:-1], path[-1]
        if (following := next_child(parent, child)) is not None:
            return (*parent, following)
        path = parent
    return None
