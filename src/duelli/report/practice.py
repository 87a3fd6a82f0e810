"""The figure of a contest on practice problems: the gap of the answer against the duels."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from duelli.record.results import SMALLEST_GAP, Score, overall_gaps, overall_middle
from duelli.record.stats import neat
from duelli.report import style
from duelli.report.contests import MARKERS
from duelli.report.style import Look

COLUMNS = 3
PANEL = 2.15  # inches high
MIDDLE = "middle of the box, no duels"
DASHED: dict[str, Any] = {"color": style.GREY, "linestyle": (0, (4, 3)), "linewidth": 1.3}

Gaps = dict[tuple[str, int], float]  # by label and horizon


def draw(scores: Sequence[Score]) -> Figure:
    """Draw the median gap against the duels: one panel per problem, and one for their mean.

    All panels have the same axes, so that they can be compared.
    """
    problems = list(dict.fromkeys(score.landscape for score in scores))
    looks = style.looks(list({s.label: (s.label, s.learner) for s in scores}.values()))
    count = len(problems) + 1
    columns = min(COLUMNS, count)
    rows = -(-count // columns)
    with style.styled():
        height = PANEL * rows + 0.35 + style.legend_height(len(looks) + 1)
        figure = style.canvas(height, width=style.WIDTH * (columns + 1) / 2)
        grid = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
        panels = list(grid.flat)
        for problem, axes in zip(problems, panels, strict=False):
            chosen = [score for score in scores if score.landscape == problem]
            _panel(axes, looks, *_medians(chosen))
            axes.set_title(problem.replace("_", " "))
        mean = panels[len(problems)]
        _panel(mean, looks, overall_gaps(scores), overall_middle(scores))
        mean.set_title("all, geometric mean", fontweight="bold")
        _axes(grid, count, scores)
        style.legend(figure, panels[0], len(looks) + 1)
    figure.set_label("Median gap of the answer against the duels for " + ", ".join(looks))
    return figure


def _medians(scores: Sequence[Score]) -> tuple[Gaps, float]:
    """Return the gaps of one problem, and that of the middle of the box."""
    gaps = {(score.label, score.horizon): score.gap.median for score in scores}
    return gaps, scores[0].middle.median


def _panel(axes: Axes, looks: dict[str, Look], gaps: Gaps, middle: float) -> None:
    axes.axhline(max(middle, SMALLEST_GAP), label=MIDDLE, **DASHED)
    for k, (label, look) in enumerate(looks.items()):
        points = sorted((t, gap) for (name, t), gap in gaps.items() if name == label)
        horizons, values = np.array(points, dtype=float).T
        drawn = {**look.line, "marker": MARKERS[k % len(MARKERS)], "markersize": 4}
        axes.plot(horizons, np.maximum(values, SMALLEST_GAP), label=label, **drawn)
    axes.grid()


def _axes(grid: np.ndarray, count: int, scores: Sequence[Score]) -> None:
    """Make all axes logarithmic, with a tick for each horizon, and name those at the border."""
    horizons = sorted({score.horizon for score in scores})
    gaps = [max(gap, SMALLEST_GAP) for s in scores for gap in (s.gap.median, s.middle.median)]
    low, high = min(gaps) / 1.3, max(gaps) * 1.3
    ticks = [t for t in (0.001, 0.003, 0.01, 0.03, 0.1, 0.3) if low <= t <= high]
    columns = grid.shape[1]
    for place, axes in enumerate(grid.flat):
        axes.set(xscale="log", yscale="log", ylim=(low, high))
        axes.set_xlim(horizons[0] / 1.35, horizons[-1] * 1.35)
        axes.xaxis.set_major_locator(FixedLocator(horizons))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda t, _: neat(t)))
        axes.yaxis.set_major_locator(FixedLocator(ticks))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda gap, _: neat(gap, 1)))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_minor_locator(NullLocator())
        if place % columns == 0:
            axes.set_ylabel("gap of the answer")
        if place + columns >= count:
            axes.set_xlabel("duels")
            axes.tick_params(labelbottom=True)
        axes.set_visible(place < count)
