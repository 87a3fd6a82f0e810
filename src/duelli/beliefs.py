"""Belief: what a learner with a model thinks of the utility, ready to be drawn."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from duelli._arrays import Array


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """The utility along one parameter through the best point, relative to that point.

    Args:
        name: The parameter.
        values: Its values, in the user's units.
        mean: The expected utility at each of them.
        deviation: The standard deviation of that.
    """

    name: str
    values: tuple[Any, ...]
    mean: Array
    deviation: Array


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """What is believed of the utility about the best point.

    Args:
        slices: One for each free parameter.
        plane: For two parameters, the expected utility on the grid of their values, shape
            ``(len(first), len(second))``; else None.
    """

    slices: tuple[Slice, ...]
    plane: Array | None


def through(best: Array, ticks: Array) -> Array:
    """Return the points of all slices through ``best``, axis by axis, shape ``(d · n, d)``."""
    points = np.tile(best, (len(best) * len(ticks), 1))
    for k in range(len(best)):
        points[k * len(ticks) : (k + 1) * len(ticks), k] = ticks
    return points
