"""The prior of the utility: a Gaussian process whose mean falls towards the walls of the box.

Rasmussen and Williams (2006), "Gaussian Processes for Machine Learning",
http://gaussianprocess.org/gpml, has the kernels; equations are theirs.
"""

import math
from dataclasses import dataclass

import numpy as np

from duelli._arrays import Array

LINEAR, QUADRATIC = 0.6, 0.6  # variances of the two trends, relative to the rest of the kernel
FALL = 0.35  # of the mean from the middle of the box to a corner, in spreads
ROWS = 64  # of a covariance that are computed at once


@dataclass(frozen=True, slots=True)
class Prior:
    """What is believed of the utility before any duel.

    Args:
        scales: The logarithm of the length scale of each axis, shape ``(dim,)``.
        spread: The logarithm of the standard deviation of the utility.
    """

    scales: Array
    spread: float

    def mean(self, points: Array) -> Array:
        """Return the prior mean of each point: the optimum is rarely at a wall."""
        fall: Array = ((2 * points - 1) ** 2).mean(axis=1)
        return -FALL * math.exp(self.spread) * fall

    def covariance_among(self, points: Array) -> Array:
        """Return the prior covariance of each point with each, which is the same both ways."""
        n = len(points)
        kernel = np.empty((n, n))
        for k in range(0, n, ROWS):
            part = self.covariance(points[k : k + ROWS], points[k:])
            kernel[k : k + ROWS, k:] = part
            kernel[k:, k : k + ROWS] = part.T
        return kernel

    def covariance(self, points: Array, others: Array) -> Array:
        """Return the prior covariance of each point with each other one."""
        lengths = np.exp(self.scales)
        kernel = matern(points / lengths, others / lengths)
        trend = self._from_middle(points) @ self._from_middle(others).T
        trends = trend * (QUADRATIC / 2)
        trends += LINEAR
        trends *= trend  # Eq. (4.16), for p = 1 and p = 2
        kernel += trends
        kernel *= math.exp(2 * self.spread)
        return kernel

    def variance(self, points: Array) -> Array:
        """Return the prior variance of each point."""
        trend: Array = (self._from_middle(points) ** 2).sum(axis=1)
        return math.exp(2 * self.spread) * (1 + LINEAR * trend + QUADRATIC / 2 * trend**2)

    def _from_middle(self, points: Array) -> Array:
        """Return the points as seen from the middle, in length scales; a corner has length 1."""
        weights = np.exp(-self.scales)
        return (2 * points - 1) * (weights / math.sqrt(float(weights @ weights)))


def matern(points: Array, others: Array) -> Array:
    """Return the Matern kernel with ν = 5/2, for points in units of their length scales."""
    points, others = math.sqrt(5) * points, math.sqrt(5) * others
    r = points @ (-2 * others).T
    r += (points**2).sum(axis=1)[:, None]
    r += (others**2).sum(axis=1)
    np.maximum(r, 0, out=r)
    kernel = r / 3  # in place from here on, as most of a step's time is spent here
    np.sqrt(r, out=r)
    kernel += r
    kernel += 1
    np.negative(r, out=r)
    kernel *= np.exp(r, out=r)  # Eq. (4.17)
    return kernel
