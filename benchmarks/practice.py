"""Who wins in practice: 50 to 20 000 duels, with nothing known of the judge or the utility.

Run ``python benchmarks/practice.py [ROW ...]``; without names, all rows, one JSON line for each
finding. ``docs`` also writes them into docs/preference_model.md; ``docs ROW ...`` has the table and
these rows only, and ``--section NAME`` says which of the tables there they replace. Finished trials
are kept in ``out/practice``, so that it can be interrupted. The score of an answer is the
probability that the best point beats it, less 1/2: the median over the trials of a cell, and then
the geometric mean over problems. ``--botorch PYTHON`` adds BoTorch, see botorch_rival.py.
"""

import argparse
import os
import statistics
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from _practice_contenders import AUTO, BOTORCH, CONTENDERS, MIDDLE, MODEL, RACE
from _practice_judges import JUDGES
from _practice_scores import (
    AUTO_REQUIRED,
    REQUIRED,
    Practice,
    compared,
    cores,
    described,
    gaps,
    limited,
    overall,
    trials_of,
)
from _practice_trials import distinct, timed, two_peaks
from _rows import Finding, positive, short, shown, words
from _write import table as markdown
from _write import write

from duelli.landscapes import CLARITIES, PROBLEMS
from duelli.record.stats import neat

JUDGE_REQUIRED, BATCH, BATCH_REQUIRED = 1.5, 16, 1.3
WIDE = ("sparse/8", "quadratic/8")  # the problems whose questions are timed
TIME_TRIALS, LONG = 2, 20_000
MS_MEAN, MS_WORST, LONG_SECONDS = 15.0, 80.0, 180.0
STATE_BYTES, LONG_STATE_BYTES = 64_000, 256_000
PLANE, PLANE_DUELS, PLANE_PAIRS = ("bumpy/2", "cone/2"), 200, 100
PEAKS_DUELS, PEAKS_REQUIRED = 5000, 0.19
CALIBRATED = 0.8, 0.97  # how many of the claims of 90 % should hold
# The tables of docs/preference_model.md.
SECTIONS = "few duels", "a thousand duels", "many duels", "judges", "rivals"

Row = Callable[[Practice], Iterator[Finding]]


def where(clarity: str, budget: int) -> str:
    return f"{clarity} judge, {budget} duels"


def table(options: Practice) -> Iterator[Finding]:
    for clarity in options.clarities:
        for budget in options.budgets:
            for name in options.contenders(budget):
                medians = gaps(options, name, clarity, budget)
                row = {"row": f"{name}, {where(clarity, budget)}", "contender": name}
                cell = {"clarity": clarity, "duels": budget, "trials": len(options.own_seeds)}
                yield row | cell | described(medians)


def ratios(options: Practice) -> Iterator[Finding]:
    for (rival, clarity), required in REQUIRED.items():
        for budget in options.budgets:
            if clarity in options.clarities and rival in options.contenders(budget):
                own, other = (gaps(options, n, clarity, budget) for n in (MODEL, rival))
                yield {
                    "row": f"{MODEL} / {rival}, {where(clarity, budget)}",
                    "trials": len(options.own_seeds),
                    **compared(own, other, required.get(budget)),
                    "middle": short(overall(gaps(options, MIDDLE, clarity, budget))),
                }


def handover(options: Practice) -> Iterator[Finding]:
    """Yield the gap of `auto` over that of the better of the two learners that it is made of."""
    for clarity in options.clarities:
        for budget in options.budgets:
            parts = {name: gaps(options, name, clarity, budget) for name in (MODEL, RACE)}
            better = min(parts, key=lambda name: overall(parts[name]))
            own = gaps(options, AUTO, clarity, budget)
            yield {
                "row": f"{AUTO} / the better of {MODEL} and {RACE}, {where(clarity, budget)}",
                "trials": len(options.own_seeds),
                "better": better,
                **compared(own, parts[better], AUTO_REQUIRED),
                "over_arc_race": short(overall(own) / overall(parts[RACE])),
                "middle": short(overall(gaps(options, MIDDLE, clarity, budget))),
            }


def judges(options: Practice) -> Iterator[Finding]:
    plain = gaps(options, MODEL, "medium", options.duels)
    for judge in JUDGES:
        if judge != "plain":
            faulty = gaps(options, MODEL, "medium", options.duels, judge)
            middle = overall(gaps(options, MIDDLE, "medium", options.duels, judge))
            yield {
                "row": f"{MODEL}, {judge} / plain judge, {where('medium', options.duels)}",
                "trials": len(options.own_seeds),
                **compared(faulty, plain, JUDGE_REQUIRED),
                "gap": short(overall(faulty)),
                "middle": short(middle),
            }


