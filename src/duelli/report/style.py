"""Style: the colours, sizes and files of all figures.

The colours are those of Okabe and Ito (2008), "Color Universal Design", which people with any
common colour vision tell apart. A learner keeps its colour in every figure.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from duelli.record.tables import atomic_path
from duelli.report.given import Experiment

WIDTH = 4.4  # inches, the same for all figures, so that their letters are the same size on a page
DPI = 160

BLUE, SKY, GREEN = "#0072B2", "#56B4E9", "#009E73"
VERMILION, ORANGE, PURPLE, BLACK, GREY = "#D55E00", "#E69F00", "#CC79A7", "#000000", "#6b6b6b"

Array = npt.NDArray[np.float64]
Dashes = Any  # what matplotlib takes as a line style
DOTS: Dashes = (0, (1, 2))
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


# The first run of a learner has the learner's own colour; further ones in the same experiment
# differ in colour and in dashes, so that they are told apart in black and white too.
LOOKS: dict[str, tuple[Look, ...]] = {
    "arc_duelli": (
        Look(BLUE, "-", 2.2, 0.2),
        Look(SKY, (0, (5, 2)), 1.8),
        Look(GREEN, (0, (3, 1, 1, 1)), 1.8),
        Look(PURPLE, (0, (1, 1)), 2.0),
        Look(BLACK, (0, (6, 1, 1, 1, 1, 1)), 1.2),
    ),
    "arc_race": (Look(GREEN, "-", 2.2, 0.2), Look(GREEN, (0, (5, 2))), Look(GREEN, (0, (1, 1)))),
    "interleaved_filter": (
        Look(VERMILION, "-", 2.2, 0.2),
        Look(ORANGE, (0, (1, 1)), 1.8),
        Look(ORANGE, (0, (3, 1, 1, 1))),
        Look(ORANGE, "-"),
        Look(VERMILION, (0, (1, 1)), 1.8),
        Look(VERMILION, (0, (5, 2))),
    ),
}
OTHERS = (Look(PURPLE), Look(GREEN), Look(BLACK), Look(GREY))


def looks(experiment: Experiment) -> dict[str, Look]:
    """Return how each run of an experiment is drawn, by label, whatever has finished."""
    found: dict[str, Look] = {}
    seen: dict[str, int] = {}
    for run in experiment.runs:
        learner = run.setting.learner if run.setting.learner in LOOKS else "others"
        choices = LOOKS.get(learner, OTHERS)
        found[run.label] = choices[seen.get(learner, 0) % len(choices)]
        seen[learner] = seen.get(learner, 0) + 1
    return found


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


@lru_cache(maxsize=8)  # a page embeds the panels of an experiment right after they were saved
def png(figure: Figure) -> bytes:
    """Return the figure as a PNG; it is not to be changed any more."""
    buffer = io.BytesIO()
    with styled():
        figure.savefig(buffer, format="png", dpi=DPI)
    figure.set_layout_engine("none")  # all is in its place, and finding it again is slow
    return buffer.getvalue()


def save(figure: Figure, folder: Path, name: str) -> Path:
    """Write the figure as ``name.png`` and ``name.svg``, and return the path of the first."""
    with atomic_path(folder / f"{name}.png") as path:
        path.write_bytes(png(figure))
    title = figure.get_label()
    with atomic_path(folder / f"{name}.svg") as path, styled():
        figure.savefig(path, format="svg", metadata={"Date": None, "Title": title})
    return folder / f"{name}.png"
