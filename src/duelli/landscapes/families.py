"""Families of utilities with numbers to choose: what `generated_shape` draws from.

Each formula is written once, for floats and for arrays: its coordinates are either, and ``np`` is
the module of functions that fits them. Like all forms of a utility, a member can be pickled.
"""

import functools
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy

from duelli._arrays import Array
from duelli.cubes import Arm
from duelli.landscapes.forms import FLOATS

BANANA_FLOOR = 0.01  # a valley is round within about this distance of its floor
BANANA_SLOPE = 0.12  # and falls this much less along its floor than across it


class Family(ABC):
    """A utility whose formula serves one arm and many."""

    def __call__(self, xs: Array) -> Array:
        """Return the utilities of the rows of ``xs``."""
        utilities: Array = self.formula(tuple(xs.T), numpy)
        return utilities

    def at(self, arm: Arm) -> float:
        """Return the utility of one arm."""
        utility: float = self.formula(arm, FLOATS)
        return utility

    @abstractmethod
    def formula(self, x: Any, np: Any) -> Any:
        """Return the utility of the arm with the coordinates ``x``."""


@dataclass(frozen=True)
class Elliptic(Family):
    """1 - |A (x - c)|, a cone with elliptic level sets; with ``smooth``, 1 - |A (x - c)|².

    Args:
        rows: A.
        centre: c, the best arm.
        smooth: Whether the distance is squared.
    """

    rows: tuple[Arm, ...]
    centre: Arm
    smooth: bool = False

    def formula(self, x: Any, np: Any) -> Any:
        """Return the utility of the arm with the coordinates ``x``."""
        away = [a - b for a, b in zip(x, self.centre, strict=True)]
        square = sum(_dot(row, away) ** 2 for row in self.rows)
        return 1 - (square if self.smooth else np.sqrt(square))


@dataclass(frozen=True)
class Banana(Family):
    """A valley whose floor is a parabola; along it the utility falls slowly from the best arm.

    With u = x_1 - c_1, the floor is at x_i = c_i + bend_i u² for i > 1.

    Args:
        centre: c, the best arm.
        bends: How much the floor bends in each coordinate but the first.
        scale: The factor of all slopes.
    """

    centre: Arm
    bends: Arm
    scale: float

    def formula(self, x: Any, np: Any) -> Any:
        """Return the utility of the arm with the coordinates ``x``."""
        u = x[0] - self.centre[0]
        sides = zip(x[1:], self.centre[1:], self.bends, strict=True)
        square = sum((a - c - bend * u * u) ** 2 for a, c, bend in sides)
        across = np.sqrt(square + BANANA_FLOOR**2) - BANANA_FLOOR
        return 1 - self.scale * (across + BANANA_SLOPE * np.abs(u))


@dataclass(frozen=True)
class Cones(Family):
    """The upper envelope of cones of the maximum norm with slope 1, and of a plain.

    Args:
        tops: Where the cones have their tops.
        heights: How high those are.
        plain: The utility where no cone is higher.
    """

    tops: tuple[Arm, ...]
    heights: tuple[float, ...]
    plain: float = -1.0

    def formula(self, x: Any, np: Any) -> Any:
        """Return the utility of the arm with the coordinates ``x``."""
        cones = zip(self.tops, self.heights, strict=True)
        utility = self.plain
        for top, height in cones:
            utility = np.maximum(utility, height - _distance(x, top, np))
        return utility


@dataclass(frozen=True)
class NeedleAndHill(Family):
    """A narrow cone, and a broad hill that is lower.

    Args:
        needle: The top of the cone, the best arm.
        hill: The top of the hill.
        heights: How high the cone and the hill are.
        curvature: How fast the hill falls, with the square of the distance.
    """

    needle: Arm
    hill: Arm
    heights: tuple[float, float]
    curvature: float

    def formula(self, x: Any, np: Any) -> Any:
        """Return the utility of the arm with the coordinates ``x``."""
        square = sum((a - b) ** 2 for a, b in zip(x, self.hill, strict=True))
        cone = self.heights[0] - _distance(x, self.needle, np)
        return np.maximum(cone, self.heights[1] - self.curvature * square)


@dataclass(frozen=True)
class Mesa(Family):
    """1 - the Euclidean distance to a box, over √dim; all of the box is best.

    Args:
        centre: The middle of the box.
        halves: Half of the length of its sides.
    """

    centre: Arm
    halves: Arm

    def formula(self, x: Any, np: Any) -> Any:
        """Return the utility of the arm with the coordinates ``x``."""
        sides = zip(x, self.centre, self.halves, strict=True)
        square = sum(np.maximum(np.abs(a - c) - half, 0.0) ** 2 for a, c, half in sides)
        return 1 - np.sqrt(square / len(self.centre))


@dataclass(frozen=True)
class FlatTop(Family):
    """Cubic within a radius of the best arm and linear outside, over √dim.

    Args:
        centre: The best arm.
        radius: Where the cubic part ends, in the Euclidean norm.
    """

    centre: Arm
    radius: float

    def formula(self, x: Any, np: Any) -> Any:
        """Return the utility of the arm with the coordinates ``x``."""
        distance = np.sqrt(sum((a - c) ** 2 for a, c in zip(x, self.centre, strict=True)))
        near = np.minimum(distance, self.radius)
        drop = near**3 / (3 * self.radius**2) + (distance - near)
        return 1 - drop / np.sqrt(float(len(self.centre)))


def _dot(row: Arm, x: Any) -> Any:
    return sum(a * b for a, b in zip(row, x, strict=True))


def _distance(x: Any, arm: Arm, np: Any) -> Any:
    """Return the distance in the maximum norm."""
    return functools.reduce(np.maximum, [np.abs(a - b) for a, b in zip(x, arm, strict=True)])
