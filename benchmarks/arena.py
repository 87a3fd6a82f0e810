"""Write the summary of the arena into README.md, from the trials of both presets.

Run ``python benchmarks/arena.py``; it runs what ``make arena`` has not run yet. Finished trials are
kept in ``out``, as those of ``duelli compare --preset`` are. ``--trials``, ``--jobs`` and ``--out``
are those of that command.
"""

import argparse
import statistics
from collections.abc import Sequence
from pathlib import Path

from _rows import positive
from _write import table as markdown
from _write import write

from duelli.cli.backends import Workers
from duelli.cli.progress import run_sweep
from duelli.experiments.arena import Arena
from duelli.experiments.presets import ARENAS
from duelli.record.arena import ArenaTable
from duelli.record.ranking import standing_among, standings
from duelli.record.results import MIDDLE
from duelli.record.stats import neat
from duelli.report.arena_tables import rough
from duelli.report.winners import measure_of

BEST = 2  # of each column that are shown beside ours
NONE = "–"

Column = dict[str, float]  # by label, the least first


def played(name: str, trials: int | None, jobs: int, out: Path) -> ArenaTable:
    """Return an arena, after its missing trials were run."""
    arena = Arena.of(name, trials=trials)
    sweep = arena.sweep(out, jobs)
    return arena.table(sweep, run_sweep(sweep, out, Workers(jobs)))


def columns_of(table: ArenaTable) -> dict[int, Column]:
    """Return the regret over the least, or the gap, of those who play everywhere, by horizon."""
    measure, found = measure_of(table), {}
    for horizon in table.horizons:
        entries = table.at(horizon=horizon)
        middle = standing_among(table.middles_at(horizon), entries, measure)
        ranked = [each for each in standings(entries, measure) if each.place is not None]
        values = {
            each.label: (each.times if table.main == "regret" else each.overall).value
            for each in (*ranked, middle)
        }
        found[horizon] = dict(sorted(values.items(), key=lambda item: item[1]))
    return found


def shown(tables: Sequence[ArenaTable]) -> list[str]:
    """Return ours and the best of each column, those that are better on average first."""
    columns = [
        [label for label in column if label != MIDDLE]
        for table in tables
        for column in columns_of(table).values()
    ]
    ours = [label for label in tables[0].ours if any(label in each for each in columns)]
    chosen = {*ours, *(label for column in columns for label in column[:BEST])}
    places = {
        label: statistics.fmean(each.index(label) for each in columns if label in each)
        for label in sorted(chosen)
    }
    return sorted(places, key=lambda label: places[label])


def costs(tables: Sequence[ArenaTable], label: str) -> list[str]:
    """Return the time per duel with few duels, and the largest state."""
    entries = [entry for table in tables for entry in table.at(label=label)]
    found = [entry.cost for entry in entries if entry.cost is not None]
    last = [e.cost.seconds for e in tables[-1].at(label=label) if e.cost is not None]
    if not found:
        return [NONE, NONE]
    time = rough(statistics.fmean(last)) if last else NONE
    return [time, f"{max(each.state_bytes for each in found):,}"]


def trials_of(table: ArenaTable) -> str:
    count = len(table.entries[0].gaps)
    return f"{len(table.landscapes)} {table.places} with {count} trial{'s' * (count > 1)} each"


def summary(paper: ArenaTable, practice: ArenaTable) -> str:
    """Return the table, and below it what it rests on."""
    tables, regrets, gaps = (paper, practice), columns_of(paper), columns_of(practice)
    head = ["", *(f"regret, T = {neat(t)}" for t in regrets), *(f"gap, {t} duels" for t in gaps)]
    rows = [[*head, "time per duel", "state, bytes"]]
    names = shown(tables)
    for label in (*names, MIDDLE):
        columns = (*regrets.values(), *gaps.values())
        values = [neat(each[label], 2) if label in each else NONE for each in columns]
        rows.append([label, *values, *costs(tables, label)])
    note = (
        f"Regret is relative to the least of all {len(paper.learners)} learners, geometric mean "
        f"over {trials_of(paper)}; the gap of the answer is the geometric mean over "
        f"{trials_of(practice)}. The time is a rough number, from the latter. Shown are "
        f"{', '.join(paper.ours)}, the best {BEST} of each column, and the {MIDDLE}, which takes "
        f"no duels; {len(paper.learners) - len(names)} more learners are on the pages."
    )
    return f"{markdown(rows)}\n\n{note}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=positive, help="trials of each cell")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; all cores by default")
    parser.add_argument("--out", type=Path, default=Path("out"))
    given = parser.parse_args()
    paper, practice = (played(name, given.trials, given.jobs, given.out) for name in ARENAS)
    text = summary(paper, practice)
    print(text)
    write("README.md", "benchmarks/arena.py", text)


if __name__ == "__main__":
    main()
