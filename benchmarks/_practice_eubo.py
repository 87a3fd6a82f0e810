"""Preferential Bayesian optimisation, small: a Gaussian process and the EUBO choice of pairs.

Lin, Astudillo, Frazier and Bakshy (2022), "Preference exploration for efficient Bayesian
optimization with multiple outcomes", https://arxiv.org/abs/2203.11382. The Gaussian process is
that of duelli, so that this shows what the choice of pairs and the recommendation are worth; it
takes points that are very close for one, as duelli does, but has no limit to their number.
"""

import math

import numpy as np
from _practice_judges import Duel

from duelli._arrays import Array
from duelli.learners.model.candidates import around
from duelli.learners.model.evidence import first_prior, fitted
from duelli.learners.model.laplace import mode
from duelli.learners.model.pool import added, empty
from duelli.learners.model.posterior import Posterior
from duelli.links import LINKS

RANDOM_PAIRS = 5  # to begin with; the first has the middle of the box
FEW, OFTEN, SELDOM = 60, 4, 20  # scales are fitted after every fourth of the first 60 duels
SWEEPS = 2
VISITED, UNIFORM, NEAR = 40, 60, 60  # candidates of each kind
ROUNDS, MORE, REACH = 2, 25, 0.5  # the best are searched about, more closely each time
LEAST_DEVIATION = 1e-4


def preferential_bo(dim: int, budget: int, duel: Duel, rng: np.random.Generator) -> Array:
    """Return the point of the largest posterior mean after ``budget`` duels chosen by EUBO."""
    prior, best = first_prior(dim), np.full(dim, 0.5)
    pool, posterior = empty(dim), Posterior(prior, empty(dim))
    for t in range(budget):
        if t < RANDOM_PAIRS:
            x, y = rng.random((2, dim)) if t else (best, rng.random(dim))
        else:
            x, y = _pair(posterior, best, rng)
        won = float(duel(x[None], y[None])[0])
        pool = added(pool, prior.scales, (tuple(x.tolist()), tuple(y.tolist())), won, 1)
        pool = pool._replace(differences=mode(prior, pool).differences)
        if t % (OFTEN if t < FEW else SELDOM) == 0:
            for turn in range(SWEEPS * (dim + 2)):  # each scale in turn, and the spread
                prior, pool = fitted(prior, pool, turn)
        posterior = Posterior(prior, pool)
        best = _best(posterior, best, rng)
    return best


def _candidates(posterior: Posterior, best: Array, rng: np.random.Generator) -> Array:
    visited = posterior.points[np.argsort(-posterior.mean(posterior.points))[:VISITED]]
    near = around(best, posterior.prior, NEAR, REACH, rng)
    return np.vstack([best, visited, rng.random((UNIFORM, len(best))), near])


def _pair(posterior: Posterior, best: Array, rng: np.random.Generator) -> Array:
    """Return the two points of which the better one is expected to be best."""
    points, reach = _candidates(posterior, best, rng), REACH
    for k in range(ROUNDS + 1):
        worth = _worth(posterior, points)
        pair = points[list(divmod(int(worth.argmax()), len(points)))]
        if k < ROUNDS:
            reach /= 3
            points = np.vstack(
                [pair, *(around(p, posterior.prior, MORE, reach, rng) for p in pair)]
            )
    return pair


def _worth(posterior: Posterior, points: Array) -> Array:
    """Return E[max(u(x), u(y))] for each x and y: μ_y + s (z Φ(z) + φ(z)), z = (μ_x - μ_y) / s."""
    mean, covariance = posterior.mean_and_covariance(points)
    own = covariance.diagonal()
    deviation = np.sqrt(np.maximum(own[:, None] + own - 2 * covariance, LEAST_DEVIATION**2))
    z = (mean[:, None] - mean) / deviation
    density = np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    worth: Array = mean + deviation * (z * LINKS["probit"](z) + density)
    np.fill_diagonal(worth, -np.inf)  # no point meets itself
    return worth


def _best(posterior: Posterior, before: Array, rng: np.random.Generator) -> Array:
    """Return the point of the largest mean."""
    points, reach = _candidates(posterior, before, rng), REACH
    for _ in range(ROUNDS):
        best = points[posterior.mean(points).argmax()]
        reach /= 3
        points = np.vstack([best, around(best, posterior.prior, MORE, reach, rng)])
    found: Array = points[posterior.mean(points).argmax()]
    return found
