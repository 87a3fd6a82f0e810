"""Sections: an experiment as the page shows it, in words, numbers and pictures."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure

from duelli.record.stats import Mean
from duelli.record.tables import Row
from duelli.report.figures import CAPTIONS, png
from duelli.report.given import Experiment, Results, Run

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
        runs: A row of `COLUMNS` for each run.
        pictures: Its panels.
        rerun: The command that runs it again.
    """

    id: str
    title: str
    where: str
    choices: tuple[str, ...]
    runs: tuple[tuple[str, ...], ...]
    pictures: tuple[Picture, ...]
    rerun: str


def section(
    experiment: Experiment,
    drawn: Mapping[str, Figure],
    rerun: str,
    results: Results | None = None,
) -> Section:
    """Return an experiment as the page shows it.

    Args:
        experiment: What was run.
        drawn: Its panels, as `duelli.report.figures.draw` made them.
        rerun: The command that runs it again.
        results: Its finished trials by label, for the numbers in the table of the runs; without
            them the table has settings only.
    """
    return Section(
        id=experiment.id,
        title=experiment.title,
        where=experiment.where,
        choices=tuple(experiment.choices),
        runs=tuple((*_setting(run), *_numbers(run, results)) for run in experiment.runs),
        pictures=tuple(
            Picture(png=png(figure), alt=str(figure.get_label()), caption=CAPTIONS[name])
            for name, figure in drawn.items()
        ),
        rerun=rerun,
    )


def _setting(run: Run) -> tuple[str, ...]:
    """Return the part of a row of `COLUMNS` that says what is run."""
    setting = run.setting
    inputs = ", ".join(f"{name} = {_shown(value)}" for name, value in setting.inputs)
    landscape = setting.landscape + ", a copy a trial" * setting.copies
    told = (run.label, setting.learner, landscape, setting.link, inputs, setting.engine)
    return (*told, _shown(setting.horizon), str(run.trials))


def _numbers(run: Run, results: Results | None) -> tuple[str, str, str]:
    """Return the part of a row of `COLUMNS` that says what came out."""
    if results is None:
        return ("", "", "")
    if not (rows := results.get(run.label)):
        return ("not finished", "", "")
    done = sorted({len(row["rounds"]) for row in rows})
    rounds = str(done[0]) if len(done) == 1 else f"{done[0]} to {done[-1]}"
    return (_mean(rows, "cumulative_regret"), rounds, _mean(rows, "final_gap"))


def _mean(rows: Sequence[Row], name: str) -> str:
    mean = Mean.of([row[name] for row in rows])
    spread = f" ± {_number(mean.deviation, 2)}" if len(rows) > 1 else ""
    return _number(mean.value, 3) + spread


def _shown(value: Any) -> str:
    """Return a value as short as it can be said: 1e8, (0.9, 0.9), 1."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number(value, 10)
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_shown, value))})"
    return str(value)


def _number(value: float, digits: int) -> str:
    """Return a number with so many digits at most, and a power of ten if it is large or small."""
    text = f"{value:.{digits - 1}e}" if abs(value) >= 1e4 else f"{value:.{digits}g}"
    if "e" not in text:
        return text
    mantissa, exponent = text.split("e")
    short = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{short}e{int(exponent)}"
