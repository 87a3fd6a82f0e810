"""Sections: an experiment as the page shows it, in words, numbers and pictures."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure

from duelli.record.results import ExperimentTable, RunTable
from duelli.record.stats import Mean, Spread, neat
from duelli.report import scores
from duelli.report.figures import CAPTIONS, png

COLUMNS = (
    "run",
    "learner",
    "landscape",
    "link",
    "inputs",
    "engine",
    "T",
    "trials",
    "R(T), mean ± sd",
    "rounds",
    "final gap, mean ± sd",
    "final gap, worst",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A figure as the page shows it.

    Args:
        png: Its bytes.
        alt: What it shows, in words.
        caption: How to read it.
    """

    png: bytes
    alt: str
    caption: str

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height in pixels."""
        width, height = struct.unpack(">II", self.png[16:24])  # the header chunk comes first
        return width, height


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """An experiment as the page shows it.

    Args:
        id: Its name on the command line.
        title: What it shows.
        where: Its place in the paper.
        choices: What the paper leaves open and what was chosen.
        columns: The names of the columns of its table.
        rows: The rows of its table, with one cell per column.
        pictures: Its panels.
        rerun: The command that runs it again.
    """

    id: str
    title: str
    where: str
    choices: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    pictures: tuple[Picture, ...]
    rerun: str


def section(experiment: ExperimentTable, drawn: Mapping[str, Figure]) -> Section:
    """Return an experiment as the page shows it.

    Args:
        experiment: What was run, with results.
        drawn: Its panels, as `duelli.report.figures.draw` made them.
    """
    columns, rows = _table(experiment)
    return Section(
        id=experiment.id,
        title=experiment.title,
        where=experiment.where,
        choices=experiment.choices,
        columns=columns,
        rows=rows,
        pictures=tuple(
            Picture(png=png(figure), alt=str(figure.get_label()), caption=CAPTIONS[name])
            for name, figure in drawn.items()
        ),
        rerun=experiment.rerun,
    )


def _table(experiment: ExperimentTable) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return columns and rows: those of a contest if it is one, and else one row per run."""
    if "contest" in experiment.panels and experiment.finished():
        return scores.rows(experiment)
    return COLUMNS, tuple((*_setting(run), *_numbers(run)) for run in experiment.runs)


def _setting(run: RunTable) -> tuple[str, ...]:
    """Return the part of a row of `COLUMNS` that says what is run."""
    setting = run.setting
    inputs = ", ".join(f"{name} = {_shown(value)}" for name, value in setting["inputs"].items())
    landscape = run.landscape + ", one copy per trial" * setting["copies"]
    words = (run.label, run.learner, landscape, setting["link"], inputs, setting["engine"])
    return (*words, neat(run.horizon, 10), str(run.trials))


def _numbers(run: RunTable) -> tuple[str, str, str, str]:
    """Return the part of a row of `COLUMNS` that says what came out."""
    if not run.rows:
        return ("not finished", "", "", "")
    done = sorted({len(row["rounds"]) for row in run.rows})
    rounds = str(done[0]) if len(done) == 1 else f"{done[0]} to {done[-1]}"
    gaps = [row["final_gap"] for row in run.rows]
    regret = _mean([row["cumulative_regret"] for row in run.rows])
    return (regret, rounds, _mean(gaps), neat(Spread.of(gaps).worst, 2))


def _mean(values: list[float]) -> str:
    mean = Mean.of(values)
    return neat(mean.value) + (f" ± {neat(mean.deviation, 2)}" if len(values) > 1 else "")


def _shown(value: Any) -> str:
    """Return an input as short as it can be said: 1e8, (0.9, 0.9), random."""
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_shown, value))})"
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return neat(value, 10) if is_number else str(value)
