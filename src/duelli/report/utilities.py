"""The utility that a model has learnt: a map for two parameters, else slices through the best."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from duelli.beliefs import Belief, Slice
from duelli.report import style

MAX_SLICES = 10
LEVELS = 12


def draw(
    figure: SubFigure,
    belief: Belief,
    best: dict[str, Any],
    table: Mapping[str, Sequence[Any]],
    answers: Sequence[Mapping[str, Any]],
    logs: frozenset[str],
) -> None:
    """Draw what is believed of the utility, relative to the best point.

    Args:
        figure: Where to draw.
        belief: What is believed.
        best: The best point by the names of its parameters.
        table: The judged pairs by columns.
        answers: The points that were recommended, one after the other.
        logs: The parameters that have a logarithmic scale.
    """
    if belief.plane is not None:
        axes = _map(figure, belief, best, table, answers)
        for axis, each in zip((axes.xaxis, axes.yaxis), belief.slices, strict=True):
            style.ruled(axis, each.values, style.places(each.values)[1], log=each.name in logs)
        return
    shown = belief.slices[:MAX_SLICES]
    for axes, each in zip(figure.subplots(len(shown), 1, squeeze=False)[:, 0], shown, strict=True):
        _slice(axes, each, best)
        style.ruled(axes.xaxis, each.values, style.places(each.values)[1], log=each.name in logs)
    figure.suptitle("learnt utility, relative to the best point (± 1 sd)", fontsize=9)


def _slice(axes: Axes, each: Slice, best: dict[str, Any]) -> None:
    """Draw the utility along one parameter, with a band of one standard deviation."""
    places, names = style.places([*each.values, best[each.name]])
    order = np.argsort(places[:-1])  # choices are drawn in the order of their names
    ticks, mean, deviation = np.array(places)[order], each.mean[order], each.deviation[order]
    if names:  # there is nothing between choices
        axes.errorbar(ticks, mean, deviation, fmt="o", color=style.BLUE, ecolor=style.SKY)
    else:
        band = mean - deviation, mean + deviation
        axes.fill_between(ticks, *band, color=style.SKY, alpha=0.35, linewidth=0)
        axes.plot(ticks, mean, color=style.BLUE)
    axes.axvline(places[-1], color=style.BLACK, linewidth=1, linestyle=style.DOTS)
    axes.set_xlabel(each.name)


def _map(
    figure: SubFigure,
    belief: Belief,
    best: dict[str, Any],
    table: Mapping[str, Sequence[Any]],
    answers: Sequence[Mapping[str, Any]],
) -> Axes:
    """Draw the utility of two parameters as a map, with the judged points and the answers."""
    assert belief.plane is not None
    first, second = belief.slices
    xs, ys = (
        style.places([*each.values, *_on_map(each.name, best, table, answers)])[0]
        for each in (first, second)
    )
    (m, n), judged = belief.plane.shape, 2 * len(table["step"])
    axes = figure.subplots()
    across, up = np.argsort(xs[:m]), np.argsort(ys[:n])
    plane = belief.plane[np.ix_(across, up)].T
    filled = axes.contourf(np.array(xs)[across], np.array(ys)[up], plane, LEVELS, cmap="cividis")
    dots: dict[str, Any] = {"linestyle": "none", "marker": "o", "alpha": 0.6, "markersize": 2}
    dots |= {"color": "white", "markeredgecolor": style.GREY, "markeredgewidth": 0.3}
    axes.plot(xs[m : m + judged], ys[n : n + judged], **dots, label="judged")
    line: dict[str, Any] = {"color": style.VERMILION, "linewidth": 1}
    star: dict[str, Any] = {"marker": "*", "color": style.VERMILION, "markersize": 11}
    axes.plot(xs[m + judged : -1], ys[n + judged : -1], **line, label="answer")
    axes.plot(xs[-1], ys[-1], clip_on=False, zorder=3, **star, label="best")
    figure.colorbar(filled, ax=axes, label="learnt utility, relative to the best point")
    axes.set(xlabel=first.name, ylabel=second.name)
    figure.legend(loc="outside upper right", ncols=3)
    return axes


def _on_map(
    name: str,
    best: Mapping[str, Any],
    table: Mapping[str, Sequence[Any]],
    answers: Sequence[Mapping[str, Any]],
) -> list[Any]:
    """Return the values of a parameter at the judged points, at the answers and at the best."""
    return [*table[f"x_{name}"], *table[f"y_{name}"], *(at[name] for at in answers), best[name]]
