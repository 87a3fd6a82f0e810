"""Points and pairs of points to choose from."""

import math

import numpy as np

from duelli import _rng
from duelli._arrays import Array
from duelli.learners.model.prior import Prior

LONGEST = 1.0  # a length scale beyond this counts as this: the box is no longer
CLOSEST = 2.5  # the logarithm of the farthest over the nearest points about a centre
MOVED_AXES = 3  # of a point about a centre, on average; all if there are fewer
NEAR, FAR = 0.02, 0.5  # half the distance of two opposite points along an axis
# The same at the beginning: reach (t + 1)^-power, where the spread of the utility is `USUAL`.
OPENING_REACH, OPENING_POWER, USUAL = 0.17, 0.1, 1.5
SPREAD_POWER = 0.7  # the reach is in proportion to the spread to minus this power,
OPENING_NEAR, OPENING_FAR = 0.08, 0.4  # within these limits,
OPENING_VARIES = 0.3  # times a factor of which this is the largest logarithm
SIGNS = 3  # the stream of the signs, beside those of a step


def around(centre: Array, prior: Prior, n: int, reach: float, rng: np.random.Generator) -> Array:
    """Return ``n`` points about a centre, at most about ``reach`` length scales away."""
    dim = len(centre)
    distance = reach * np.exp(rng.uniform(-CLOSEST, 0, (n, 1)))
    moved = rng.random((n, dim)) < max(0.3, min(1, MOVED_AXES / dim))
    lengths = np.minimum(np.exp(prior.scales), LONGEST)
    return np.clip(centre + distance * lengths * moved * rng.standard_normal((n, dim)), 0, 1)


def opening_pair(
    centre: Array, duels: int, spread: float, signs: Array, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Return two points on either side of the centre, as SPSA has them.

    Spall (1992), https://doi.org/10.1109/9.119632. A judge who is rarely sure tells more of points
    that are farther apart; one who is sure tells of the slope at the centre only if they are close.

    Args:
        centre: The incumbent.
        duels: Those so far.
        spread: The logarithm of the standard deviation of the utility.
        signs: Which way each axis moves.
        rng: Where the distance comes from.
    """
    reach = OPENING_REACH * math.exp(-SPREAD_POWER * (spread - math.log(USUAL)))
    reach = min(max(reach, OPENING_NEAR), OPENING_FAR) * math.pow(duels + 1, -OPENING_POWER)
    reach *= math.exp(rng.uniform(-OPENING_VARIES, OPENING_VARIES))  # so that no pair comes twice
    return _either_side(centre, reach * signs)


def opening_signs(dim: int, duel: int, seed: int) -> Array:
    """Return the sign of each axis in a duel of the opening.

    They are rows of a Hadamard matrix: within a turn of 2^k duels, any two axes move the same way
    in half of the duels and in opposite ways in the other half. Random signs do so only on average.
    Plackett and Burman (1946), https://doi.org/10.1093/biomet/33.4.305, with Sylvester's matrix.

    Args:
        dim: The number of axes.
        duel: The duels before this one.
        seed: Seed of the order of the rows and columns, and of which axes are mirrored.
    """
    size = 1 << (dim - 1).bit_length()  # the least power of two that is not less than dim
    turn, row = divmod(duel, size)
    rng = _rng.stream(seed, "learner", turn, SIGNS)
    rows, columns, mirrored = rng.permutation(size), rng.permutation(size), rng.random(dim) < 0.5
    odd = np.bitwise_count(rows[row] & columns[:dim]) % 2 == 1
    return np.where(odd != mirrored, -1.0, 1.0)


def opposite(
    centre: Array, prior: Prior, n: int, rng: np.random.Generator, good: Array | None = None
) -> tuple[Array, Array]:
    """Return ``n`` pairs of points on either side of the centre, near ones and far ones.

    Args:
        centre: The incumbent.
        prior: Whose length scales say how far to go along each axis.
        n: The number of pairs.
        rng: Where the signs and distances come from.
        good: Good points. Half of the pairs lie in their directions from the centre, along which
            the utility falls least, whichever way the axes run.
    """
    lengths = np.minimum(prior.scales, math.log(2 * LONGEST))
    shape = np.exp((lengths - lengths.mean()) / 2)  # farther along axes that matter less
    reach = np.exp(rng.uniform(math.log(NEAR), math.log(FAR), (n, 1)))
    moves = _signs(rng, n, len(centre)) * np.minimum(FAR, reach * shape)
    if good is not None and len(good):
        towards = good[rng.integers(0, len(good), n // 2)] - centre
        size = np.abs(towards).max(axis=1, keepdims=True)
        far = size[:, 0] > NEAR
        moves[: n // 2][far] = (reach[: n // 2] * towards / np.maximum(size, NEAR))[far]
    return _either_side(centre, moves)


def _either_side(centre: Array, move: Array) -> tuple[Array, Array]:
    """Return centre + move and centre - move; the centre gives way where a wall is near."""
    middle = np.clip(centre, np.abs(move), 1 - np.abs(move))
    return middle + move, middle - move


def _signs(rng: np.random.Generator, n: int, dim: int) -> Array:
    return np.where(rng.random((n, dim)) < 0.5, -1.0, 1.0)
