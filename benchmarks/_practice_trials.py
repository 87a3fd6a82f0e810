"""The trials of benchmarks/practice.py: plain values in, plain values out.

Each cell has random streams of its own: problem, clarity, judge, contender, duels and seed; only
the budgets of a learner that does not know the horizon are those of one run. What a problem looks
like depends on its name and the seed only, so that contenders meet the same ones.
"""

import hashlib
import json
import math
import time
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import optimize
from _practice_contenders import ANYTIME, CONTENDERS, MODEL, fought, learner_for, replies
from _practice_judges import JUDGES, Court, Duel

from duelli.landscapes import Landscape, practice_problem

CLOSE = 100  # points that agree when rounded to 1 / CLOSE look alike

problem_of = lru_cache(maxsize=8)(practice_problem)


def stream(*words: Any) -> np.random.Generator:
    """Return the random generator that belongs to these words alone."""
    digest = hashlib.sha256(json.dumps(words, sort_keys=True).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))


def trial(
    problem: str,
    clarity: str,
    judge: str,
    contender: str,
    inputs: dict[str, Any],
    budget: int,
    seed: int,
) -> dict[str, float | None]:
    """Return P(x* beats the answer) - 1/2 after ``budget`` duels, and what was claimed of it."""
    court = Court(problem_of(problem, seed, clarity), clarity, JUDGES[judge])
    rng = stream(problem, clarity, judge, contender, inputs, budget, seed)
    duel = court.duel(np.random.default_rng(rng.integers(2**63)))
    reply = CONTENDERS[contender](court.problem.dim, budget, duel, rng, **inputs)
    return {"gap": court.gap(reply.point), "claim": reply.claim}


def course(
    problem: str,
    clarity: str,
    judge: str,
    contender: str,
    inputs: dict[str, Any],
    budgets: Sequence[int],
    seed: int,
) -> dict[str, list[float]]:
    """Return the same after each of the budgets of one run, for a learner without a horizon."""
    court = Court(problem_of(problem, seed, clarity), clarity, JUDGES[judge])
    rng = stream(problem, clarity, judge, contender, inputs, list(budgets), seed)
    duel = court.duel(np.random.default_rng(rng.integers(2**63)))
    found = list(replies(ANYTIME[contender], court.problem.dim, budgets, duel, rng, **inputs))
    return {
        "gaps": [court.gap(reply.point) for reply in found],
        "claims": [float(reply.claim or 0.0) for reply in found],
    }


def plain_duel(problem: Landscape, rng: np.random.Generator) -> Duel:
    return Court(problem, "medium", JUDGES["plain"]).duel(rng)


def timed(problem: str, budget: int, seed: int) -> dict[str, float]:
    """Return how long the model's questions take, and how large its state becomes.

    The time of a question is that from the answer before it; a step has one or more questions.
    """
    rng, instance = stream("timed", problem, budget, seed), problem_of(problem, seed)
    duel = plain_duel(instance, rng)
    model = learner_for("preference_model", instance.dim, budget, seed, {})
    waits, largest, begun = [], 0, time.perf_counter()
    while step := model.ask():
        waits.append(time.perf_counter() - begun)
        tallies = [fought(block, duel, rng) for block in step]
        begun = time.perf_counter()
        model.tell(tallies)
        if len(waits) % 10 == 0:
            largest, begun = max(largest, _state_bytes(model)), time.perf_counter()
    return {
        "seconds": math.fsum(waits),
        "ms_a_question": 1e3 * math.fsum(waits) / budget,
        "ms_a_step": 1e3 * math.fsum(waits) / len(waits),
        "ms_worst": 1e3 * max(waits),
        "state_bytes": max(largest, _state_bytes(model)),
    }


def _state_bytes(model: Any) -> int:
    return len(json.dumps(model.state()))


def distinct(problem: str, budget: int, seed: int) -> dict[str, int]:
    """Return how many different pairs the model asks, and how many that do not look alike."""
    rng, instance = stream("distinct", problem, budget, seed), problem_of(problem, seed)
    pairs: list[Any] = []
    duel = plain_duel(instance, rng)

    def noted(left: Any, right: Any) -> Any:
        pairs.extend(zip(left, right, strict=True))
        return duel(left, right)

    CONTENDERS[MODEL](instance.dim, budget, noted, rng)
    exact = [frozenset((tuple(x), tuple(y))) for x, y in pairs]
    seen = [frozenset((tuple(np.rint(CLOSE * x)), tuple(np.rint(CLOSE * y)))) for x, y in pairs]
    repeats = sum(a == b for a, b in pairwise(exact))
    return {"exact": len(set(exact)), "seen": len(set(seen)), "in_a_row": repeats}


def two_peaks(contender: str, budget: int, seed: int) -> dict[str, float]:
    """Return the gap in utility on the two peaks of benchmarks/optimize.py."""
    rng = stream("two_peaks", contender, budget, seed)
    duel = optimize.judge(optimize.two_peaks, int(rng.integers(2**32)))
    reply = CONTENDERS[contender](2, budget, lambda x, y: duel(x, y).astype(float), rng)
    return {"gap": optimize.gap(optimize.two_peaks, 2, reply.point)}