def batch(options: Practice) -> Iterator[Finding]:
    for clarity in ("clear", "medium"):
        one = gaps(options, MODEL, clarity, options.duels)
        many = gaps(options, MODEL, clarity, options.duels, inputs={"batch": BATCH})
        yield {
            "row": f"{MODEL}, batch = {BATCH} / batch = 1, {where(clarity, options.duels)}",
            "trials": len(options.own_seeds),
            **compared(many, one, BATCH_REQUIRED),
            "middle": short(overall(gaps(options, MIDDLE, clarity, options.duels))),
        }


def calibration(options: Practice) -> Iterator[Finding]:
    """Yield how many of the gaps that were claimed with probability 90 % held."""
    everywhere = []
    for clarity in options.clarities:
        for budget in options.budgets:
            cell = trials_of(options, MODEL, clarity, budget)
            found = [each for trials in cell.values() for each in trials]
            everywhere += found
            yield {
                "row": f"claims of {MODEL} that hold, {where(clarity, budget)}",
                "trials": len(found),
                "share": short(held(found)),
                "median_claim": short(statistics.median(each["claim"] for each in found)),
                "median_gap": short(statistics.median(each["gap"] for each in found)),
            }
    share, (least, most) = held(everywhere), CALIBRATED
    yield {
        "row": f"claims of {MODEL} that hold, all cells",
        "trials": len(everywhere),
        "share": short(share),
        "required": f"{least:g} to {most:g}",
        "met": "yes" if least <= share <= most else "no",
    }


def held(found: list[Finding]) -> float:
    """Return the share of claims that are true."""
    return statistics.fmean(each["gap"] <= each["claim"] for each in found)


def times(options: Practice) -> Iterator[Finding]:
    """Yield what questions take. These are run one after the other, and not kept."""
    seeds, n = options.seeds(TIME_TRIALS)[:TIME_TRIALS], options.duels
    found = [timed(problem, n, seed) for problem in WIDE for seed in seeds]
    mean = statistics.fmean(each["ms_a_question"] for each in found)
    step = short(statistics.fmean(each["ms_a_step"] for each in found))
    worst = max(each["ms_worst"] for each in found)
    at, load = f"d = 8, {n} duels", {"load": cores()}
    yield {"row": f"ms a question, {at}", **limited(mean, MS_MEAN), "a_step": step, **load}
    yield {"row": f"ms of the slowest question, {at}", **limited(worst, MS_WORST), **load}
    state = max(each["state_bytes"] for each in found)
    yield {"row": f"bytes of the state, {at}", **limited(state, STATE_BYTES)}
    long = timed(WIDE[0], LONG, seeds[0])
    at = f"d = 8, {LONG} single duels"
    yield {"row": f"seconds, {at}", **limited(long["seconds"], LONG_SECONDS), **load}
    yield {"row": f"bytes of the state, {at}", **limited(long["state_bytes"], LONG_STATE_BYTES)}


def pairs(options: Practice) -> Iterator[Finding]:
    """Yield how many pairs differ at all, and how many by 1 % of the box."""
    for problem in PLANE:
        jobs = [(problem, PLANE_DUELS, seed) for seed in options.own_seeds]
        found = options.found(distinct, jobs)
        least = min(each["exact"] for each in found)
        yield {
            "row": f"distinct pairs, {problem}, {PLANE_DUELS} duels",
            "trials": len(found),
            "least": least,
            "required": PLANE_PAIRS,
            "met": "yes" if least >= PLANE_PAIRS else "no",
            "least_that_look_different": min(each["seen"] for each in found),
            "most_repeated_at_once": max(each["in_a_row"] for each in found),
        }


def peaks(options: Practice) -> Iterator[Finding]:
    seeds = options.own_seeds
    for name in options.contenders(PEAKS_DUELS):
        duels = 0 if name == MIDDLE else PEAKS_DUELS
        found = options.found(two_peaks, [(name, duels, seed) for seed in seeds])
        values = [each["gap"] for each in found]
        median = statistics.median(values)
        asked = limited(median, PEAKS_REQUIRED) if name == MODEL else {"measured": short(median)}
        yield {
            "row": f"gap in utility on two peaks, {name}, {duels} duels",
            "trials": len(seeds),
            **asked,
            "worst": short(max(values)),
        }


