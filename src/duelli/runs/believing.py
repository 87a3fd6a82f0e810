"""What a learner believes of the utility, in the user's units."""

from collections.abc import Sequence

import numpy as np

from duelli._arrays import Array, lattice
from duelli.beliefs import Belief, Slice, through
from duelli.blocks import Learner
from duelli.boxes import Box

TICKS = np.linspace(0.0, 1.0, 41)


def belief_of(learner: Learner, box: Box) -> Belief | None:
    """Return the utility along every parameter through the best point; None without a model."""
    best = np.array(learner.recommend())
    points = through(best, TICKS)
    believed = learner.believed(points)
    if believed is None:
        return None
    mean, deviation = (values.reshape(box.dim, len(TICKS)) for values in believed)
    values = _values(box, points)
    kept = [_middles(each) for each in values]
    slices = tuple(
        Slice(name, tuple(values[k][i] for i in kept[k]), mean[k][kept[k]], deviation[k][kept[k]])
        for k, name in enumerate(box.free_names())
    )
    return Belief(slices, _plane(learner, kept) if box.dim == 2 else None)


def _plane(learner: Learner, kept: list[list[int]]) -> Array | None:
    """Return the expected utility on the grid of two parameters."""
    believed = learner.believed(lattice(TICKS, 2))
    if believed is None:
        return None
    plane: Array = believed[0].reshape(len(TICKS), len(TICKS))[np.ix_(*kept)]
    return plane


def _middles(values: Sequence[object]) -> list[int]:
    """Return the middle place of each value; whole numbers and choices have several places."""
    middles, first = [], 0
    for i in range(1, len(values) + 1):
        if i == len(values) or values[i] != values[first]:
            middles.append((first + i - 1) // 2)
            first = i
    return middles


def _values(box: Box, points: Array) -> list[tuple[object, ...]]:
    """Return the user's values of each free parameter along its own slice."""
    free = [k for k, side in enumerate(box.parameters) if side in box.free]
    values = []
    for k, place in enumerate(free):
        arms = points[k * len(TICKS) : (k + 1) * len(TICKS)]
        raw = (box.to_raw(tuple(arm.tolist())) for arm in arms)
        rows = (list(point.values()) if isinstance(point, dict) else list(point) for point in raw)
        values.append(tuple(row[place] for row in rows))
    return values
