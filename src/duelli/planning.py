"""Plan: what a budget of duels buys, before any is spent."""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from duelli import _check, links, theory
from duelli._rng import stream
from duelli.answers import Answer
from duelli.api import simulate
from duelli.duels import DuelModel
from duelli.landscapes import landscape
from duelli.learners.race import ArcRace
from duelli.links import Link
from duelli.record import Trace

REHEARSALS = 5
BETTER = "The learner arc_race makes more of few duels: plan with it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a learner can do with its duels.

    For ARC-DuelLi in the worst case, that is, eliminating nothing; for ArcRace by rehearsal.

    Args:
        learner: Its name.
        dim: d.
        horizon: T.
        rounds: The rounds that will complete.
        resolution: The edge of the cubes of the last of them; for ArcRace, of the box that is not
            ruled out.
        gap: Δ(x*, recommendation): for ARC-DuelLi the bound that holds with probability 1 - 2δ, at
            most what the Lipschitz constant says before any duel; for ArcRace the median of the
            rehearsals.
        prior_gap: What the Lipschitz constant says before any duel.
        duels_a_round: For each round that completes.
        duels_left: What is left for a round that cannot complete, and for playing the best arm.
        first_elimination: The first depth at which any cube can be eliminated.
        duels_to_eliminate: The duels that it takes to get below that depth.
        advice: What a person should know before starting.
        proven: Whether the gap is a bound; else it is what to expect.
    """

    learner: str
    dim: int
    horizon: int
    rounds: int
    resolution: float
    gap: float
    prior_gap: float
    duels_a_round: tuple[int, ...]
    duels_left: int
    first_elimination: int
    duels_to_eliminate: int
    advice: tuple[str, ...]
    proven: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What a plan is made for; see `plan`."""

    dim: int
    horizon: int
    link: Link
    lipschitz: float
    failure_prob: float


def plan(  # keyword-only: the inputs of the paper
    *,
    dim: int,
    horizon: int,
    link: Link | str = "logistic",
    lipschitz: float = 1.0,
    failure_prob: float = 0.05,
    learner: str = "arc_duelli",
) -> Plan:
    """Return what ``horizon`` duels buy.

    Args:
        dim: d, the number of parameters.
        horizon: T, the number of duels.
        link: ρ, or its name.
        lipschitz: L, how much the utility changes at most across the box.
        failure_prob: δ.
        learner: The name of a learner whose schedule is known beforehand.
    """
    planner = _check.registered("learner", learner, PLANNERS)
    found = links.parse(link)
    lipschitz = _check.positive("lipschitz", lipschitz)
    budget = Budget(
        dim=_check.whole("dim", dim, 1),
        horizon=_check.whole("horizon", horizon, 1),
        link=found.on(lipschitz),
        lipschitz=lipschitz,
        failure_prob=_check.probability("failure_prob", failure_prob),
    )
    return planner(budget)


def _plan_arc(budget: Budget) -> Plan:
    """Return the plan of ARC-DuelLi, whose schedule is fixed as long as nothing is eliminated."""
    costs = _round_costs(budget)
    rounds = len(costs)
    slope = budget.lipschitz * budget.link.slope_max
    prior_gap = float(budget.link(budget.lipschitz)) - 0.5
    half_width = theory.edge(max(rounds, 1)) * (1 + slope)  # Lemma 5.1 with the printed n_h
    proven = budget.link.slope_ratio * 2 * half_width if rounds else math.inf  # Eq. (17)
    first = _first_elimination(budget, prior_gap)
    needed = theory.cumulative_costs(
        dim=budget.dim,
        horizon=budget.horizon,
        failure_prob=budget.failure_prob,
        rounds=first,
    )[-1]
    return Plan(
        learner="arc_duelli",
        dim=budget.dim,
        horizon=budget.horizon,
        rounds=rounds,
        resolution=theory.edge(max(rounds, 1)),
        gap=min(prior_gap, proven),
        prior_gap=prior_gap,
        duels_a_round=tuple(costs),
        duels_left=budget.horizon - sum(costs),
        first_elimination=first,
        duels_to_eliminate=needed,
        advice=tuple(_advice(budget, costs, first, needed)),
    )


