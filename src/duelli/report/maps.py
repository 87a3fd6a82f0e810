"""Panels over the utility landscape: the reference arms, and the cubes of the unfinished round."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.contour import QuadContourSet
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from duelli import cubes
from duelli.record.results import ExperimentTable, RunTable, Truth
from duelli.record.tables import Row
from duelli.report import style
from duelli.report.style import Array, Look

LEVELS = 12  # of the contours
HEIGHTS = LinearSegmentedColormap.from_list("heights", ["#fafafa", "#b5b5b5"])


def arms(experiment: ExperimentTable) -> Figure:
    """Draw the reference arms X^1, ..., X^M of every trial over the utility."""
    shown = [
        (run, run.truth)
        for run in experiment.finished(by_round=True)
        if run.truth is not None
        and run.truth.heights is not None
        and any(row["rounds"] for row in run.rows)
    ]
    if not shown:
        return style.note("no reference arm in two dimensions to draw")
    columns = 1 if len(shown) <= 2 else 2
    lines = -(-len(shown) // columns)
    figure = style.canvas(0.45 + lines * (3.75 if columns == 1 else 2.35))
    looks, words = style.looks_of(experiment.runs), []
    for place, (run, truth) in enumerate(shown, start=1):
        axes = figure.add_subplot(lines, columns, place)
        heights = _utility(axes, truth)
        if columns == 1:
            figure.colorbar(heights, ax=axes, label="utility $f$", shrink=0.8, aspect=30)
        else:
            axes.locator_params(nbins=2)
        final = _trajectories(axes, run, truth, looks[run.label])
        away = np.linalg.norm(final - _raw(truth, [truth.best_arm]), axis=1)
        words.append(f"{run.label}: final arms {away.mean():.2g} from x* on average")
        name = run.label if len(shown) > 1 else "Reference arms"
        axes.set_title(f"{name}, {_trials(len(run.rows))}")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=4, columnspacing=1, handletextpad=0.4
    )
    figure.set_label("Reference arms over the utility. " + "; ".join(words))
    return figure


def tree(experiment: ExperimentTable) -> Figure:
    """Draw the cubes that were visited in the round that was not finished."""
    for run in experiment.finished(by_round=True):
        rows = [row for row in run.rows if row["unfinished"]]
        if rows:
            return _tree(run, rows, style.looks_of(experiment.runs)[run.label])
    return style.note("no round was left unfinished")


def _tree(run: RunTable, rows: list[Row], look: Look) -> Figure:
    truth, visited = run.truth, rows[0]["unfinished"].get("visited")
    if truth is None or truth.heights is None or visited is None:
        return _by_depth(rows, run.rows, look)
    depth = len(rows[0]["unfinished"]["active"])
    return _squares(truth, rows[0], squares(visited, depth), look)


def squares(visited: Sequence[Sequence[int]], depth: int) -> list[cubes.Path]:
    """Return the paths of the squares at ``depth`` whose numbers lie in the given ranges."""
    digits = range(depth - 2, -1, -1)
    return [
        tuple(number >> 2 * digit & 3 for digit in digits)
        for first, last in visited
        for number in range(first, last + 1)
    ]


def _squares(truth: Truth, row: Row, deepest: list[cubes.Path], look: Look) -> Figure:
    figure = style.canvas(4.55)
    axes = figure.add_subplot()
    _utility(axes, truth)
    _fill(axes, truth, deepest, look)
    done, depth = len(row["rounds"]), len(deepest[0]) + 1
    if done:
        reference = _raw(truth, [row["rounds"][-1]["reference"]])
        _dots(axes, reference, f"reference $X^{{{done}}}$", s=70, color="white", edgecolor="black")
    _best(axes, truth)
    share, count = unfinished_share(row), f"{len(deepest)} of {4 ** (depth - 1)} squares"
    axes.set_title(f"Round {done + 1} is not finished: {count},\n{share:.0%} of the horizon")
    figure.legend(loc="outside lower center", ncols=4, columnspacing=1, handletextpad=0.4)
    figure.set_label(
        f"Round {done + 1} visited {count} at depth {depth} before the duels ran out; "
        f"{share:.0%} of the horizon was spent in it"
    )
    return figure


def _fill(axes: Axes, truth: Truth, paths: list[cubes.Path], look: Look) -> None:
    """Fill the squares at ``paths``, which are all of one size."""
    filled: dict[str, Any] = {"facecolor": look.color, "edgecolor": "white", "linewidth": 0.5}
    size = cubes.edge(paths[0])
    width, height = np.diff(_raw(truth, [(0.0, 0.0), (size, size)]), axis=0)[0]
    corners = _raw(truth, [cubes.low(path, 2) for path in paths])
    patches = [Rectangle((x, y), width, height) for x, y in corners]
    axes.add_collection(PatchCollection(patches, alpha=0.55, **filled))
    # A collection of patches has no place in a legend; an empty rectangle stands for it.
    axes.add_patch(Rectangle((0, 0), 0, 0, alpha=0.55, label="visited", **filled))


def unfinished_share(row: Row) -> float:
    """Return which share of the horizon went into the round that was not finished."""
    ended = row["rounds"][-1]["duels"] if row["rounds"] else 0
    share: float = (row["duels_explored"] - ended) / row["horizon"]
    return share


def _by_depth(unfinished: Sequence[Row], rows: Sequence[Row], look: Look) -> Figure:
    """Draw how many cubes the unfinished round visited at each depth, on average."""
    dim = len(rows[0]["best_arm"])
    active = [row["unfinished"]["active"] for row in unfinished]
    depth = max(map(len, active))
    counts = np.array([entry + [0] * (depth - len(entry)) for entry in active])
    depths, mean = np.arange(1, depth + 1), counts.sum(axis=0) / len(rows)
    figure = style.canvas(3.6)
    axes = figure.add_subplot()
    axes.bar(depths, 2.0 ** (dim * (depths - 1)), color="none", edgecolor=style.GREY, label="all")
    axes.bar(depths, mean, color=look.color, label="visited, mean of the trials")
    axes.set(yscale="log", xlabel="depth $h$", ylabel="cubes", xticks=depths)
    share = np.mean([unfinished_share(row) for row in rows])
    axes.set_title(f"The unfinished round: {share:.0%} of the horizon")
    axes.legend(loc="upper left")
    figure.set_label(
        f"Cubes visited in the unfinished round at depths 1 to {depth}, on average: "
        + ", ".join(f"{value:.3g}" for value in mean)
    )
    return figure


def _trials(count: int) -> str:
    return f"{count} trial{'s' * (count > 1)}"


def _raw(truth: Truth, points: Any) -> Array:
    """Return arms in the user's units, shape ``(n, dim)``."""
    arms = np.asarray(points, dtype=float).reshape(-1, truth.dim)
    columns = [
        np.interp(arms[:, i], np.linspace(0.0, 1.0, len(ticks)), ticks)
        for i, ticks in enumerate(truth.ticks)
    ]
    return np.stack(columns, axis=1)


