"""The states of ArcRace: what outlives a phase, and one record for each of the four phases."""

from dataclasses import dataclass

from duelli.cubes import Arm, Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What outlives a phase."""

    duels: int  # t
    goal: int  # T, or the horizon pretended for now
    arm: Arm  # X, the reference
    step: float  # s of the local search
    size: int = 0  # duels a neighbour in the first look of the next sweep
    round: int = 1  # m, the depth of the cells of this round, or of the last
    begun: int = 0  # rounds begun
    done: int = 0  # rounds completed
    alive: int = 1  # cells that the next round will have to enter
    cost: float = 0.0  # measured regret of the costliest round, relative to X
    final: bool = False  # the polish before committing has begun
    low: Arm  # corners of a box that holds every cell that was not eliminated, hence x*
    high: Arm

    @property
    def left(self) -> int:
        """The duels that remain. Paper: T - t."""
        return max(0, self.goal - self.duels)


@dataclass(frozen=True, slots=True, kw_only=True)
class Polish:
    """The next block sends a neighbour of the reference against it."""

    course: Course
    home: Arm  # where this polish began
    room: int  # duels at which patience ends
    wins: tuple[float, ...]  # of the neighbours
    n: int = 0  # duels of each neighbour so far
    add: int = 0  # duels of each neighbour in this look
    side: int = 0  # which neighbour is next
    hops: int = 0  # whole steps in a row
    rival_to: Arm | None = None  # the reference, if home is a rival that a scan has found


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The next block sends the polished arm against the one that it would replace."""

    course: Course
    old: Arm
    rival: bool
    n: int = 0
    wins: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """The next block sends the centre of the cube at ``path`` against the reference."""

    course: Course
    room: int  # duels at which the round is given up
    limit: float  # measured regret at which it is
    path: Path = ()
    n: int = 0
    wins: float = 0.0
    best: Arm | None = None  # the centre of the best cell so far
    best_gap: float = -1.0
    seen_low: Arm | None = None  # corners of the box of the cells that this round has reached
    seen_high: Arm | None = None
    spent: float = 0.0  # measured regret of this round, relative to X


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """All that remains is played as (X, X)."""

    course: Course


State = Polish | Check | Scan | Commit
