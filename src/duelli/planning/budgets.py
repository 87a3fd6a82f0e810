"""Budget: what a plan is made for, checked, with what is unknown assumed."""

from dataclasses import dataclass

from duelli import _check, links
from duelli.links import Link, known_slopes
from duelli.planning.plans import MOST_DUELS

MOST_DIM = 100
SLOPES = (1e-6, 1e6)  # of the link, and of the utility
ASSUMED_LINK = "logistic"
ASSUMED_SLOPE = 1.0  # Γ L of the rehearsals where it is unknown


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


def make_budget(
    learner: str,
    dim: int,
    horizon: int,
    link: Link | str | None,
    lipschitz: float | None,
    failure_prob: float,
) -> Budget:
    """Return the budget of these inputs, checked, with what is unknown assumed."""
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


def _at_most(name: str, value: int, bound: int) -> int:
    if value > bound:
        shown = f"{value:,}" if value < 10**40 else "a larger one"
        raise ValueError(f"{name} must be a whole number of at most {bound:,}; got {shown}")
    return value


def _within(name: str, value: float, bounds: tuple[float, float]) -> None:
    if not bounds[0] <= value <= bounds[1]:
        raise ValueError(f"{name} must lie in [{bounds[0]:g}, {bounds[1]:g}]; got {value:g}")
