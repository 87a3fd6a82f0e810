"""What ArcRace is worth: its table against ARC-DuelLi and Interleaved Filter, one JSON line a row.

Run ``python benchmarks/race.py [ROW ...]``; without names, all rows, which takes about half an
hour on two cores. Finished trials are kept in ``out/race``, so that it can be interrupted. Every
trial has its own mirrored and shifted copy of the landscape, the same for every learner.
"""

import json
import math
import statistics
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from _write import table, write
from joblib import Parallel, delayed

from duelli import LANDSCAPES, LEARNERS, ArcRace, DuelModel, landscape, simulate
from duelli._rng import trial_seed
from duelli.cubes import contains
from duelli.experiments.compare import Contest, ratios
from duelli.landscapes import shifted_copy
from duelli.learners.race import SLACKS
from duelli.record.results import Score
from duelli.testing.watch import eliminations

OUT = Path("out/race")
SEVEN = ("two_cones", "flat", "plateau", "quadratic", "ridge", "sharp", "two_peaks")
PAPER = ("arc_duelli", {"order": "random"})
RACE: tuple[str, dict[str, Any]] = ("arc_race", {})


def contest(
    landscapes: tuple[str, ...],
    rivals: Mapping[str, tuple[str, Mapping[str, Any]]],
    horizon: int,
    trials: int = 20,
) -> dict[str, list[float]]:
    """Return each rival's regret over ArcRace's, a value for each landscape."""
    entered = Contest(
        landscapes=landscapes,
        learners={**rivals, "arc_race": RACE},
        horizons=(horizon,),
        trials=trials,
    )
    found = ratios(played(entered), "arc_race")
    return {label: values for (label, _), values in found.items() if label != "arc_race"}


def played(entered: Contest) -> list[Score]:
    """Run what is pending of a contest and return its scores."""
    sweep = entered.sweep(OUT)
    for _ in sweep.run(sweep.pending()):
        pass
    return entered.scores(sweep)


def show(row: str, **found: object) -> None:
    print(json.dumps({"row": row, **found}), flush=True)


def summary(values: list[float]) -> dict[str, float]:
    centre = math.exp(statistics.fmean(map(math.log, values)))
    return {"worst": round(min(values), 2), "geometric_mean": round(centre, 1)}


def big() -> None:
    for horizon in (10**8, 10**10):
        found = contest(SEVEN, {"arc_duelli": PAPER}, horizon)["arc_duelli"]
        each = dict(zip(SEVEN, (round(v, 1) for v in found), strict=True))
        show(f"arc_duelli / arc_race, T = {horizon:.0e}", **summary(found), each=each)


def small() -> None:
    for horizon in (10**3, 10**4, 10**5, 10**6):
        found = contest(SEVEN, {"arc_duelli": PAPER}, horizon, trials=60)["arc_duelli"]
        show(f"arc_duelli / arc_race, T = {horizon:.0e}", **summary(found))
    cones = Contest(
        landscapes=("two_cones",), learners={"arc_race": RACE}, horizons=(10**5,), trials=100
    )
    show("regret on two_cones, T = 1e5", regret=str(played(cones)[0].regret))


def filters() -> None:
    names = {
        f"{cells}x{cells}, factor {factor:g}": (
            "interleaved_filter",
            {"cells": cells, "conf_factor": factor},
        )
        for cells in (4, 8, 16, 32)
        for factor in (4.0, 1.0)
    }
    for label, entry in names.items():
        trials = 6 if "32" in label else 20
        found = contest(SEVEN, {label: entry}, 10**8, trials)[label]
        each = dict(zip(SEVEN, (round(v, 1) for v in found), strict=True))
        show(f"IF2 on {label} / arc_race, T = 1e8", **summary(found), each=each)


def readme() -> None:
    """Measure the table of README.md, and write it there."""
    printed = {"cells": 16, "conf_factor": 4.0}
    rivals: list[tuple[str, str, Mapping[str, Any], int]] = [
        ("ARC-DuelLi, T = 1e8", *PAPER, 10**8),
        ("ARC-DuelLi, T = 1e10", *PAPER, 10**10),
        (
            "Interleaved Filter on the 16x16 grid, confidence factor 4 as published, T = 1e8",
            "interleaved_filter",
            printed,
            10**8,
        ),
        (
            "the same with the bolder confidence factor 1",
            "interleaved_filter",
            {**printed, "conf_factor": 1.0},
            10**8,
        ),
    ]
    rows = [["compared with", "worst landscape", "geometric mean"]]
    for label, learner, inputs, horizon in rivals:
        found = summary(contest(SEVEN, {"rival": (learner, inputs)}, horizon)["rival"])
        show(label, **found)
        rows.append([label, f"{found['worst']:.0f}", f"{found['geometric_mean']:.0f}"])
    write("README.md", "benchmarks/race.py", table(rows))


