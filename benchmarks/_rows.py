"""What the rows of a benchmark share: options, scores of trials, and words for tables."""

import argparse
import json
import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _keep import Found, Job, Work, kept
from _trials import trial

from duelli._rng import trial_seed
from duelli.experiments.compare import ratios
from duelli.record.results import Score
from duelli.record.stats import neat

Finding = dict[str, Any]
Entry = tuple[str, Mapping[str, Any]]  # the name of a learner and its inputs


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the command line chooses.

    Args:
        trials: Trials of each problem and learner; None for those that a row has of its own.
        runs: Runs of each row that counts failures, over all of its problems and horizons.
        jobs: Processes; -1 for all cores.
        out: Where finished trials are kept.
    """

    trials: int | None = None
    runs: int = 1000
    jobs: int = -1
    out: Path = Path("out/race")

    def seeds(self, trials: int = 20) -> list[int]:
        """Return the seeds of the trials of a row that has so many of its own."""
        return [trial_seed(0, k) for k in range(trials if self.trials is None else self.trials)]

    def found(self, work: Work, jobs: Sequence[Job], unused: tuple[str, ...] = ()) -> list[Found]:
        """Return what each job has found, from what is kept where it can be.

        Args:
            work: A trial.
            jobs: The arguments of each trial.
            unused: Patterns of files of duelli that the trials do not use.
        """
        return kept(work, jobs, self.out, self.jobs, unused)


def scores(
    options: Options,
    problems: tuple[str, ...],
    learners: Mapping[str, Entry],
    horizon: int,
    trials: int = 20,
) -> list[Score]:
    """Return the score of every learner on every problem, from the trials of each."""
    seeds, pairs = options.seeds(trials), [(p, label) for p in problems for label in learners]
    jobs = [(p, *learners[label], horizon, seed) for p, label in pairs for seed in seeds]
    found = iter(options.found(trial, jobs))
    return [
        Score.of(
            [next(found) for _ in seeds],
            landscape=problem,
            label=label,
            learner=learners[label][0],
            horizon=horizon,
        )
        for problem, label in pairs
    ]


def short(value: float) -> float:
    """Return a number with three digits."""
    return float(f"{value:.3g}")


def by_problem(values: Mapping[str, float]) -> dict[str, float]:
    return {name.removesuffix("/2"): short(value) for name, value in values.items()}


def geometric_mean(values: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, values)))


def gaps(measured: list[Score]) -> dict[str, dict[str, float]]:
    """Return the mean gap of each learner's answers, and that on its worst problem."""
    grouped: dict[str, list[float]] = {}
    for score in measured:
        grouped.setdefault(score.label, []).append(score.final_gap.value)
    return {
        label: {"mean": short(statistics.fmean(each)), "worst": short(max(each))}
        for label, each in grouped.items()
    }


def relative(row: str, measured: list[Score], worst: Callable[[list[float]], float]) -> Finding:
    """Return the regret of the first learner of two over that of the last, and both gaps."""
    label, base = dict.fromkeys(score.label for score in measured)
    problems = [score.landscape for score in measured if score.label == label]
    values = ratios(measured, base)[label, measured[0].horizon]
    return {
        "row": row,
        "worst": short(worst(values)),
        "geometric_mean": short(geometric_mean(values)),
        "each": by_problem(dict(zip(problems, values, strict=True))),
        "gap": gaps(measured),
    }


def shown(rows: Iterator[Finding]) -> Iterator[Finding]:
    """Print each finding as soon as it is there, and hand it on."""
    for finding in rows:
        print(json.dumps(finding), flush=True)
        yield finding


def positive(text: str) -> int:
    """Return a number of the command line, which is 1 at least."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1; got {text!r}")
    return int(text)


def words(finding: Finding) -> str:
    """Return what was found as words for a table."""
    return "; ".join(f"{_name(k)} {_words(v)}" for k, v in finding.items() if k != "row")


def _words(value: Any) -> str:
    if isinstance(value, dict):
        parts = (f"{_name(name)} {_words(entry)}" for name, entry in value.items())
        return f"({', '.join(parts)})"
    if isinstance(value, str):
        return value
    return neat(value, 6 if isinstance(value, int) else 3)


def _name(key: str) -> str:
    return key.replace("_", " ")
