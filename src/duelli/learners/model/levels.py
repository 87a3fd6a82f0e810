"""Axes of which only a few places differ: choices, and whole numbers of few values."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from duelli import _check
from duelli._arrays import Array

Levels = tuple[tuple[float, ...], ...]  # the places of each axis, () where every place differs

APART = 1e-3  # the points of a pair differ by more than this along some axis
NEIGHBOURS = 0.5  # how often a pair of the opening has neighbouring places, and not any two


def check_levels(levels: object, dim: int) -> Levels:
    """Return the levels of ``dim`` axes; refuse what cannot be any."""
    rule = f"levels must have one sequence of places for each of {dim} axes, or be empty"
    if isinstance(levels, str) or not isinstance(levels, Sequence) or len(levels) not in (0, dim):
        raise ValueError(f"{rule}; got {levels!r}")
    checked = tuple(_places(f"levels[{k}]", each) for k, each in enumerate(levels))
    if checked and not any(len(each) == 0 or each[-1] - each[0] > APART for each in checked):
        raise ValueError(
            f"levels must leave two places to compare, more than {APART} apart; got {levels!r}"
        )
    return checked


def _places(name: str, places: object) -> tuple[float, ...]:
    rule = f"{name} must be places in [0, 1], in ascending order"
    if isinstance(places, str) or not isinstance(places, Sequence):
        raise ValueError(f"{rule}; got {places!r}")
    checked = tuple(_check.real(name, place) for place in places)
    inside = all(0 <= place <= 1 for place in checked)
    if not inside or any(a >= b for a, b in pairwise(checked)):
        raise ValueError(f"{rule}; got {places!r}")
    return checked


def on_levels(points: Array, levels: Levels) -> Array:
    """Return the points with each coordinate at the nearest place of its axis."""
    points = points.copy()
    for k, places in enumerate(levels):
        if places:
            at = np.array(places)
            points[..., k] = at[np.abs(points[..., k, None] - at).argmin(axis=-1)]
    return points


def parted(
    pair: tuple[Array, Array], centre: Array, levels: Levels, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Return the pair with two different places on each axis that has only a few.

    Half of the time they are next to the centre's, which suits numbers; otherwise any two, which
    suits choices that have no order.
    """
    plus, minus = pair
    for k, places in enumerate(levels):
        if len(places) > 1:
            above, below = _two(np.array(places), float(centre[k]), rng)
            swapped = bool(plus[k] < minus[k])
            plus[k], minus[k] = (below, above) if swapped else (above, below)
    return plus, minus


def _two(places: Array, centre: float, rng: np.random.Generator) -> tuple[float, float]:
    """Return a higher and a lower place."""
    here = int(np.abs(places - centre).argmin())
    high, low = min(here + 1, len(places) - 1), max(here - 1, 0)
    if rng.random() >= NEIGHBOURS:
        low, high = np.sort(rng.choice(len(places), 2, replace=False)).tolist()
    return float(places[high]), float(places[low])