def _utility(axes: Axes, truth: Truth) -> QuadContourSet:
    """Draw the utility as filled contours, and name the axes."""
    assert truth.heights is not None  # two dimensions only
    x, y = truth.ticks
    heights = axes.contourf(x, y, truth.heights.T, LEVELS, cmap=HEIGHTS)
    axes.set(aspect="equal", xlabel="$x_1$", ylabel="$x_2$", xlim=x[[0, -1]], ylim=y[[0, -1]])
    axes.spines[["top", "right"]].set_visible(True)
    return heights


def _trajectories(axes: Axes, run: RunTable, truth: Truth, look: Look) -> Array:
    """Draw X^1, ..., X^M of each trial, and return the last of each."""
    paths = [
        _raw(truth, [entry["reference"] for entry in row["rounds"]])
        for row in run.rows
        if row["rounds"]
    ]
    opacity = min(0.7, max(0.25, 8 / len(paths)))  # many trials must not blacken the map
    thin = LineCollection(paths, colors=look.color, linewidths=0.8, alpha=opacity)
    axes.add_collection(thin, autolim=False)
    axes.plot([], [], color=look.color, linewidth=1, label="$X^1, X^2, …$")
    final = np.array([path[-1] for path in paths])
    start = run.setting["inputs"].get("start")
    if start is not None:
        x, y = _raw(truth, [start])[0]
        axes.plot(x, y, "s", color="black", markersize=6, label="start $X^0$")
    _dots(axes, final, "final $X^M$", s=18, color=look.color, edgecolor="white")
    _best(axes, truth)
    return final


def _dots(axes: Axes, points: Array, label: str, **look: Any) -> None:
    axes.scatter(points[:, 0], points[:, 1], linewidth=0.5, zorder=3, label=label, **look)


def _best(axes: Axes, truth: Truth) -> None:
    star: dict[str, Any] = {"marker": "*", "color": "#F0E442", "edgecolor": "black"}
    x, y = _raw(truth, [truth.best_arm])[0]
    axes.scatter(x, y, s=80, linewidth=0.8, zorder=4, label="best arm $x^*$", **star)
