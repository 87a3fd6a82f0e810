"""The direction of the gradient by comparisons: signs, the largest entry, then the ratios to it.

Zhang, Li (2024), "Comparisons are all you need for optimizing smooth functions",
https://arxiv.org/abs/2405.11454. The tests are derived from the smoothness of the utility; they
follow the paper's plan from memory.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from duelli.cubes import Arm
from duelli.learners.descent.votes import Votes


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What is known of the gradient g at a point, and the comparisons that are open.

    Args:
        signs: 1 if an entry of g is positive, else 0; () before that is known.
        leader: The largest entry among those that were compared.
        rival: The entry that the leader is compared with; d once it was compared with all.
        low: The lower ends of the intervals of |g_j| / |g_leader|, for all other j.
        high: Their upper ends.
        votes: The votes of the open comparisons.
    """

    signs: tuple[int, ...] = ()
    leader: int = 0
    rival: int = 1
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    votes: tuple[Votes, ...]


def opened(dim: int) -> Estimate:
    """Return the estimate that knows nothing: its comparisons are those of the signs."""
    return Estimate(votes=(Votes(),) * dim)


def open_directions(estimate: Estimate, dim: int) -> list[Arm]:
    """Return the unit vectors v of the open tests, which ask whether the slope along v is up."""
    if not estimate.signs:
        return [_combined(dim, {i: 1.0}) for i in range(dim)]  # Signs: along e_i
    leader = estimate.leader
    up = _sign(estimate, leader)
    if estimate.rival < dim:
        rival = estimate.rival
        return [_combined(dim, {leader: up, rival: -_sign(estimate, rival)})]  # Largest
    ratios = [(a + b) / 2 for a, b in zip(estimate.low, estimate.high, strict=True)]
    return [
        _combined(dim, {leader: ratio * up, j: -_sign(estimate, j)})  # Ratios: α_j is the middle
        for j, ratio in zip(_others(leader, dim), ratios, strict=True)
    ]


def after(estimate: Estimate, upward: Sequence[bool], dim: int) -> Estimate:
    """Return the estimate once all its open tests are answered."""
    if not estimate.signs:
        known = replace(estimate, signs=tuple(int(up) for up in upward))  # Signs: s_i
        return _settled(known, 0, 1, dim)
    if estimate.rival < dim:
        leader = estimate.leader if upward[0] else estimate.rival  # Largest: i*
        return _settled(estimate, leader, estimate.rival + 1, dim)
    ends = list(zip(estimate.low, estimate.high, upward, strict=True))
    low = tuple(a if up else (a + b) / 2 for a, b, up in ends)  # Ratios: bisect α_j
    high = tuple((a + b) / 2 if up else b for a, b, up in ends)
    return replace(estimate, low=low, high=high, votes=(Votes(),) * len(low))


def _settled(estimate: Estimate, leader: int, rival: int, dim: int) -> Estimate:
    """Return the estimate with another leader; if it has met all, the ratios are next."""
    if rival < dim:
        return replace(estimate, leader=leader, rival=rival, votes=(Votes(),))
    count = dim - 1
    return Estimate(
        signs=estimate.signs,
        leader=leader,
        rival=dim,
        low=(0.0,) * count,
        high=(1.0,) * count,
        votes=(Votes(),) * count,
    )


def complete(estimate: Estimate, dim: int, accuracy: float) -> bool:
    """Tell whether every ratio is known within δ / (2 √d)."""
    if not estimate.signs or estimate.rival < dim:
        return False
    widest = max((b - a for a, b in zip(estimate.low, estimate.high, strict=True)), default=0.0)
    return widest <= accuracy / (2 * math.sqrt(dim))  # Ratios: the width to stop at


def gradient(estimate: Estimate, dim: int) -> Arm:
    """Return the direction of the gradient, a unit vector."""
    entries = {estimate.leader: _sign(estimate, estimate.leader)}
    others = _others(estimate.leader, dim)
    for j, a, b in zip(others, estimate.low, estimate.high, strict=True):
        entries[j] = _sign(estimate, j) * (a + b) / 2  # g = Σ s_j α_j e_j
    return _combined(dim, entries)


def check_estimate(name: str, estimate: Estimate, dim: int, most: int) -> None:
    """Raise ValueError if no run can have this estimate.

    Args:
        name: What errors call it.
        estimate: The estimate.
        dim: d.
        most: The most duels that a comparison can have had.
    """
    signs, ratios = estimate.signs, bool(estimate.signs) and estimate.rival == dim
    if len(signs) not in (0, dim) or not set(signs) <= {0, 1}:
        raise ValueError(f"{name}.signs must be () or {dim} times 0 or 1; got {signs}")
    if not estimate.leader < dim or not 1 <= estimate.rival <= max(dim, 1):
        raise ValueError(
            f"{name}.leader and .rival must be entries of {dim}; "
            f"got {estimate.leader} and {estimate.rival}"
        )
    ends = list(zip(estimate.low, estimate.high, strict=False))
    count = dim - 1 if ratios else 0
    if not len(estimate.low) == len(estimate.high) == count or not all(
        0 <= a <= b <= 1 for a, b in ends
    ):
        raise ValueError(f"{name}.low and .high must be {count} intervals of [0, 1]; got {ends}")
    open_tests = len(open_directions(estimate, dim))
    if len(estimate.votes) != open_tests or not all(
        0 <= each.wins <= each.n <= most for each in estimate.votes
    ):
        raise ValueError(
            f"{name}.votes must be {open_tests} pairs of n and wins, with 0 to n wins of at most "
            f"{most} duels; got {estimate.votes}"
        )


def _sign(estimate: Estimate, entry: int) -> float:
    return 1.0 if estimate.signs[entry] else -1.0


def _others(leader: int, dim: int) -> list[int]:
    return [j for j in range(dim) if j != leader]


def _combined(dim: int, entries: dict[int, float]) -> Arm:
    """Return the unit vector whose entries have these ratios; the others are 0."""
    length = math.hypot(*entries.values())
    return tuple(entries.get(i, 0.0) / length for i in range(dim))
