"""Style: the colours and sizes of all figures.

The colours are those of Okabe and Ito (2008), "Color Universal Design", which people with any
common colour vision tell apart.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from duelli.record.results import RunTable

WIDTH = 4.4  # inches, the same for all figures, so that their letters are the same size on a page
DPI = 160
BLUE, SKY, GREEN = "#0072B2", "#56B4E9", "#009E73"
VERMILION, ORANGE, PURPLE, BLACK, GREY = "#D55E00", "#E69F00", "#CC79A7", "#000000", "#6b6b6b"
CYCLE = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, BLACK)
Array = npt.NDArray[np.float64]
Dashes = Any  # what matplotlib takes as a line style
DOTS: Dashes = (0, (1, 2))
DASHES: tuple[Dashes, ...] = ((0, (5, 2)), (0, (1, 1)), (0, (3, 1, 1, 1)), (0, (7, 1.5, 1, 1.5)))
SMALL: dict[str, Any] = {"fontsize": 8, "color": GREY}
RC: dict[str, Any] = {
    "figure.constrained_layout.use": True,
    "figure.dpi": DPI,
    "font.family": "DejaVu Sans",  # comes with matplotlib, so it is there on every machine
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.titlepad": 7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.formatter.use_mathtext": True,
    "axes.formatter.limits": (-3, 4),
    "axes.grid": False,
    "grid.color": "#e3e3e3",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "legend.handlelength": 2.2,
    "svg.hashsalt": "duelli",  # else the ids in an SVG are drawn anew for every file
}


@dataclass(frozen=True, slots=True)
class Look:
    """How a run is drawn: its colour, its dashes, its line's width and its band's opacity."""

    color: str
    dashes: Dashes = "-"
    width: float = 1.5
    shade: float = 0.1

    @property
    def line(self) -> dict[str, Any]:
        """The same as matplotlib has it."""
        return {"color": self.color, "linestyle": self.dashes, "linewidth": self.width}


def looks(learners: Sequence[tuple[str, str]]) -> dict[str, Look]:
    """Return how each run is drawn, by label, in order of appearance.

    The first run of each learner is a strong line, and these lines have the first colours of the
    cycle. The other runs have the colours that follow, and dashes, so that they can be told apart
    in black and white too.

    Args:
        learners: The label of each run, and the name of its learner.
    """
    first = {learner: label for label, learner in reversed(learners)}
    leading = [label for label, learner in learners if first[learner] == label]
    others = [label for label, _ in learners if label not in leading]
    chosen: dict[str, Look] = {}
    for place, label in enumerate([*leading, *others]):
        color, lap = CYCLE[place % len(CYCLE)], place // len(CYCLE)
        if label in leading:
            dashes = "-" if lap == 0 else DASHES[(lap - 1) % len(DASHES)]
            chosen[label] = Look(color, dashes, 2.2, 0.2)
        else:
            chosen[label] = Look(color, DASHES[(place - len(leading)) % len(DASHES)], 1.7)
    return {label: chosen[label] for label, _ in learners}


def looks_of(runs: Iterable[RunTable]) -> dict[str, Look]:
    """Return how each run of an experiment is drawn, by label, whatever has finished."""
    return looks([(run.label, run.learner) for run in runs])


def same_as(values: dict[str, Array], *, rtol: float = 0.0, atol: float = 0.0) -> dict[str, str]:
    """Return what to call each curve: one that lies on an earlier one says so in its name."""
    names: dict[str, str] = {}
    for label, curve in values.items():
        twins = (values[other] for other in names if len(values[other]) == len(curve))
        same = any(np.allclose(twin, curve, rtol=rtol, atol=atol) for twin in twins)
        names[label] = f"{label} (same curve)" if same else label
    return names


@contextmanager
def styled() -> Iterator[None]:
    """Draw with these settings and no others, and leave the user's own as they were."""
    with style.context(["default", RC]):
        yield


def canvas(height: float, width: float = WIDTH) -> Figure:
    """Return an empty figure, of the common width if none is given, on its own canvas."""
    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


def note(text: str) -> Figure:
    """Return a figure that says why there is nothing to draw."""
    figure = canvas(1.2)
    figure.text(0.5, 0.5, text, ha="center", va="center", color=GREY)
    figure.set_label(text)
    return figure


def legend_height(entries: int) -> float:
    """Return the inches that `legend` adds below a figure."""
    return 0.0 if entries < 2 else 0.12 + 0.18 * ((entries + 1) // 2)


def legend(figure: Figure, axes: Axes, entries: int) -> None:
    """Name the curves below the figure; a single one needs no name."""
    if entries > 1:
        handles, labels = axes.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower left", ncols=2, columnspacing=1)


def say(axes: Axes, x: float, y: float, text: str, **place: Any) -> None:
    """Write a few words near a point, above it if ``place`` does not say otherwise."""
    where: dict[str, Any] = {"ha": "center", "va": "bottom", "xytext": (0, 3), **place}
    axes.annotate(text, (x, y), textcoords="offset points", **SMALL, **where)


def guide(axes: Axes, x: Array, y: Array) -> None:
    """Draw a thin line to compare with."""
    axes.plot(x, y, color=GREY, linewidth=0.9, linestyle=DOTS, label="_guide")


def places(values: Sequence[Any]) -> tuple[list[float], list[str]]:
    """Return values as heights, and the names of the heights where the values are not numbers."""
    if all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
        return [float(v) for v in values], []
    names = sorted({str(v) for v in values})
    return [float(names.index(str(v))) for v in values], names


def ruled(axis: Axis, values: Sequence[Any], names: Sequence[str], *, log: bool) -> None:
    """Give an axis the names of choices, whole ticks for whole numbers, or a logarithmic scale."""
    if names:
        axis.set_ticks(range(len(names)), names)
    elif log:
        (axis.axes.set_xscale if axis is axis.axes.xaxis else axis.axes.set_yscale)("log")
    elif all(isinstance(value, int) for value in values):
        axis.set_major_locator(MaxNLocator(integer=True))
