"""The incumbent: the point that the model recommends."""

import math

import numpy as np

from duelli._arrays import Array
from duelli.learners.model.candidates import around
from duelli.learners.model.levels import Levels, on_levels
from duelli.learners.model.posterior import Posterior

# How much the variance of u(x) - u(home) counts, in spreads: the less, the more clearly some point
# leads, and the more, the more directions there are in which one may lead by chance.
CAUTION, DIM_POWER = 2.3, 0.25
LEAST_LEAD = 0.5  # in standard deviations; a smaller one counts as this
VISITED, UNIFORM, NEAR = 100, 60, 60  # candidates of each kind
REACH = 0.5
ROUNDS, KEPT, MORE = 3, 4, 24  # the best few are searched about, more closely each time
NARROWER = 2.2
LEAST_DEVIATION = 1e-3  # of the largest one; a smaller one may be nothing but rounding
TINY = 1e-12


def incumbent(
    posterior: Posterior,
    before: Array,
    rng: np.random.Generator,
    levels: Levels = (),
    home: Array | None = None,
) -> Array:
    """Return the point with the largest mean less its variance, as much as `caution` says.

    A point far from all duels has a large variance, so that it is not recommended for a slope that
    leads there. The mean grows in proportion to the distance from home and the variance to its
    square: what is little known is followed for a part of the way.

    Args:
        posterior: What is believed.
        before: The incumbent so far.
        rng: Where the candidates come from.
        levels: The places of axes that have only a few.
        home: Where the user started; the middle of the box if None.
    """
    home = np.full(len(before), 0.5) if home is None else home
    visited = posterior.points[np.argsort(-posterior.utilities)[:VISITED]]
    uniform = rng.random((UNIFORM, len(before)))
    near = around(before, posterior.prior, NEAR, REACH, rng)
    points = on_levels(np.vstack([visited, before, near, uniform]), levels)
    lead, deviation = posterior.lead_and_deviation(points, home)
    penalty = caution(len(before), posterior.evidence, lead, deviation)
    penalty, reach = penalty * math.exp(-posterior.prior.spread), REACH
    for _ in range(ROUNDS):
        best = points[np.argsort(penalty * deviation**2 - lead)[:KEPT]]
        reach /= NARROWER
        about = [around(point, posterior.prior, MORE, reach, rng) for point in best]
        nearer = home + rng.random((MORE, 1)) * (best[rng.integers(0, len(best), MORE)] - home)
        points = on_levels(np.vstack([best, *about, nearer]), levels)
        lead, deviation = posterior.lead_and_deviation(points, home)
    best_point: Array = points[int((penalty * deviation**2 - lead).argmin())]
    return best_point


def caution(dim: int, evidence: float, lead: Array, deviation: Array) -> float:
    """Return how much the variance of u(x) - u(home) counts, in spreads.

    A judge who is always sure never shows how large a difference is, so that its deviation stays as
    large as itself. The evidence tells that such duels are no coin flips.

    Args:
        dim: The number of coordinates.
        evidence: That of the posterior; a lead of z deviations amounts to z² / 2.
        lead: The expected u(x) - u(home) of some points.
        deviation: Its standard deviation.
    """
    least = LEAST_DEVIATION * deviation.max() + TINY  # where x is home, both are 0
    most = float((lead / np.maximum(deviation, least)).max())
    most = max(most, math.sqrt(2 * max(evidence, 0.0)), LEAST_LEAD)
    return CAUTION * math.pow(dim, DIM_POWER) / most
