"""A Gaussian process on a fixed set of points, whose mean outcomes are observed with noise.

Rasmussen and Williams (2006), "Gaussian Processes for Machine Learning",
http://gaussianprocess.org/gpml; equations are theirs. All duels of a point count as one observation
of their mean, so that cost and memory do not depend on how many there were.
"""

import math
from functools import cached_property
from typing import NamedTuple

import numpy as np

from duelli import _rng
from duelli._arrays import Array
from duelli.cubes import Arm
from duelli.learners.descent.inputs import check_number
from duelli.learners.model.pool import Indices
from duelli.learners.model.prior import matern
from duelli.learners.model.threads import one_thread

MOST_POINTS = 1000
MEAN = 0.5  # of a win rate of which nothing is known
SPREAD = 0.25  # its standard deviation
NOISE = 0.25  # the variance of one outcome, at most
NUGGET = 1e-6  # of the prior variance: keeps the covariance of close points positive definite
LENGTH = 0.25  # of the kernel, for one dimension; it grows with √d, as distances do


class Outcomes(NamedTuple):
    """The mean outcome of some points, each of which has had n duels."""

    points: Indices
    n: Array
    mean: Array


def spread_points(count: int, dim: int, start: Arm, key: int) -> Array:
    """Return ``start`` and count - 1 other points all over the box, shape ``(count, dim)``.

    They are an additive recurrence with a random shift; its steps are the powers of the root of
    x^(d + 1) = x + 1 (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences").
    """
    root = 2.0
    for _ in range(60):
        root = math.pow(1 + root, 1 / (dim + 1))
    steps = root ** -np.arange(1.0, dim + 1)
    points = (_rng.units(key, 0, dim) + np.arange(count)[:, None] * steps) % 1.0
    points[0] = start
    return points


class FiniteGp:
    """The prior of win rates at given points.

    Args:
        points: The points, shape ``(count, dim)``.
        length: The length scale of the Matern kernel with ν = 5/2.
    """

    def __init__(self, points: Array, length: float) -> None:
        self.points = points
        self.covariance = SPREAD**2 * matern(points / length, points / length)
        self.covariance.flat[:: len(points) + 1] += NUGGET * SPREAD**2
        self.root = np.linalg.cholesky(self.covariance)

    def posterior(self, outcomes: Outcomes) -> "FinitePosterior":
        """Return what is believed after some outcomes."""
        return FinitePosterior(self, outcomes)


class FinitePosterior:
    """What is believed of the win rate at every point."""

    def __init__(self, prior: FiniteGp, outcomes: Outcomes) -> None:
        self._prior, self._outcomes = prior, outcomes
        self._cross = prior.covariance[:, outcomes.points]
        self._noise = NOISE / outcomes.n
        self._known = self._cross[outcomes.points] + np.diag(self._noise)

    @cached_property
    def mean(self) -> Array:
        """The expected win rate of each point; Eq. (2.25)."""
        excess = self._outcomes.mean - MEAN
        with one_thread():
            # Eq. (2.25)
            expected: Array = MEAN + self._cross @ np.linalg.solve(self._known, excess)
        return expected

    @cached_property
    def deviation(self) -> Array:
        """The standard deviation of the win rate of each point; Eq. (2.26)."""
        with one_thread():
            explained = np.linalg.solve(self._known, self._cross.T)
        # Eq. (2.26), of which only the diagonal is needed
        variance = self._prior.covariance.diagonal() - (self._cross.T * explained).sum(axis=0)
        deviation: Array = np.sqrt(np.maximum(variance, 0))
        return deviation

    def draws(self, count: int, rng: np.random.Generator) -> Array:
        """Return draws of all win rates, shape ``(points, count)``.

        A draw from the prior is corrected by what the outcomes say of its error (Matheron's rule).
        """
        normal = rng.standard_normal((len(self._prior.points), count))
        noise = np.sqrt(self._noise)[:, None] * rng.standard_normal((len(self._noise), count))
        with one_thread():
            free = self._prior.root @ normal
            error = (self._outcomes.mean - MEAN)[:, None] - free[self._outcomes.points] - noise
            drawn: Array = MEAN + free + self._cross @ np.linalg.solve(self._known, error)
        return drawn


def check_points(name: str, value: object) -> int:
    """Return a number of points: from 2 to 1000."""
    return check_number(name, value, 2, MOST_POINTS)


def default_length(dim: int) -> float:
    """Return the length scale of a box of which nothing is known."""
    return LENGTH * math.sqrt(dim)
