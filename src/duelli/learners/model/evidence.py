"""The scales of the prior, learnt from the duels: the evidence times what is believed of them.

MacKay (1992), "Bayesian interpolation", https://doi.org/10.1162/neco.1992.4.3.415.
"""

import math

import numpy as np

from duelli.learners.model.laplace import mode
from duelli.learners.model.pool import Pool
from duelli.learners.model.prior import Prior

# The logarithm of a length scale is the usual one, plus a part that all axes have in common, plus
# one of its own: a utility that is smooth along one axis is mostly so along the others.
COMMON_DEVIATION, OWN_DEVIATION = 1.0, 0.5
USUAL_SPREAD, SPREAD_DEVIATION = math.log(1.5), 1.5
SCALES = (math.log(0.05), math.log(20.0))  # no length scale is outside
SPREADS = (math.log(0.01), math.log(100.0))
MOVE, FINE_MOVE = 0.5, 0.25  # of a logarithm; the fine one once there are so many duels:
FINE_AFTER = 300
FIRST_DUELS = 8  # fewer say nothing of scales
# Moves that are tried in a step: `PAIRS_TRIED` over the number of pairs, within limits, so that no
# step takes long.
PAIRS_TRIED, MOST_TRIED = 600, 4


def usual_scale(dim: int) -> float:
    """Return the logarithm of the length scale that is expected: larger in many dimensions."""
    return math.log(0.35 * math.sqrt(dim) + 0.15)


def first_prior(dim: int) -> Prior:
    """Return the prior before any duel."""
    return Prior(np.full(dim, usual_scale(dim)), USUAL_SPREAD)


def fitted(prior: Prior, pool: Pool, step: int, ties: float = 0.0) -> tuple[Prior, Pool]:
    """Return a prior that explains the duels better, if one is near, and the pool fitted to it.

    Moves are tried in turns: all scales, the spread, both, or the scale of one axis, each larger
    and then smaller.

    Args:
        prior: The prior so far.
        pool: The pairs with their duels.
        step: How many steps there were, which says what is tried.
        ties: ν, how often there are draws.
    """
    best = mode(prior, pool, ties)
    pool, score = pool._replace(differences=best.differences), best.evidence + _log_belief(prior)
    if (duels := float(pool.n.sum())) < FIRST_DUELS:
        return prior, pool
    tries = min(max(PAIRS_TRIED // len(pool.n), 1), MOST_TRIED)
    for turn in range(step * tries, (step + 1) * tries):
        other = _moved(prior, turn, MOVE if duels < FINE_AFTER else FINE_MOVE)
        tried = mode(other, pool, ties)
        if (value := tried.evidence + _log_belief(other)) > score:
            prior, score, pool = other, value, pool._replace(differences=tried.differences)
    return prior, pool


def _moved(prior: Prior, turn: int, size: float) -> Prior:
    """Return the prior that is to be tried in a turn; what would leave its bounds stays there."""
    dim = len(prior.scales)
    kind, down = divmod(turn % (2 * (dim + 3)), 2)
    move = -size if down else size
    # A longer scale and a larger spread together leave the slopes as they are.
    axes = np.ones(dim) if kind in (0, 2) else (np.arange(dim) == kind - 3).astype(float)
    spread = prior.spread + move * (kind in (1, 2))
    return Prior(
        np.clip(prior.scales + move * axes, *SCALES), min(max(spread, SPREADS[0]), SPREADS[1])
    )


def _log_belief(prior: Prior) -> float:
    """Return the log density of the scales and the spread before any duel, up to a constant."""
    dim, away = len(prior.scales), prior.scales - usual_scale(len(prior.scales))
    common = float(away.mean())
    own = float(((away - common) ** 2).sum()) / OWN_DEVIATION**2
    # The mean of the axes has the variance of what they share and 1 / dim of each one's own.
    common = common**2 / (COMMON_DEVIATION**2 + OWN_DEVIATION**2 / dim)
    return -(own + common + ((prior.spread - USUAL_SPREAD) / SPREAD_DEVIATION) ** 2) / 2
