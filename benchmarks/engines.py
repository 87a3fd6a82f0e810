"""How fast the engines are, as ratios measured side by side: one JSON line each.

Run ``python benchmarks/engines.py``. A ratio is the median over several interleaved repetitions,
so that a busy machine slows both sides alike. The times of blocks of one pair are absolute: the
best of several repetitions. The benchmark needs numba (``pip install duelli[fast]``).
"""

import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

import duelli
from duelli.blocks import Block, Engine
from duelli.engines import SIMULATED, PerDuel
from duelli.landscapes.shapes import two_cones

REPEATS = 7
DUELS = 4_000_000
BLOCK = Block((0.0, 0.0), 1.0, (0.9, 0.9), DUELS)
LIMITS = {"the same arm": 4.0, "new arms": 8.0}  # microseconds per block of one pair


@numba.njit
def users_utility(x: Any) -> Any:
    """Return a utility as a user would write it, compiled by numba."""
    return 1 - np.sqrt((x[0] - 0.3) ** 2 + 3 * (x[1] - 0.1) ** 2) / 2


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def ratio(
    name: str, ours: Callable[[], object], other: Callable[[], object], **more: float
) -> None:
    ours(), other()  # compile, warm up
    pairs = [(seconds(ours), seconds(other)) for _ in range(REPEATS)]
    value = statistics.median(a / b for a, b in pairs)
    line = {"name": name, "ratio": round(value, 4), **more}
    line |= {"ours_s": round(statistics.median(a for a, _ in pairs), 6)}
    line |= {"other_s": round(statistics.median(b for _, b in pairs), 6)}
    print(json.dumps(line), flush=True)


def three_uniforms() -> Callable[[], object]:
    rng, buffer = np.random.default_rng(0), np.empty(3 * 100_000)

    def draw() -> None:
        for _ in range(DUELS // 100_000):
            rng.random(out=buffer)

    return draw


def trials(engine: str, horizon: int, count: int) -> Callable[[], object]:
    model = duelli.DuelModel("two_cones")

    def run() -> None:
        for seed in range(count):
            learner = duelli.ArcDuelli(dim=2, horizon=horizon, slope_max=0.25, seed=seed)
            duelli.simulate(learner, model, engine=engine, seed=seed)

    return run


def one_pairs(count: int) -> dict[str, list[Block]]:
    """Return blocks of one pair: of one arm again and again, and of an arm that is new each time.

    The reference stays the same, as it does for a learner that compares with its best arm so far.
    """
    rng, reference = np.random.default_rng(0), (0.9, 0.9)
    fresh = [Block(tuple(row), 0.0, reference, 1) for row in rng.random((count, 2)).tolist()]
    return {"the same arm": [Block((0.4, 0.2), 0.0, reference, 1)] * count, "new arms": fresh}


def one_pair_rows(model: duelli.DuelModel, count: int = 20_000) -> None:
    for kind, blocks in one_pairs(count).items():
        for name, engine in SIMULATED.items():
            playing = engine(model)

            def run(playing: Engine = playing, blocks: list[Block] = blocks) -> None:
                for block in blocks:
                    playing.play(block)

            run()  # warm up
            took = min(seconds(run) for _ in range(REPEATS)) / count
            line = {"name": f"{name}, a block of one pair, {kind}", "us": round(1e6 * took, 2)}
            print(json.dumps({**line, "limit": LIMITS[kind]}), flush=True)


def import_seconds() -> float:
    code = "import time; t = time.perf_counter(); import duelli; print(time.perf_counter() - t)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(run.stdout)


def main() -> None:
    model = duelli.DuelModel("two_cones")
    users = duelli.DuelModel(duelli.landscape(users_utility, 2, best_arm=(0.3, 0.1), lipschitz=2.0))
    plain = duelli.DuelModel(
        duelli.landscape(lambda xs: two_cones(tuple(xs.T)), 2, best_arm=(0.3, 0.1))
    )
    one_pair_rows(model)
    drawn = three_uniforms()
    ours, theirs, slow = PerDuel(model), PerDuel(users), PerDuel(plain)
    ratio("per_duel / three uniforms", lambda: ours.play(BLOCK), drawn, limit=1.0)
    ratio("per_duel, user's numba / three uniforms", lambda: theirs.play(BLOCK), drawn, limit=1.0)
    ratio(
        "chunked NumPy / per_duel",
        lambda: slow.play(BLOCK),
        lambda: ours.play(BLOCK),
        at_least=10.0,
    )
    ratio(
        "per_duel / collapsed, trials at T = 1e8",
        trials("per_duel", 10**8, 2),
        trials("collapsed", 10**8, 2),
        at_least=10.0,
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    took = seconds(trials("collapsed", 10**12, 1))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(
        json.dumps(
            {
                "name": "collapsed, one trial at T = 1e12",
                "seconds": round(took, 2),
                "limit": 20.0,
                "resident_grown_MB": round(grown / 1024, 1),
            }
        )
    )
    took = statistics.median(import_seconds() for _ in range(REPEATS))
    print(json.dumps({"name": "import duelli", "seconds": round(took, 3), "limit": 0.5}))


if __name__ == "__main__":
    main()
