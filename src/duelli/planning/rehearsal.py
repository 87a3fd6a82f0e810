"""Plans by rehearsal, for learners whose schedule depends on what they meet."""

import itertools
import statistics
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np

from duelli._rng import stream
from duelli.blocks import Engine, Step
from duelli.duels import DuelModel
from duelli.engines import Collapsed, PerDuel
from duelli.landscapes import landscape
from duelli.learners import LEARNERS, inputs_for
from duelli.planning.budgets import Budget
from duelli.planning.plans import LADDER, MOST_DUELS, Plan

REHEARSALS = {4: 7, 8: 5, 100: 3}  # by dimension, up to which: they take longer in many
MOST_BLOCKS = 1000  # of one rehearsal, so that a plan takes a second or two
REHEARSED_DUELS = (10**15, 10**6, 10**5, 10**4, 10**3, 10**2)  # tried until one is short enough
MIDDLES = 51  # cones for the gap of the middle of the box, which takes no duels
LITTLE = 0.8  # an answer with this share of that gap is little better
MODEL_REHEARSALS = 3  # of a learner that fits a model, which takes longer
REHEARSED_STEPS = 8  # at most, of a model that is fitted anew in each
MANY_DIM, MANY_DIM_DUELS = 8, 10**5  # with more parameters, no rehearsal is longer than this


class Rehearsal(NamedTuple):
    """What became of one rehearsal."""

    gap: float
    ends: tuple[int, ...]  # the duels after each round
    edge: float  # of the part of the box that was not ruled out
    first_cut: int | None  # the duels after the first round that ruled out a part of the box
    enough: bool


