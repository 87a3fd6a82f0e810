"""Posterior: what the model believes of any point of the box after the duels."""

import numpy as np

from duelli._arrays import Array
from duelli.learners.model.differences import curved, mode_of_pairs, newton, pairs_of, root_weights
from duelli.learners.model.laplace import Counts, Mode, factor, hessian, mode_of_arms
from duelli.learners.model.prior import Prior


class Posterior:
    """A Gaussian process: Laplace's approximation at given utilities of the arms.

    Args:
        prior: The prior.
        arms: The arms that have met, shape ``(m, dim)``.
        counts: Their duels.
        utilities: The most probable utilities of the arms.
    """

    def __init__(self, prior: Prior, arms: Array, counts: Counts, utilities: Array) -> None:
        self.prior, self.arms = prior, arms
        root = factor(prior, arms)
        self._whiten = np.linalg.inv(root)
        spread = np.linalg.inv(np.linalg.cholesky(hessian(root, utilities, counts)))
        self._explained = spread @ self._whiten
        self._weights = self._whiten.T @ (self._whiten @ (utilities - prior.mean(arms)))

    def mean(self, points: Array) -> Array:
        """Return the expected utility of each point."""
        expected: Array = self.prior.mean(points)
        expected += self.prior.covariance(points, self.arms) @ self._weights
        return expected

    def covariance(self, points: Array) -> Array:
        """Return the covariance of the utilities of the points."""
        known, left = self._parts(self.prior.covariance(self.arms, points))
        covariance: Array = self.prior.covariance(points, points) - known.T @ known + left.T @ left
        return covariance

    def deviation(self, points: Array, other: Array) -> Array:
        """Return the standard deviation of u(point) - u(other) for each point."""
        return self.mean_and_deviation(points, other)[1]

    def mean_and_deviation(self, points: Array, other: Array) -> tuple[Array, Array]:
        """Return the expected utility of each point, and the deviation of u(point) - u(other)."""
        cross = self.prior.covariance(self.arms, np.vstack([points, other]))
        mean: Array = self.prior.mean(points) + self._weights @ cross[:, :-1]
        cross -= cross[:, -1:]
        known, left = self._parts(cross[:, :-1])
        variance = self.prior.variance(points) + self.prior.variance(other[None])
        variance -= 2 * self.prior.covariance(points, other[None])[:, 0]
        variance += (left**2).sum(axis=0) - (known**2).sum(axis=0)
        deviation: Array = np.sqrt(np.maximum(variance, 0))
        return mean, deviation

    def _parts(self, cross: Array) -> tuple[Array, Array]:
        """Return roots of what the arms explain of a covariance, and of what is left of that.

        Args:
            cross: The prior covariance of the arms with some points, or differences of it.
        """
        return self._whiten @ cross, self._explained @ cross


class PairPosterior(Posterior):
    """The same, where it is less work to compute with the pairs than with the arms."""

    def __init__(self, prior: Prior, arms: Array, counts: Counts, utilities: Array) -> None:
        self.prior, self.arms, self._counts = prior, arms, counts
        pairs, _ = pairs_of(prior, arms, counts)
        fit = newton(pairs, utilities[counts.left] - utilities[counts.right])
        roots = root_weights(fit.differences, counts.n)
        self._known = np.linalg.inv(np.linalg.cholesky(curved(pairs, roots))) * roots
        self._weights = np.zeros(len(arms))
        np.add.at(self._weights, counts.left, fit.weights)
        np.subtract.at(self._weights, counts.right, fit.weights)

    def _parts(self, cross: Array) -> tuple[Array, Array]:
        known = self._known @ (cross[self._counts.left] - cross[self._counts.right])  # Eq. (3.29)
        return known, known[:0]


def posterior_of(prior: Prior, arms: Array, counts: Counts, utilities: Array) -> Posterior:
    """Return the posterior, computed in the way that is less work."""
    kind = PairPosterior if len(counts.n) <= len(arms) else Posterior
    return kind(prior, arms, counts, utilities)


def mode(prior: Prior, arms: Array, counts: Counts, start: Array) -> Mode:
    """Return the mode of the posterior, computed in the way that is less work."""
    way = mode_of_pairs if len(counts.n) <= len(arms) else mode_of_arms
    return way(prior, arms, counts, start)
