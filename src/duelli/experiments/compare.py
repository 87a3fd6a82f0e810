"""Compare learners side by side: any landscapes, any horizons, the same copies for everyone."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duelli.experiments.run import collect
from duelli.experiments.spec import Experiment, Run
from duelli.record.stats import Mean
from duelli.record.tables import Store, atomic_path
from duelli.reproduce import Job
from duelli.trials import Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Who is compared, where, and for how long.

    Args:
        landscapes: Names of landscapes.
        learners: Label -> (name of the learner, its inputs).
        horizons: T, several.
        link: The name of the link.
        trials: Of each learner, landscape and horizon.
        copies: Whether each trial has its own mirrored and shifted copy of the landscape; the
            seeds, and so the copies, are the same for every learner.
        engine: "collapsed" or "per_duel".
        seed: From which the trials' seeds follow.
    """

    landscapes: tuple[str, ...]
    learners: Mapping[str, tuple[str, Mapping[str, Any]]]
    horizons: tuple[int, ...]
    link: str = "logistic"
    trials: int = 20
    copies: bool = True
    engine: str = "collapsed"
    seed: int = 0

    def experiments(self) -> tuple[Experiment, ...]:
        """Return one experiment a landscape, with a run for each learner and horizon."""
        return tuple(
            Experiment(
                id=f"compare-{landscape}",
                title=landscape,
                where="",
                runs=tuple(
                    self._run(landscape, label, horizon)
                    for label in self.learners
                    for horizon in self.horizons
                ),
                panels=(),
            )
            for landscape in self.landscapes
        )

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

    def job(self, out: Path, jobs: int = -1) -> Job:
        """Return the trials to run, kept in ``out`` like those of a reproduction."""
        return Job(experiments=self.experiments(), store=Store(out), jobs=jobs)


def run_label(label: str, horizon: int) -> str:
    """Return what a run is called."""
    return f"{label}, T = {horizon:g}"


@dataclass(frozen=True, slots=True)
class Score:
    """What one learner did on one landscape at one horizon."""

    landscape: str
    learner: str
    horizon: int
    regret: Mean
    weak_regret: Mean
    final_gap: Mean


def scores(contest: Contest, store: Store) -> list[Score]:
    """Return the score of every learner on every landscape at every horizon."""
    results = collect(contest.experiments(), store)
    found = []
    for landscape in contest.landscapes:
        for label in contest.learners:
            for horizon in contest.horizons:
                rows = results[f"compare-{landscape}"][run_label(label, horizon)]
                means = (
                    Mean.of([row[key] for row in rows])
                    for key in ("cumulative_regret", "weak_regret", "final_gap")
                )
                found.append(Score(landscape, label, horizon, *means))
    return found


def ratios(found: list[Score], base: str) -> dict[tuple[str, int], list[float]]:
    """Return regret over that of ``base``, by learner and horizon, a value for each landscape."""
    mean = {(s.landscape, s.learner, s.horizon): s.regret.value for s in found}
    grouped: dict[tuple[str, int], list[float]] = {}
    for (landscape, learner, horizon), value in mean.items():
        ratio = value / mean[landscape, base, horizon]
        grouped.setdefault((learner, horizon), []).append(ratio)
    return grouped


def table(contest: Contest, found: list[Score]) -> str:
    """Return the scores as text: a row a landscape and horizon, a column a learner."""
    labels = list(contest.learners)
    cells = {(s.landscape, s.horizon, s.learner): str(s.regret) for s in found}
    rows = [["landscape", "T", *labels]]
    rows += [
        [landscape, f"{horizon:g}", *(cells[landscape, horizon, label] for label in labels)]
        for landscape in contest.landscapes
        for horizon in contest.horizons
    ]
    base = labels[-1]
    grouped = ratios(found, base)
    lines = [_aligned(rows), ""]
    for (label, horizon), values in grouped.items():
        if label != base:
            centre = math.exp(math.fsum(map(math.log, values)) / len(values))
            lines.append(
                f"regret of {label} / regret of {base} at T = {horizon:g}: "
                f"worst {min(values):.3g}, geometric mean {centre:.3g}"
            )
    return "\n".join(lines)


def _aligned(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def as_dict(contest: Contest, found: list[Score]) -> dict[str, Any]:
    """Return the scores as JSON has them."""
    rows = [
        {
            "landscape": s.landscape,
            "learner": s.learner,
            "horizon": s.horizon,
            "regret": s.regret.value,
            "regret_error": s.regret.error,
            "regret_sd": s.regret.deviation,
            "weak_regret": s.weak_regret.value,
            "final_gap": s.final_gap.value,
        }
        for s in found
    ]
    names = ("link", "trials", "copies", "engine", "seed")
    return {**{name: getattr(contest, name) for name in names}, "scores": rows}


def write(contest: Contest, found: list[Score], out: Path) -> Path:
    """Write the scores as JSON and as a figure; return the path of the figure."""
    from duelli.report import contests, figures

    with atomic_path(out / "compare.json") as path:
        path.write_text(json.dumps(as_dict(contest, found), indent=1))
    figures.save(contests.draw(found), out, "compare")
    return out / "compare.png"
