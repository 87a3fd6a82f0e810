"""Posterior: what the model believes of any point of the box after the duels."""

import math

import numpy as np

from duelli._arrays import Array
from duelli.learners.model.laplace import (
    believed,
    curved,
    log_evidence,
    lower_inverse,
    newton,
    root_weights,
)
from duelli.learners.model.pool import Pool
from duelli.learners.model.prior import Prior


class Posterior:
    """A Gaussian process: Laplace's approximation at the differences of the pool.

    Args:
        prior: The prior.
        pool: The pairs that have met, with their duels and most probable differences.
        ties: ν, how often there are draws.

    Attributes:
        points: The points of the pairs, the left ones first.
        ties: ν.
        share: 2 / (2 + ν), the share of duels between equal points that are no draws.
        telling: How many duels there were, times that share.
        utilities: What the points are expected to be worth.
        evidence: The logarithm of how much better the duels are explained than by coin flips.
    """

    def __init__(self, prior: Prior, pool: Pool, ties: float = 0.0) -> None:
        self.prior, self.points = prior, pool.points
        self.ties, self.share = ties, 2 / (2 + ties)
        duels, pairs = float(pool.n.sum()), believed(prior, pool, ties)
        self.telling = duels * self.share
        fit = newton(pairs, pool.differences)
        roots = root_weights(fit.differences, pool.n, ties)
        root = np.linalg.cholesky(curved(pairs, roots))
        self._known = lower_inverse(root) * roots
        self._weights = np.concatenate([fit.weights, -fit.weights])
        self.utilities = prior.mean(self.points) + pairs.cross @ fit.weights
        self.evidence = log_evidence(fit, root) + duels * math.log(2 + ties)

    def mean(self, points: Array) -> Array:
        """Return the expected utility of each point."""
        expected: Array = self.prior.mean(points)
        expected += self.prior.covariance(points, self.points) @ self._weights
        return expected

    def mean_and_covariance(self, points: Array) -> tuple[Array, Array]:
        """Return the expected utility of each point, and the covariance of the utilities."""
        cross = self.prior.covariance(self.points, points)
        mean: Array = self.prior.mean(points) + self._weights @ cross
        explained = self._explained(cross)
        return mean, self.prior.covariance_among(points) - explained.T @ explained

    def lead_and_deviation(self, points: Array, other: Array) -> tuple[Array, Array]:
        """Return the expected u(point) - u(other) of each point, and its standard deviation."""
        points = np.vstack([points, other])
        cross = self.prior.covariance(self.points, points)
        mean = self.prior.mean(points) + self._weights @ cross
        explained = self._explained(cross[:, :-1] - cross[:, -1:])
        variance = self.prior.variance(points)
        variance = variance[:-1] + variance[-1] - (explained**2).sum(axis=0)
        variance -= 2 * self.prior.covariance(points[:-1], points[-1:])[:, 0]
        return mean[:-1] - mean[-1], np.sqrt(np.maximum(variance, 0))

    def _explained(self, cross: Array) -> Array:
        """Return a root of what the duels explain of a covariance; Eq. (3.29).

        Args:
            cross: The prior covariance of the points of the pool with others, or differences of it.
        """
        p = len(self._known)
        root: Array = self._known @ (cross[:p] - cross[p:])
        return root
