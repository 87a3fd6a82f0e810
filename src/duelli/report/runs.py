"""The figure of a run with a real judge: where the duels went, and how the answers came."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.ticker import MaxNLocator

from duelli.beliefs import Belief
from duelli.report import style, utilities

MAX_PANELS = 10  # parameters that get a panel of their own
BLOCK = 50  # duels that one point of the running mean stands for, at least


class Table(Protocol):
    """The judged pairs by columns, as `duelli.History` has them."""

    def columns(self) -> dict[str, list[Any]]: ...  # noqa: D102 (the name says it)
    def answers(self) -> list[tuple[int, Any]]: ...  # noqa: D102
    def log_names(self) -> frozenset[str]: ...  # noqa: D102


class Estimate(Protocol):
    """A position bias with its error."""

    @property
    def estimate(self) -> float: ...  # noqa: D102 (the fields say what they are)
    @property
    def error(self) -> float: ...  # noqa: D102


def draw(
    history: Table,
    best: Any,
    bias: Estimate,
    path: str | Path | None = None,
    belief: Belief | None = None,
) -> Figure:
    """Draw one panel per parameter (the points that were judged) and one for the position bias.

    A line shows how the answer came about. The utility that was learnt stands beside the panels if
    there is a model of it.

    Args:
        history: The judged pairs.
        best: The best point, in the user's units.
        bias: The position bias that the answers show.
        path: Where to write the figure; its suffix says the format. None writes nothing.
        belief: What the learner believes of the utility; None if it has no model.
    """
    table, logs = history.columns(), history.log_names()
    names = [name.removeprefix("x_") for name in table if name.startswith("x_")]
    values = dict(zip(names, _entries(best), strict=True))
    answers = [
        (duels, dict(zip(names, _entries(at), strict=True))) for duels, at in history.answers()
    ]
    shown = [name for name in names if len(set(table[f"x_{name}"] + table[f"y_{name}"])) > 1]
    varied, shown = len(shown), shown[:MAX_PANELS]
    with style.styled():
        if not table["step"]:
            figure = style.note("no judged pair was kept")
        else:
            figure = style.canvas(1.5 * len(shown) + 2.2, width=6.5 if belief is None else 11.5)
            left, right = _halves(figure) if belief is not None else (figure, None)
            panels = left.subplots(len(shown) + 1, 1, sharex=True, squeeze=False)[:, 0]
            for axes, name in zip(panels, shown, strict=False):
                course = [(duels, at[name]) for duels, at in answers]
                names_of = _parameter(axes, table, name, values[name], course)
                style.ruled(axes.yaxis, table[f"x_{name}"], names_of, log=name in logs)
            _bias(panels[-1], table["outcome"], bias)
            _legend(left, panels[0])
            if varied > len(shown):
                left.suptitle(f"the first {len(shown)} of {varied} parameters", fontsize=9)
            if right is not None and belief is not None:
                utilities.draw(right, belief, values, table, [at for _, at in answers], logs)
            figure.set_label(
                f"{len(table['step'])} judged pairs by parameter and the share of duels that the "
                f"point shown first won: {0.5 + bias.estimate:.1%} ± {bias.error:.1%}"
            )
    if path is not None:
        figure.savefig(path, dpi=style.DPI)
    return figure


def _entries(point: Any) -> list[Any]:
    return list(point.values() if isinstance(point, dict) else point)


def _halves(figure: Figure) -> tuple[SubFigure, SubFigure]:
    """Return the parts of the figure for the duels and for the utility."""
    halves: Any = figure.subfigures(1, 2, width_ratios=[6, 5])
    return halves[0], halves[1]


def _legend(figure: Figure | SubFigure, axes: Axes) -> None:
    """Put the labels of one panel above all panels."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper right", ncols=3)


def _parameter(
    axes: Axes, table: dict[str, list[Any]], name: str, best: Any, course: list[tuple[int, Any]]
) -> list[str]:
    """Draw the points of each duel and the answer as it came about; return the names of choices."""
    x, y = table[f"x_{name}"], table[f"y_{name}"]
    places, labels = style.places([*x, *y, best, *(value for _, value in course)])
    first, second = np.array(places[: len(x)]), np.array(places[len(x) : 2 * len(x)])
    at_best, answers = places[2 * len(x)], places[2 * len(x) + 1 :]
    is_first = np.array(table["reference"]) == "x"
    reference, challenger = np.where(is_first, first, second), np.where(is_first, second, first)
    scores = np.array(table["outcome"])
    theirs = np.where(is_first, 1 - scores, scores)
    duels = np.arange(1, len(x) + 1)
    axes.axhline(at_best, color=style.BLACK, linewidth=1, linestyle=style.DOTS, label="best")
    dots: dict[str, Any] = {"linestyle": "none", "marker": "."}
    axes.plot(duels, reference, **dots, color=style.GREY, markersize=2, label="reference")
    for shown, colour, label in (
        (theirs < 0.5, style.VERMILION, "challenger lost"),
        (theirs == 0.5, style.ORANGE, "tie"),
        (theirs > 0.5, style.BLUE, "challenger won"),
    ):
        if colour == style.ORANGE and not shown.any():
            continue
        points = np.where(shown, challenger, np.nan)
        size = 2.0 if colour == style.BLUE else 5.0  # so that neither hides the other
        axes.plot(duels, points, **dots, color=colour, markersize=size, label=label)
    when = [duels for duels, _ in course]
    axes.step(when, answers, where="post", color=style.BLACK, linewidth=1, label="answer")
    axes.set_ylabel(name, rotation=0, ha="right", va="center")
    return labels


def _bias(axes: Axes, outcomes: Sequence[float], bias: Estimate) -> None:
    """Draw how often the point that is shown first has won, by stretches of the run."""
    values = np.array(outcomes)
    size = max(BLOCK, len(values) // 40)
    starts = np.arange(0, max(1, len(values) - size // 2), size)
    means = np.array([values[s : s + size].mean() for s in starts])
    counts = np.array([len(values[s : s + size]) for s in starts])
    axes.axhspan(
        0.5 + bias.estimate - 2 * bias.error,
        0.5 + bias.estimate + 2 * bias.error,
        color=style.SKY,
        alpha=0.35,
        linewidth=0,
    )
    axes.errorbar(
        starts + counts / 2,
        means,
        0.5 / np.sqrt(counts),
        fmt="o",
        color=style.BLACK,
        markersize=3,
        linewidth=0.8,
    )
    axes.axhline(0.5, color=style.GREY, linewidth=0.9, linestyle=style.DOTS)
    axes.set_ylim(0, 1)
    axes.set_ylabel("first\nwins", rotation=0, ha="right", va="center")
    axes.set_xlabel("duels, in the order asked")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
