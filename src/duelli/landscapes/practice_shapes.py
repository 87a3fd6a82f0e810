"""The shapes of the practice problems, each drawn at random for a number of dimensions."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from duelli._arrays import Array
from duelli.landscapes.practice_functions import (
    PLACES_3,
    PLACES_6,
    SLOPES_3,
    SLOPES_6,
    Ackley,
    Branin,
    Hartmann,
    PracticeShape,
    Rosenbrock,
    Styblinski,
)

Rng = np.random.Generator
BUMPS = 8  # for each dimension


def _squares(xs: Array, centre: Array) -> Array:
    """Return the squared distance of each row from the centre."""
    squares: Array = ((xs - centre) ** 2).sum(axis=-1)
    return squares


@dataclass(frozen=True, eq=False)
class Wavy(PracticeShape):
    """A cone of the 1-norm with waves on it."""

    best: Array
    height: float
    waves: float

    def _values(self, xs: Array) -> Array:
        away = xs - self.best
        waves = self.height * np.cos(2 * np.pi * self.waves * away)
        utilities: Array = (waves - np.abs(away)).sum(axis=1)
        return utilities


@dataclass(frozen=True, eq=False)
class Bumpy(PracticeShape):
    """A sum of Gaussian bumps of many heights and widths."""

    centres: Array
    heights: Array
    widths: Array

    def _values(self, xs: Array) -> Array:
        bumps = np.exp(-_squares(xs[:, None], self.centres) / (2 * self.widths**2))
        utilities: Array = bumps @ self.heights
        return utilities


@dataclass(frozen=True, eq=False)
class WeightedBowl(PracticeShape):
    """A quadratic whose axes are the columns of ``turn``."""

    best: Array
    weights: Array
    turn: Array

    def _values(self, xs: Array) -> Array:
        return -((((xs - self.best) @ self.turn) ** 2) @ self.weights)


@dataclass(frozen=True, eq=False)
class ObliqueRidge(PracticeShape):
    """A sharp oblique ridge that rises slowly to its best point."""

    best: Array
    along: Array

    def _values(self, xs: Array) -> Array:
        shift = (xs - self.best) @ self.along
        beside = np.sqrt(np.maximum(_squares(xs, self.best) - shift**2, 0))
        utilities: Array = -beside - 0.15 * np.abs(shift)
        return utilities


@dataclass(frozen=True, eq=False)
class CornerPeak(PracticeShape):
    """A sum of powers of the distances to the walls, best in a corner."""

    weights: Array
    powers: Array

    def _values(self, xs: Array) -> Array:
        return -((1 - xs) ** self.powers @ self.weights)


@dataclass(frozen=True, eq=False)
class Sparse(PracticeShape):
    """A quadratic in two coordinates; the others do not matter."""

    best: Array

    def _values(self, xs: Array) -> Array:
        x, y = (xs - self.best)[:, :2].T
        utilities: Array = -(x * x + 2 * y * y + x * y)
        return utilities


@dataclass(frozen=True, eq=False)
class RoundCone(PracticeShape):
    """A Euclidean cone."""

    best: Array

    def _values(self, xs: Array) -> Array:
        return -np.sqrt(_squares(xs, self.best))


@dataclass(frozen=True, eq=False)
class TwoCones(PracticeShape):
    """A narrow high cone, and a broad lower one at the other end of the box."""

    best: Array
    other: Array

    def _values(self, xs: Array) -> Array:
        narrow = 1 - 3 * np.sqrt(_squares(xs, self.best))
        utilities: Array = np.maximum(narrow, 0.8 - 1.2 * np.sqrt(_squares(xs, self.other)))
        return utilities


@dataclass(frozen=True, eq=False)
class Skewed(PracticeShape):
    """A peak that falls faster on one side than on the other."""

    best: Array
    steeper: Array

    def _values(self, xs: Array) -> Array:
        away = xs - self.best
        utilities: Array = -(np.where(away > 0, self.steeper * away, -away) ** 1.5).sum(axis=1)
        return utilities


def _bumpy(dim: int, rng: Rng) -> PracticeShape:
    count = BUMPS * dim
    widths = rng.uniform(0.1, 0.35, count) * math.sqrt(dim / 2 + 0.5)
    return Bumpy(None, rng.random((count, dim)), rng.uniform(0.3, 1, count), widths)


def _rotated_quadratic(dim: int, rng: Rng) -> PracticeShape:
    """Return a quadratic of condition 100 whose axes are not those of the box."""
    turn = np.linalg.qr(rng.standard_normal((dim, dim)))[0]
    return WeightedBowl(rng.uniform(0.2, 0.8, dim), 10.0 ** np.linspace(0, 2, dim), turn)


def _quadratic(dim: int, rng: Rng) -> PracticeShape:
    best, weights = rng.uniform(0.15, 0.85, dim), np.exp(rng.uniform(-1, 1, dim))
    return WeightedBowl(best, weights, np.eye(dim))


def _ridge(dim: int, rng: Rng) -> PracticeShape:
    best, along = rng.uniform(0.25, 0.75, dim), rng.standard_normal(dim)
    return ObliqueRidge(best, along / np.linalg.norm(along))


# A shape's place chooses its random numbers: append, never reorder.
PRACTICE_SHAPES: dict[str, Callable[[int, Rng], PracticeShape]] = {
    "wavy": lambda d, rng: Wavy(
        rng.uniform(0.1, 0.9, d), rng.uniform(0.03, 0.08), rng.uniform(3, 6)
    ),
    "bumpy": _bumpy,
    "branin": lambda _d, _rng: Branin(None),
    "hartmann": lambda d, _rng: (
        Hartmann(None, SLOPES_3, PLACES_3) if d == 3 else Hartmann(None, SLOPES_6, PLACES_6)
    ),
    "rosenbrock": lambda d, _rng: Rosenbrock(np.full(d, 2.5 / 3)),
    "ackley": lambda d, rng: Ackley(rng.uniform(0.15, 0.85, d)),
    "rotated_quadratic": _rotated_quadratic,
    "ridge": _ridge,
    "corner": lambda d, rng: CornerPeak(np.ones(d), rng.uniform(0.3, 1, d), rng.uniform(0.5, 2, d)),
    "sparse": lambda d, rng: Sparse(np.append(rng.uniform(0.1, 0.9, 2), np.full(d - 2, 0.5))),
    "quadratic": _quadratic,
    "cone": lambda d, rng: RoundCone(rng.uniform(0.1, 0.9, d)),
    "two_cones": lambda d, rng: TwoCones(rng.uniform(0.1, 0.4, d), rng.uniform(0.6, 0.9, d)),
    "skewed": lambda d, rng: Skewed(rng.uniform(0.1, 0.9, d), rng.uniform(0.5, 3, d)),
    "styblinski": lambda _d, _rng: Styblinski(None),
}
