"""A quadratic model of the utility: logistic regression on pairs, and weights that fall with it.

Coulom (2011), "CLOP: Confident local optimization for noisy black-box parameter tuning", Advances
in Computer Games 13, https://www.remi-coulom.fr/CLOP/. Written from memory. Departs: F70.
"""

from typing import NamedTuple

import numpy as np

from duelli._arrays import Array

PRIOR_VARIANCE = 100.0  # of a coefficient, where the box is [-1, 1]^d: hardly any prior
CROSSED_DIM = 12  # with more dimensions the products of two coordinates are left out
MOST_ITERATIONS = 25
TOLERANCE = 1e-6  # of the log posterior, relative
LEAST_STEP = 1e-6
CONFIDENCE = 3.0  # H: how many standard deviations below the mean count as confidently inferior
STEADY = 0.99  # the weights have settled once they fall by less than this
MOST_FITS = 20


class Matches(NamedTuple):
    """Samples and the incumbents that they met, shape ``(m, dim)``, with their wins of n duels."""

    samples: Array
    incumbents: Array
    wins: Array
    n: Array


class Fit(NamedTuple):
    """A fitted model, the mean of the samples by it, and the standard deviation of that mean."""

    coefficients: Array
    mean: float
    deviation: float


def features(points: Array) -> Array:
    """Return the coordinates on [-1, 1]^d and their products, shape ``(m, features)``."""
    x = 2 * points - 1
    dim = x.shape[1]
    if dim > CROSSED_DIM:
        return np.hstack([x, x**2])
    rows, columns = np.triu_indices(dim)
    return np.hstack([x, x[:, rows] * x[:, columns]])


def fitted(played: Matches) -> tuple[list[Fit], Array]:
    """Return the fits, each with the weights of the ones before it, and the last weights.

    A sample whose strength is confidently below the mean counts less and less, until the weights
    have settled.
    """
    strengths = features(played.samples)
    differences = strengths - features(played.incumbents)
    weights, start = np.ones(len(played.n)), np.zeros(strengths.shape[1])
    fits: list[Fit] = []
    for _ in range(MOST_FITS):
        fit = _fit(strengths, differences, played, weights, start)
        fits.append(fit)
        # CLOP: w is the smallest weight of all fits so far.
        before, weights = weights, np.minimum(weights, _weights(strengths, fit))
        start = fit.coefficients
        if played.n @ weights >= STEADY * (played.n @ before):
            break
    return fits, weights


def weights_at(points: Array, fits: list[Fit]) -> Array:
    """Return the weight of each point: the smallest one that any fit gives it, at most 1."""
    weights = np.ones(len(points))
    strengths = features(points)
    for fit in fits:
        weights = np.minimum(weights, _weights(strengths, fit))
    return weights


def _weights(strengths: Array, fit: Fit) -> Array:
    """Return exp((q(x) - m) / (H s)), at most 1."""
    excess = (strengths @ fit.coefficients - fit.mean) / (CONFIDENCE * fit.deviation)
    weights: Array = np.exp(np.minimum(excess, 0.0))  # CLOP: w(x) = min(1, exp((q - m) / (H s)))
    return weights


def _fit(
    strengths: Array, differences: Array, played: Matches, weights: Array, start: Array
) -> Fit:
    """Return the model for given weights of the samples."""
    coefficients = _regressed(differences, weights * played.wins, weights * played.n, start)
    n = weights * played.n
    mean = float(n @ (strengths @ coefficients) / n.sum())  # CLOP: m
    rates = _rates(differences @ coefficients)
    information = float(n @ (rates * (1 - rates)))
    return Fit(coefficients, mean, 1 / np.sqrt(max(information, 1e-12)))  # the last is s of CLOP


def _regressed(differences: Array, wins: Array, n: Array, start: Array) -> Array:
    """Return the most probable coefficients of a logistic regression, by Newton's method."""
    theta = start
    value = _log_posterior(theta, differences, wins, n)
    for _ in range(MOST_ITERATIONS):
        rates = _rates(differences @ theta)
        slope = differences.T @ (wins - n * rates) - theta / PRIOR_VARIANCE
        curved = (differences.T * (n * rates * (1 - rates))) @ differences
        curved.flat[:: len(theta) + 1] += 1 / PRIOR_VARIANCE
        move, size, before = np.linalg.solve(curved, slope), 1.0, value
        while size > LEAST_STEP:
            reached = _log_posterior(theta + size * move, differences, wins, n)
            if reached >= value:
                theta, value = theta + size * move, reached
                break
            size /= 2
        if value - before <= TOLERANCE * (1 + abs(before)):
            break
    return theta


def _log_posterior(theta: Array, differences: Array, wins: Array, n: Array) -> float:
    strength = differences @ theta
    likelihood = wins @ strength - n @ np.logaddexp(0, strength)
    return float(likelihood - theta @ theta / (2 * PRIOR_VARIANCE))


def _rates(strength: Array) -> Array:
    """Return the win rate of each difference of strengths."""
    rates: Array = (1 + np.tanh(strength / 2)) / 2
    return rates
