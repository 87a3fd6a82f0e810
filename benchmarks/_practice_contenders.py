"""The contenders of benchmarks/practice.py: learners of duelli, and rivals that are not."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import botorch_rival
import numpy as np
import old_race
from _practice_eubo import preferential_bo
from _practice_judges import Duel

from duelli import LEARNERS
from duelli._arrays import Array
from duelli.blocks import Block, Learner, Tally
from duelli.learners import inputs_for


class Reply(NamedTuple):
    """The point that a contender names, and the gap that it claims to stay below, if it does."""

    point: Array
    claim: float | None = None


# From dimensions, duels, a judge, a random generator and inputs by name to a reply.
Contender = Callable[..., Reply]

BOTORCH = "DUELLI_BOTORCH"  # the environment variable with the Python that has botorch


def middle(dim: int, budget: int, duel: Duel, rng: np.random.Generator) -> Reply:  # noqa: ARG001
    """Return the middle of the box, which takes no duels to name."""
    return Reply(np.full(dim, 0.5))


def bayesian(dim: int, budget: int, duel: Duel, rng: np.random.Generator) -> Reply:
    """Return the answer of preferential Bayesian optimisation."""
    return Reply(preferential_bo(dim, budget, duel, rng))


def learner_for(name: str, dim: int, budget: int, seed: int, inputs: dict[str, Any]) -> Learner:
    """Return a learner that knows neither the link nor the utility."""
    known = {"dim": dim, "horizon": budget, "seed": seed, "aim": "answer"}
    return LEARNERS[name](**inputs_for(name, known, inputs))


def fought(block: Block, duel: Duel, rng: np.random.Generator) -> Tally:
    """Return what becomes of the duels of a block."""
    left = block.low + block.edge * rng.random((block.n, len(block.low)))
    wins = duel(left, np.tile(block.reference, (block.n, 1))).sum()
    return Tally(block.n, float(wins), tuple(left[rng.integers(block.n)].tolist()))


def learner(
    name: str, dim: int, budget: int, duel: Duel, rng: np.random.Generator, **inputs: Any
) -> Reply:
    """Return what a learner of duelli recommends and claims after at most ``budget`` duels."""
    (reply,) = replies(name, dim, (budget,), duel, rng, **inputs)
    return reply


def replies(
    name: str,
    dim: int,
    budgets: Sequence[int],
    duel: Duel,
    rng: np.random.Generator,
    **inputs: Any,
) -> Iterator[Reply]:
    """Yield what a learner says before the step with which it would exceed each of the budgets."""
    player = learner_for(name, dim, budgets[-1], int(rng.integers(2**32)), inputs)
    for budget in budgets:
        while (step := player.ask()) and player.duels + sum(b.n for b in step) <= budget:
            player.tell([fought(block, duel, rng) for block in step])
        answer = player.best()
        claim = answer.gap_high if answer.rests_on == "model" else None
        yield Reply(np.array(answer.arm), claim)


def botorch(dim: int, budget: int, duel: Duel, rng: np.random.Generator) -> Reply:
    """Return the answer of BoTorch, which runs in a Python of its own."""
    command = [os.environ[BOTORCH], botorch_rival.__file__]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as rival:
        assert rival.stdin is not None
        assert rival.stdout is not None
        task = {"dim": dim, "budget": budget, "seed": int(rng.integers(2**31))}
        print(json.dumps(task), file=rival.stdin, flush=True)
        for _ in range(budget):
            pair = np.array(json.loads(rival.stdout.readline()))
            print(float(duel(pair[:1], pair[1:])[0]), file=rival.stdin, flush=True)
        return Reply(np.array(json.loads(rival.stdout.readline())))


def released(dim: int, budget: int, duel: Duel, rng: np.random.Generator) -> Reply:
    """Return the answer of ArcRace as 0.1.0 had it."""
    with old_race.started() as rival:
        assert rival.stdin is not None
        assert rival.stdout is not None
        print(json.dumps({"dim": dim, "budget": budget}), file=rival.stdin, flush=True)
        while "answer" not in (asked := json.loads(rival.stdout.readline())):
            left, right = asked["pair"]
            block = Block.pair(tuple(left), tuple(right), asked["n"])
            print(fought(block, duel, rng).wins, file=rival.stdin, flush=True)
        return Reply(np.array(asked["answer"]))


MIDDLE, OLD, SPSA, MODEL = "middle of the box", "arc_race of 0.1.0", "spsa", "preference_model"
RACE, BO, AUTO, RIVAL = "arc_race", "preferential BO", "auto", "BoTorch"

CONTENDERS: dict[str, Contender] = {
    MIDDLE: middle,
    OLD: released,
    RACE: partial(learner, "arc_race", slope_max=old_race.SLOPE_MAX, lipschitz=old_race.LIPSCHITZ),
    SPSA: partial(learner, "spsa"),
    "successive halving": partial(learner, "successive_halving"),
    BO: bayesian,
    RIVAL: botorch,
    MODEL: partial(learner, "preference_model"),
    AUTO: partial(learner, "auto"),
}
# The learners whose pairs do not depend on the horizon: one run shows them after any budget.
ANYTIME = {MODEL: "preference_model", AUTO: "auto"}
# What no other contender but preferential BO uses.
MODEL_FILES = ("learners/model/**/*.py", "learners/auto.py")
# Of the contenders that would take too long, and of 0.1.0 for the sake of comparison only.
MOST_DUELS = {BO: 200, RIVAL: 200, OLD: 20_000, SPSA: 20_000}


def present(budget: int) -> list[str]:
    """Return the contenders of so many duels; BoTorch only if there is a Python that has it."""
    return [
        name
        for name in CONTENDERS
        if budget <= MOST_DUELS.get(name, budget) and (name != RIVAL or os.environ.get(BOTORCH))
    ]
