"""The arms of the model: points that lie close are one arm, so that there are never too many.

What is asked is never changed; only the model takes close points for the same one.
"""

from typing import NamedTuple

import numpy as np

from duelli._arrays import Array
from duelli.cubes import Arm
from duelli.learners.model.laplace import Counts

MOST_PAIRS = 250  # that have met; up to these, all arms are kept
MOST_ARMS = 200  # otherwise
CLOSE = 0.02  # in length scales: points that are closer are one arm
LONGEST = 0.0  # the logarithm of the length scale beyond which an axis counts as one box long
WORST = 3.0  # standard deviations below the best utility, at which arms count least


class Pool(NamedTuple):
    """Arms with their utilities, and a matrix of wins: ``wins[i, j]`` are those of i over j."""

    arms: Array
    utilities: Array
    wins: Array


def pool_of(arms: Array, utilities: Array, counts: Counts) -> Pool:
    """Return the arms with a matrix of their wins."""
    wins = np.zeros((len(arms), len(arms)))
    wins[counts.left, counts.right] = counts.wins
    wins[counts.right, counts.left] = counts.n - counts.wins
    return Pool(arms, utilities, wins)


def counts_of(pool: Pool) -> Counts:
    """Return the duels of every pair that has met, the arm with the smaller number first."""
    left, right = np.nonzero(_met(pool))
    wins = pool.wins[left, right]
    return Counts(left, right, wins, np.rint(wins + pool.wins[right, left]))


def _met(pool: Pool) -> Array:
    """Return the duels of every pair, the arm with the smaller number first."""
    duels: Array = np.triu(pool.wins + pool.wins.T)
    return duels


def weighed(counts: Counts, dispersion: float) -> Counts:
    """Return the duels with more weight where their outcomes vary less than those of coins do."""
    return counts._replace(wins=counts.wins / dispersion, n=counts.n / dispersion)


def added(pool: Pool, scales: Array, pair: tuple[Arm, Arm], wins: float, n: int) -> Pool:
    """Return the pool with the duels of one more pair."""
    pool, i = _with_arm(pool, scales, np.array(pair[0]))
    pool, j = _with_arm(pool, scales, np.array(pair[1]))
    if i != j:  # else the two are the same arm for the model, and their duels say nothing
        pool.wins[i, j] += wins
        pool.wins[j, i] += n - wins
    return pool


def _with_arm(pool: Pool, scales: Array, point: Array) -> tuple[Pool, int]:
    """Return the pool with ``point`` as an arm, and its number: that of a close one if any is."""
    distances = (((pool.arms - point) / np.exp(np.minimum(scales, LONGEST))) ** 2).sum(axis=1)
    nearest = int(distances.argmin())
    if distances[nearest] < CLOSE**2:
        return pool, nearest
    utilities = np.append(pool.utilities, pool.utilities[nearest])
    return Pool(np.vstack([pool.arms, point]), utilities, np.pad(pool.wins, (0, 1))), len(
        utilities
    ) - 1


def reduced(pool: Pool, scales: Array) -> Pool:
    """Return the pool with its closest arms merged, bad ones first, until there are few enough."""
    excess = len(pool.arms) - MOST_ARMS
    if excess <= 0 or np.count_nonzero(_met(pool)) <= MOST_PAIRS:
        return pool
    arms, wins = pool.arms.copy(), pool.wins.copy()
    duels = wins.sum(axis=0) + wins.sum(axis=1)
    costs = _merging_costs(pool, scales)
    alive, nearest = np.ones(len(arms), dtype=bool), costs.argmin(axis=1)
    least = costs[np.arange(len(arms)), nearest]
    for _ in range(excess):
        i = int(least.argmin())
        j = int(nearest[i])
        i, j = (i, j) if duels[i] >= duels[j] else (j, i)
        share = duels[j] / max(duels[i] + duels[j], 1)
        arms[i] += share * (arms[j] - arms[i])
        wins[i] += wins[j]
        wins[:, i] += wins[:, j]
        wins[i, i] = 0
        duels[i] += duels[j]
        alive[j] = False
        costs[j], costs[:, j], least[j] = np.inf, np.inf, np.inf
        for k in np.flatnonzero(alive & (nearest == j)):  # the only ones whose nearest has changed
            nearest[k] = costs[k].argmin()
            least[k] = costs[k, nearest[k]]
    return Pool(arms[alive], pool.utilities[alive], wins[np.ix_(alive, alive)])


def _merging_costs(pool: Pool, scales: Array) -> Array:
    """Return how much is lost if two arms become one: less where both are bad."""
    places = pool.arms / np.exp(scales)
    squares = (places**2).sum(axis=1)
    costs: Array = squares[:, None] + squares - 2 * places @ places.T
    below = (pool.utilities.max() - pool.utilities) / max(float(pool.utilities.std()), 1e-9)
    worth = np.exp(-np.minimum(below, WORST))
    costs = np.maximum(costs, 0) * np.maximum(worth[:, None], worth)
    np.fill_diagonal(costs, np.inf)
    return costs
