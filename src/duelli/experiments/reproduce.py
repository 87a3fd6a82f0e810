"""Reproduce the paper: which trials to run, and what follows from them once they are finished."""

import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

import numpy as np

from duelli import _check
from duelli.experiments.claims import Evidence, MissingError, judge
from duelli.experiments.paper import EXPERIMENTS
from duelli.experiments.provenance import versions
from duelli.experiments.spec import Experiment, Narrowing
from duelli.experiments.sweep import Results, Sweep
from duelli.landscapes import LANDSCAPES
from duelli.record.results import ExperimentTable, Findings, RunTable, Truth
from duelli.record.stats import neat
from duelli.record.tables import Row, Store

TICKS = 161  # per axis of the grid on which a utility is given to figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """What to reproduce and where to keep it.

    Args:
        experiments: What to run, narrowed already.
        sweep: Their trials.
    """

    experiments: tuple[Experiment, ...]
    sweep: Sweep

    @classmethod
    def of(
        cls, *, only: tuple[str, ...], narrowing: Narrowing, out: Path, jobs: int = -1
    ) -> "Reproduction":
        """Return the reproduction of the experiments called ``only``, or of all if it is empty."""
        for name in only:
            _check.one_of("experiment", name, EXPERIMENTS)
        chosen = tuple(narrowing.of(EXPERIMENTS[name]) for name in only or EXPERIMENTS)
        groups = {experiment.id: experiment.runs for experiment in chosen}
        return cls(experiments=chosen, sweep=Sweep(groups=groups, store=Store(out), jobs=jobs))

    def findings(self, ran: int, seconds: float) -> Findings:
        """Judge the claims and return all that a page says.

        Args:
            ran: How many trials this run has added.
            seconds: How long they took.
        """
        results = self.sweep.results()
        judged, missing = judge(results)
        out = self.sweep.store.folder.name
        return Findings(
            headline=headline(results),
            facts=facts(len(self.sweep.tasks()), ran, seconds),
            claims=tuple(judged),
            claims_missing=missing,
            experiments=tuple(
                experiment_table(experiment, results[experiment.id], out)
                for experiment in self.experiments
            ),
        )


def experiment_table(
    experiment: Experiment, rows: dict[str, list[Row]], out: str = "out"
) -> ExperimentTable:
    """Return an experiment with its finished trials, given by label, as a report takes it."""
    return ExperimentTable(
        id=experiment.id,
        title=experiment.title,
        where=experiment.where,
        choices=experiment.choices,
        panels=experiment.panels,
        rerun=f"duelli reproduce --only {experiment.id} --out {out}",
        runs=tuple(
            RunTable(
                label=run.label,
                setting=run.setting.as_dict(),
                trials=run.trials,
                rows=rows.get(run.label, []),
                by_round=run.by_round,
                truth=None if run.setting.copies else truth_of(run.setting.landscape),
            )
            for run in experiment.runs
        ),
    )


@lru_cache(maxsize=32)
def truth_of(name: str) -> Truth:
    """Return what a figure shows of a landscape."""
    landscape, units = LANDSCAPES[name], np.linspace(0.0, 1.0, TICKS)
    sides = landscape.box.parameters
    heights = None
    if landscape.dim == 2:
        grid = np.stack(np.meshgrid(units, units, indexing="ij"), -1).reshape(-1, 2)
        heights = landscape.utility(grid).reshape(TICKS, TICKS)
    return Truth(
        best_arm=landscape.best_arm,
        zooming_dim=landscape.zooming_dim,
        ticks=tuple(np.array([side.to_raw(unit) for unit in units.tolist()]) for side in sides),
        heights=heights,
    )


def facts(trials: int, ran: int, seconds: float) -> tuple[tuple[str, str], ...]:
    """Return with what the experiments were run, in words."""
    installed = versions("duelli", "numpy", "numba")
    software = ", ".join(f"{name} {number}" for name, number in installed.items())
    return (
        ("Run", f"{trials} trials; {ran} of them in this run, in {seconds:.0f} seconds"),
        ("Software", f"Python {platform.python_version()}, {software}"),
        ("Machine", f"{platform.machine()}, {os.cpu_count()} cores"),
        ("Date", datetime.now(UTC).strftime("%Y-%m-%d")),
    )


def headline(results: Results) -> str:
    """Return what a reader should take away, from the numbers of this run."""
    evidence = Evidence(results)
    try:
        rows, gaps = evidence.rows("main"), evidence.gaps("main")
        ours, theirs = evidence.regret("main"), evidence.regret("main", "IF2, 16x16")
        eliminated = evidence.eliminated("main")
    except MissingError:
        return (
            "This page shows a part of the reproduction. The headline needs the main experiment "
            "at T = 1e8: run duelli reproduce without options."
        )
    rounds = len(rows[0]["rounds"])
    stuck = (rows[0]["duels_explored"] - rows[0]["rounds"][-1]["duels"]) / rows[0]["horizon"]
    compared = "more" if theirs.below(ours) else "less" if ours.below(theirs) else "as much"
    return (
        f"At T = 1e8 with the printed constants ARC-DuelLi completes {rounds} rounds, eliminates "
        f"{eliminated or 'no'} cubes, spends {stuck:.0%} of the horizon in a round that cannot "
        f"finish, and has {compared} regret ({neat(ours.value)}) "
        f"{'as' if compared == 'as much' else 'than'} Interleaved Filter at matched resolution "
        f"({neat(theirs.value)}). The convergence of the reference arm and the decay of the gap "
        f"({gaps[0].value:.3f} to {gaps[-1].value:.4f}) do reproduce."
    )
