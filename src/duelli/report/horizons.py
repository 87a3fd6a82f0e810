"""The panel of regret against the horizon, with the exponents that it shows and should show."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from duelli.record.results import ExperimentTable, RunTable, Truth
from duelli.report import style
from duelli.report.curves import spread
from duelli.report.style import Array


def scaling(experiment: ExperimentTable) -> Figure:
    """Draw R(T) against T on log-log axes, and the exponent between neighbouring horizons."""
    figure = style.canvas(5.6)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(1.8, 1))
    look, words = style.looks_of(experiment.runs), []
    for runs in _by_learner(experiment).values():
        line = {**look[runs[0].label].line, "linestyle": "-"}
        horizons = np.array([run.horizon for run in runs], dtype=float)
        mean, deviation, error = _final(runs)
        above.errorbar(horizons, mean, deviation, marker="o", markersize=4, capsize=3, **line)
        middles, exponents, errors = local_exponents(horizons, mean, error)
        below.errorbar(middles, exponents, errors, marker="o", markersize=4, capsize=3, **line)
        for x, y, e in zip(middles, exponents, errors, strict=True):
            style.say(below, x, y - e, f"{y:.2f}", va="top", xytext=(0, -4))
        words.append(", ".join(f"{y:.2f}" for y in exponents))
    truth = experiment.runs[0].truth
    rate = None if truth is None else theoretical_exponent(truth)
    _slopes(above, rate)
    _exponents(below, rate)
    above.set(title="Regret against the horizon", ylabel="cumulative regret $R(T)$")
    below.set(xlabel="horizon $T$ in duels", ylabel="local exponent")
    figure.set_label("Exponents of R(T) between neighbouring horizons: " + "; ".join(words))
    return figure


def local_exponents(horizons: Array, mean: Array, error: Array) -> tuple[Array, Array, Array]:
    """Return where, d log R / d log T between neighbours, and its standard error."""
    steps = np.diff(np.log(horizons))
    relative = (error / mean) ** 2
    errors = np.sqrt(relative[1:] + relative[:-1]) / steps
    return np.sqrt(horizons[1:] * horizons[:-1]), np.diff(np.log(mean)) / steps, errors


def theoretical_exponent(truth: Truth) -> float:
    """Return (d_z + 1) / (d_z + 2) of the landscape.

    Paper: Theorem 5.4.
    """
    return (truth.zooming_dim + 1) / (truth.zooming_dim + 2)


def _by_learner(experiment: ExperimentTable) -> dict[str, list[RunTable]]:
    groups: dict[str, list[RunTable]] = {}
    for run in sorted(experiment.finished(), key=lambda run: run.horizon):
        groups.setdefault(run.learner, []).append(run)
    return groups


def _final(runs: list[RunTable]) -> tuple[Array, Array, Array]:
    """Return mean, standard deviation and standard error of R(T) for each horizon."""
    values = [np.array([row["cumulative_regret"] for row in run.rows]) for run in runs]
    mean, deviation = (np.array(column) for column in zip(*map(spread, values), strict=True))
    return mean, deviation, deviation / np.sqrt([len(column) for column in values])


def _slopes(axes: Axes, rate: float | None) -> None:
    """Put lines of slope 1 and of the theoretical slope through the first point."""
    axes.set(xscale="log", yscale="log")
    points = np.concatenate([line.get_xydata() for line in axes.get_lines()[:1]])
    ends = np.array([points[0, 0], points[-1, 0]])
    if ends[1] > ends[0]:
        slopes = [(1.0, r"$\propto T$")]
        if rate is not None:
            slopes.append((rate, rf"$\propto T^{{{rate:.2g}}}$ (theory)"))
        for exponent, text in slopes:
            line = points[0, 1] * (ends / ends[0]) ** exponent
            style.guide(axes, ends, line)
            style.say(axes, ends[1], line[1], text, ha="right", xytext=(0, 4))
    axes.grid()


def _exponents(axes: Axes, rate: float | None) -> None:
    axes.set_ylim(0, 1.35)
    lines = [(1.0, "linear")] + ([] if rate is None else [(rate, "theory")])
    for value, text in lines:
        axes.axhline(value, color=style.GREY, linewidth=0.9, linestyle=style.DOTS)
        axes.text(
            0.01, value, text, transform=axes.get_yaxis_transform(), va="bottom", **style.SMALL
        )
