"""Well-known test functions among the practice shapes, to be maximised on the unit box.

Those without a source are from https://www.sfu.ca/~ssurjano/optimization.html, some of them
without a constant factor, or as logarithms where they are too steep to be told apart by duels.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from duelli._arrays import Array

HEIGHTS = np.array([1.0, 1.2, 3.0, 3.2])
SLOPES_3 = np.array([[3, 10, 30], [0.1, 10, 35], [3, 10, 30], [0.1, 10, 35]])
PLACES_3 = 1e-4 * np.array(
    [[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]]
)
SLOPES_6 = np.array(
    [
        [10, 3, 17, 3.5, 1.7, 8],
        [0.05, 10, 17, 0.1, 8, 14],
        [3, 3.5, 1.7, 10, 17, 8],
        [17, 8, 0.05, 10, 0.1, 14],
    ]
)
PLACES_6 = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)


@dataclass(frozen=True, eq=False)
class PracticeShape(ABC):
    """A utility on the unit box, whose scale does not matter: problems are calibrated.

    Args:
        best: The arm where it is largest; None if there is no formula for it.
    """

    best: Array | None

    def __call__(self, xs: Array) -> Array:
        """Return the utilities of the rows of ``xs``."""
        return self._values(xs)

    @abstractmethod
    def _values(self, xs: Array) -> Array: ...


@dataclass(frozen=True, eq=False)
class Branin(PracticeShape):
    """The logarithm of Branin's function, with three peaks that are equally high."""

    def _values(self, xs: Array) -> Array:
        x, y = 15 * xs[:, 0] - 5, 15 * xs[:, 1]
        bowl = (y - 5.1 / (4 * math.pi**2) * x * x + 5 / math.pi * x - 6) ** 2
        value = bowl + 10 * (1 - 1 / (8 * math.pi)) * np.cos(x) + 10
        return -np.log1p(np.maximum(value - 0.39, 0))


@dataclass(frozen=True, eq=False)
class Hartmann(PracticeShape):
    """Hartmann's function of three or six coordinates, a sum of four bumps.

    Args:
        slopes: How narrow each bump is along each axis.
        places: The tops of the bumps.
    """

    slopes: Array
    places: Array

    def _values(self, xs: Array) -> Array:
        bumps = np.exp(-(self.slopes * (xs[:, None] - self.places) ** 2).sum(axis=2))
        utilities: Array = bumps @ HEIGHTS
        return utilities


@dataclass(frozen=True, eq=False)
class Rosenbrock(PracticeShape):
    """The logarithm of Rosenbrock's function on [-1.5, 1.5]^dim, a curved valley."""

    def _values(self, xs: Array) -> Array:
        z = 3 * xs - 1.5
        valley = 100 * (z[:, 1:] - z[:, :-1] ** 2) ** 2 + (1 - z[:, :-1]) ** 2
        utilities: Array = -np.log1p(valley.sum(axis=1))
        return utilities


@dataclass(frozen=True, eq=False)
class Ackley(PracticeShape):
    """Ackley's function on a box of side 4: a cone with many small peaks on it."""

    best: Array

    def _values(self, xs: Array) -> Array:
        z = 4 * (xs - self.best)
        cone = 20 * np.exp(-0.2 * np.sqrt((z**2).mean(axis=1)))
        utilities: Array = cone + np.exp(np.cos(2 * np.pi * z).mean(axis=1))
        return utilities


@dataclass(frozen=True, eq=False)
class Styblinski(PracticeShape):
    """The function of Styblinski and Tang, with 2^dim peaks."""

    def _values(self, xs: Array) -> Array:
        z = 10 * xs - 5
        utilities: Array = -(z**4 - 16 * z**2 + 5 * z).sum(axis=1) / 2
        return utilities
