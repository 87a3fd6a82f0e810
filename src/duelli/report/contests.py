"""Figures of a contest: the regret and the gap of the answer of several learners."""

import math
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, NullLocator

from duelli.record.results import ExperimentTable, Score
from duelli.record.stats import neat
from duelli.report import style
from duelli.report.scores import scores_of
from duelli.report.style import Array, Look

MOST_COLUMNS = 3
MARKERS = ("o", "s", "D", "^", "v", "P", "X")


def draw(scores: Sequence[Score]) -> Figure:
    """Draw regret and gap against the horizon: two panels per landscape, one line per learner."""
    landscapes = _unique(score.landscape for score in scores)
    columns = 2 if len(landscapes) == 4 else min(MOST_COLUMNS, len(landscapes))
    rows = -(-len(landscapes) // columns)
    looks = _looks(scores)
    with style.styled():
        height = 4.1 * rows + style.legend_height(len(looks))
        figure = style.canvas(height, width=style.WIDTH * (columns + 1) / 2)
        ratios = (1.5, 1) * rows
        grid = figure.subplots(2 * rows, columns, squeeze=False, height_ratios=ratios, sharex=True)
        for place in range(rows * columns):
            above, below = grid[2 * (place // columns) :, place % columns][:2]
            if place >= len(landscapes):
                above.set_visible(False)
                below.set_visible(False)
                continue
            chosen = [score for score in scores if score.landscape == landscapes[place]]
            _by_horizon(above, below, chosen, looks, names=_names(scores))
            above.set_title(landscapes[place].replace("_", " "))
            below.set_xlabel("horizon $T$ in duels")
            below.tick_params(labelbottom=True)
            if place % columns == 0:
                above.set_ylabel("cumulative regret $R(T)$")
                below.set_ylabel("gap of the answer")
        style.legend(figure, grid[0, 0], len(looks))
    figure.set_label("Regret and gap of the answer against the horizon for " + ", ".join(looks))
    return figure


def contest(experiment: ExperimentTable) -> Figure:
    """Draw the regret and the gap of the answer of each learner on each landscape."""
    scores = scores_of(experiment)
    landscapes, looks = _unique(score.landscape for score in scores), _looks(scores)
    figure = style.canvas(1.1 + 0.5 * len(landscapes) + style.legend_height(3), 2 * style.WIDTH)
    left, right = figure.subplots(1, 2, sharey=True)
    for k, (label, look) in enumerate(looks.items()):
        chosen = [score for score in scores if score.label == label]
        places = np.array([landscapes.index(score.landscape) for score in chosen], dtype=float)
        places += 0.22 * (k - (len(looks) - 1) / 2)  # side by side, not on top of each other
        means, deviations = _regrets(chosen)
        dots = {"color": look.color, "marker": MARKERS[k % len(MARKERS)], "linestyle": "none"}
        left.errorbar(means, places, xerr=deviations, capsize=2, markersize=5, label=label, **dots)
        middle, worst = _gaps(chosen)
        right.hlines(places, middle, worst, color=look.color, linewidth=1.2)
        right.plot(middle, places, markersize=5, **dots)
    left.set(xscale="log", title="Cumulative regret $R(T)$", xlabel="mean and standard deviation")
    _gap_axis(right, "x", scores)
    right.set(title="Gap of the answer", xlabel="median, and a line to the worst trial")
    left.set_yticks(range(len(landscapes)), [name.replace("_", " ") for name in landscapes])
    left.invert_yaxis()
    for axes in (left, right):
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
    style.legend(figure, left, len(looks))
    words = (f"{s.label} on {s.landscape}: {s.regret}, {s.gap}" for s in scores)
    figure.set_label("Mean regret, and median and worst gap of the answer. " + "; ".join(words))
    return figure


def _unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _looks(scores: Sequence[Score]) -> dict[str, Look]:
    return style.looks(
        list({score.label: (score.label, score.learner) for score in scores}.values())
    )


def _names(scores: Sequence[Score]) -> dict[str, str]:
    """Return what to call each learner; one whose every score is another's says so."""
    values = {
        label: np.array([score.regret.value for score in scores if score.label == label])
        for label in _unique(score.label for score in scores)
    }
    return style.same_as(values, rtol=1e-6)


def _by_horizon(
    above: Axes, below: Axes, scores: list[Score], looks: dict[str, Look], names: dict[str, str]
) -> None:
    """Draw regret above and the gap of the answer below, for one landscape."""
    for k, (label, look) in enumerate(looks.items()):
        chosen = [score for score in scores if score.label == label]
        beside = 1.06 ** (k - (len(looks) - 1) / 2)  # so that equal points do not hide each other
        horizons = beside * np.array([score.horizon for score in chosen], dtype=float)
        drawn = {**look.line, "marker": MARKERS[k % len(MARKERS)], "markersize": 4, "capsize": 3}
        means, deviations = _regrets(chosen)
        above.errorbar(horizons, means, deviations, label=names[label], **drawn)
        middle, worst = _gaps(chosen)
        bars = np.stack([np.zeros_like(middle), worst - middle])
        below.errorbar(horizons, middle, bars, **drawn)
    ends = [score.horizon for score in scores]
    for axes in (above, below):
        axes.set(xscale="log", xlim=(min(ends) / 1.6, max(ends) * 1.6))
        axes.grid()
        if min(ends) == max(ends):
            axes.xaxis.set_major_locator(NullLocator())
            axes.xaxis.set_minor_locator(NullLocator())
            axes.set_xticks([ends[0]], [neat(ends[0])])
    above.set_yscale("log")
    _gap_axis(below, "y", scores)


def _regrets(scores: list[Score]) -> tuple[Array, Array]:
    values = [(score.regret.value, score.regret.deviation) for score in scores]
    means, deviations = np.array(values).T
    return means, deviations


def _gaps(scores: list[Score]) -> tuple[Array, Array]:
    middle, worst = np.array([(score.gap.median, score.gap.worst) for score in scores]).T
    return middle, worst


def _gap_axis(axes: Axes, name: Literal["x", "y"], scores: Sequence[Score]) -> None:
    """Make an axis logarithmic, with a short linear part that ends at 0 if some gap is 0."""
    gaps = [gap for score in scores for gap in (score.gap.median, score.gap.worst)]
    smallest = min((gap for gap in gaps if gap > 0), default=0.0)
    if not smallest:
        return  # all gaps are 0, which any axis shows
    if min(gaps) > 0:
        axes.set(**{f"{name}scale": "log"})
        if max(gaps) > 10 * smallest:  # some power of ten has a label; more would be crowded
            {"x": axes.xaxis, "y": axes.yaxis}[name].set_minor_formatter(NullFormatter())
        return
    decade = 10.0 ** math.floor(math.log10(smallest))
    scale = {"x": axes.set_xscale, "y": axes.set_yscale}[name]
    scale("symlog", linthresh=decade, linscale=0.5)
    axes.set(**{f"{name}lim": (-decade / 3, 2 * max(gaps))})
