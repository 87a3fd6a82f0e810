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
from duelli.landscapes import LANDSCAPES, Landscape
from duelli.record.tables import Row
from duelli.report import style
from duelli.report.given import ARC, Experiment, Results, Run, present
from duelli.report.style import Array, Look

POINTS = 161  # an axis of the grid that the contours are drawn from
LEVELS = 12
HEIGHTS = LinearSegmentedColormap.from_list("heights", ["#fafafa", "#b5b5b5"])


def arms(experiment: Experiment, results: Results) -> Figure:
    """Draw the reference arms X^1, ..., X^M of every trial over the utility."""
    runs = [
        run
        for run in present(experiment, results, ARC)
        if _has_a_map(run) and any(row["rounds"] for row in results[run.label])
    ]
    if not runs:
        return style.note("no reference arm in two dimensions to draw")
    columns = 1 if len(runs) <= 2 else 2
    lines = -(-len(runs) // columns)
    figure = style.canvas(0.45 + lines * (3.75 if columns == 1 else 2.35))
    looks, told = style.looks(experiment), []
    for place, run in enumerate(runs, start=1):
        axes, rows = figure.add_subplot(lines, columns, place), results[run.label]
        heights = _utility(axes, _landscape(run))
        if columns == 1:
            figure.colorbar(heights, ax=axes, label="utility $f$", shrink=0.8, aspect=30)
        else:
            axes.locator_params(nbins=2)
        final = _trajectories(axes, run, rows, looks[run.label])
        away = np.linalg.norm(final - _raw(_landscape(run), [_landscape(run).best_arm]), axis=1)
        told.append(f"{run.label}: final arms {away.mean():.2g} from x* on average")
        name = run.label if len(runs) > 1 else "Reference arms"
        axes.set_title(f"{name}, {_trials(len(rows))}")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=4, columnspacing=1, handletextpad=0.4
    )
    figure.set_label("Reference arms over the utility. " + "; ".join(told))
    return figure


def tree(experiment: Experiment, results: Results) -> Figure:
    """Draw the cubes that were visited in the round that was not finished."""
    runs = present(experiment, results, ARC)
    if not runs or not any(row["unfinished"] for row in results[runs[0].label]):
        return style.note("no round was left unfinished")
    run = runs[0]
    row = next(row for row in results[run.label] if row["unfinished"])
    visited = _visited(run, row)
    if visited is None:
        return _by_depth(run, results[run.label], style.looks(experiment)[run.label])
    return _squares(run, row, visited, style.looks(experiment)[run.label])


def depth_first(counts: Sequence[int], dim: int) -> list[cubes.Path] | None:
    """Return the cubes that a walk in lexicographic order visited, from how many at each depth.

    A walk that eliminates nothing is known from its length alone. None if such a walk has other
    counts: then something was eliminated.
    """
    path: cubes.Path | None = ()
    found: list[cubes.Path] = []
    while path is not None and len(found) < sum(counts):
        found.append(path)
        if len(path) < len(counts) - 1:
            path = (*path, 0)
        else:
            path = cubes.successor(path, lambda _, c: c + 1 if c + 1 < 2**dim else None)
    seen = np.bincount([len(path) for path in found], minlength=len(counts))
    return found if seen.tolist() == list(counts) else None


def _visited(run: Run, row: Row) -> list[cubes.Path] | None:
    """Return the cubes of the unfinished round, where they are known and can be drawn."""
    order = dict(run.setting.inputs).get("order", "lexicographic")
    eliminated = any(entry["eliminated"] for entry in row["rounds"])
    if order != "lexicographic" or eliminated or not _has_a_map(run):
        return None
    return depth_first(row["unfinished"], 2)


def _squares(run: Run, row: Row, visited: list[cubes.Path], look: Look) -> Figure:
    landscape, depth = _landscape(run), len(row["unfinished"])
    deepest = [path for path in visited if len(path) == depth - 1]
    figure = style.canvas(4.55)
    axes = figure.add_subplot()
    _utility(axes, landscape)
    _fill(axes, landscape, deepest, look)
    done = len(row["rounds"])
    if done:
        reference = _raw(landscape, [row["rounds"][-1]["reference"]])
        _dots(axes, reference, f"reference $X^{{{done}}}$", s=70, color="white", edgecolor="black")
    _best(axes, landscape)
    share, squares = unfinished_share(row), f"{len(deepest)} of {4 ** (depth - 1)} squares"
    axes.set_title(f"Round {done + 1} is not finished: {squares},\n{share:.0%} of the horizon")
    figure.legend(loc="outside lower center", ncols=4, columnspacing=1, handletextpad=0.4)
    figure.set_label(
        f"Round {done + 1} visited {squares} at depth {depth} before the duels ran out; "
        f"{share:.0%} of the horizon was spent in it"
    )
    return figure


