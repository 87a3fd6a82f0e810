"""The states of Algorithms 1 and 2: three frozen records.

Records instead of flags: an `Anchor` without a best cube cannot be written down.
"""

from dataclasses import dataclass

from duelli.learners.codec import CubePath, Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The best cube of the deepest level so far in this round."""

    path: CubePath  # C_max^m
    gap: float  # Δ_max^m
    arm: Point  # one of its sampled arms, drawn uniformly: X^m if the round completes


@dataclass(frozen=True, slots=True, kw_only=True)
class Explore:
    """The next block samples the cube at ``path`` against the reference (Alg. 2)."""

    duels: int  # t
    round: int  # m
    reference: Point  # X^(m-1)
    benchmark: float  # Δ~^(m-1)
    path: CubePath = ()  # depth h = len(path) + 1
    best: Best | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """The next block samples C_max^m against its own arm X^m (Alg. 1, lines 12-15)."""

    duels: int
    round: int
    best: Best


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleanup:
    """All that remains is played as (X, X) (Alg. 1, line 20)."""

    duels: int
    round: int  # the round that was given up, or B + 1
    reference: Point


State = Explore | Anchor | Cleanup
