"""The panel of the cubes that the unfinished round visited."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from duelli import cubes
from duelli.record.results import ExperimentTable, RunTable, Truth
from duelli.record.tables import Row
from duelli.report import style
from duelli.report.ground import dots, mark_best, raw, utility_map
from duelli.report.style import Look


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
    utility_map(axes, truth)
    _fill(axes, truth, deepest, look)
    done, depth = len(row["rounds"]), len(deepest[0]) + 1
    if done:
        reference = raw(truth, [row["rounds"][-1]["reference"]])
        dots(axes, reference, f"reference $X^{{{done}}}$", s=70, color="white", edgecolor="black")
    mark_best(axes, truth)
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
    width, height = np.diff(raw(truth, [(0.0, 0.0), (size, size)]), axis=0)[0]
    corners = raw(truth, [cubes.low(path, 2) for path in paths])
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