def _fill(axes: Axes, landscape: Landscape, paths: list[cubes.Path], look: Look) -> None:
    """Fill the squares at ``paths``, which are all of one size."""
    filled: dict[str, Any] = {"facecolor": look.color, "edgecolor": "white", "linewidth": 0.5}
    size = cubes.edge(paths[0])
    width, height = np.diff(_raw(landscape, [(0.0, 0.0), (size, size)]), axis=0)[0]
    corners = _raw(landscape, [cubes.low(path, 2) for path in paths])
    squares = [Rectangle((x, y), width, height) for x, y in corners]
    axes.add_collection(PatchCollection(squares, alpha=0.55, **filled))
    # A collection of patches has no place in a legend; an empty rectangle stands for it.
    axes.add_patch(Rectangle((0, 0), 0, 0, alpha=0.55, label="visited", **filled))


def unfinished_share(row: Row) -> float:
    """Return which share of the horizon went into the round that was not finished."""
    ended = row["rounds"][-1]["duels"] if row["rounds"] else 0
    share: float = (row["duels_explored"] - ended) / row["horizon"]
    return share


def _by_depth(run: Run, rows: Sequence[Row], look: Look) -> Figure:
    """Draw how many cubes the unfinished round visited at each depth, on average."""
    depth, dim = max(len(row["unfinished"]) for row in rows), _landscape(run).dim
    counts = np.array([row["unfinished"] + [0] * (depth - len(row["unfinished"])) for row in rows])
    depths, mean = np.arange(1, depth + 1), counts.mean(axis=0)
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


def _has_a_map(run: Run) -> bool:
    """Tell whether all trials share one landscape that can be drawn."""
    return _landscape(run).dim == 2 and not run.setting.copies


def _landscape(run: Run) -> Landscape:
    return LANDSCAPES[run.setting.landscape]


def _raw(landscape: Landscape, points: Any) -> Array:
    """Return arms in the units of the landscape's own box, shape ``(n, dim)``."""
    low = np.array([side.low for side in landscape.box.parameters])
    high = np.array([side.high for side in landscape.box.parameters])
    found: Array = low + np.asarray(points, dtype=float).reshape(-1, landscape.dim) * (high - low)
    return found


def _utility(axes: Axes, landscape: Landscape) -> QuadContourSet:
    """Draw the utility as filled contours, and name the axes."""
    ticks = np.linspace(0.0, 1.0, POINTS)
    grid = np.stack(np.meshgrid(ticks, ticks, indexing="ij"), -1).reshape(-1, 2)
    values = landscape.utility(grid).reshape(POINTS, POINTS)
    x, y = _raw(landscape, np.stack([ticks, ticks], 1)).T
    heights = axes.contourf(x, y, values.T, LEVELS, cmap=HEIGHTS)
    axes.set(aspect="equal", xlabel="$x_1$", ylabel="$x_2$", xlim=x[[0, -1]], ylim=y[[0, -1]])
    axes.spines[["top", "right"]].set_visible(True)
    return heights


def _trajectories(axes: Axes, run: Run, rows: Sequence[Row], look: Look) -> Array:
    """Draw X^1, ..., X^M of each trial, and return the last of each."""
    landscape = _landscape(run)
    paths = [
        _raw(landscape, [entry["reference"] for entry in row["rounds"]])
        for row in rows
        if row["rounds"]
    ]
    opacity = min(0.7, max(0.25, 8 / len(paths)))  # many trials must not blacken the map
    thin = LineCollection(paths, colors=look.color, linewidths=0.8, alpha=opacity)
    axes.add_collection(thin, autolim=False)
    axes.plot([], [], color=look.color, linewidth=1, label="$X^1, X^2, …$")
    final = np.array([path[-1] for path in paths])
    start = dict(run.setting.inputs).get("start")
    if start is not None:
        x, y = _raw(landscape, [start])[0]
        axes.plot(x, y, "s", color="black", markersize=6, label="start $X^0$")
    _dots(axes, final, "final $X^M$", s=18, color=look.color, edgecolor="white")
    _best(axes, landscape)
    return final


def _dots(axes: Axes, points: Array, label: str, **look: Any) -> None:
    axes.scatter(points[:, 0], points[:, 1], linewidth=0.5, zorder=3, label=label, **look)


def _best(axes: Axes, landscape: Landscape) -> None:
    star: dict[str, Any] = {"marker": "*", "color": "#F0E442", "edgecolor": "black"}
    x, y = _raw(landscape, [landscape.best_arm])[0]
    axes.scatter(x, y, s=80, linewidth=0.8, zorder=4, label="best arm $x^*$", **star)
