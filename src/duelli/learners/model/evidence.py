"""The scales of the prior, learnt from the duels: the evidence times what is believed of them.

MacKay (1992), "Bayesian interpolation", https://doi.org/10.1162/neco.1992.4.3.415.
"""

import math
from collections.abc import Iterator

import numpy as np

from duelli.learners.model.laplace import mode
from duelli.learners.model.pool import Pool
from duelli.learners.model.prior import Prior

SCALE_DEVIATION, SPREAD_DEVIATION = 0.8, 1.5
USUAL_SPREAD = math.log(1.5)
SCALES = (math.log(0.05), math.log(20.0))  # no length scale is outside
SPREADS = (math.log(0.01), math.log(100.0))
MOVE, FINE_MOVE = 0.5, 0.25  # of a logarithm; the fine one once there are so many duels:
FINE_AFTER = 300
FIRST_DUELS = 8  # fewer say nothing of scales


def usual_scale(dim: int) -> float:
    """Return the logarithm of the length scale that is expected: larger in many dimensions."""
    return math.log(0.35 * math.sqrt(dim) + 0.15)


def first_prior(dim: int) -> Prior:
    """Return the prior before any duel."""
    return Prior(np.full(dim, usual_scale(dim)), USUAL_SPREAD)


def fitted(prior: Prior, pool: Pool, step: int, ties: float = 0.0) -> tuple[Prior, Pool]:
    """Return a prior that explains the duels better, if one is near, and the pool fitted to it.

    One move is tried in a step, so that no step takes long: all scales together, the spread, or
    the scale of one axis, in turns.

    Args:
        prior: The prior so far.
        pool: The pairs with their duels.
        step: How many steps there were, which says what is tried.
        ties: ν, how often there are draws.
    """
    best = mode(prior, pool, ties)
    pool = pool._replace(differences=best.differences)
    if pool.n.sum() < FIRST_DUELS:
        return prior, pool
    score = best.evidence + _log_belief(prior)
    for other in _moves(prior, step, float(pool.n.sum())):
        tried = mode(other, pool, ties)
        if tried.evidence + _log_belief(other) > score:
            return other, pool._replace(differences=tried.differences)
    return prior, pool


def _moves(prior: Prior, step: int, duels: float) -> Iterator[Prior]:
    """Yield the two priors that are to be tried in a step: one larger, one smaller."""
    dim, size = len(prior.scales), MOVE if duels < FINE_AFTER else FINE_MOVE
    turn = step % (dim + 2)
    for move in (size, -size):
        if turn == 0:
            scales, spread = prior.scales + move, prior.spread
        elif turn == 1:
            scales, spread = prior.scales, prior.spread + move
        else:
            scales, spread = prior.scales + move * (np.arange(dim) == turn - 2), prior.spread
        inside = SCALES[0] <= scales.min() and scales.max() <= SCALES[1]
        if inside and SPREADS[0] <= spread <= SPREADS[1]:
            yield Prior(scales, spread)


def _log_belief(prior: Prior) -> float:
    """Return the log density of the scales and the spread before any duel."""
    away = (prior.scales - usual_scale(len(prior.scales))) / SCALE_DEVIATION
    return float(-(away @ away) - ((prior.spread - USUAL_SPREAD) / SPREAD_DEVIATION) ** 2) / 2
