"""What a budget of duels buys, before any is spent."""

from collections.abc import Callable

from duelli import _check
from duelli.learners import DEFAULT_LEARNER, LEARNERS
from duelli.links import Link
from duelli.planning.arc import plan_arc
from duelli.planning.budgets import MOST_DIM, Budget, make_budget
from duelli.planning.plans import Plan
from duelli.planning.rehearsal import plan_by_rehearsal

__all__ = ["MOST_DIM", "Plan", "plan"]

PLANNERS: dict[str, Callable[[Budget], Plan]] = {"arc_duelli": plan_arc}  # all others rehearse


def plan(
    *,
    dim: int,
    horizon: int,
    link: Link | str | None = None,
    lipschitz: float | None = None,
    failure_prob: float = 0.05,
    learner: str = DEFAULT_LEARNER,
) -> Plan:
    """Return what ``horizon`` duels buy.

    Args:
        dim: d, the number of parameters.
        horizon: T, the number of duels, at most 10^15.
        link: ρ, or its name; None if you do not know.
        lipschitz: L, how much the utility changes at most across the box; None if you do not know.
        failure_prob: δ.
        learner: The name of the learner.
    """
    _check.one_of("learner", learner, LEARNERS)
    return PLANNERS.get(learner, plan_by_rehearsal)(
        make_budget(learner, dim, horizon, link, lipschitz, failure_prob)
    )
