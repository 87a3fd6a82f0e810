"""What experiments hand to a report: plain tables, so that a report runs and looks up nothing."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from duelli.cubes import Arm
from duelli.record.stats import Mean, Spread
from duelli.record.tables import Row

Array = npt.NDArray[np.float64]
MIDDLE = "middle of the box"  # the answer that takes no duels


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What a figure shows of the landscape beside the trials.

    Args:
        best_arm: x*, in unit coordinates.
        zooming_dim: d_z.
        ticks: For each axis, evenly spaced unit coordinates from 0 to 1 in the user's units.
        heights: The utility at the ticks of both axes; None unless there are two dimensions.
    """

    best_arm: Arm
    zooming_dim: float
    ticks: tuple[Array, ...]
    heights: Array | None

    @property
    def dim(self) -> int:
        """The number of coordinates of an arm."""
        return len(self.ticks)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTable:
    """One run of an experiment with its finished trials.

    Args:
        label: What figures and tables call it; unique in its experiment.
        setting: What was run: landscape, link, learner, horizon, engine, inputs, copies.
        trials: How many trials were asked for.
        rows: One row per finished trial; empty unless all are finished.
        by_round: Whether it is shown in figures that go by rounds.
        truth: The landscape; None if each trial has its own copy of it.
    """

    label: str
    setting: Mapping[str, Any]
    trials: int
    rows: Sequence[Row]
    by_round: bool = True
    truth: Truth | None = None

    @property
    def learner(self) -> str:
        """The name of the learner."""
        return str(self.setting["learner"])

    @property
    def landscape(self) -> str:
        """The name of the landscape."""
        return str(self.setting["landscape"])

    @property
    def horizon(self) -> int:
        """T."""
        return int(self.setting["horizon"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentTable:
    """One experiment with its runs.

    Args:
        id: Its name on the command line.
        title: What it shows.
        where: Its place in the paper.
        runs: Its runs, finished or not.
        choices: What the paper leaves open and what was chosen.
        panels: The figures to draw.
        rerun: The command that runs it again.
    """

    id: str
    title: str
    where: str
    runs: tuple[RunTable, ...]
    choices: tuple[str, ...] = ()
    panels: tuple[str, ...] = ()
    rerun: str = ""

    def finished(self, *, by_round: bool = False) -> list[RunTable]:
        """Return the runs that are finished; with ``by_round``, those shown by round only."""
        return [run for run in self.runs if run.rows and (run.by_round or not by_round)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A claim of the paper with its verdict, in words for a table."""

    id: str
    where: str
    says: str
    measured: str
    verdict: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """All that a page says.

    Args:
        headline: What a reader should take away.
        facts: What was run and with what: names and values.
        claims: What the paper says, with verdicts.
        claims_missing: How many claims lack the trials that would decide them.
        experiments: What was run, with results.
    """

    headline: str
    facts: tuple[tuple[str, str], ...]
    claims: tuple[Judged, ...]
    experiments: tuple[ExperimentTable, ...]
    claims_missing: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """Which learner, under which label, on which landscape, at which horizon."""

    landscape: str
    label: str
    learner: str
    horizon: int


@dataclass(frozen=True, slots=True)
class Score:
    """What one learner did on one landscape at one horizon.

    Args:
        landscape: The name of the landscape.
        label: What the learner is called here.
        learner: The name of the learner.
        horizon: T.
        regret: The mean of R(T) over the trials.
        weak_regret: The mean of the weak regret.
        final_gap: The mean gap of the answer, Δ(x*, recommended arm).
        gap: The median and the worst of that gap.
        middle: The same of the middle of the box, which takes no duels.
    """

    landscape: str
    label: str
    learner: str
    horizon: int
    regret: Mean
    weak_regret: Mean
    final_gap: Mean
    gap: Spread
    middle: Spread

    @classmethod
    def of(
        cls, rows: Sequence[Row], *, landscape: str, label: str, learner: str, horizon: int
    ) -> "Score":
        """Return the score of the finished trials ``rows``."""
        regrets, weak, gaps, middle = (
            [float(row[name]) for row in rows]
            for name in ("cumulative_regret", "weak_regret", "final_gap", "middle_gap")
        )
        means = Mean.of(regrets), Mean.of(weak), Mean.of(gaps)
        spreads = Spread.of(gaps), Spread.of(middle)
        return cls(landscape, label, learner, horizon, *means, *spreads)


SMALLEST_GAP = 1e-3  # in means over problems, smaller gaps count as this: they are as good as none


def overall_gap(gaps: Sequence[float], smallest: float = SMALLEST_GAP) -> float:
    """Return the geometric mean of the gaps on several problems; smaller ones count as given."""
    return statistics.geometric_mean(max(smallest, gap) for gap in gaps)


def overall_gaps(scores: Sequence[Score]) -> dict[tuple[str, int], float]:
    """Return the geometric mean over landscapes of the median gap, by label and horizon."""
    medians: dict[tuple[str, int], list[float]] = {}
    for score in scores:
        medians.setdefault((score.label, score.horizon), []).append(score.gap.median)
    return {key: overall_gap(gaps) for key, gaps in medians.items()}


def overall_middle(scores: Sequence[Score]) -> float:
    """Return the geometric mean over landscapes of the median gap of the middle of the box."""
    return overall_gap(list({s.landscape: s.middle.median for s in scores}.values()))
