"""The differences of the pairs that have met: Laplace's approximation while pairs are few.

It is that of laplace.py for f = u(left) - u(right) of each pair, so that its matrices have as many
rows as there are pairs, and not as there are arms. Equations are those of Rasmussen and Williams
(2006), "Gaussian Processes for Machine Learning", section 3.4; C is the covariance of f.
"""

from typing import NamedTuple

import numpy as np

from duelli._arrays import Array
from duelli.learners.model.laplace import (
    LEAST_STEP,
    MOST_ITERATIONS,
    TOLERANCE,
    Counts,
    Mode,
    log_likelihood,
    logistic,
)
from duelli.learners.model.prior import Prior


class Pairs(NamedTuple):
    """The prior of the differences, and the duels."""

    mean: Array
    covariance: Array
    wins: Array
    n: Array


class Fit(NamedTuple):
    """Weights a = C^-1 (f - mean), the differences f with these, and the log posterior."""

    weights: Array
    differences: Array
    value: float


def pairs_of(prior: Prior, arms: Array, counts: Counts) -> tuple[Pairs, Array]:
    """Return the pairs, and the prior covariance of the arms with the differences."""
    kernel, mean = prior.covariance(arms, arms), prior.mean(arms)
    cross = kernel[:, counts.left] - kernel[:, counts.right]
    covariance = cross[counts.left] - cross[counts.right]
    means = mean[counts.left] - mean[counts.right]
    return Pairs(means, covariance, counts.wins, counts.n), cross


def mode_of_pairs(prior: Prior, arms: Array, counts: Counts, start: Array) -> Mode:
    """Return the mode of the posterior by Newton's method, from the utilities ``start``."""
    pairs, cross = pairs_of(prior, arms, counts)
    fit = _fit(pairs, np.zeros(len(counts.n)))
    if (near := newton(pairs, start[counts.left] - start[counts.right])).value > fit.value:
        fit = near
    for _ in range(MOST_ITERATIONS):
        before = fit.value
        fit = _between(pairs, fit, newton(pairs, fit.differences))
        if fit.value - before < TOLERANCE:
            break
    utilities = prior.mean(arms) + cross @ fit.weights
    roots = root_weights(fit.differences, pairs.n)
    determinant = np.log(np.linalg.cholesky(curved(pairs, roots)).diagonal()).sum()
    return Mode(utilities, fit.value - float(determinant))  # Eq. (3.32)


def newton(pairs: Pairs, differences: Array) -> Fit:
    """Return what one step of Newton's method makes of the differences; Eqs. (3.18) and (3.27)."""
    roots, f = root_weights(differences, pairs.n), differences - pairs.mean
    b = roots**2 * f + pairs.wins - pairs.n * logistic(differences)
    solved = np.linalg.solve(curved(pairs, roots), roots * (pairs.covariance @ b))
    return _fit(pairs, b - roots * solved)


def curved(pairs: Pairs, roots: Array) -> Array:
    """Return B = I + W^1/2 C W^1/2; Eq. (3.26)."""
    matrix: Array = roots[:, None] * pairs.covariance * roots
    matrix.flat[:: len(roots) + 1] += 1
    return matrix


def root_weights(differences: Array, n: Array) -> Array:
    """Return W^1/2, the root of the curvature of the log likelihood."""
    rates = logistic(differences)
    roots: Array = np.sqrt(n * rates * (1 - rates))
    return roots


def _between(pairs: Pairs, fit: Fit, new: Fit) -> Fit:
    """Return a fit on the way to the new one that is no worse than the old one."""
    size = 1.0
    while size > LEAST_STEP:
        tried = _fit(pairs, fit.weights + size * (new.weights - fit.weights))
        if tried.value >= fit.value:
            return tried
        size /= 2
    return fit


def _fit(pairs: Pairs, weights: Array) -> Fit:
    away = pairs.covariance @ weights
    f = pairs.mean + away
    value = log_likelihood(f, pairs.wins, pairs.n) - float(weights @ away) / 2
    return Fit(weights, f, value)
