"""The utility that a model has learnt: a map for two parameters, else slices through the best."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from duelli.beliefs import Belief, Slice
from duelli.report import style

MAX_SLICES = 6
LEVELS = 12


def draw(
    figure: SubFigure,
    belief: Belief,
    best: dict[str, Any],
    table: Mapping[str, Sequence[Any]],
    answers: Sequence[Mapping[str, Any]],
) -> None:
    """Draw what is believed of the utility, relative to the best point.

    Args:
        figure: Where to draw.
        belief: What is believed.
        best: The best point by the names of its parameters.
        table: The judged pairs by columns.
        answers: The points that were recommended, one after the other.
    """
    if belief.plane is not None:
        _map(figure, belief, best, table, answers)
        return
    shown = belief.slices[:MAX_SLICES]
    for axes, each in zip(figure.subplots(len(shown), 1, squeeze=False)[:, 0], shown, strict=True):
        _slice(axes, each, best)
    figure.suptitle("learnt utility, relative to the best point (± 1 sd)", fontsize=9)


def _slice(axes: Axes, each: Slice, best: dict[str, Any]) -> None:
    """Draw the utility along one parameter, with a band of one standard deviation."""
    places, names = style.places([*each.values, best[each.name]])
    ticks = np.array(places[:-1])
    low, high = each.mean - each.deviation, each.mean + each.deviation
    axes.fill_between(ticks, low, high, color=style.SKY, alpha=0.35, linewidth=0)
    axes.plot(ticks, each.mean, color=style.BLUE)
    axes.axvline(places[-1], color=style.BLACK, linewidth=1, linestyle=style.DOTS)
    axes.set_xlabel(each.name)
    if names:
        axes.set_xticks(range(len(names)), names)
    elif style.is_wide(ticks):
        axes.set_xscale("log")


def _map(
    figure: SubFigure,
    belief: Belief,
    best: dict[str, Any],
    table: Mapping[str, Sequence[Any]],
    answers: Sequence[Mapping[str, Any]],
) -> None:
    """Draw the utility of two parameters as a map, with the judged points and the answers."""
    assert belief.plane is not None
    first, second = belief.slices
    (xs, x_names), (ys, y_names) = (
        style.places([*each.values, *_on_map(each.name, best, table, answers)])
        for each in (first, second)
    )
    (m, n), judged = belief.plane.shape, 2 * len(table["step"])
    axes = figure.subplots()
    filled = axes.contourf(xs[:m], ys[:n], belief.plane.T, LEVELS, cmap="cividis")
    dots: dict[str, Any] = {"linestyle": "none", "marker": ".", "alpha": 0.5, "markersize": 2}
    axes.plot(xs[m : m + judged], ys[n : n + judged], **dots, color="white", label="judged")
    line: dict[str, Any] = {"color": style.VERMILION, "linewidth": 1}
    axes.plot(xs[m + judged : -1], ys[n + judged : -1], **line, label="answer")
    axes.plot(xs[-1], ys[-1], marker="*", color=style.VERMILION, markersize=11, label="best")
    figure.colorbar(filled, ax=axes, label="learnt utility, relative to the best point")
    axes.set(xlabel=first.name, ylabel=second.name)
    for axis, names, values in ((axes.xaxis, x_names, xs), (axes.yaxis, y_names, ys)):
        if names:
            axis.set_ticks(range(len(names)), names)
        elif style.is_wide(np.array(values)):
            (axes.set_xscale if axis is axes.xaxis else axes.set_yscale)("log")


def _on_map(
    name: str,
    best: Mapping[str, Any],
    table: Mapping[str, Sequence[Any]],
    answers: Sequence[Mapping[str, Any]],
) -> list[Any]:
    """Return the values of a parameter at the judged points, at the answers and at the best."""
    return [*table[f"x_{name}"], *table[f"y_{name}"], *(at[name] for at in answers), best[name]]
