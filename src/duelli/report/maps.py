"""The panel of the reference arms over the utility landscape."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from duelli.record.results import ExperimentTable, RunTable, Truth
from duelli.report import style
from duelli.report.ground import dots, mark_best, raw, utility_map
from duelli.report.style import Array, Look


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
        heights = utility_map(axes, truth)
        if columns == 1:
            figure.colorbar(heights, ax=axes, label="utility $f$", shrink=0.8, aspect=30)
        else:
            axes.locator_params(nbins=2)
        final = _trajectories(axes, run, truth, looks[run.label])
        away = np.linalg.norm(final - raw(truth, [truth.best_arm]), axis=1)
        words.append(f"{run.label}: final arms {away.mean():.2g} from x* on average")
        name = run.label if len(shown) > 1 else "Reference arms"
        axes.set_title(f"{name}, {_trials(len(run.rows))}")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=4, columnspacing=1, handletextpad=0.4
    )
    figure.set_label("Reference arms over the utility. " + "; ".join(words))
    return figure


def _trials(count: int) -> str:
    return f"{count} trial{'s' * (count > 1)}"


def _trajectories(axes: Axes, run: RunTable, truth: Truth, look: Look) -> Array:
    """Draw X^1, ..., X^M of each trial, and return the last of each."""
    paths = [
        raw(truth, [entry["reference"] for entry in row["rounds"]])
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
        x, y = raw(truth, [start])[0]
        axes.plot(x, y, "s", color="black", markersize=6, label="start $X^0$")
    dots(axes, final, "final $X^M$", s=18, color=look.color, edgecolor="white")
    mark_best(axes, truth)
    return final
