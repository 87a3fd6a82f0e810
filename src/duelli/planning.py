"""Plan: what a budget of duels buys, before any is spent."""

import itertools
import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from duelli import _check, links, theory
from duelli._rng import stream
from duelli.blocks import Engine, Step
from duelli.duels import DuelModel
from duelli.engines import Collapsed, PerDuel
from duelli.landscapes import landscape
from duelli.learners import DEFAULT_LEARNER, LEARNERS, inputs_for
from duelli.links import Link
from duelli.runs import known_slopes

REHEARSALS = {4: 7, 8: 5, 100: 3}  # by dimension, up to which: they take longer in many
MOST_BLOCKS = 1000  # of one rehearsal, so that a plan takes a second or two
REHEARSED_DUELS = (10**15, 10**6, 10**5, 10**4, 10**3, 10**2)  # tried until one is short enough
MANY_DIM, MANY_DIM_DUELS = 8, 10**5  # with more parameters, no rehearsal is longer than this
LADDER = (200, 1000, 10**5)  # budgets to compare with
MOST_DIM = 100
MOST_DUELS = 10**15
SLOPES = (1e-6, 1e6)  # of the link, and of the utility
ASSUMED_LINK = "logistic"
ASSUMED_SLOPE = 1.0  # Γ L of the rehearsals where it is unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a learner can do with its duels; ``print`` it to read it.

    For ARC-DuelLi it is the worst case, that is, eliminating nothing. For the other learners it
    is the median of rehearsals.

    Args:
        learner: Its name.
        dim: d.
        horizon: T.
        gap: Δ(x*, recommendation). For ARC-DuelLi it is the bound that holds with probability
            1 - 2δ, at most what the Lipschitz constant says before any duel.
        prior_gap: The same without any duels: what the Lipschitz constant says for ARC-DuelLi,
            the gap of the middle of the box for the others.
        proven: Whether the gap is a bound; else it is what to expect.
        gaps_by_duels: The gap that other numbers of duels lead to, as (duels, gap).
        rehearsed_duels: The duels of each rehearsal, fewer than ``horizon`` if that would take
            too long; None if there was no rehearsal.
        rounds: The rounds that complete.
        duels_per_round: The duels of each round that completes.
        duels_left: The duels after the last of them.
        resolution: The edge of the cubes of the last of them; in rehearsals, of the part of the
            box that is not ruled out.
        first_elimination: The first depth at which ARC-DuelLi can eliminate a cube; None for the
            others.
        duels_to_eliminate: The duels after which part of the box is ruled out; None if that is
            not known, or takes more than 10^15 duels.
        advice: What a person should know before starting.
    """

    learner: str
    dim: int
    horizon: int
    gap: float
    prior_gap: float
    proven: bool
    gaps_by_duels: tuple[tuple[int, float], ...]
    rehearsed_duels: int | None
    rounds: int
    duels_per_round: tuple[int, ...]
    duels_left: int
    resolution: float
    first_elimination: int | None
    duels_to_eliminate: int | None
    advice: tuple[str, ...]

    def __str__(self) -> str:
        about = "at most" if self.proven else "about"
        parameters = f"{self.dim} parameter{'s' * (self.dim > 1)}"
        ladder = "; ".join(f"{n:,} duels {_share(gap)}" for n, gap in self.gaps_by_duels)
        rows = [
            ("answer", f"loses {about} {_share(self.gap)} of its duels against the best point"),
            ("without duels", f"{_share(self.prior_gap)}"),
            ("other budgets", ladder),
            ("rounds", self._rounds_in_words()),
        ]
        if self.duels_to_eliminate is not None:
            depth = f", at depth {self.first_elimination}" * (self.first_elimination is not None)
            rows.append(("eliminates", f"after {_count(self.duels_to_eliminate)} duels{depth}"))
        head = f"{self.learner}, {parameters}, {self.horizon:,} duels"
        shown = [f"  {name:<15} {value}" for name, value in rows if value]
        return "\n".join([head, *shown, *(f"  ! {line}" for line in self.advice)])

    def _rounds_in_words(self) -> str:
        if self.rehearsed_duels is not None:  # its rounds are a matter of luck
            return ""
        costs = ", ".join(f"{n:,}" for n in self.duels_per_round) or "no"
        return f"{self.rounds} complete ({costs} duels), cubes of edge {self.resolution:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What a plan is made for; see `plan`. Unknown constants are assumed already."""

    learner: str
    dim: int
    horizon: int
    link: Link
    lipschitz: float
    failure_prob: float
    slopes: dict[str, float | None]  # what the learner is told, as by `optimize`
    assumed: str  # what is unknown and was assumed, in words; empty if nothing


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
    return PLANNERS.get(learner, _plan_by_rehearsal)(
        _budget(learner, dim, horizon, link, lipschitz, failure_prob)
    )


def _budget(
    learner: str,
    dim: int,
    horizon: int,
    link: Link | str | None,
    lipschitz: float | None,
    failure_prob: float,
) -> Budget:
    known = links.parse(ASSUMED_LINK if link is None else link)
    _within("the largest slope of the link", known.slope_max, SLOPES)
    if lipschitz is not None:
        _within("lipschitz", _check.positive("lipschitz", lipschitz), SLOPES)
    steepness = ASSUMED_SLOPE / known.slope_max if lipschitz is None else float(lipschitz)
    return Budget(
        learner=learner,
        dim=_at_most("dim", _check.whole("dim", dim, 1), MOST_DIM),
        horizon=_at_most("horizon", _check.whole("horizon", horizon, 1), MOST_DUELS),
        link=known.on(steepness),
        lipschitz=steepness,
        failure_prob=_check.probability("failure_prob", failure_prob),
        slopes=known_slopes(link, lipschitz),
        assumed=_assumption(link, lipschitz, known, steepness),
    )


