"""What ArcRace is worth: its regret, its answers and its claims, one JSON line a row.

Run ``python benchmarks/race.py [ROW ...]``; without names, all rows. ``readme`` and ``docs`` also
write what they measure into README.md and docs/arc_race.md; ``docs ROW ...`` has these rows only.
Finished trials are kept in ``out/race``, so that it can be interrupted. ``--trials`` and ``--runs``
choose how many there are. Every trial has its own copy of the landscape, mirrored and shifted, or
its own shape; they are the same for every learner.
"""

import argparse
import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from _rows import (
    Entry,
    Finding,
    Options,
    by_problem,
    positive,
    relative,
    scores,
    short,
    shown,
    words,
)
from _trials import claim, final_utility, in_hand, losses, middle, parts
from _write import table, write

from duelli import LANDSCAPES
from duelli._rng import trial_seed
from duelli.experiments.presets import SEVEN
from duelli.learners.race import SLACKS
from duelli.record.stats import neat

NEW = ("valley/2", "bowl/2", "banana/2", "peaks/2", "needle/2", "corner/2", "max_cone/2")
MISLEADING = ("twin_cones/1", "twin_cones/2", "flat/2", "plateau/2", "plain/2")
GENERATED = {"new shapes": NEW, "misleading shapes": MISLEADING}
HARD = ("needle/2", "banana/2")  # no answer is asked for here after 1e6 duels
ADVERSARIAL = ("twin_cones/1", "twin_cones/2", "peaks/2", "plateau/2")
TWICE, CLEARLY = 2.0, 1e-4  # an answer with so many times the gap, and so much more, is bad

PAPER: Entry = ("arc_duelli", {"order": "random"})
RACE: Entry = ("arc_race", {})


Row = Callable[[Options], Iterator[Finding]]


def against_race(
    options: Options,
    problems: tuple[str, ...],
    rivals: Mapping[str, Entry],
    horizon: int,
    trials: int = 20,
    where: str = "",
) -> Iterator[Finding]:
    """Yield the regret of each rival over ArcRace's, with the gaps of both answers."""
    for label, rival in rivals.items():
        learners = {label: rival, "arc_race": RACE}
        measured = scores(options, problems, learners, horizon, trials)
        row = f"{label} / arc_race{where}, T = {neat(horizon)}"
        yield relative(row, measured, min) | {"trials": len(options.seeds(trials))}


def big(options: Options) -> Iterator[Finding]:
    for horizon in (10**8, 10**10):
        yield from against_race(options, SEVEN, {"arc_duelli": PAPER}, horizon)


def small(options: Options) -> Iterator[Finding]:
    for horizon in (10**3, 10**4, 10**5, 10**6):
        yield from against_race(options, SEVEN, {"arc_duelli": PAPER}, horizon, trials=60)


def sqrt(options: Options) -> Iterator[Finding]:
    measured = scores(options, ("two_cones", "sharp", "quadratic"), {"arc_race": RACE}, 10**8)
    yield {
        "row": "R / sqrt(T) of arc_race, T = 1e8",
        "trials": len(options.seeds()),
        "each": by_problem({s.landscape: s.regret.value / 1e4 for s in measured}),
        "gap": by_problem({s.landscape: s.final_gap.value for s in measured}),
    }


def filters_on(cells: int) -> dict[str, Entry]:
    """Return Interleaved Filter with its confidence factor as published, and with a bolder one."""
    return {
        f"IF2 on {cells}x{cells}, factor {factor:g}": (
            "interleaved_filter",
            {"cells": cells, "conf_factor": factor},
        )
        for factor in (4.0, 1.0)
    }


def filters(options: Options) -> Iterator[Finding]:
    for cells in (4, 8, 16, 32):
        trials = 6 if cells == 32 else 20
        yield from against_race(options, SEVEN, filters_on(cells), 10**8, trials)


def shapes(options: Options) -> Iterator[Finding]:
    rivals: dict[str, Entry] = {"arc_duelli": PAPER, **filters_on(16), "spsa": ("spsa", {})}
    for where, problems in GENERATED.items():
        yield from against_race(options, problems, rivals, 10**8, where=f", {where}")


def phases(options: Options) -> Iterator[Finding]:
    """Yield what scans and rivals, of which the guarantee is made, cost where SPSA is nearest."""
    for problem in ("bowl/2", "valley/2", "banana/2"):
        found = options.found(parts, [(problem, 10**8, seed) for seed in options.seeds()])
        yield {
            "row": f"R / sqrt(T) of arc_race on {problem}, T = 1e8, by phases",
            "trials": len(found),
            **{name: short(statistics.fmean(e[name] for e in found) / 1e4) for name in found[0]},
        }


