"""generated_shape: landscapes drawn at random, for tests of learners that were not tuned on them.

All have the Lipschitz constant 1 in the maximum norm, which the paper assumes, and a best arm that
is known exactly. They go from what is plain to what is meant to mislead: narrow valleys that no
axis follows, peaks in the wrong places, twins that are nearly as good as the best arm.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from duelli import _check, _rng
from duelli._arrays import Array, lattice
from duelli.boxes import Box
from duelli.cubes import Arm
from duelli.landscapes.base import Landscape
from duelli.landscapes.families import (
    BANANA_SLOPE,
    Banana,
    Cones,
    Elliptic,
    Family,
    FlatTop,
    Mesa,
    NeedleAndHill,
)

MOST_DIM = 8  # the slope of a valley is found at every corner of a box
VALLEY_RATIO = 12.0  # the longest axis of a valley over the shortest
BOWL_RATIO = 10.0  # the largest curvature of a bowl over the smallest
NUM_PEAKS = 8
APART = 0.3  # distance of a needle and a hill, or of twins, in the maximum norm


class Shape(NamedTuple):
    """A utility with its best arm and its zooming dimension."""

    utility: Family
    best_arm: Arm
    zooming_dim: float = 0.0


def generated_shape(kind: str, seed: int, dim: int = 2) -> Landscape:
    """Return a landscape of one kind, drawn at random.

    >>> generated_shape("valley", 1).lipschitz
    1.0

    Args:
        kind: One of ``SHAPES``.
        seed: Seed of all that is random in it.
        dim: d, the number of coordinates, from 1 to 8; a banana has 2 at least.

    Raises:
        ValueError: If there is no such kind, or not in so many dimensions.
    """
    draw = _check.registered("kind", kind, SHAPES)
    seed, dim = _check_seed_and_dim(kind, seed, dim)
    shape = draw(_rng.stream(seed, "shape", list(SHAPES).index(kind)), dim)
    return Landscape(
        name=f"{kind}, seed {seed}",
        dim=dim,
        values=shape.utility,
        best_arm=shape.best_arm,
        lipschitz=1.0,
        zooming_dim=shape.zooming_dim,
        box=Box.unit(dim),
    )


def _check_seed_and_dim(kind: str, seed: object, dim: object) -> tuple[int, int]:
    number = _check.whole("dim", dim, 2 if kind == "banana" else 1)
    if number > MOST_DIM:
        raise ValueError(f"dim must be at most {MOST_DIM}; got {dim!r}")
    return _rng.check_seed(seed), number


def _valley(rng: np.random.Generator, dim: int) -> Shape:
    """A cone with axes of 12 : 1, turned at random."""
    rows = _turned(rng, np.geomspace(1, 1 / VALLEY_RATIO, dim))
    # The gradient is A' u for a unit vector u, and the most of its 1-norm is that of |A s| over
    # all vectors s of signs.
    steepest = np.linalg.norm(lattice([-1.0, 1.0], dim) @ rows.T, axis=1).max()
    centre = _arm(rng.uniform(0.2, 0.8, dim))
    return Shape(Elliptic(_rows(rows / steepest), centre), centre)


def _bowl(rng: np.random.Generator, dim: int) -> Shape:
    """A quadratic with curvatures of 10 : 1, turned at random."""
    rows = _turned(rng, np.sqrt(np.geomspace(1, 1 / BOWL_RATIO, dim)))
    centre = rng.uniform(0.2, 0.8, dim)
    # The 1-norm of the gradient is convex, so that it is largest at a corner of the box.
    gradients = 2 * (lattice([0.0, 1.0], dim) - centre) @ (rows.T @ rows)
    rows /= math.sqrt(np.abs(gradients).sum(axis=1).max())
    return Shape(Elliptic(_rows(rows), _arm(centre), smooth=True), _arm(centre), dim / 2)


def _banana(rng: np.random.Generator, dim: int) -> Shape:
    """A valley whose floor is a parabola."""
    centre = np.array([rng.uniform(0.25, 0.75), *rng.uniform(0.35, 0.65, dim - 1)])
    bends = rng.uniform(0.8, 1.6, dim - 1) * rng.choice([-1.0, 1.0], dim - 1)
    # Across the floor the gradient is w (1, 2 bend u) with |w| < 1.
    farthest = max(centre[0], 1 - centre[0])
    steepest = BANANA_SLOPE + np.linalg.norm(1 + 2 * np.abs(bends) * farthest)
    banana = Banana(_arm(centre), _arm(bends), float(1 / steepest))
    return Shape(banana, _arm(centre), (dim - 1) / 2)


def _peaks(rng: np.random.Generator, dim: int) -> Shape:
    """Eight cones of which the highest leads by 0.1 at least."""
    tops = _rows(rng.uniform(0.05, 0.95, (NUM_PEAKS, dim)))
    heights = (0.6, *_arm(rng.uniform(0.2, 0.5, NUM_PEAKS - 1)))
    return Shape(Cones(tops, heights), tops[0])


def _needle(rng: np.random.Generator, dim: int) -> Shape:
    """A cone beside a broad hill that is lower and has a larger basin."""
    needle = rng.uniform(0.2, 0.8, dim)
    hill = _away_from(needle, rng)
    steepest = 2 * np.maximum(hill, 1 - hill).sum()  # for a curvature of 1
    curvature = float(min(0.3, 1 / steepest))
    utility = NeedleAndHill(_arm(needle), _arm(hill), (0.45, 0.3), curvature)
    return Shape(utility, utility.needle)


def _corner(rng: np.random.Generator, dim: int) -> Shape:
    """A Euclidean cone whose top is a corner of the box."""
    corner = _arm(rng.choice([0.0, 1.0], dim))
    return Shape(Elliptic(_rows(np.eye(dim) / math.sqrt(dim)), corner), corner)


def _max_cone(rng: np.random.Generator, dim: int) -> Shape:
    """A cone of the maximum norm, which has edges along which no axis leads uphill."""
    centre = _arm(rng.uniform(0.15, 0.85, dim))
    return Shape(Cones((centre,), (1.0,)), centre)


def _twin_cones(rng: np.random.Generator, dim: int) -> Shape:
    """Two cones of nearly the same height; the best arm lies just above a dyadic point.

    So x* stands in a corner of its cubes from depth 3 on, where their centres tell least of it,
    and the twin's cubes are the hardest to eliminate.
    """
    offsets = 10.0 ** rng.uniform(-7, -5, dim)
    best = rng.integers(1, 4, dim) / 4 + offsets
    behind = float(10.0 ** rng.uniform(-4, -2))
    tops = _arm(best), _arm(_away_from(best, rng))
    return Shape(Cones(tops, (1.0, 1.0 - behind)), tops[0])


def _flat(rng: np.random.Generator, dim: int) -> Shape:
    """A top so flat that arms far from the best one are nearly as good."""
    centre = _arm(rng.uniform(0.2, 0.8, dim))
    return Shape(FlatTop(centre, float(rng.uniform(0.15, 0.3))), centre, 2 * dim / 3)


def _plateau(rng: np.random.Generator, dim: int) -> Shape:
    """A box of arms that are all best; it is the middle one that is called so."""
    centre, halves = rng.uniform(0.3, 0.7, dim), rng.uniform(0.05, 0.25, dim)
    return Shape(Mesa(_arm(centre), _arm(halves)), _arm(centre), float(dim))


def _plain(rng: np.random.Generator, dim: int) -> Shape:
    """A low cone on a plain that shows nothing of it."""
    top, height = _arm(rng.uniform(0.1, 0.9, dim)), float(rng.uniform(0.1, 0.2))
    return Shape(Cones((top,), (height,), plain=0.0), top)


def _turned(rng: np.random.Generator, axes: Array) -> Array:
    """Return the matrix that turns at random and then scales by ``axes``."""
    turn, _ = np.linalg.qr(rng.normal(size=(len(axes), len(axes))))
    turned: Array = axes[:, None] * turn
    return turned


def _away_from(arm: Array, rng: np.random.Generator) -> Array:
    """Return a random arm that is not near ``arm``."""
    while True:
        other = rng.uniform(0.05, 0.95, len(arm))
        if np.abs(other - arm).max() >= APART:
            return other


def _arm(values: Array) -> Arm:
    return tuple(map(float, values))


def _rows(matrix: Array) -> tuple[Arm, ...]:
    return tuple(_arm(row) for row in matrix)


# A kind's place chooses its random numbers: append, never reorder.
SHAPES: dict[str, Callable[[np.random.Generator, int], Shape]] = {
    "valley": _valley,
    "bowl": _bowl,
    "banana": _banana,
    "peaks": _peaks,
    "needle": _needle,
    "corner": _corner,
    "max_cone": _max_cone,
    "twin_cones": _twin_cones,
    "flat": _flat,
    "plateau": _plateau,
    "plain": _plain,
}
