"""The search of one axis by comparisons: an interval that is halved again and again.

Jamieson, Nowak, Recht (2012), "Query complexity of derivative-free optimization", NeurIPS,
https://arxiv.org/abs/1209.2434, written from memory.
"""

from dataclasses import dataclass

from duelli.cubes import Arm
from duelli.learners.codec import Point
from duelli.learners.descent.votes import Votes


@dataclass(frozen=True, slots=True, kw_only=True)
class Searching:
    """A search of one axis.

    Args:
        duels: The duels so far.
        searches: The searches that are done.
        point: The point that they have led to.
        low: The lower end of the interval that holds the best place of the axis.
        high: Its upper end.
        left: The comparison of a quarter of the interval with its middle.
        right: The comparison of three quarters of the interval with its middle.
    """

    duels: int
    searches: int
    point: Point
    low: float
    high: float
    left: Votes
    right: Votes


def begun(duels: int, searches: int, point: Arm) -> Searching:
    """Return the beginning of a search, whose interval is the whole axis."""
    none = Votes()
    return Searching(
        duels=duels, searches=searches, point=point, low=0.0, high=1.0, left=none, right=none
    )


def narrowed(
    low: float, high: float, left: float | None, right: float | None
) -> tuple[float, float] | None:
    """Return the half of an interval that the two verdicts leave; None if more are needed.

    Args:
        low: The lower end.
        high: The upper end.
        left: Whether a quarter of the interval is better than its middle, as `Stages.verdict`.
        right: The same of three quarters.
    """
    middle, quarter = (low + high) / 2, (high - low) / 4
    if left == 1:  # Line search: l beats mid
        return low, middle
    if right == 1:  # Line search: r beats mid
        return middle, high
    if left is None or right is None:
        return None
    return middle - quarter, middle + quarter  # Line search: (l, mid, r)