def dimensions() -> None:
    for name in ("two_cones_3d", "two_cones_4d"):
        found = contest((name,), {"arc_duelli": PAPER}, 10**8, 12)["arc_duelli"]
        show(f"arc_duelli / arc_race on {name}, T = 1e8", ratio=round(found[0], 1))


def line_regret(learner: str, seed: int) -> float:
    """Return the regret on a cone in one dimension, which the paper has not."""
    cone = landscape(
        lambda xs: 1 - 2 / 3 * abs(xs[:, 0] - 0.3) - 1 / 3 * abs(xs[:, 0] - 0.9),
        1,
        best_arm=(0.3,),
    )
    model = DuelModel(shifted_copy(cone, seed))
    inputs = {"dim": 1, "horizon": 10**8, "slope_max": model.link.slope_max, "seed": seed}
    order = {"order": "random"} if learner == "arc_duelli" else {}
    run = simulate(LEARNERS[learner](**inputs, **order), model, seed=seed)
    return run.cumulative_regret


def line() -> None:
    seeds = [trial_seed(0, k) for k in range(20)]
    paper, race = (
        statistics.fmean(Parallel(n_jobs=-1)(delayed(line_regret)(name, s) for s in seeds))
        for name in ("arc_duelli", "arc_race")
    )
    show("arc_duelli / arc_race on a cone in one dimension, T = 1e8", ratio=round(paper / race, 1))


def race_on(
    name: str, seed: int, horizon: int, link: str = "logistic"
) -> tuple[ArcRace, DuelModel]:
    model = DuelModel(shifted_copy(LANDSCAPES[name], seed), link)
    learner = ArcRace(
        dim=model.landscape.dim,
        horizon=horizon,
        slope_max=model.link.slope_max,
        lipschitz=model.landscape.lipschitz,
    )
    return learner, model


def final_utility(horizon: int, seed: int) -> float:
    learner, model = race_on("two_cones", seed, horizon, "logistic:10")
    simulate(learner, model, seed=seed)
    return model.landscape.utility_at(learner.recommend())


def clear() -> None:
    for horizon in (100, 200, 1000):
        seeds = (trial_seed(0, k) for k in range(50))
        found = Parallel(n_jobs=-1)(delayed(final_utility)(horizon, s) for s in seeds)
        show(
            f"utility found on two_cones, logistic:10, T = {horizon}, of 0.667",
            median=round(statistics.median(found), 3),
        )


def exponent() -> None:
    for name in ("two_cones", "sharp", "two_peaks"):
        horizons = (10**8, 10**12)
        entered = Contest(
            landscapes=(name,), learners={"arc_race": RACE}, horizons=horizons, trials=12
        )
        low, high = (score.regret.value for score in played(entered))
        show(
            f"exponent of R in T on {name}, 1e8 to 1e12",
            exponent=round(math.log10(high / low) / 4, 3),
        )


def loses(name: str, horizon: int, seed: int) -> tuple[bool, int]:
    """Tell whether a run eliminates any cube that holds x*, and how many it eliminates."""
    learner, model = race_on(name, seed, horizon)
    paths = list(eliminations(learner, model, seed))
    return any(contains(path, model.landscape.best_arm) for path in paths), len(paths)


def safety() -> None:
    plane = [name for name, found in LANDSCAPES.items() if found.dim == 2]
    for horizon, runs in ((10**6, 112), (10**8, 112), (10**10, 12)):
        jobs = [(name, horizon, trial_seed(1, k)) for name in plane for k in range(runs)]
        found = Parallel(n_jobs=-1)(delayed(loses)(*job) for job in jobs)
        show(
            f"runs that eliminate a cube of x*, T = {horizon:.0e}",
            runs=len(found),
            lost=sum(lost for lost, _ in found),
            eliminations_a_run=round(statistics.fmean(count for _, count in found), 1),
        )


def ablation() -> None:
    for horizon in (10**8, 10**10):
        entries = {f"without {name}": ("arc_race", {"without": (name,)}) for name in SLACKS}
        for label, entry in entries.items():
            if horizon == 10**10 and label in ("without local_search", "without must_pay"):
                continue  # these walk millions of cubes there, and 1e8 says enough
            found = contest(SEVEN, {label: entry}, horizon, 12 if horizon == 10**8 else 6)[label]
            centre = math.exp(statistics.fmean(map(math.log, found)))
            show(
                f"{label} / arc_race, T = {horizon:.0e}",
                worst=round(max(found), 2),
                geometric_mean=round(centre, 2),
            )


ROWS: dict[str, Callable[[], None]] = {
    "big": big,
    "small": small,
    "clear": clear,
    "line": line,
    "dimensions": dimensions,
    "exponent": exponent,
    "filters": filters,
    "readme": readme,
    "safety": safety,
    "ablation": ablation,
}


def main() -> None:
    for name in sys.argv[1:] or ROWS:
        ROWS[name]()


if __name__ == "__main__":
    main()
