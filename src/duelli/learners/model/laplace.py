"""The utilities of the arms after the duels: Laplace's approximation of their posterior.

Chu and Ghahramani (2005), "Preference learning with Gaussian processes",
https://doi.org/10.1145/1102351.1102369, with the logistic link. Equations are those of Rasmussen
and Williams (2006), "Gaussian Processes for Machine Learning", section 3.4. All is computed for
z = L^-1 (u - mean), whose prior is N(0, I) if L is the Cholesky factor of the covariance.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from duelli._arrays import Array
from duelli.learners.model.prior import Prior

NUGGET = 1e-6  # of the mean variance: keeps the covariance of close arms positive definite
MOST_ITERATIONS = 25
TOLERANCE = 1e-3  # of the log posterior, below which it has converged
LEAST_STEP = 1e-3

Indices = npt.NDArray[np.intp]


class Counts(NamedTuple):
    """The duels between arms: of each pair that has met, the arms, the wins of the left, and n."""

    left: Indices
    right: Indices
    wins: Array
    n: Array


class Mode(NamedTuple):
    """The most probable utilities of the arms, and the log evidence of the prior."""

    utilities: Array
    evidence: float


def factor(prior: Prior, arms: Array) -> Array:
    """Return L, the lower Cholesky factor of the prior covariance of the arms."""
    covariance = prior.covariance(arms, arms)
    covariance.flat[:: len(arms) + 1] += NUGGET * covariance.trace() / len(arms)
    return np.linalg.cholesky(covariance).astype(np.float64, copy=False)


def win_rates(utilities: Array, counts: Counts) -> Array:
    """Return the probability that the left arm wins, for each pair that has met."""
    return logistic(utilities[counts.left] - utilities[counts.right])


def logistic(differences: Array) -> Array:
    """Return the probability that the left arm wins, for differences of utility."""
    rates: Array = (1 + np.tanh(differences / 2)) / 2
    return rates


def log_likelihood(differences: Array, wins: Array, n: Array) -> float:
    """Return the log probability of the wins, up to a constant."""
    return float(wins @ differences - n @ np.logaddexp(0, differences))


def hessian(root: Array, utilities: Array, counts: Counts) -> Array:
    """Return I + L^T W L, the negative Hessian of the log posterior of z; Eq. (3.27)."""
    m = len(utilities)
    rates = win_rates(utilities, counts)
    weights = counts.n * rates * (1 - rates)
    if len(weights) < m:  # then this is less work, for the same
        rows = np.sqrt(weights)[:, None] * (root[counts.left] - root[counts.right])
        curved: Array = rows.T @ rows
        curved.flat[:: m + 1] += 1
        return curved
    laplacian = np.bincount(counts.left * m + counts.right, -weights, m * m).reshape(m, m)
    laplacian += laplacian.T
    laplacian.flat[:: m + 1] -= laplacian.sum(axis=1)
    curved = root.T @ laplacian @ root
    curved.flat[:: m + 1] += 1
    return curved


def mode_of_arms(prior: Prior, arms: Array, counts: Counts, start: Array) -> Mode:
    """Return the mode of the posterior by Newton's method, from the utilities ``start``."""
    root, mean = factor(prior, arms), prior.mean(arms)
    z = np.asarray(np.linalg.solve(root, start - mean), dtype=np.float64)
    if _log_posterior(0 * z, mean, counts) > _log_posterior(z, mean + root @ z, counts):
        z = 0 * z
    value = _log_posterior(z, mean + root @ z, counts)
    for _ in range(MOST_ITERATIONS):
        before = value
        z, value = _newton_step(z, value, root, mean, counts)
        if abs(value - before) < TOLERANCE:
            break
    utilities = mean + root @ z
    _, log_determinant = np.linalg.slogdet(hessian(root, utilities, counts))
    return Mode(utilities, value - float(log_determinant) / 2)  # Eq. (3.32)


def _newton_step(
    z: Array, value: float, root: Array, mean: Array, counts: Counts
) -> tuple[Array, float]:
    """Return the next z and its log posterior; a step that makes it smaller is shortened."""
    utilities = mean + root @ z
    slope = root.T @ _slope(utilities, counts) - z
    move, size = np.linalg.solve(hessian(root, utilities, counts), slope), 1.0
    while size > LEAST_STEP:
        new = z + size * move
        if (reached := _log_posterior(new, mean + root @ new, counts)) >= value:
            return new, reached
        size /= 2
    return z, value


def _slope(utilities: Array, counts: Counts) -> Array:
    """Return the gradient of the log likelihood."""
    m, excess = len(utilities), counts.wins - counts.n * win_rates(utilities, counts)
    slope = np.bincount(counts.left, excess, m) - np.bincount(counts.right, excess, m)
    return np.asarray(slope, dtype=np.float64)


def _log_posterior(z: Array, utilities: Array, counts: Counts) -> float:
    difference = utilities[counts.left] - utilities[counts.right]
    return log_likelihood(difference, counts.wins, counts.n) - float(z @ z) / 2