def _plan_race(budget: Budget) -> Plan:
    """Return the plan of ArcRace, by rehearsal: its schedule depends on what it meets."""
    rehearsals = sorted((_rehearse(budget, seed) for seed in range(REHEARSALS)), key=_final_gap)
    trace, answer = rehearsals[REHEARSALS // 2]
    ends = [row.duels for row in trace.rounds]
    prior_gap = float(budget.link(budget.lipschitz)) - 0.5
    return Plan(
        learner="arc_race",
        dim=budget.dim,
        horizon=budget.horizon,
        rounds=len(ends),
        resolution=answer.edge,
        gap=trace.final_gap,
        prior_gap=prior_gap,
        duels_a_round=tuple(b - a for a, b in itertools.pairwise([0, *ends])),
        duels_left=budget.horizon - (ends[-1] if ends else 0),
        first_elimination=_first_below(prior_gap, budget.lipschitz * budget.link.slope_max),
        duels_to_eliminate=ends[0] if ends else budget.horizon,
        advice=tuple(_race_advice(budget, trace.final_gap, prior_gap, answer)),
        proven=False,
    )


def _rehearse(budget: Budget, seed: int) -> tuple[Trace, Answer]:
    """Play a cone as steep as the Lipschitz constant allows, its tip anywhere."""
    tip = stream(seed, "trial").random(budget.dim)
    cone = landscape(
        lambda xs: -budget.lipschitz * np.abs(xs - tip).max(axis=1),
        budget.dim,
        best_arm=tuple(map(float, tip)),
        lipschitz=budget.lipschitz,
    )
    learner = ArcRace(
        dim=budget.dim,
        horizon=budget.horizon,
        slope_max=budget.link.slope_max,
        lipschitz=budget.lipschitz,
        failure_prob=budget.failure_prob,
    )
    trace = simulate(learner, DuelModel(cone, budget.link), seed=seed)
    return trace, learner.best()


def _final_gap(rehearsal: tuple[Trace, Answer]) -> float:
    return rehearsal[0].final_gap


def _first_below(prior_gap: float, slope: float) -> int:
    """Return the first depth at which twice the bias, Γ L r_h, is below the largest gap."""
    h = 1
    while slope * theory.edge(h) >= prior_gap:
        h += 1
    return h


def _race_advice(budget: Budget, gap: float, prior_gap: float, answer: Answer) -> list[str]:
    lines = [
        f"Rehearsed on {REHEARSALS} cones as steep as the Lipschitz constant allows: the median "
        f"answer loses to the best arm with probability {0.5 + gap:.3g}. Gentler or rougher "
        f"utilities differ."
    ]
    if gap > prior_gap / 4:
        lines.append("That is little better than the middle of the box: more duels are needed.")
    if not answer.enough:
        lines.append(
            f"{budget.horizon} duels rule out too little of the box to prove anything about the "
            "answer: it rests on local search, which a second peak may mislead."
        )
    return lines


PLANNERS: dict[str, Callable[[Budget], Plan]] = {
    "arc_duelli": _plan_arc,
    "arc_race": _plan_race,
}


def _round_costs(budget: Budget) -> list[int]:
    """Return the duels of each round that the horizon lets complete."""
    costs: list[int] = []
    while True:
        cost = theory.round_cost(
            len(costs) + 1,
            dim=budget.dim,
            horizon=budget.horizon,
            failure_prob=budget.failure_prob,
        )
        if sum(costs) + cost > budget.horizon:
            return costs
        costs.append(cost)


def _first_elimination(budget: Budget, prior_gap: float) -> int:
    """Return the first depth whose margin is below the largest gap that can be."""
    h = 1
    slope = budget.link.slope_max
    while theory.elimination_margin(h, slope_max=slope, lipschitz=budget.lipschitz) >= prior_gap:
        h += 1
    return h


def _advice(budget: Budget, costs: list[int], first: int, needed: int) -> list[str]:
    enough = theory.smallest_horizon(budget.failure_prob)
    if not costs:
        return [
            f"No round completes: the recommendation is the start, a random point. "
            f"Round 1 needs at least {enough} duels.",
            BETTER,
        ]
    lines = []
    if len(costs) == 1:
        lines.append(
            "Only round 1 completes, and its one cube is the whole box: the recommendation is a "
            "random point."
        )
        lines.append(BETTER)
    elif len(costs) < first + 1:
        lines.append(
            f"Nothing can be eliminated before depth {first}, that is, after {needed:.3g} duels: "
            f"this budget buys a uniform scan of {2 ** (budget.dim * (len(costs) - 1))} cubes."
        )
    left = budget.horizon - sum(costs)
    if left > budget.horizon / 4:
        lines.append(
            f"{left / budget.horizon:.0%} of the duels go into round {len(costs) + 1}, which "
            f"completes only if cubes are eliminated."
        )
    return lines
