"""Panels with curves: the gap by round, and regret by duels."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

from duelli.record.results import ExperimentTable
from duelli.record.tables import Row
from duelli.report import style
from duelli.report.style import Array, Look

DECADES = 4  # of duels on logarithmic axes; the curves show nothing new before them
TITLES = {"cumulative_regret": "Cumulative regret", "weak_regret": "Cumulative weak regret"}


def spread(values: Array) -> tuple[Array, Array]:
    """Return mean and standard deviation over the trials, the first axis; of one trial it is 0."""
    deviation = values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1:])
    return values.mean(axis=0), deviation


def gaps(rows: Sequence[Row]) -> Array:
    """Return Δ(x*, X^m), shape ``(trials, rounds)``, for the rounds that every trial completed.

    Further rounds, which only some trials completed, would be a biased choice of trials.
    """
    rounds = min(len(row["rounds"]) for row in rows)
    return np.array([[entry["gap"] for entry in row["rounds"][:rounds]] for row in rows])


def checkpoints(rows: Sequence[Row], name: str) -> tuple[Array, Array]:
    """Return the duels and ``name`` at each checkpoint, shapes ``(n,)`` and ``(trials, n)``."""
    duels = np.array([point["duels"] for point in rows[0]["curve"]], dtype=float)
    return duels, np.array([[point[name] for point in row["curve"]] for row in rows])


def gap(experiment: ExperimentTable) -> Figure:
    """Draw the gap of the reference arm by round, with one standard deviation."""
    values = {run.label: gaps(run.rows) for run in experiment.finished(by_round=True)}
    shown = {label: trials for label, trials in values.items() if trials.size}
    if not shown:
        return style.note("no round was completed in every trial")
    figure = style.canvas(3.5 + style.legend_height(len(shown)))
    axes, look = figure.add_subplot(), style.looks_of(experiment.runs)
    means = {label: trials.mean(axis=0) for label, trials in shown.items()}
    for label, name in style.same_as(means, rtol=0.01).items():
        rounds = np.arange(1.0, len(means[label]) + 1)
        band(axes, rounds, *spread(shown[label]), look[label], name, marker="o")
    axes.set(xlabel="round $m$", ylabel=r"gap $\Delta(x^*, X^m)$", title="Gap of the reference arm")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y")
    _gap_scale(axes, list(means.values()))
    style.legend(figure, axes, len(shown))
    words = (f"{label}: {', '.join(f'{v:.2g}' for v in mean)}" for label, mean in means.items())
    figure.set_label("Mean gap of the reference arm by round. " + "; ".join(words))
    return figure


def regret(experiment: ExperimentTable) -> Figure:
    """Draw the cumulative regret against the duels, on linear and on logarithmic axes."""
    return _by_duels(experiment, "cumulative_regret")


def weak_regret(experiment: ExperimentTable) -> Figure:
    """Draw the cumulative weak regret against the duels, on linear and on logarithmic axes."""
    return _by_duels(experiment, "weak_regret")


def band(
    axes: Axes, x: Array, mean: Array, deviation: Array, look: Look, label: str, marker: str = ""
) -> None:
    """Draw a mean and one standard deviation to either side of it."""
    axes.plot(x, mean, label=label, marker=marker, markersize=4, **look.line)
    if deviation.any():
        axes.fill_between(
            x, mean - deviation, mean + deviation, color=look.color, alpha=look.shade, linewidth=0
        )


def _gap_scale(axes: Axes, means: list[Array]) -> None:
    lowest = min(float(mean.min()) for mean in means)
    if lowest <= 0:  # a mean of exactly 0 has no place on a logarithmic axis
        axes.set_ylim(bottom=0)
        return
    top = axes.dataLim.ymax
    rounds = np.array([1.0, max(map(len, means))])
    if rounds[1] > 1:
        line = top * 2.0 ** (1 - rounds)
        style.guide(axes, rounds, line)
        style.say(axes, 1.0, float(line[0]), "half each round", ha="left", xytext=(10, -1))
    axes.set_yscale("log")
    axes.set_ylim(lowest / 4, 1.3 * top)  # where mean - sd is not above 0 the band runs off below
    if top < 1000 * lowest:
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _by_duels(experiment: ExperimentTable, name: str) -> Figure:
    runs, title = experiment.finished(), TITLES[name]
    figure = style.canvas(5.4 + style.legend_height(len(runs)))
    linear, logarithmic = figure.subplots(2, 1, height_ratios=(1.25, 1))
    look, words = style.looks_of(experiment.runs), []
    curves = {run.label: checkpoints(run.rows, name) for run in runs}
    means = {label: values.mean(axis=0) for label, (_, values) in curves.items()}
    named = style.same_as(means, atol=0.003 * max(float(mean[-1]) for mean in means.values()))
    for label, (duels, values) in curves.items():
        mean, deviation = spread(values)
        for axes in (linear, logarithmic):
            band(axes, duels, mean, deviation, look[label], named[label])
        words.append(f"{label} {mean[-1]:.3g} ± {deviation[-1]:.2g}")
    horizon = max(float(duels[-1]) for duels, _ in curves.values())
    linear.set(xlim=(0, horizon), xlabel="duels $t$", ylabel=title.lower())
    linear.set_ylim(bottom=0)
    linear.set_title(f"{title}, linear axes")
    linear.grid(axis="y")
    _log_log(logarithmic, horizon, [(curves[label][0], means[label]) for label in curves])
    logarithmic.set(xlabel="duels $t$", ylabel=title.lower())
    logarithmic.set_title("Logarithmic axes, the last decades")
    style.legend(figure, linear, len(runs))
    figure.set_label(f"{title} after the last duel: " + "; ".join(words))
    return figure


def _log_log(axes: Axes, horizon: float, curves: list[tuple[Array, Array]]) -> None:
    """Show the last decades on logarithmic axes, with a line of slope 1 to compare with."""
    first = max(1.0, horizon / 10**DECADES)
    shown = [(duels[duels >= first], mean[duels >= first]) for duels, mean in curves]
    steepest = max((float((mean / duels).max()) for duels, mean in shown if len(mean)), default=0.0)
    lowest = [float(mean[0]) for _, mean in shown if len(mean) and mean[0] > 0]
    ends = np.array([first, max(horizon, 10 * first)])
    line = 1.6 * (steepest or 1.0) * ends  # above all curves
    style.guide(axes, ends, line)
    middle = np.sqrt(ends.prod()), np.sqrt(line.prod())
    style.say(axes, *middle, r"$\propto t$", ha="right", xytext=(-2, 2))
    axes.set(xscale="log", yscale="log", xlim=ends)
    axes.set_ylim(min(lowest, default=float(line[0])) / 3, 2 * float(line[1]))
    axes.grid()
