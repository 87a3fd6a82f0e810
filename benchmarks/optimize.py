"""What `duelli.optimize` costs and how good its answers are, with its defaults.

Run ``python benchmarks/optimize.py``: it prints three tables in about ten minutes. With
``--write`` the table of answers is also written into README.md.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from _write import table, write
from joblib import Parallel, delayed

import duelli
from duelli.learners import DEFAULT_LEARNER

Array = npt.NDArray[np.float64]
Utility = Callable[[Array], Array]

CHEAP = "arc_race"  # a learner whose own work takes next to no time
BUDGETS = (50, 200, 1000, 5000, 100_000)
SEEDS = 20
BIAS_SEEDS = 40
REPEATS = 5


def quadratic(xs: Array) -> Array:
    """Return a utility with one smooth peak away from the middle, in any dimension."""
    best = 0.5 + 0.25 * np.cos(np.arange(xs.shape[1]))
    found: Array = -4 * ((xs - best) ** 2).sum(axis=1)
    return found


def cone(xs: Array) -> Array:
    """Return a utility with one sharp peak near an end of the line."""
    found: Array = -4 * np.abs(xs[:, 0] - 0.8)
    return found


def two_peaks(xs: Array) -> Array:
    """Return a utility with a broad low peak, where the middle is, and a narrow high one."""
    low = 2 * np.exp(-8 * ((xs - 0.35) ** 2).sum(axis=1))
    found: Array = low + 3 * np.exp(-40 * ((xs - 0.85) ** 2).sum(axis=1))
    return found


PROBLEMS: dict[str, tuple[Utility, int]] = {
    "quadratic, 2 parameters": (quadratic, 2),
    "quadratic, 6 parameters": (quadratic, 6),
    "cone, 1 parameter": (cone, 1),
    "two peaks, 2 parameters": (two_peaks, 2),
}


def judge(utility: Utility, seed: int, first_wins: float = 0.5) -> Callable[[Any, Any], Any]:
    """Return a judge of many pairs: a logistic link, and a share of 60 % for the first if 0.6."""
    rng = np.random.default_rng(seed)
    lead = np.log(first_wins / (1 - first_wins))

    def duel_many(xs: Array, ys: Array) -> npt.NDArray[np.bool_]:
        wins = 1 / (1 + np.exp(utility(ys) - utility(xs) - lead))
        outcomes: npt.NDArray[np.bool_] = rng.random(len(xs)) < wins
        return outcomes

    return duel_many


def best_utility(utility: Utility, dim: int) -> float:
    """Return the largest utility, which all of these have at a known place or near it."""
    if utility is quadratic:
        return 0.0
    ticks = np.linspace(0, 1, 2001 if dim == 1 else 501)
    grid = np.stack(np.meshgrid(*[ticks] * dim, indexing="ij"), -1).reshape(-1, dim)
    return float(utility(grid).max())


def optimized(
    utility: Utility,
    dim: int,
    horizon: int,
    seed: int,
    first_wins: float = 0.5,
    learner: str = DEFAULT_LEARNER,
) -> duelli.Result:
    return duelli.optimize(
        None,
        [(0.0, 1.0)] * dim,
        duel_many=judge(utility, seed, first_wins),
        horizon=horizon,
        learner=learner,
        keep_history=False,
        seed=seed,
    )


def gap(utility: Utility, dim: int, point: Any) -> float:
    at_point = float(utility(np.array([point]))[0])
    return max(0.0, best_utility(utility, dim) - at_point)


def answers() -> str:
    """Return the table of utility gaps: median (worst) over the seeds."""
    rows = [["", "middle of the box", *(f"{n:,} duels" for n in BUDGETS)]]
    for name, (utility, dim) in PROBLEMS.items():
        cells = [f"{gap(utility, dim, [0.5] * dim):.2g}"]
        for horizon in BUDGETS:
            runs = Parallel(n_jobs=-1)(
                delayed(optimized)(utility, dim, horizon, seed) for seed in range(SEEDS)
            )
            gaps = [gap(utility, dim, run.best) for run in runs]
            cells.append(f"{statistics.median(gaps):.2g} ({max(gaps):.2g})")
        rows.append([name, *cells])
    return table(rows)


def bias() -> str:
    """Return the table of what a judge who prefers the first position does to the answer."""
    rows = [["judge of two equal points", "median gap", "ratio", "position bias that is reported"]]
    unbiased = None
    for share in (0.5, 0.6):
        runs = Parallel(n_jobs=-1)(
            delayed(optimized)(quadratic, 2, 5000, seed, share) for seed in range(BIAS_SEEDS)
        )
        middle = statistics.median(gap(quadratic, 2, run.best) for run in runs)
        unbiased = middle if unbiased is None else unbiased
        ratio = f"{middle / unbiased:.2f}"
        rows.append([f"{share:.0%} for the first", f"{middle:.2g}", ratio, str(runs[0].bias)])
    return table(rows)


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def free(horizon: int) -> None:
    rng = np.random.default_rng(0)
    duelli.optimize(lambda *_: rng.random() < 0.5, [(0.0, 1.0)] * 2, learner=CHEAP, horizon=horizon)


def slow(horizon: int, parallel: int) -> None:
    def duel(x: Any, y: Any) -> bool:  # noqa: ARG001 (what a judge takes)
        time.sleep(1e-3)
        return True

    duelli.optimize(duel, [(0.0, 1.0)] * 2, learner=CHEAP, horizon=horizon, parallel=parallel)


def costs() -> str:
    """Return the table of what duelli itself costs, without the thinking of a learner."""
    one, many, few = 5000, 100_000, 400
    works: dict[str, Callable[[], object]] = {
        "one": partial(free, one),
        "many": partial(optimized, quadratic, 2, many, 0, learner=CHEAP),
        "alone": partial(slow, few, 1),
        "crew": partial(slow, few, 8),
    }
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(REPEATS):  # interleaved, so that a busy machine slows all alike
        for name, work in works.items():
            times[name].append(seconds(work))
    median = {name: statistics.median(each) for name, each in times.items()}
    ratio = statistics.median(a / b for a, b in zip(times["alone"], times["crew"], strict=True))
    return table(
        [
            ["what", "measured"],
            ["one duel of a judge that takes no time", f"{median['one'] / one * 1e6:.0f} us"],
            ["the same with duel_many, judge included", f"{median['many'] / many * 1e6:.2f} us"],
            ["a 1 ms judge, parallel=8 against parallel=1", f"{ratio:.1f} times faster"],
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only-answers", action="store_true", help="leave out costs and bias")
    parser.add_argument("--write", action="store_true", help="write the answers into README.md")
    options = parser.parse_args()
    if not options.only_answers:
        print(f"What duelli itself costs, with {CHEAP}\n", costs(), sep="\n", flush=True)
        print(
            "\nPosition bias, quadratic, 2 parameters, 5,000 duels\n", bias(), sep="\n", flush=True
        )
    measured = answers()
    print(f"\nUtility gap, median (worst) of {SEEDS} runs\n", measured, sep="\n")
    if options.write:
        write("README.md", "benchmarks/optimize.py", measured)


if __name__ == "__main__":
    main()
