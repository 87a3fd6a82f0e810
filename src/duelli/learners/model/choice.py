"""Which pairs to ask: those that say most about where the best point is.

The points that may be best are the maxima of draws from the posterior (Thompson 1933). A pair is
worth the variance that its duel is expected to take from their utilities relative to the
incumbent's, as in Cohn (1996), "Neural network exploration using optimal experiment design",
https://doi.org/10.1016/0893-6080(95)00137-9.
"""

import math
from typing import NamedTuple

import numpy as np

from duelli._arrays import Array
from duelli.learners.model.candidates import around, opening_pair, opening_signs, opposite
from duelli.learners.model.levels import APART, Levels, on_levels, parted
from duelli.learners.model.pool import Indices
from duelli.learners.model.posterior import Posterior

OPENING = 50  # duels
BEST_POINTS, UNIFORM, NEAR, OPPOSITE = 50, 80, 80, 40  # candidates of each kind
DRAWS, RIVALS = 24, 60  # draws from the posterior, and pairs of their maxima
REACH = 0.5  # of the candidates near the incumbent, in length scales
NUGGET = 1e-6
# The share of the posterior's deviation that draws have: `FOG` over the spread, within limits.
# Where the judge is fairly sure, looking into every corner costs more duels than it brings.
FOG, LEAST_WIDTH = 0.15, 0.3
FEW, GROWING = 200, 1.0  # up to so many duels; beyond, the share grows with this power of them

Pairs = list[tuple[Array, Array]]


class Field(NamedTuple):
    """Candidates, the belief about their utilities, and the pairs of them that may be asked."""

    points: Array
    mean: Array
    covariance: Array
    incumbent: int
    tops: Indices  # those that may be best
    left: Indices
    right: Indices
    share: float = 1.0  # of duels between equal points that are no draws


def opening(
    centre: Array,
    duels: int,
    spread: float,
    n: int,
    seed: int,
    rng: np.random.Generator,
    levels: Levels = (),
) -> Pairs:
    """Return ``n`` pairs on either side of the incumbent: they show where the utility rises.

    Args:
        centre: The incumbent.
        duels: Those so far.
        spread: The logarithm of the standard deviation of the utility.
        n: The number of pairs.
        seed: Seed of the directions.
        rng: Where the distances come from.
        levels: The places of axes that have only a few.
    """
    signs = [opening_signs(len(centre), duels + k, seed) for k in range(n)]
    pairs = (opening_pair(centre, duels, spread, each, rng) for each in signs)
    return [parted(pair, centre, levels, rng) for pair in pairs]


def chosen(
    posterior: Posterior, centre: Array, n: int, rng: np.random.Generator, levels: Levels = ()
) -> Pairs:
    """Return the ``n`` pairs that are worth most together."""
    return chosen_with_covariance(posterior, centre, centre[None], n, 1.0, rng, levels)[0]


def chosen_with_covariance(
    posterior: Posterior,
    centre: Array,
    others: Array,
    n: int,
    duels: float,
    rng: np.random.Generator,
    levels: Levels = (),
) -> tuple[Pairs, Array]:
    """Return the ``n`` best pairs, and the covariance of other points once they are judged.

    Args:
        posterior: What is believed.
        centre: The incumbent.
        others: Points whose covariance is wanted.
        n: The number of pairs.
        duels: How often each pair is judged.
        rng: Where the draws come from.
        levels: The places of axes that have only a few.
    """
    field = _field(posterior, centre, others, rng, levels)
    covariance, left, right = field.covariance, field.left, field.right
    pairs: Pairs = []
    for _ in range(n):
        worth, weight, variance = _worth(field, covariance, left, right)
        k = int(worth.argmax())
        pairs.append((field.points[left[k]], field.points[right[k]]))
        shared = covariance[:, left[k]] - covariance[:, right[k]]
        # What the duels of this pair will tell need not be asked again.
        known = duels * weight[k] / (1 + duels * weight[k] * variance[k])
        covariance = covariance - known * np.outer(shared, shared)
        if len(left) > 1:
            left, right = np.delete(left, k), np.delete(right, k)
    return pairs, covariance[-len(others) :, -len(others) :]


def _field(
    posterior: Posterior,
    centre: Array,
    others: Array,
    rng: np.random.Generator,
    levels: Levels,
) -> Field:
    best = posterior.points[np.argsort(-posterior.utilities)[:BEST_POINTS]]
    plus, minus = opposite(centre, posterior.prior, OPPOSITE, rng, best)
    if levels:  # so that some pair differs, however few places there are
        plus[0], minus[0] = parted((plus[0], minus[0]), centre, levels, rng)
    uniform = rng.random((UNIFORM, len(centre)))
    near = around(centre, posterior.prior, NEAR, REACH, rng)
    points = np.vstack([plus, minus, centre, best, uniform, near, others])
    points = on_levels(points, levels)
    mean, covariance = posterior.mean_and_covariance(points)
    tops = _maxima(mean, width(posterior.prior.spread, posterior.telling) ** 2 * covariance, rng)
    first, incumbent = np.arange(OPPOSITE), np.full(len(tops), 2 * OPPOSITE)
    ours, theirs = (tops[rng.integers(0, len(tops), RIVALS)] for _ in range(2))
    left = np.concatenate([first, tops, ours])
    right = np.concatenate([first + OPPOSITE, incumbent, theirs])
    # Draws have maxima in common, and points may be the same: each pair is to be there once.
    rows = np.unique(points, axis=0, return_inverse=True)[1].ravel()
    _, once = np.unique(np.sort([rows[left], rows[right]], axis=0), axis=1, return_index=True)
    left, right = left[once], right[once]
    apart = np.abs(points[left] - points[right]).max(axis=1) > APART
    pairs = left[apart], right[apart]
    return Field(points, mean, covariance, 2 * OPPOSITE, tops, *pairs, posterior.share)


def width(spread: float, duels: float) -> float:
    """Return which share of the posterior's deviation draws have."""
    share = max(FOG * math.exp(-spread), LEAST_WIDTH) * math.pow(max(duels / FEW, 1.0), GROWING)
    return min(share, 1.0)


def _maxima(mean: Array, covariance: Array, rng: np.random.Generator) -> Indices:
    """Return where draws from the posterior are largest."""
    steady = covariance + NUGGET * covariance.trace() / len(mean) * np.eye(len(mean))
    noise = np.linalg.cholesky(steady) @ rng.standard_normal((len(mean), DRAWS))
    maxima: Indices = (mean[:, None] + noise).argmax(axis=0)
    return maxima


def _worth(
    field: Field, covariance: Array, left: Indices, right: Indices
) -> tuple[Array, Array, Array]:
    """Return what each pair is worth, the weight of a duel, and the variance of the difference."""
    difference = field.mean[left] - field.mean[right]
    own = covariance.diagonal()
    variance = np.maximum(own[left] + own[right] - 2 * covariance[left, right], 0)
    # MacKay (1992), https://doi.org/10.1162/neco.1992.4.5.720: a logistic of a normal variable.
    widening = np.sqrt(1 + math.pi / 8 * variance)
    decay = np.exp(-np.abs(difference) / widening)
    weight = field.share * decay / (1 + decay) ** 2 / widening
    with_tops = covariance[np.ix_(left, field.tops)] - covariance[np.ix_(right, field.tops)]
    with_incumbent = covariance[left, field.incumbent] - covariance[right, field.incumbent]
    shared = ((with_tops - with_incumbent[:, None]) ** 2).sum(axis=1)
    return shared * weight / (1 + weight * variance), weight, variance
