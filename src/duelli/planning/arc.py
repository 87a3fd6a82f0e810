"""The plan of ARC-DuelLi: its schedule is fixed as long as nothing is eliminated."""

from dataclasses import replace

from duelli import theory
from duelli.learners import DEFAULT_LEARNER
from duelli.planning.budgets import Budget
from duelli.planning.plans import LADDER, MOST_DUELS, Plan, count_in_words


def plan_arc(budget: Budget) -> Plan:
    """Return the plan of ARC-DuelLi in the worst case, that is, eliminating nothing."""
    costs = _round_costs(budget)
    gap, prior_gap = _bound(budget), float(budget.link(budget.lipschitz)) - 0.5
    first = _first_elimination(budget, prior_gap)
    needed = theory.cumulative_costs(
        dim=budget.dim,
        horizon=budget.horizon,
        failure_prob=budget.failure_prob,
        rounds=first,
    )[-1]
    ladder = sorted({*LADDER, budget.horizon})
    return Plan(
        learner=budget.learner,
        dim=budget.dim,
        horizon=budget.horizon,
        gap=gap,
        prior_gap=prior_gap,
        proven=not budget.assumed,
        gaps_by_duels=tuple((n, _bound(replace(budget, horizon=n))) for n in ladder),
        rehearsed_duels=None,
        rounds=len(costs),
        duels_per_round=tuple(costs),
        duels_left=budget.horizon - sum(costs),
        resolution=theory.edge(max(len(costs), 1)),
        first_elimination=first,
        duels_to_eliminate=needed if needed <= MOST_DUELS else None,
        advice=tuple(_arc_advice(budget, costs, first, needed)),
    )


def _bound(budget: Budget) -> float:
    """Return the bound on the gap after the rounds that complete, or the prior one if smaller."""
    prior_gap = float(budget.link(budget.lipschitz)) - 0.5
    rounds = len(_round_costs(budget))
    if rounds == 0:
        return prior_gap
    slope = budget.lipschitz * budget.link.slope_max
    half_width = theory.edge(rounds) * (1 + slope)  # Lemma 5.1 with the printed n_h
    return min(prior_gap, budget.link.slope_ratio * 2 * half_width)  # Eq. (17)


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


def _arc_advice(budget: Budget, costs: list[int], first: int, needed: int) -> list[str]:
    lines = [budget.assumed] if budget.assumed else []
    better = f"The learner {DEFAULT_LEARNER} makes more of few duels: plan with it."
    if not costs:
        enough = theory.smallest_horizon(budget.failure_prob)
        lines += [
            "No round completes: the recommendation is the start, a random point. "
            f"Round 1 needs at least {enough:,} duels.",
            better,
        ]
        return lines
    if len(costs) == 1:
        lines += [
            "Only round 1 completes, and its one cube is the whole box: the recommendation is a "
            "random point.",
            better,
        ]
    elif len(costs) < first + 1:
        lines.append(
            f"Nothing can be eliminated before depth {first}, that is, after "
            f"{count_in_words(needed)} duels: this budget buys a uniform scan of "
            f"{count_in_words(2 ** (budget.dim * (len(costs) - 1)))} cubes."
        )
    left = budget.horizon - sum(costs)
    if left > budget.horizon / 4:
        lines.append(
            f"{left / budget.horizon:.0%} of the duels go into round {len(costs) + 1}, which "
            f"completes only if cubes are eliminated."
        )
    return lines
