"""The utility as a map, and the marks on it."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.contour import QuadContourSet

from duelli.record.results import Truth
from duelli.report.style import Array

LEVELS = 12  # of the contours
HEIGHTS = LinearSegmentedColormap.from_list("heights", ["#fafafa", "#b5b5b5"])


def utility_map(axes: Axes, truth: Truth) -> QuadContourSet:
    """Draw the utility as filled contours, and name the axes."""
    assert truth.heights is not None  # two dimensions only
    x, y = truth.ticks
    heights = axes.contourf(x, y, truth.heights.T, LEVELS, cmap=HEIGHTS)
    axes.set(aspect="equal", xlabel="$x_1$", ylabel="$x_2$", xlim=x[[0, -1]], ylim=y[[0, -1]])
    axes.spines[["top", "right"]].set_visible(True)
    return heights


def raw(truth: Truth, points: Any) -> Array:
    """Return arms in the user's units, shape ``(n, dim)``."""
    arms = np.asarray(points, dtype=float).reshape(-1, truth.dim)
    columns = [
        np.interp(arms[:, i], np.linspace(0.0, 1.0, len(ticks)), ticks)
        for i, ticks in enumerate(truth.ticks)
    ]
    return np.stack(columns, axis=1)


def dots(axes: Axes, points: Array, label: str, **look: Any) -> None:
    """Mark points, shape ``(n, 2)``, on the map."""
    axes.scatter(points[:, 0], points[:, 1], linewidth=0.5, zorder=3, label=label, **look)


def mark_best(axes: Axes, truth: Truth) -> None:
    """Mark the best arm with a star."""
    star: dict[str, Any] = {"marker": "*", "color": "#F0E442", "edgecolor": "black"}
    x, y = raw(truth, [truth.best_arm])[0]
    axes.scatter(x, y, s=80, linewidth=0.8, zorder=4, label="best arm $x^*$", **star)