def answers(options: Options) -> Iterator[Finding]:
    for where, problems in GENERATED.items():
        measured = scores(options, problems, {"arc_race": RACE}, 10**6)
        gap = {score.landscape: score.final_gap.value for score in measured}
        no_duel = {
            name: statistics.fmean(middle(name, seed) for seed in options.seeds())
            for name in problems
        }
        yield {
            "row": f"mean gap of the answer of arc_race, {where}, T = 1e6",
            "trials": len(options.seeds()),
            "worst": short(max(gap.values())),
            "worst_but_needle_and_banana": short(max(gap[p] for p in gap if p not in HARD)),
            "each": by_problem(gap),
            "no_duel_middle": by_problem(no_duel),
        }


def spread_over(options: Options, places: int) -> range:
    """Return the numbers of the runs at each of so many places, as many runs as are asked for."""
    return range(-(-options.runs // places))


def support(options: Options) -> Iterator[Finding]:
    places = [(p, horizon) for p in SEVEN + NEW for horizon in (10**4, 10**5, 10**6)]
    numbers = spread_over(options, len(places))
    for when in ("at the horizon", "stopped anywhere before it"):
        shares = [1.0 if when == "at the horizon" else (k + 0.5) / len(numbers) for k in numbers]
        jobs = [(*place, shares[k], trial_seed(2, k)) for place in places for k in numbers]
        found = options.found(in_hand, jobs)
        bad = [
            each
            for each in found
            if each["answer"] > max(TWICE * each["best"], each["best"] + CLEARLY)
        ]
        yield {
            "row": f"answers of more than twice the gap of the best arm in hand, {when}",
            "runs": len(found),
            "bad": len(bad),
            "with_a_choice_of_arms": sum(each["arms"] > 1 for each in found),
            "largest_difference": short(max(each["answer"] - each["best"] for each in found)),
        }


def certificate(options: Options) -> Iterator[Finding]:
    found = options.found(claim, [("twin_cones/1", 10**10, 0.05, s) for s in options.seeds()])
    yield {
        "row": "gap_high of best(), twin cones in one dimension, T = 1e10",
        "trials": len(found),
        "median": short(statistics.median(each["gap_high"] for each in found)),
        "largest": short(max(each["gap_high"] for each in found)),
        "true_gap_median": short(statistics.median(each["gap"] for each in found)),
        "confidence_least": short(min(each["confidence"] for each in found)),
    }
    yield from coverage(options)


def coverage(options: Options) -> Iterator[Finding]:
    horizons = (10**6, 10**7, 10**8)
    numbers = spread_over(options, len(ADVERSARIAL) * len(horizons))
    jobs = [
        (name, horizon, 0.05, trial_seed(3, k))
        for name in ADVERSARIAL
        for horizon in horizons
        for k in numbers
    ]
    found = options.found(claim, jobs)
    yield {
        "row": "claims of best() at delta = 0.05, adversarial families, T = 1e6 to 1e8",
        "runs": len(found),
        "gap_covered": short(statistics.fmean(each["covered"] for each in found)),
        "best_arm_inside": short(statistics.fmean(each["inside"] for each in found)),
        "gap_high_median": short(statistics.median(each["gap_high"] for each in found)),
        "enough": sum(each["enough"] for each in found),
        "withdrawn": sum(each["confidence"] == 0 for each in found),
    }


def endless(options: Options) -> Iterator[Finding]:
    learners: dict[str, Entry] = {
        "without a horizon": ("arc_race", {"horizon": None}),
        "arc_race": RACE,
    }
    for horizon in (10**k for k in range(4, 11)):
        measured = scores(options, SEVEN, learners, horizon)
        row = f"without a horizon / with one, T = {neat(horizon)}"
        yield relative(row, measured, max) | {"trials": len(options.seeds())}


def dimensions(options: Options) -> Iterator[Finding]:
    for dim, problem in ((1, "line"), (3, "two_cones_3d"), (4, "two_cones_4d")):
        where = f", d = {dim}"
        yield from against_race(options, (problem,), {"arc_duelli": PAPER}, 10**8, where=where)


def clear(options: Options) -> Iterator[Finding]:
    for horizon in (100, 200, 1000):
        seeds = options.seeds(50)
        jobs = [("two_cones", horizon, "logistic:10", seed) for seed in seeds]
        found = options.found(final_utility, jobs)
        yield {
            "row": f"utility found on two_cones, logistic:10, T = {horizon}, of 0.667",
            "trials": len(seeds),
            "median": short(statistics.median(each["utility"] for each in found)),
            "gap_median": short(statistics.median(each["gap"] for each in found)),
        }


def exponent(options: Options) -> Iterator[Finding]:
    problems = ("two_cones", "sharp", "two_peaks")
    low, high = (
        scores(options, problems, {"arc_race": RACE}, horizon, 12) for horizon in (10**8, 10**12)
    )
    each = {
        a.landscape: math.log10(b.regret.value / a.regret.value) / 4
        for a, b in zip(low, high, strict=True)
    }
    yield {
        "row": "exponent of R in T, 1e8 to 1e12",
        "trials": len(options.seeds(12)),
        "each": by_problem(each),
        "gap": by_problem({score.landscape: score.final_gap.value for score in high}),
    }


def safety(options: Options) -> Iterator[Finding]:
    plane = [name for name, landscape in LANDSCAPES.items() if landscape.dim == 2]
    for horizon, share in ((10**6, 1.0), (10**8, 1.0), (10**10, 0.1)):
        numbers = range(-(-round(share * options.runs) // len(plane)))
        jobs = [(name, horizon, trial_seed(1, k)) for name in plane for k in numbers]
        found = options.found(losses, jobs)
        yield {
            "row": f"runs that eliminate a cube of x*, T = {neat(horizon)}",
            "runs": len(found),
            "lost": sum(each["lost"] > 0 for each in found),
            "eliminations_a_run": short(statistics.fmean(each["eliminated"] for each in found)),
        }


def ablation(options: Options) -> Iterator[Finding]:
    for horizon, trials in ((10**8, 12), (10**10, 6)):
        for name in SLACKS:
            if horizon == 10**10 and name in ("local_search", "must_pay"):
                continue  # these walk millions of cubes there, and 1e8 says enough
            entry: Entry = ("arc_race", {"without": [name]})
            learners = {f"without {name}": entry, "arc_race": RACE}
            measured = scores(options, SEVEN, learners, horizon, trials)
            row = f"without {name} / with it, T = {neat(horizon)}"
            yield relative(row, measured, max) | {"trials": len(options.seeds(trials))}


ROWS: dict[str, Row] = {
    "big": big,
    "small": small,
    "sqrt": sqrt,
    "shapes": shapes,
    "phases": phases,
    "answers": answers,
    "support": support,
    "certificate": certificate,
    "endless": endless,
    "dimensions": dimensions,
    "clear": clear,
    "exponent": exponent,
    "filters": filters,
    "safety": safety,
    "ablation": ablation,
}
IN_DOCS = [name for name in ROWS if name != "ablation"]  # which has a table of its own


def readme(options: Options) -> Iterator[Finding]:
    """Measure the table of README.md, and write it there."""
    grid = "Interleaved Filter on the 16x16 grid"
    published, bolder = filters_on(16).values()
    rivals: list[tuple[str, Entry, int]] = [
        ("ARC-DuelLi", PAPER, 10**8),
        ("ARC-DuelLi", PAPER, 10**10),
        (f"{grid}, confidence factor 4 as published", published, 10**8),
        ("the same with the bolder confidence factor 1", bolder, 10**8),
    ]
    head = ["compared with", "worst landscape", "geometric mean", "gap of its answer", "ArcRace's"]
    cells = [head]
    for label, rival, horizon in rivals:
        (finding,) = against_race(options, SEVEN, {label: rival}, horizon)
        yield finding
        ratio = [f"{finding[name]:.0f}" for name in ("worst", "geometric_mean")]
        gap = [neat(finding["gap"][name]["mean"], 2) for name in (label, "arc_race")]
        cells.append([f"{label}, T = {neat(horizon)}", *ratio, *gap])
    write("README.md", "benchmarks/race.py", table(cells))


def docs(options: Options, names: Sequence[str] = IN_DOCS) -> Iterator[Finding]:
    """Measure the rows of docs/arc_race.md, and write them there."""
    cells = [["", "measured"]]
    for name in names:
        for finding in ROWS[name](options):
            yield finding
            cells.append([finding["row"], words(finding)])
    write("docs/arc_race.md", "benchmarks/race.py", table(cells))


def main() -> None:
    commands: dict[str, Row] = {**ROWS, "readme": readme, "docs": docs}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(commands))
    parser.add_argument("--trials", type=positive, help="trials of each problem and learner")
    parser.add_argument(
        "--runs", type=positive, default=1000, help="runs of rows that count failures"
    )
    parser.add_argument("--jobs", type=int, default=-1, help="processes; all cores by default")
    given = parser.parse_args()
    if unknown := set(given.rows) - set(commands):
        parser.error(f"ROW must be one of {', '.join(commands)}; got {', '.join(unknown)}")
    options = Options(trials=given.trials, runs=given.runs, jobs=given.jobs)
    if "docs" in given.rows:
        others = [name for name in given.rows if name in ROWS]
        commands = {"docs": partial(docs, names=others or IN_DOCS)}
    for name in [name for name in given.rows or ROWS if name in commands]:
        for _ in shown(commands[name](options)):
            pass


if __name__ == "__main__":
    main()
