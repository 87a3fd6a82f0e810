"""The incumbent: the point that the model recommends."""

import numpy as np

from duelli._arrays import Array
from duelli.learners.model.candidates import around
from duelli.learners.model.levels import Levels, on_levels
from duelli.learners.model.posterior import Posterior

# Standard deviations of u(x) - u(home) that are taken off the mean: fewer where some point leads
# by so many of them that the judge is no coin.
CAUTION, LEAST_CAUTION = 1.0, 0.4
SLIGHT_LEAD, CLEAR_LEAD = 1.5, 2.5
UNIFORM, NEAR = 60, 60  # candidates of each kind
REACH = 0.5
ROUNDS, KEPT, MORE = 2, 4, 20  # the best few are searched about, more closely each time
NARROWER = 3.0
LEAST_DEVIATION = 1e-3  # of the largest one; a smaller one may be nothing but rounding
TINY = 1e-12


def incumbent(
    posterior: Posterior,
    before: Array,
    rng: np.random.Generator,
    levels: Levels = (),
    home: Array | None = None,
) -> Array:
    """Return the point with the largest mean less some deviations, as many as `caution` says.

    A point far from all duels has a large deviation, so that it is not recommended for a slope
    that leads there.

    Args:
        posterior: What is believed.
        before: The incumbent so far.
        rng: Where the candidates come from.
        levels: The places of axes that have only a few.
        home: Where the user started; the middle of the box if None.
    """
    home = np.full(len(before), 0.5) if home is None else home
    uniform = rng.random((UNIFORM, len(before)))
    near = around(before, posterior.prior, NEAR, REACH, rng)
    points, reach = np.vstack([posterior.arms, before, near, uniform]), REACH
    points = on_levels(points, levels)
    deviations = caution(posterior, points, home)
    for _ in range(ROUNDS):
        best = _best(posterior, points, home, deviations, KEPT)
        reach /= NARROWER
        about = [around(point, posterior.prior, MORE, reach, rng) for point in best]
        points = on_levels(np.vstack([best, *about]), levels)
    best_point: Array = _best(posterior, points, home, deviations, 1)[0]
    return best_point


def _best(posterior: Posterior, points: Array, home: Array, deviations: float, n: int) -> Array:
    mean, deviation = posterior.mean_and_deviation(points, home)
    best: Array = points[np.argsort(deviations * deviation - mean)[:n]]
    return best


def caution(posterior: Posterior, points: Array, home: Array) -> float:
    """Return how many deviations of u(x) - u(home) are taken off the mean."""
    mean, deviation = posterior.mean_and_deviation(points, home)
    least = LEAST_DEVIATION * deviation.max() + TINY  # where x is home, both are 0
    most = float(((mean - posterior.mean(home[None])) / np.maximum(deviation, least)).max())
    return float(np.interp(most, [SLIGHT_LEAD, CLEAR_LEAD], [CAUTION, LEAST_CAUTION]))
