"""Scores of benchmarks/practice.py: medians over seeds, geometric means over problems, ratios."""

import os
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _practice_contenders import (
    ANYTIME,
    AUTO,
    BO,
    MIDDLE,
    MODEL,
    MODEL_FILES,
    OLD,
    RIVAL,
    SPSA,
    present,
)
from _practice_trials import course, trial
from _rows import Finding, Options, geometric_mean, short

from duelli.landscapes.practice import CLARITIES, GROUPS, PROBLEMS
from duelli.learners.auto import AutoConfig

FLOOR = 1e-3  # smaller gaps count as this: they are as good as none
TRIALS = 16

# What is asked of the model: its gap is at most so many times that of the rival.
REQUIRED: dict[tuple[str, str], dict[int, float]] = {
    (OLD, "clear"): {50: 0.45, 200: 0.25, 1000: 0.15, 3000: 0.3, 20_000: 0.7},
    (OLD, "medium"): {50: 0.8, 200: 0.5, 1000: 0.45, 3000: 0.55, 20_000: 0.7},
    (OLD, "fog"): {50: 1.0, 200: 0.9, 1000: 0.85, 3000: 0.85, 20_000: 0.7},
    (MIDDLE, "fog"): dict.fromkeys((50, 200, 1000, 3000, 20_000), 1.05),
    **{
        (SPSA, clarity): {50: 1.15, 200: 1.05, 1000: 0.75, 3000: 0.5, 20_000: 0.4}
        for clarity in ("clear", "medium")
    },
    **{(bo, clarity): {50: 1.3, 200: 1.0} for bo in (BO, RIVAL) for clarity in ("clear", "medium")},
}
AUTO_REQUIRED = 1.1  # over the better of preference_model and ArcRace, at every budget

Gaps = dict[str, float]  # the median of each problem


@dataclass(frozen=True, kw_only=True)
class Practice(Options):
    """What the command line chooses.

    Args:
        problems: The names of the problems.
        clarities: How sure the judges are, of the rows ``table``, ``ratios`` and ``calibration``.
        budgets: The numbers of duels of the rows ``table`` and ``ratios``.
        duels: The number of duels of the rows ``judges``, ``batch`` and ``time``.
        without: Contenders to leave out.
    """

    out: Path = Path("out/practice")
    problems: tuple[str, ...] = PROBLEMS
    clarities: tuple[str, ...] = tuple(CLARITIES)
    budgets: tuple[int, ...] = (50, 200, 1000)
    duels: int = 1000
    without: tuple[str, ...] = ()

    def contenders(self, budget: int) -> list[str]:
        """Return the contenders of so many duels."""
        return [name for name in present(budget) if name not in self.without]

    @property
    def own_seeds(self) -> list[int]:
        """The seeds of the trials of each cell."""
        return self.seeds(TRIALS)


def gaps(
    options: Practice,
    contender: str,
    clarity: str,
    budget: int,
    judge: str = "plain",
    inputs: Mapping[str, Any] | None = None,
) -> Gaps:
    """Return the median over the seeds of P(x* beats the answer) - 1/2, for each problem."""
    found = trials_of(options, contender, clarity, budget, judge, inputs)
    return {p: statistics.median(each["gap"] for each in found[p]) for p in options.problems}


def trials_of(
    options: Practice,
    contender: str,
    clarity: str,
    budget: int,
    judge: str = "plain",
    inputs: Mapping[str, Any] | None = None,
) -> dict[str, list[Finding]]:
    """Return what the trials of a cell have found, for each problem."""
    if contender in ANYTIME:
        return _courses_of(options, contender, clarity, budget, judge, dict(inputs or {}))
    duels = 0 if contender == MIDDLE else budget
    seeds = options.own_seeds
    jobs = [
        (problem, clarity, judge, contender, dict(inputs or {}), duels, seed)
        for problem in options.problems
        for seed in seeds
    ]
    unused = () if contender == BO else MODEL_FILES
    found = iter(options.found(trial, jobs, unused))
    return {problem: [next(found) for _ in seeds] for problem in options.problems}


def _courses_of(
    options: Practice, contender: str, clarity: str, budget: int, judge: str, inputs: Finding
) -> dict[str, list[Finding]]:
    """Return the same for a learner of which one run serves all budgets of the table."""
    shared = judge == "plain" and not inputs and budget in options.budgets
    budgets, seeds = options.budgets if shared else (budget,), options.own_seeds
    if contender == AUTO and not _hands_over(budgets[-1]):
        contender = MODEL  # which it plays to the letter, so that nothing new would be seen
    jobs = [
        (problem, clarity, judge, contender, inputs, list(budgets), seed)
        for problem in options.problems
        for seed in seeds
    ]
    k, found = budgets.index(budget), options.found(course, jobs)
    cells = iter([{"gap": each["gaps"][k], "claim": each["claims"][k]} for each in found])
    return {problem: [next(cells) for _ in seeds] for problem in options.problems}


def _hands_over(horizon: int) -> bool:
    """Tell whether `auto` becomes ArcRace in a run of so many duels."""
    return AutoConfig(dim=1, horizon=horizon).hands_over(horizon)


def overall(medians: Gaps) -> float:
    """Return the geometric mean over problems."""
    return geometric_mean([max(FLOOR, gap) for gap in medians.values()])


def by_group(medians: Gaps) -> dict[str, Gaps]:
    """Return the gaps of each group of problems that there are any of."""
    parts = {
        group: {p: medians[p] for p in names if p in medians} for group, names in GROUPS.items()
    }
    return {group: part for group, part in parts.items() if part}


def described(medians: Gaps) -> Finding:
    """Return the geometric means over all problems and each group, and the worst problem."""
    worst = max(medians, key=lambda name: medians[name])
    return {
        "geometric_mean": short(overall(medians)),
        **{group: short(overall(part)) for group, part in by_group(medians).items()},
        "worst": short(medians[worst]),
        "worst_problem": worst,
    }


def compared(own: Gaps, other: Gaps, required: float | None = None) -> Finding:
    """Return the ratio of the geometric means, over all problems and each group.

    Args:
        own: The gaps of the numerator.
        other: Those of the denominator.
        required: What the ratio must be at most.
    """
    ratio, theirs = overall(own) / overall(other), by_group(other)
    each = {name: max(FLOOR, own[name]) / max(FLOOR, other[name]) for name in own}
    worst = max(each, key=lambda name: each[name])
    asked = {} if required is None else {"required": required, "met": _met(ratio, required)}
    return {
        "ratio": short(ratio),
        **asked,
        **{group: short(overall(g) / overall(theirs[group])) for group, g in by_group(own).items()},
        "worst": short(each[worst]),
        "worst_problem": worst,
    }


def limited(value: float, required: float) -> Finding:
    """Return a number with the most that it may be."""
    return {"measured": short(value), "required": required, "met": _met(value, required)}


def _met(value: float, required: float) -> str:
    return "yes" if value <= required else "no"


def cores() -> str:
    """Return how busy the machine is, which times depend on."""
    return f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
