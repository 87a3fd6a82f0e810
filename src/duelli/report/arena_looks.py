"""How the learners of an arena are drawn: ours and the best few in colour, all others in grey."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from duelli.record.arena import ArenaTable
from duelli.record.ranking import standings
from duelli.report.style import CYCLE, Look
from duelli.report.winners import measure_of

BEST = 2  # of each horizon
PALE = "#bdbdbd"
GREY_LOOK = Look(PALE, "-", 0.8, 0.0)
HALO = [withStroke(linewidth=2.5, foreground="white")]
LINE = 0.135  # inches from one label to the next


def coloured(table: ArenaTable) -> dict[str, str]:
    """Return the colours of ours and of the best few, by label; the others are grey.

    The best at the largest horizon come first, since there are only so many colours.
    """
    labels = [label for label in table.ours if table.at(label=label)]
    for place in range(BEST):
        for horizon in reversed(table.horizons):
            ranked = standings(table.at(horizon=horizon), measure_of(table))
            labels += [each.label for each in ranked[place : place + 1]]
    return dict(zip(dict.fromkeys(labels), CYCLE, strict=False))


def looks(table: ArenaTable, colours: dict[str, str]) -> dict[str, Look]:
    """Return how each learner is drawn, the grey ones first, so that they lie below."""
    others = {label: GREY_LOOK for label in table.learners if label not in colours}
    return others | {label: Look(colour, "-", 1.9, 0.15) for label, colour in colours.items()}


def spread_out(heights: Sequence[float], least: float) -> list[float]:
    """Return heights in [0, 1] that are at least so far apart, in the same order, near the given.

    Heights that are too close are moved apart around their common middle.
    """
    order = np.argsort(heights, kind="stable")
    groups: list[tuple[float, int]] = []  # of neighbours: their middle, and how many they are
    for height in np.asarray(heights, dtype=float)[order]:
        groups.append((float(height), 1))
        while len(groups) > 1 and _touch(groups[-2], groups[-1], least):
            (a, m), (b, n) = groups[-2:]
            groups[-2:] = [((a * m + b * n) / (m + n), m + n)]
    moved = [
        middle + least * (k - (count - 1) / 2) for middle, count in groups for k in range(count)
    ]
    placed = np.empty(len(order))
    placed[order] = _inside(moved, least)
    return [float(height) for height in placed]


def _touch(below: tuple[float, int], above: tuple[float, int], least: float) -> bool:
    return above[0] - below[0] < least * (below[1] + above[1]) / 2


def _inside(heights: list[float], least: float) -> list[float]:
    """Return increasing heights pushed into [0, 1]; if they are too many, they grow out above."""
    steps = least * np.arange(len(heights))
    pushed = np.minimum(heights, 1 - steps[::-1])
    return [float(height) for height in np.maximum(pushed, steps)]


def name_ends(
    axes: Axes, ends: dict[str, tuple[float, float]], found: dict[str, Look], height: float
) -> None:
    """Write the names of coloured curves where they end.

    Args:
        axes: Where; its y-axis is logarithmic and has its limits already.
        ends: Label -> the last point of its curve.
        found: Label -> how it is drawn.
        height: How high the axes are, in inches.
    """
    low, high = np.log(axes.get_ylim())
    for x in {x for x, _ in ends.values()}:
        here = [label for label in ends if ends[label][0] == x]
        at = [(np.log(ends[label][1]) - low) / (high - low) for label in here]
        for label, y in zip(here, spread_out(at, LINE / height), strict=True):
            style: dict[str, Any] = {"fontsize": 7.5, "color": found[label].color, "va": "center"}
            axes.annotate(
                label,
                (x, float(np.exp(low + y * (high - low)))),
                xytext=(5, 0),
                textcoords="offset points",
                annotation_clip=False,
                path_effects=HALO,
                **style,
            )