def plan_by_rehearsal(budget: Budget) -> Plan:
    """Return the plan of a learner whose schedule depends on what it meets."""
    duels, rehearsals = _longest_rehearsals(budget)
    median = rehearsals[len(rehearsals) // 2]
    prior_gap = _middle_gap(budget)
    ends = median.ends
    ladder = {n: _rehearsals(budget, n) for n in LADDER if n < MOST_DUELS and n != duels}
    gaps = {n: _median_gap(each) for n, each in ladder.items() if each}
    cuts = [each.first_cut for each in rehearsals if each.first_cut is not None]
    return Plan(
        learner=budget.learner,
        dim=budget.dim,
        horizon=budget.horizon,
        gap=median.gap,
        prior_gap=prior_gap,
        proven=False,
        gaps_by_duels=tuple(sorted({**gaps, duels: median.gap}.items())),
        rehearsed_duels=duels,
        rounds=len(ends),
        duels_per_round=tuple(b - a for a, b in itertools.pairwise([0, *ends])),
        duels_left=budget.horizon - (ends[-1] if ends else 0),
        resolution=median.edge,
        first_elimination=None,
        duels_to_eliminate=sorted(cuts)[len(cuts) // 2] if cuts else None,
        advice=tuple(_rehearsal_advice(budget, duels, median, prior_gap)),
    )


def _longest_rehearsals(budget: Budget) -> tuple[int, list[Rehearsal]]:
    """Return rehearsals of as many duels as can be rehearsed quickly, and how many those are."""
    cap = MANY_DIM_DUELS if budget.dim > MANY_DIM else MOST_DUELS
    for most in REHEARSED_DUELS:
        duels = min(budget.horizon, most, cap)
        if rehearsals := _rehearsals(budget, duels):
            return duels, rehearsals
    raise ValueError(
        f"{budget.learner} asks for too many pairs at once to be rehearsed in {budget.dim} "
        "dimensions; plan for fewer dimensions or for another learner"
    )


def _rehearsals(budget: Budget, duels: int) -> list[Rehearsal]:
    """Return the rehearsals in the order of their gaps; none if they would take too long."""
    rehearsals: list[Rehearsal] = []
    for seed in range(_count_rehearsals(budget)):
        if (rehearsal := _rehearse(budget, duels, seed)) is None:
            return []
        rehearsals.append(rehearsal)
    return sorted(rehearsals)


def _count_rehearsals(budget: Budget) -> int:
    usual = next(count for most, count in REHEARSALS.items() if budget.dim <= most)
    fits = "batch" in {field.name for field in fields(LEARNERS[budget.learner].Config)}
    return min(usual, MODEL_REHEARSALS) if fits else usual


def _rehearse(budget: Budget, duels: int, seed: int) -> Rehearsal | None:
    """Play a cone as steep as the Lipschitz constant allows, its tip anywhere."""
    model = _cone(budget, seed)
    known: dict[str, Any] = {"dim": budget.dim, "horizon": duels, "seed": seed, **budget.slopes}
    known |= {"failure_prob": budget.failure_prob, "aim": "answer"}
    known |= {"batch": max(1, duels // REHEARSED_STEPS), "repeat": "allowed"}  # of a model
    learner = LEARNERS[budget.learner].from_inputs(inputs_for(budget.learner, known, {}))
    engine, blocks = _engine(model, seed), 0
    ends: list[int] = []
    first_cut = None
    while step := learner.ask():
        blocks += len(step)
        if blocks > MOST_BLOCKS or _takes_long(engine, step):
            return None
        learner.tell([engine.play(block).tally for block in step])
        if learner.progress().rounds_done > len(ends):
            ends.append(learner.duels)
            if first_cut is None and learner.best().edge < 1:
                first_cut = learner.duels
    answer = learner.best()
    gap = float(model.gap_to_best(learner.recommend()))
    return Rehearsal(gap, tuple(ends), answer.edge, first_cut, answer.enough)


def _cone(budget: Budget, seed: int) -> DuelModel:
    tip = stream(seed, "trial").random(budget.dim)
    cone = landscape(
        lambda xs: -budget.lipschitz * np.abs(xs - tip).max(axis=1),
        budget.dim,
        best_arm=tuple(map(float, tip)),
        lipschitz=budget.lipschitz,
    )
    return DuelModel(cone, budget.link)


def _middle_gap(budget: Budget) -> float:
    """Return the median gap of the middle of the box, which is the same for all learners."""
    middle = (0.5,) * budget.dim
    cones = (_cone(budget, seed) for seed in range(MIDDLES))
    return statistics.median(float(cone.gap_to_best(middle)) for cone in cones)


def _engine(model: DuelModel, seed: int) -> Engine:
    """Return the fast engine, or the one that plays every duel where the fast one cannot."""
    try:
        return Collapsed(model, seed=seed)
    except ValueError:  # too many dimensions
        return PerDuel(model, seed=seed)


def _takes_long(engine: Engine, step: Step) -> bool:
    """Tell whether the engine plays every duel, and there are many of them."""
    return isinstance(engine, PerDuel) and sum(block.n * len(block.low) for block in step) > 10**6


def _median_gap(rehearsals: Sequence[Rehearsal]) -> float:
    return rehearsals[len(rehearsals) // 2].gap


def _rehearsal_advice(budget: Budget, duels: int, median: Rehearsal, prior_gap: float) -> list[str]:
    lines = [budget.assumed] if budget.assumed else []
    lines.append(
        f"These are medians of {_count_rehearsals(budget)} rehearsals on simulated cones. "
        "Expect more from smoother utilities, and less from utilities with several peaks."
    )
    if duels < budget.horizon:
        lines.append(
            f"The rehearsals stop at {duels:,} duels because more would take too long. The gap "
            f"after all {budget.horizon:,} duels is likely smaller."
        )
    if median.gap > LITTLE * prior_gap:
        worse = median.gap > prior_gap
        lines.append(
            f"That is {'worse' if worse else 'little better'} than the middle of the box, which "
            "takes no duels: more duels are needed."
        )
    if not budget.assumed and not median.enough:
        lines.append(
            f"{duels:,} duels rule out too little of the box to prove anything about the answer: "
            "it rests on what the learner expects, which a second peak may mislead."
        )
    return lines
