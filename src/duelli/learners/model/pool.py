"""The pairs that the model remembers: those that lie close are one, so that there are never many.

What is asked is never changed; only the model takes pairs that lie close for the same one.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from duelli._arrays import Array
from duelli.cubes import Arm

MOST_PAIRS = 360
CLOSE = 0.02  # in length scales: pairs of points that are closer are the same one
LONGEST = 0.0  # the logarithm of the length scale beyond which an axis counts as one box long
WORST = 3.0  # standard deviations below the best utility, at which pairs count least

Indices = npt.NDArray[np.intp]


class Pool(NamedTuple):
    """Pairs of points with the wins of the left ones.

    Args:
        left: The left points, shape ``(pairs, dim)``.
        right: The right ones.
        wins: The wins of the left ones; a draw is half a win.
        n: The duels of each pair.
        differences: The most probable u(left) - u(right).
    """

    left: Array
    right: Array
    wins: Array
    n: Array
    differences: Array

    @property
    def points(self) -> Array:
        """All points, the left ones first."""
        return np.vstack([self.left, self.right])


def empty(dim: int) -> Pool:
    """Return a pool without any pair."""
    return Pool(np.zeros((0, dim)), np.zeros((0, dim)), np.zeros(0), np.zeros(0), np.zeros(0))


def added(pool: Pool, scales: Array, pair: tuple[Arm, Arm], wins: float, n: int) -> Pool:
    """Return the pool with the duels of one more pair."""
    left, right = np.array(pair[0]), np.array(pair[1])
    new = Pool(left[None], right[None], np.array([wins]), np.array([float(n)]), np.zeros(1))
    if len(pool.n):
        same, turned = _distances(new, pool, np.exp(np.minimum(scales, LONGEST)))
        # The points of a pair may be so close that it is close to itself turned round.
        k = int(np.minimum(same, turned).argmin())
        if min(same[0, k], turned[0, k]) < CLOSE**2:
            more = np.arange(len(pool.n)) == k
            won = n - wins if turned[0, k] < same[0, k] else wins
            return pool._replace(wins=pool.wins + won * more, n=pool.n + n * more)
    return Pool(*(np.concatenate(parts) for parts in zip(pool, new, strict=True)))


def reduced(pool: Pool, scales: Array, utilities: Array) -> Pool:
    """Return the pool with its closest pairs merged, bad ones first, until there are few enough.

    Args:
        pool: The pairs.
        scales: The logarithm of each length scale.
        utilities: Those of all points of the pool.
    """
    excess = len(pool.n) - MOST_PAIRS
    if excess <= 0:
        return pool
    lengths, worth = np.exp(scales), _worth(utilities)
    merged = Pool(*(part.copy() for part in pool))
    alive = np.ones(len(pool.n), dtype=bool)
    costs = _costs(merged, merged, lengths, worth, worth)
    np.fill_diagonal(costs, np.inf)
    for _ in range(excess):
        i, j = sorted(divmod(int(costs.argmin()), len(costs)))
        _merge(merged, i, j, lengths)
        worth[i] = max(worth[i], worth[j])
        alive[j] = False
        one = Pool(*(part[i : i + 1] for part in merged))
        row = _costs(one, merged, lengths, worth[i : i + 1], worth)[0]
        row[~alive], row[i] = np.inf, np.inf
        costs[j], costs[:, j] = np.inf, np.inf
        costs[i], costs[:, i] = row, row
    return Pool(*(part[alive] for part in merged))


def _merge(pool: Pool, i: int, j: int, lengths: Array) -> None:
    """Put the duels of pair j to those of pair i, which moves to where both are on average."""
    same = (pool.left[i] - pool.left[j]) ** 2 + (pool.right[i] - pool.right[j]) ** 2
    turned = (pool.left[i] - pool.right[j]) ** 2 + (pool.right[i] - pool.left[j]) ** 2
    swap = bool(((turned - same) / lengths**2).sum() < 0)
    left, right = (pool.right, pool.left) if swap else (pool.left, pool.right)
    share = pool.n[j] / (pool.n[i] + pool.n[j])
    pool.left[i] += share * (left[j] - pool.left[i])
    pool.right[i] += share * (right[j] - pool.right[i])
    pool.differences[i] += share * ((-1) ** swap * pool.differences[j] - pool.differences[i])
    pool.wins[i] += pool.n[j] - pool.wins[j] if swap else pool.wins[j]
    pool.n[i] += pool.n[j]


def _distances(pool: Pool, others: Pool, lengths: Array) -> tuple[Array, Array]:
    """Return the squared distances of pairs in length scales, as they are and turned round."""
    left, right = pool.left / lengths, pool.right / lengths
    ends = np.hstack([others.left / lengths, others.right / lengths])
    same, turned = np.hstack([left, right]), np.hstack([right, left])
    squares = (same**2).sum(axis=1)[:, None] + (ends**2).sum(axis=1)
    both = (np.maximum(squares - 2 * way @ ends.T, 0) for way in (same, turned))
    return next(both), next(both)


def _costs(pool: Pool, others: Pool, lengths: Array, worth: Array, worth_of: Array) -> Array:
    """Return how much is lost if two pairs become one: less where both are bad or had few duels.

    Ward (1963), https://doi.org/10.1080/01621459.1963.10500845: the squares about the means grow
    by the squared distance times n m / (n + m).
    """
    same, turned = _distances(pool, others, lengths)
    n, m = pool.n[:, None], others.n
    costs: Array = np.minimum(same, turned) * n * m / (n + m)
    return costs * np.maximum(worth[:, None], worth_of)


def _worth(utilities: Array) -> Array:
    """Return what each pair is worth by its better point."""
    top = utilities.reshape(2, -1).max(axis=0)
    below = (top.max() - top) / max(float(utilities.std()), 1e-9)
    worth: Array = np.exp(-np.minimum(below, WORST))
    return worth
