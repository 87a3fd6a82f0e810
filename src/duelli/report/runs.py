"""The figure of a run with a real judge: where the duels went, and how the answers came."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from duelli.report import style

MAX_PANELS = 6  # parameters that get a panel of their own
BLOCK = 50  # duels that one point of the running mean stands for, at least


class Table(Protocol):
    """The judged pairs by columns, as `duelli.History` has them."""

    def columns(self) -> dict[str, list[Any]]: ...  # noqa: D102 (the name says it)


class Estimate(Protocol):
    """A position bias with its error."""

    @property
    def estimate(self) -> float: ...  # noqa: D102 (the fields say what they are)
    @property
    def error(self) -> float: ...  # noqa: D102


def draw(history: Table, best: Any, bias: Estimate, path: str | Path | None = None) -> Figure:
    """Draw one panel per parameter (the points that were judged) and one for the position bias.

    Args:
        history: The judged pairs.
        best: The best point, in the user's units.
        bias: The position bias that the answers show.
        path: Where to write the figure; its suffix says the format. None writes nothing.
    """
    table = history.columns()
    names = [name.removeprefix("x_") for name in table if name.startswith("x_")]
    values = dict(zip(names, best.values() if isinstance(best, dict) else best, strict=True))
    shown = [name for name in names if len(set(table[f"x_{name}"] + table[f"y_{name}"])) > 1]
    shown = shown[:MAX_PANELS]
    with style.styled():
        if not table["step"]:
            figure = style.note("no judged pair was kept")
        else:
            figure = style.canvas(1.5 * len(shown) + 2.2, width=6.5)
            panels = figure.subplots(len(shown) + 1, 1, sharex=True, squeeze=False)[:, 0]
            for axes, name in zip(panels, shown, strict=False):
                _parameter(axes, table, name, values[name])
            _bias(panels[-1], table["outcome"], bias)
            handles, labels = panels[0].get_legend_handles_labels()
            figure.legend(handles, labels, loc="outside upper right", ncols=4)
            figure.set_label(
                f"{len(table['step'])} judged pairs by parameter and the share of duels that the "
                f"point shown first won: {0.5 + bias.estimate:.1%} ± {bias.error:.1%}"
            )
    if path is not None:
        figure.savefig(path, dpi=style.DPI)
    return figure


def _parameter(axes: Axes, table: dict[str, list[Any]], name: str, best: Any) -> None:
    """Draw the reference and the challenger of each duel, and the best value as a line."""
    x, y = table[f"x_{name}"], table[f"y_{name}"]
    places, labels = _places([*x, *y, best])
    first, second = np.array(places[: len(x)]), np.array(places[len(x) : -1])
    is_first = np.array(table["reference"]) == "x"
    reference, challenger = np.where(is_first, first, second), np.where(is_first, second, first)
    scores = np.array(table["outcome"])
    won = np.where(is_first, 1 - scores, scores) >= 0.5
    duels = np.arange(1, len(x) + 1)
    axes.axhline(places[-1], color=style.BLACK, linewidth=1, linestyle=style.DOTS, label="best")
    dots: dict[str, Any] = {"linestyle": "none", "marker": "."}
    axes.plot(duels, reference, **dots, color=style.GREY, markersize=2, label="reference")
    for shown, colour, label in (
        (~won, style.VERMILION, "challenger lost"),
        (won, style.BLUE, "challenger won"),
    ):
        points = np.where(shown, challenger, np.nan)
        size = 2.0 if colour == style.BLUE else 5.0  # so that neither hides the other
        axes.plot(duels, points, **dots, color=colour, markersize=size, label=label)
    axes.set_ylabel(name, rotation=0, ha="right", va="center")
    if labels:
        axes.set_yticks(range(len(labels)), labels)
    elif _is_wide(first):
        axes.set_yscale("log")


def _places(values: Sequence[Any]) -> tuple[list[float], list[str]]:
    """Return values as heights, and the names of the heights where the values are not numbers."""
    if all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
        return [float(v) for v in values], []
    names = sorted({str(v) for v in values})
    return [float(names.index(str(v))) for v in values], names


def _is_wide(values: Any) -> bool:
    """Tell whether positive values span so much that only a logarithmic axis shows them."""
    return bool(values.min() > 0 and values.max() > 50 * values.min())


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
