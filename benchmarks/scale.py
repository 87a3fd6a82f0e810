"""What trials cost, and what sending them to other machines adds: one JSON line each.

Run ``python benchmarks/scale.py`` on a machine that does nothing else. It writes what it measures
into docs/scale.md. It needs Dask and Ray (``pip install 'duelli[cluster,ray]'``).

A trial at T = 1e12 in six dimensions takes hours, because its deepest round visits every cell of a
grid. It is therefore stopped early, and its time is extrapolated: at least the number of these
cells times the measured time of a block of duels. ``--horizons`` chooses horizons at which trials
are played to their end.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from typing import Any

from _write import table, write

from duelli._rng import trial_seed
from duelli.driver import play
from duelli.engines import SIMULATED
from duelli.experiments.batches import BATCH_SECONDS, run_in_batches
from duelli.experiments.clusters import CLUSTERS, LOCAL, connected
from duelli.experiments.trials import Setting, box_of, make_learner, run_trial, trial_model
from duelli.record import Recorder
from duelli.record.stats import neat

LANDSCAPE = "quadratic/6"
LARGEST = 10**12
TRIALS = 10_000  # of the sweep whose time is projected
CORES = (2, 64)
WORKERS = 2  # of the local clusters whose overhead is measured
HERE = "this machine"

Finding = dict[str, Any]


def setting_at(horizon: int) -> Setting:
    return Setting(landscape=LANDSCAPE, learner="arc_race", horizon=horizon)


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def whole_trials(horizon: int, trials: int) -> Finding:
    """Measure trials that are played to their end."""
    setting = setting_at(horizon)
    took = [seconds(partial(run_trial, setting, trial_seed(0, k))) for k in range(trials)]
    return {"horizon": horizon, "trials": trials, "seconds": statistics.median(took)}


def begun_trial(horizon: int, blocks: int) -> Finding:
    """Measure the first blocks of a trial, and return the least that all of it would take."""
    setting, seed = setting_at(horizon), trial_seed(0, 0)
    model, learner = trial_model(setting, seed), make_learner(setting, seed=seed)
    recorder, played, started = Recorder(model, learner), 0, time.perf_counter()
    for step, outcomes in play(learner, SIMULATED[setting.engine](model, seed=seed)):
        recorder.see(step, outcomes)
        played += len(step)
        if played >= blocks:
            break
    block = (time.perf_counter() - started) / played
    depth = learner.state()["memory"]["round"]
    cells = 2 ** (box_of(LANDSCAPE).dim * (depth - 1))  # edges are 2^(1 - depth)
    found = {"horizon": horizon, "blocks": played, "block_ms": 1e3 * block, "cells": cells}
    return found | {"seconds": cells * block}


def batch_overhead(backend: str, batches: int) -> Finding:
    """Measure how long a batch that does nothing takes, of many that are sent one after another."""
    where = nullcontext() if backend == HERE else connected(backend, LOCAL, jobs=WORKERS)
    with where:
        send(2 * WORKERS)  # workers start, and import what they need
        took = seconds(lambda: send(batches))
    return {"backend": backend, "batches": batches, "seconds": took / batches}


def send(batches: int) -> None:
    """Send so many batches of one task each: tasks of different kinds never share a batch."""
    for _ in run_in_batches(abs, range(batches), kind=int, jobs=WORKERS):
        pass


def projected(trial: float, cores: int) -> float:
    """Return the seconds of `TRIALS` trials on so many cores, of which none waits but at the end.

    Overhead is left out: see `share`.
    """
    return trial * -(-TRIALS // cores)


def share(overhead: float, cores: int) -> float:
    """Return the share of its time for which the calling process is busy with sending batches."""
    return overhead * cores / BATCH_SECONDS


def in_words(span: float) -> str:
    """Return a time in the unit that suits it."""
    for unit, size in (("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if span >= 2 * size:
            return f"{neat(span / size, 2)} {unit}"
    return f"{neat(span, 2)} seconds"


def trial_table(findings: list[Finding]) -> str:
    rows = [["duels of a trial", "one trial", *(f"1e4 trials, {c} cores" for c in CORES)]]
    for found in findings:
        least = "at least " if "cells" in found else ""
        spans = [found["seconds"], *(projected(found["seconds"], cores) for cores in CORES)]
        rows.append([f"T = {neat(found['horizon'])}", *(least + in_words(s) for s in spans)])
    return table(rows)


def note(findings: list[Finding]) -> str:
    """Return how the times that were not measured to the end came about; empty if all were."""
    return "\n".join(
        f"At T = {neat(found['horizon'])} a trial was stopped after {found['blocks']} blocks of "
        f"{neat(found['block_ms'], 2)} ms each; its deepest round has {found['cells']} cells, each "
        "of which needs at least one block."
        for found in findings
        if "cells" in found
    )


def overhead_table(findings: list[Finding]) -> str:
    rows = [["backend", "one batch", *(f"caller busy, {c} cores" for c in CORES)]]
    for found in findings:
        shares = [f"{100 * share(found['seconds'], cores):.1f} %" for cores in CORES]
        rows.append([found["backend"], f"{neat(1e3 * found['seconds'], 2)} ms", *shares])
    return table(rows)


def shown(findings: Iterator[Finding]) -> list[Finding]:
    """Print each finding as soon as it is there, and return all."""
    found = []
    for each in findings:
        print(json.dumps(each), flush=True)
        found.append(each)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--horizons", default="1e8,1e9", help="of trials played to their end")
    parser.add_argument("--trials", type=int, default=3, help="trials at each of these horizons")
    parser.add_argument("--blocks", type=int, default=10_000, help="blocks of the largest trial")
    parser.add_argument("--batches", type=int, default=300, help="empty batches on each backend")
    given = parser.parse_args()
    horizons = [int(float(text)) for text in given.horizons.split(",")]
    run_trial(setting_at(10**4), 0)  # load all that a trial needs
    trials = shown(whole_trials(horizon, given.trials) for horizon in horizons)
    if LARGEST not in horizons:
        trials += shown(begun_trial(LARGEST, given.blocks) for _ in range(1))
    overheads = shown(batch_overhead(name, given.batches) for name in (HERE, *CLUSTERS))
    content = [trial_table(trials), note(trials), overhead_table(overheads)]
    write("docs/scale.md", "benchmarks/scale.py", "\n\n".join(filter(None, content)))


if __name__ == "__main__":
    main()
