"""Compare learners side by side: any landscapes, any horizons, the same copies for everyone."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duelli import _check
from duelli.experiments.sweep import Run, Sweep
from duelli.experiments.trials import Setting
from duelli.record.results import Score
from duelli.record.stats import neat
from duelli.record.tables import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Which learners are compared, on which landscapes, and for how long.

    Args:
        landscapes: Names of landscapes.
        learners: Label -> (name of the learner, its inputs). Ratios are relative to the last one.
        horizons: The numbers of duels to play.
        link: The name of the link.
        trials: How many trials of each learner, landscape and horizon.
        copies: Whether each trial has its own mirrored and shifted copy of the landscape; the
            seeds, and so the copies, are the same for every learner.
        engine: "collapsed" or "per_duel".
        seed: The seeds of the trials follow from it.
    """

    landscapes: tuple[str, ...]
    learners: Mapping[str, tuple[str, Mapping[str, Any]]]
    horizons: tuple[int, ...]
    link: str = "logistic"
    trials: int = 20
    copies: bool = True
    engine: str = "collapsed"
    seed: int = 0

    def __post_init__(self) -> None:
        _check.whole("trials", self.trials, 1)

    def sweep(self, out: Path, jobs: int = -1) -> Sweep:
        """Return the trials to run, to be kept in ``out``: one group of runs per landscape."""
        groups = {
            _group(landscape): tuple(
                self._run(landscape, label, horizon)
                for label in self.learners
                for horizon in self.horizons
            )
            for landscape in self.landscapes
        }
        return Sweep(groups=groups, store=Store(out), jobs=jobs)

    def scores(self, sweep: Sweep) -> list[Score]:
        """Return the score of every learner on every landscape at every horizon."""
        results = sweep.results()
        return [
            Score.of(
                results[_group(landscape)][run_label(label, horizon)],
                landscape=landscape,
                label=label,
                learner=self.learners[label][0],
                horizon=horizon,
            )
            for landscape in self.landscapes
            for label in self.learners
            for horizon in self.horizons
        ]

    def _run(self, landscape: str, label: str, horizon: int) -> Run:
        name, inputs = self.learners[label]
        setting = Setting(
            landscape=landscape,
            link=self.link,
            learner=name,
            horizon=horizon,
            engine=self.engine,
            inputs=tuple(sorted(inputs.items())),
            copies=self.copies,
        )
        return Run(
            label=run_label(label, horizon), setting=setting, trials=self.trials, seed=self.seed
        )


def _group(landscape: str) -> str:
    return f"compare-{landscape}"


def run_label(label: str, horizon: int) -> str:
    """Return what a run is called."""
    return f"{label}, T = {neat(horizon)}"


def ratios(scores: Iterable[Score], base: str) -> dict[tuple[str, int], list[float]]:
    """Return regret over that of ``base``, by label and horizon, one value per landscape."""
    mean = {(s.landscape, s.label, s.horizon): s.regret.value for s in scores}
    grouped: dict[tuple[str, int], list[float]] = {}
    for (landscape, label, horizon), value in mean.items():
        ratio = value / mean[landscape, base, horizon]
        grouped.setdefault((label, horizon), []).append(ratio)
    return grouped


def table(contest: Contest, scores: list[Score]) -> str:
    """Return the scores as text: one row per landscape and horizon, one column per learner.

    A cell has the mean regret with its standard error, and the median and the worst gap of the
    answer. Below are the regrets relative to the last learner.
    """
    labels = list(contest.learners)
    cells = {(s.landscape, s.horizon, s.label): f"{s.regret} (gap {s.gap})" for s in scores}
    rows = [["landscape", "T", *labels]]
    rows += [
        [landscape, neat(horizon), *(cells[landscape, horizon, label] for label in labels)]
        for landscape in contest.landscapes
        for horizon in contest.horizons
    ]
    lines = [
        _aligned(rows),
        "",
        "Cells: mean regret ± standard error (gap of the answer: median, worst of the trials).",
    ]
    for (label, horizon), values in ratios(scores, labels[-1]).items():
        if label != labels[-1]:
            centre = math.exp(math.fsum(map(math.log, values)) / len(values))
            lines.append(
                f"regret of {label} / regret of {labels[-1]} at T = {neat(horizon)}: "
                f"worst {min(values):.3g}, geometric mean {centre:.3g}"
            )
    return "\n".join(lines)


def _aligned(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def as_dict(contest: Contest, scores: list[Score]) -> dict[str, Any]:
    """Return the scores as plain values for JSON."""
    rows = [
        {
            "landscape": s.landscape,
            "learner": s.label,
            "horizon": s.horizon,
            "regret": s.regret.value,
            "regret_error": s.regret.error,
            "regret_sd": s.regret.deviation,
            "weak_regret": s.weak_regret.value,
            "final_gap": s.final_gap.value,
            "gap_median": s.gap.median,
            "gap_worst": s.gap.worst,
        }
        for s in scores
    ]
    names = ("link", "trials", "copies", "engine", "seed")
    return {**{name: getattr(contest, name) for name in names}, "scores": rows}
