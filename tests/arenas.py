"""Arenas made by hand, for tests of what is said of them."""

from duelli.record.arena import ArenaTable, Entry
from duelli.record.results import Cell

OURS = ("arc_race", "auto", "arc_duelli")


def many(values):
    return values if isinstance(values, tuple) else (values,)


def row(horizon, regret, gap, middle=0.3, **more):
    """Return a timed trial, with all that an entry is made of."""
    made = {
        "horizon": horizon,
        "cumulative_regret": regret,
        "weak_regret": regret / 3,
        "final_gap": gap,
        "middle_gap": middle,
        "state_bytes": 100,
        "state_bits": 700,
        "learner_seconds": 0.002 * horizon,
        "curve": [
            {"duels": t, "cumulative_regret": regret * t / horizon, "weak_regret": 0.0}
            for t in (1, 10, horizon // 2, horizon)
        ],
    }
    return {**made, **more}


def entry(label, regrets=10.0, gaps=0.1, *, landscape="flat", horizon=1000, middle=0.3, **more):
    """Return the entry of a learner, one trial for each number; one number counts for all."""
    regrets, gaps = many(regrets), many(gaps)
    count = max(len(regrets), len(gaps))
    pairs = zip(regrets * (count // len(regrets)), gaps * (count // len(gaps)), strict=True)
    rows = [row(horizon, regret, gap, middle, **more) for regret, gap in pairs]
    return Entry.of(Cell(landscape, label, label, horizon), rows)


def middle_of(found, middle):
    cell = Cell(found.landscape, found.label, found.label, found.horizon)
    rows = [{"middle_gap": middle} for _ in found.gaps]
    return Entry.of_middle(cell, rows)


def arena(entries, *, middle=0.3, main="regret", **more):
    """Return the arena of these entries.

    Args:
        entries: Those of learners.
        middle: The gap of the middle of the box, for all landscapes or by landscape.
        main: What ranks go by first.
        more: Other fields.
    """
    entries = tuple(entries)
    landscapes = tuple(dict.fromkeys(each.landscape for each in entries))
    horizons = tuple(sorted({each.horizon for each in entries}))
    gaps = middle if isinstance(middle, dict) else dict.fromkeys(landscapes, middle)
    seen = {(each.landscape, each.horizon): each for each in entries}
    made = {
        "name": "paper" if main == "regret" else "practice",
        "title": "A small arena",
        "lead": "Few learners.",
        "places": "landscapes" if main == "regret" else "problems",
        "main": main,
        "smallest": 1e-5,
        "landscapes": landscapes,
        "horizons": horizons,
        "learners": tuple(dict.fromkeys(each.label for each in entries)),
        "ours": OURS,
        "champions": {t: "arc_race" if t >= 10**5 else "auto" for t in horizons},
        "entries": entries,
        "middles": tuple(middle_of(each, gaps[each.landscape]) for each in seen.values()),
        "facts": (("Machine", "2 cores"),),
        "rerun": "duelli compare --preset paper",
    }
    return ArenaTable(**{**made, **more})
