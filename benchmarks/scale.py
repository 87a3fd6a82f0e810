"""What trials cost, and what sending them to other machines adds: one JSON line each.

Run ``python benchmarks/scale.py`` on a machine that does nothing else. It writes what it measures
into docs/scale.md. It needs Dask and Ray (``pip install 'duelli[cluster,ray]'``).

A trial at T = 1e12 in six dimensions takes half an hour, because its deepest round visits every
cell of a grid. Only some of these cells are played, and the time of the others is estimated from
them. The same is done at the largest of ``--horizons``, at which trials are played to their end
too: the difference says how far to trust the estimate. All of it takes three minutes.
"""

import argparse
import json
import math
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from typing import Any

from _sampled import OPENING, RUN, Estimate, sampled_trial
from _write import table, write

from duelli._rng import trial_seed
from duelli.experiments.batches import BATCH_SECONDS, run_in_batches
from duelli.experiments.clusters import CLUSTERS, LOCAL, connected
from duelli.experiments.trials import Setting, run_trial
from duelli.record.stats import neat

LANDSCAPE = "quadratic/6"
LARGEST = 10**12
LONG = 10_000  # cells of a round; the time of larger rounds is estimated
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
    return {"horizon": horizon, "trials": trials, "seconds": statistics.median(took), "each": took}


def estimated_trials(horizon: int, trials: int, places: int, long: int = LONG) -> Finding:
    """Estimate the time of the same trials from some of the cells of their large rounds."""
    setting, seeds = setting_at(horizon), [trial_seed(0, k) for k in range(trials)]
    found = [sampled_trial(setting, seed, places=places, long=long) for seed in seeds]
    took = [each.seconds.value for each in found]
    mean = Estimate.mean_of(took)
    size = {"trials": trials, "places": places, "cells": max(each.cells for each in found)}
    return {"horizon": horizon, **size, "seconds": mean.value, "error": mean.error, "each": took}


def checked(estimated: Finding, whole: Finding, also_estimated: Finding) -> Finding:
    """Return an estimate whose error includes how far it is off where trials can be played.

    Args:
        estimated: The estimate.
        whole: Trials that were played to their end.
        also_estimated: The estimate of the same trials.
    """
    off = statistics.fmean(also_estimated["each"]) / statistics.fmean(whole["each"]) - 1
    error = math.hypot(estimated["error"], off * estimated["seconds"])
    return {**estimated, "error": error, "off": off, "off_at": whole["horizon"]}


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


def in_words(span: float, error: float = 0.0) -> str:
    """Return a time in the unit that suits it, with its error if it has one."""
    units = (("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0), ("seconds", 1.0))
    unit, size = next((unit, size) for unit, size in units if span >= 2 * size or size == 1)
    spread = f" ± {neat(error / size, 2)}" if error else ""
    return f"{neat(span / size, 2)}{spread} {unit}"


def trial_table(findings: list[Finding]) -> str:
    rows = [["duels of a trial", "one trial", *(f"1e4 trials, {c} cores" for c in CORES)]]
    for found in findings:
        both = found["seconds"], found.get("error", 0.0)
        sweeps = [tuple(projected(each, cores) for each in both) for cores in CORES]
        rows.append(
            [f"T = {neat(found['horizon'])}", *(in_words(*span) for span in (both, *sweeps))]
        )
    return table(rows)


def note(findings: list[Finding]) -> str:
    """Return how the times that are estimated came about; empty if all were measured."""
    return "\n".join(
        f"At T = {neat(found['horizon'])} the time is an estimate from {found['trials']} trials. "
        f"Of the {found['cells']} cells of the deepest round, the first {OPENING} and "
        f"{found['places']} random runs of {RUN} were played; all other rounds were played to "
        f"their end. At T = {neat(found['off_at'])} the same estimate is "
        f"{100 * abs(found['off']):.1f} % {'above' if found['off'] > 0 else 'below'} the time of "
        "trials that were played to their end. The error is made up of that and of the standard "
        "error of the trials."
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


def trial_findings(horizons: list[int], trials: int, places: int) -> Iterator[Finding]:
    """Yield the rows of the first table: measured at the horizons, estimated at the largest."""
    for horizon in horizons:
        whole = whole_trials(horizon, trials)
        yield whole
    if LARGEST not in horizons:
        again = estimated_trials(horizon, trials, places)
        yield checked(estimated_trials(LARGEST, trials, places), whole, again)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--horizons", default="1e8,1e9,1e10", help="of trials played to their end")
    parser.add_argument("--trials", type=int, default=3, help="trials at each horizon")
    parser.add_argument("--places", type=int, default=500, help="runs of cells of a large round")
    parser.add_argument("--batches", type=int, default=300, help="empty batches on each backend")
    given = parser.parse_args()
    horizons = sorted(int(float(text)) for text in given.horizons.split(","))
    run_trial(setting_at(10**4), 0)  # load all that a trial needs
    trials = shown(trial_findings(horizons, given.trials, given.places))
    overheads = shown(batch_overhead(name, given.batches) for name in (HERE, *CLUSTERS))
    content = [trial_table(trials), note(trials), overhead_table(overheads)]
    write("docs/scale.md", "benchmarks/scale.py", "\n\n".join(filter(None, content)))


if __name__ == "__main__":
    main()
