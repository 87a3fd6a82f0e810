"""The differences of utility of the pairs after their duels: Laplace's approximation.

Chu and Ghahramani (2005), "Preference learning with Gaussian processes",
https://doi.org/10.1145/1102351.1102369, with the logistic link, to which draws are added as by
Davidson (1970), "On extending the Bradley-Terry model to accommodate ties in paired comparison
experiments", https://doi.org/10.1080/01621459.1970.10481082: his ν is `ties`, and ν / (2 + ν) is
the share of draws between equal points. Equations are those of Rasmussen and Williams (2006),
"Gaussian Processes for Machine Learning", section 3.4, for f = u(left) - u(right) of each pair; C
is the prior covariance of f.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from duelli._arrays import Array
from duelli.learners.model.pool import Pool
from duelli.learners.model.prior import Prior

MOST_ITERATIONS = 25
TOLERANCE = 1e-3  # of the log posterior, below which it has converged
LEAST_STEP = 1e-5
SMALL = 32  # rows of a matrix that is inverted as a whole
CLOSE = 0.02  # what one step of Newton's method moves by less than this is exact to its square


class Believed(NamedTuple):
    """The prior of the differences, their prior covariance with the points, duels and draws."""

    cross: Array
    mean: Array
    covariance: Array
    wins: Array
    n: Array
    ties: float


class Fit(NamedTuple):
    """Weights a = C^-1 (f - mean), the differences f with these, and the log posterior."""

    weights: Array
    differences: Array
    value: float


class Mode(NamedTuple):
    """The most probable differences, and the log evidence of the prior."""

    differences: Array
    evidence: float


def believed(prior: Prior, pool: Pool, ties: float = 0.0) -> Believed:
    """Return what the prior says of the differences."""
    p, points = len(pool.n), pool.points
    mean, kernel = prior.mean(points), prior.covariance_among(points)
    cross = kernel[:, :p] - kernel[:, p:]
    covariance = cross[:p] - cross[p:]
    return Believed(cross, mean[:p] - mean[p:], covariance, pool.wins, pool.n, ties)


def mode(prior: Prior, pool: Pool, ties: float = 0.0) -> Mode:
    """Return the mode of the posterior by Newton's method, from the differences of the pool."""
    pairs = believed(prior, pool, ties)
    fit, near = _fit(pairs, np.zeros(len(pairs.n))), newton(pairs, pool.differences)
    close = bool(np.abs(near.differences - pool.differences).max(initial=0.0) < CLOSE)
    if near.value > fit.value:
        fit = near
    for _ in range(0 if close else MOST_ITERATIONS):
        before = fit.value
        fit = _between(pairs, fit, newton(pairs, fit.differences))
        if fit.value - before < TOLERANCE:
            break
    roots = root_weights(fit.differences, pairs.n, ties)
    root = np.linalg.cholesky(curved(pairs, roots))
    return Mode(fit.differences, log_evidence(fit, root))


def log_evidence(fit: Fit, root: npt.NDArray[np.floating[Any]]) -> float:
    """Return the log probability of the duels, where B = root root^T; Eq. (3.32)."""
    return fit.value - float(np.log(root.diagonal()).sum())


def newton(pairs: Believed, differences: Array) -> Fit:
    """Return what one step of Newton's method makes of the differences; Eqs. (3.18) and (3.27)."""
    roots = root_weights(differences, pairs.n, pairs.ties)
    b = roots**2 * (differences - pairs.mean)
    b += pairs.wins - pairs.n * win_rates(differences, pairs.ties)
    solved = np.linalg.solve(curved(pairs, roots), roots * (pairs.covariance @ b))
    return _fit(pairs, b - roots * solved)


def curved(pairs: Believed, roots: Array) -> Array:
    """Return B = I + W^1/2 C W^1/2; Eq. (3.26)."""
    matrix: Array = roots[:, None] * pairs.covariance * roots
    matrix.flat[:: len(roots) + 1] += 1
    return matrix


def lower_inverse(root: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.floating[Any]]:
    """Return the inverse of a lower triangular matrix, by halves: several times faster than LU."""
    n = len(root)
    if n <= SMALL:
        return np.linalg.inv(root)
    half = n // 2
    inverse = np.zeros_like(root)
    inverse[:half, :half] = lower_inverse(root[:half, :half])
    inverse[half:, half:] = lower_inverse(root[half:, half:])
    inverse[half:, :half] = -inverse[half:, half:] @ root[half:, :half] @ inverse[:half, :half]
    return inverse


def root_weights(differences: Array, n: Array, ties: float = 0.0) -> Array:
    """Return W^1/2, the root of the curvature of the log likelihood."""
    decay = np.exp(-np.abs(differences) / 2)  # all terms are divided by exp(|f| / 2)
    above = decay**2 + ties * decay * (1 + decay**2) / 4
    roots: Array = np.sqrt(n * above) / (1 + decay**2 + ties * decay)
    return roots


def win_rates(differences: Array, ties: float = 0.0) -> Array:
    """Return how often the left point wins, a draw being half a win."""
    decay = np.exp(-np.abs(differences) / 2)
    lead = np.sign(differences) * (1 - decay**2) / (1 + decay**2 + ties * decay)
    rates: Array = (1 + lead) / 2
    return rates


def log_partition(differences: Array, ties: float = 0.0) -> Array:
    """Return the logarithm of exp(f / 2) + exp(-f / 2) + ν, which divides all probabilities."""
    half = np.abs(differences) / 2
    decay = np.exp(-half)
    value: Array = half + np.log1p(decay * (decay + ties))
    return value


def _between(pairs: Believed, fit: Fit, new: Fit) -> Fit:
    """Return a fit on the way to the new one that is no worse than the old one."""
    size = 1.0
    while size > LEAST_STEP:
        tried = _fit(pairs, fit.weights + size * (new.weights - fit.weights))
        if tried.value >= fit.value:
            return tried
        size /= 2
    return fit


def _fit(pairs: Believed, weights: Array) -> Fit:
    away = pairs.covariance @ weights
    f = pairs.mean + away
    likelihood = (pairs.wins - pairs.n / 2) @ f - pairs.n @ log_partition(f, pairs.ties)
    return Fit(weights, f, float(likelihood - weights @ away / 2))
