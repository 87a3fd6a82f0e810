"""The search for the best arm of a utility, and the check of one that was given."""

from collections.abc import Callable

import numpy as np

from duelli import _rng
from duelli._arrays import Array, lattice
from duelli.cubes import Arm
from duelli.landscapes.base import Landscape, values_of

GRID_POINTS = 4000  # about as many points are looked at in each stage of a search
MOST_GRID_DIM = 7  # in more dimensions three points per axis would be far more than that
RANDOM_POINTS = 1500  # as many are looked at there instead
CLEARLY = 1e-9  # by which share of the range an arm must be better than the given best arm


def search(values: Callable[[Array], Array], dim: int) -> Arm:
    """Return the best of many points of the box, refined by ever closer points around it."""
    return _polish(values, np.full(dim, 0.5), 1.0)


def _polish(values: Callable[[Array], Array], centre: Array, width: float) -> Arm:
    """Return the best arm that ever narrower sets of points around the best one so far show."""
    side, offsets = _offsets(len(centre))
    while width > 1e-9:
        arms = np.clip(centre + width * offsets, 0.0, 1.0)
        centre = arms[int(np.argmax(values(arms)))]
        width *= 4.0 / side if side > 8 else 0.7
    return tuple(map(float, centre))


def _offsets(dim: int) -> tuple[int, Array]:
    """Return how many points a grid has per axis, and points spread over [-1/2, 1/2]^dim.

    The centre comes first. In many dimensions the points are random ones.
    """
    side = max(3, int(GRID_POINTS ** (1 / dim)))
    spread = (
        lattice(np.linspace(-0.5, 0.5, side), dim)
        if dim <= MOST_GRID_DIM
        else _rng.stream(0, "arms").random((RANDOM_POINTS, dim)) - 0.5
    )
    return side, np.concatenate([np.zeros((1, dim)), spread])


def check_best_arm(given: Landscape) -> None:
    """Raise if some arm is clearly better than the given best arm: regret would be negative."""

    def values(xs: Array) -> Array:  # what is not finite is named once a duel meets it
        with np.errstate(all="ignore"):
            utilities = values_of(given.values, xs)
        return np.where(np.isfinite(utilities), utilities, -np.inf)

    _, offsets = _offsets(given.dim)
    spread = values(offsets + 0.5)
    lowest = np.min(spread, where=np.isfinite(spread), initial=given.best_utility)
    nearby = _polish(values, np.array(given.best_arm), 0.1)
    better = max((nearby, search(values, given.dim)), key=lambda arm: values(np.array([arm]))[0])
    utility = float(values(np.array([better]))[0])
    if utility > given.best_utility + CLEARLY * (utility - lowest):
        raise ValueError(
            f"best_arm must have the largest utility; got {given.best_arm}, whose utility is "
            f"{given.best_utility}, while that of {better} is {utility}"
        )