ROWS: dict[str, Row] = {
    "table": table,
    "ratios": ratios,
    "handover": handover,
    "judges": judges,
    "batch": batch,
    "calibration": calibration,
    "time": times,
    "pairs": pairs,
    "two_peaks": peaks,
}


def pivoted(findings: list[Finding], score: str) -> str:
    """Return one row for each contender, and one column for each clarity and number of duels."""
    columns = list(dict.fromkeys((each["clarity"], each["duels"]) for each in findings))
    cells = {(f["contender"], f["clarity"], f["duels"]): neat(f[score], 2) for f in findings}
    rows = [["", *(f"{clarity}, {budget}" for clarity, budget in columns)]]
    for name in dict.fromkeys(each["contender"] for each in findings):
        rows.append([name, *(cells.get((name, *column), "") for column in columns)])
    return markdown(rows)


def docs(
    options: Practice, names: Sequence[str] = (), section: str = SECTIONS[0]
) -> Iterator[Finding]:
    """Measure the table and these rows, or all, and write them into docs/preference_model.md."""
    measured = []
    for finding in table(options):
        yield finding
        measured.append(finding)
    groups = [name for name in ("tuned", "held back") if name in measured[0]]
    titles = {"geometric_mean": "All problems"} | {name: f"Problems {name}" for name in groups}
    titles["worst"] = "The worst problem of each contender"
    parts = [f"{title}:\n\n{pivoted(measured, score)}" for score, title in titles.items()]
    cells = [["", "measured"]]
    for name in names or list(ROWS)[1:]:
        for finding in ROWS[name](options):
            yield finding
            cells.append([finding["row"], words(finding)])
    text = "\n\n".join([headline(options), *parts, markdown(cells)])
    write("docs/preference_model.md", f"benchmarks/practice.py {section}", text)


def headline(options: Practice) -> str:
    """Return how many trials there are, and of which problems."""
    problems, names = options.problems, ", ".join(options.problems)
    which = f"all {len(problems)} problems" if problems == PROBLEMS else names
    return f"Medians of {len(options.own_seeds)} trials of {which}."


def among(choices: Collection[str]) -> Callable[[str], tuple[str, ...]]:
    """Return what reads some of these names from the command line."""

    def names_in(text: str) -> tuple[str, ...]:
        names = tuple(text.split(","))
        if unknown := set(names) - set(choices):
            rule = f"must be among {', '.join(choices)}"
            raise argparse.ArgumentTypeError(f"{rule}; got {', '.join(sorted(unknown))}")
        return names

    return names_in


def numbers(text: str) -> tuple[int, ...]:
    return tuple(positive(part) for part in text.split(","))


def main() -> None:
    commands: dict[str, Row] = {**ROWS, "docs": docs}
    default = Practice()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(commands))
    parser.add_argument("--trials", type=positive, help="trials of each cell; 16 by default")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; all cores by default")
    parser.add_argument("--budgets", type=numbers, default=default.budgets, help="such as 50,200")
    parser.add_argument("--duels", type=positive, default=1000, help="of judges, batch and time")
    parser.add_argument(
        "--problems", type=among(PROBLEMS), default=PROBLEMS, help="such as cone/2,wavy/1"
    )
    parser.add_argument(
        "--clarities", type=among(CLARITIES), default=tuple(CLARITIES), help="such as clear,fog"
    )
    parser.add_argument(
        "--without", type=among(CONTENDERS), default=(), help="such as 'preferential BO,auto'"
    )
    parser.add_argument(
        "--section", choices=SECTIONS, default=SECTIONS[0], help="the table that docs writes"
    )
    parser.add_argument("--botorch", metavar="PYTHON", help="a Python that has botorch")
    given = vars(parser.parse_args())
    rows, rival, section = (given.pop(name) for name in ("rows", "botorch", "section"))
    if unknown := set(rows) - set(commands):
        parser.error(f"ROW must be one of {', '.join(commands)}; got {', '.join(unknown)}")
    if rival:
        os.environ[BOTORCH] = rival  # the processes of the trials see it too
    if "docs" in rows:
        others = [name for name in rows if name in ROWS and name != "table"]
        rows, commands = ["docs"], {"docs": partial(docs, names=others, section=section)}
    for name in rows or ROWS:
        for _ in shown(commands[name](Practice(**given))):
            pass


if __name__ == "__main__":
    main()
