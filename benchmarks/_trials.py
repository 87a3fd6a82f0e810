"""The trials of benchmarks/race.py: plain values in, plain values out.

A problem is named by a string: a landscape of the paper, of which each trial has its own mirrored
and shifted copy; "valley/2", a generated shape and its dimensions, of which each trial has its
own; or "line", copies of a cone in one dimension.
"""

from typing import Any

import numpy as np

from duelli import LANDSCAPES, LEARNERS, ArcRace, DuelModel, landscape, simulate
from duelli.cubes import contains
from duelli.driver import play
from duelli.engines import SIMULATED
from duelli.landscapes import Landscape, generated_shape, shifted_copy
from duelli.learners import inputs_for
from duelli.testing.watch import arms_in_hand, eliminations


def landscape_of(problem: str, seed: int) -> Landscape:
    """Return the landscape of one trial."""
    if "/" in problem:
        kind, dim = problem.split("/")
        return generated_shape(kind, seed, int(dim))
    return shifted_copy(_line() if problem == "line" else LANDSCAPES[problem], seed)


def _line() -> Landscape:
    def cone(xs: Any) -> Any:
        return 1 - 2 / 3 * abs(xs[:, 0] - 0.3) - 1 / 3 * abs(xs[:, 0] - 0.9)

    return landscape(cone, 1, best_arm=(0.3,))


def learner_for(
    name: str, model: DuelModel, horizon: int, seed: int, inputs: dict[str, Any]
) -> Any:
    """Return a learner that is told what the model knows, and ``inputs``."""
    known = {
        "dim": model.landscape.dim,
        "horizon": horizon,
        "lipschitz": model.landscape.lipschitz,
        "seed": seed,
        **model.link.facts(),
    }
    return LEARNERS[name](**inputs_for(name, known, inputs))


def _race(
    problem: str, horizon: int, seed: int, link: str = "logistic", **inputs: Any
) -> tuple[ArcRace, DuelModel]:
    model = DuelModel(landscape_of(problem, seed), link)
    learner: ArcRace = learner_for("arc_race", model, horizon, seed, inputs)
    return learner, model


def trial(
    problem: str, name: str, inputs: dict[str, Any], horizon: int, seed: int
) -> dict[str, float]:
    """Return the regret of ``horizon`` duels and the gap of the answer.

    A learner without a horizon may be amid a longer block then; it is charged for its part of it.
    """
    model = DuelModel(landscape_of(problem, seed))
    learner = learner_for(name, model, horizon, seed, inputs)
    trace = simulate(learner, model, seed=seed, duels=horizon)
    end = next(point for point in trace.curve if point.duels >= horizon)
    return {
        "cumulative_regret": float(end.cumulative_regret),
        "weak_regret": float(end.weak_regret),
        "final_gap": trace.final_gap,
        "middle_gap": trace.middle_gap,
    }


def parts(problem: str, horizon: int, seed: int) -> dict[str, float]:
    """Return the regret of a run, and that of its scans and of the rivals that they found."""
    learner, model = _race(problem, horizon, seed)
    engine, state = SIMULATED["collapsed"](model, seed=seed), learner.state()
    regret = {"whole": 0.0, "scans": 0.0, "rivals": 0.0}
    for _, played in play(learner, engine):
        spent = sum(each.regret for each in played)
        regret["whole"] += spent
        if state["phase"] == "explore":
            regret["scans"] += spent
        elif state.get("rival_to") is not None or state.get("rival"):
            regret["rivals"] += spent
        state = learner.state()
    return regret


def middle(problem: str, seed: int) -> float:
    """Return the gap of the middle of the box, which takes no duels to name."""
    model = DuelModel(landscape_of(problem, seed))
    return float(model.gap_to_best((0.5,) * model.landscape.dim))


def final_utility(problem: str, horizon: int, link: str, seed: int) -> dict[str, float]:
    """Return the utility of the answer and its gap."""
    learner, model = _race(problem, horizon, seed, link)
    gap = simulate(learner, model, seed=seed).final_gap
    return {"utility": model.landscape.utility_at(learner.recommend()), "gap": gap}


def losses(problem: str, horizon: int, seed: int) -> dict[str, int]:
    """Return how many cubes a run eliminates, and how many of them hold x*."""
    learner, model = _race(problem, horizon, seed)
    paths = list(eliminations(learner, model, seed))
    lost = sum(contains(path, model.landscape.best_arm) for path in paths)
    return {"eliminated": len(paths), "lost": lost}


def in_hand(problem: str, horizon: int, share: float, seed: int) -> dict[str, float]:
    """Return the gaps of the answer and of the best arm in hand after a share of the horizon."""
    learner, model = _race(problem, horizon, seed)
    duels = max(1, round(share * horizon))
    answer = simulate(learner, model, seed=seed, duels=duels).final_gap
    gaps = [float(model.gap_to_best(arm)) for arm in set(arms_in_hand(learner))]
    return {"answer": answer, "best": min(gaps), "arms": len(gaps)}


def claim(problem: str, horizon: int, delta: float, seed: int) -> dict[str, float | bool]:
    """Return what ``best()`` claims at the end of a run, and whether it is true."""
    learner, model = _race(problem, horizon, seed, failure_prob=delta)
    gap = simulate(learner, model, seed=seed).final_gap
    answer, best = learner.best(), np.array(model.landscape.best_arm)
    return {
        "gap": gap,
        "gap_high": answer.gap_high,
        "confidence": answer.confidence,
        "enough": answer.enough,
        "covered": answer.gap_low <= gap <= answer.gap_high,
        "inside": bool(((answer.low <= best) & (best <= answer.high)).all()),
    }