def _assumption(
    link: Link | str | None, lipschitz: float | None, used: Link, steepness: float
) -> str:
    """Return in words what the plan assumes of what it was not told."""
    unknown = [name for name, value in (("link", link), ("lipschitz", lipschitz)) if value is None]
    if not unknown:
        return ""
    assumed = [f"a {ASSUMED_LINK} link"] if link is None else []
    if lipschitz is None:
        wins = f"{float(used(steepness)):.0%}"
        assumed.append(f"a utility so steep that the best point beats the worst in {wins} of duels")
    return (
        f"As {' and '.join(unknown)} {'is' if len(unknown) == 1 else 'are'} unknown, the plan "
        f"assumes {' and '.join(assumed)}. Nothing is proven."
    )


def _plan_arc(budget: Budget) -> Plan:
    """Return the plan of ARC-DuelLi, whose schedule is fixed as long as nothing is eliminated."""
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


class Rehearsal(NamedTuple):
    """What became of one rehearsal."""

    gap: float
    middle_gap: float
    ends: tuple[int, ...]  # the duels after each round
    edge: float  # of the part of the box that was not ruled out
    first_cut: int | None  # the duels after the first round that ruled out a part of the box
    enough: bool


def _plan_by_rehearsal(budget: Budget) -> Plan:
    """Return the plan of a learner whose schedule depends on what it meets."""
    duels, rehearsals = _longest_rehearsals(budget)
    median = rehearsals[len(rehearsals) // 2]
    prior_gap = statistics.median(each.middle_gap for each in rehearsals)
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
    for seed in range(_count_rehearsals(budget.dim)):
        if (rehearsal := _rehearse(budget, duels, seed)) is None:
            return []
        rehearsals.append(rehearsal)
    return sorted(rehearsals)


def _count_rehearsals(dim: int) -> int:
    return next(count for most, count in REHEARSALS.items() if dim <= most)


def _rehearse(budget: Budget, duels: int, seed: int) -> Rehearsal | None:
    """Play a cone as steep as the Lipschitz constant allows, its tip anywhere."""
    tip = stream(seed, "trial").random(budget.dim)
    cone = landscape(
        lambda xs: -budget.lipschitz * np.abs(xs - tip).max(axis=1),
        budget.dim,
        best_arm=tuple(map(float, tip)),
        lipschitz=budget.lipschitz,
    )
    model = DuelModel(cone, budget.link)
    known: dict[str, Any] = {"dim": budget.dim, "horizon": duels, "seed": seed, **budget.slopes}
    known |= {"failure_prob": budget.failure_prob, "aim": "answer"}
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
    gap, middle_gap = (
        float(model.gap_to_best(arm)) for arm in (learner.recommend(), (0.5,) * budget.dim)
    )
    return Rehearsal(gap, middle_gap, tuple(ends), answer.edge, first_cut, answer.enough)


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
        f"These are medians of {_count_rehearsals(budget.dim)} rehearsals on simulated cones. "
        "Expect more from smoother utilities, and less from utilities with several peaks."
    )
    if duels < budget.horizon:
        lines.append(
            f"The rehearsals stop at {duels:,} duels because more would take too long. The gap "
            f"after all {budget.horizon:,} duels is likely smaller."
        )
    if median.gap > prior_gap / 2:
        lines.append("That is little better than the middle of the box: more duels are needed.")
    if not budget.assumed and not median.enough:
        lines.append(
            f"{duels:,} duels rule out too little of the box to prove anything about the answer: "
            "it rests on local search, which a second peak may mislead."
        )
    return lines


PLANNERS: dict[str, Callable[[Budget], Plan]] = {"arc_duelli": _plan_arc}  # all others rehearse


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
            f"Nothing can be eliminated before depth {first}, that is, after {_count(needed)} "
            f"duels: this budget buys a uniform scan of "
            f"{_count(2 ** (budget.dim * (len(costs) - 1)))} cubes."
        )
    left = budget.horizon - sum(costs)
    if left > budget.horizon / 4:
        lines.append(
            f"{left / budget.horizon:.0%} of the duels go into round {len(costs) + 1}, which "
            f"completes only if cubes are eliminated."
        )
    return lines


def _share(gap: float) -> str:
    """Return the share of duels that are lost at a gap: "52.3 %"."""
    digits = 1 if gap >= 1e-3 else min(12, math.ceil(-math.log10(gap)) - 1) if gap > 0 else 0
    return f"{100 * (0.5 + gap):.{digits}f} %"


def _count(number: int) -> str:
    return f"{number:,}" if number <= MOST_DUELS else f"more than {MOST_DUELS:.0e}"


def _at_most(name: str, value: int, bound: int) -> int:
    if value > bound:
        shown = f"{value:,}" if value < 10**40 else "a larger one"
        raise ValueError(f"{name} must be a whole number of at most {bound:,}; got {shown}")
    return value


def _within(name: str, value: float, bounds: tuple[float, float]) -> None:
    if not bounds[0] <= value <= bounds[1]:
        raise ValueError(f"{name} must lie in [{bounds[0]:g}, {bounds[1]:g}]; got {value:g}")
