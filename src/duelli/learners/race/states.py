"""The states of ArcRace: what outlives a phase, and one record for each of the four phases."""

from dataclasses import dataclass
from typing import Annotated

from duelli.cubes import Arm
from duelli.learners.codec import CubePath, Point, PointMark
from duelli.learners.race.config import ARM_UNITS

GridPoint = Annotated[Arm, PointMark(ARM_UNITS)]  # a state holds it in whole multiples of 2^-32


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What outlives a phase."""

    duels: int  # t
    horizon_now: int  # T, or the horizon pretended for now
    reference: GridPoint  # X
    step: float  # s of the local search
    size: int = 0  # duels a neighbour in the first look of the next sweep
    round: int = 1  # m, the depth of the cells of this round, or of the last
    begun: int = 0  # rounds begun
    done: int = 0  # rounds completed
    alive: int = 1  # cells that the next round will have to enter
    cost: float = 0.0  # measured regret of the costliest round, relative to X
    final: bool = False  # the polish before committing has begun
    low: Point  # corners of a box that holds every cell that was not eliminated, hence x*
    high: Point

    @property
    def left(self) -> int:
        """The duels that remain: T - t."""
        return max(0, self.horizon_now - self.duels)


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """What every phase has."""

    memory: Memory

    @property
    def duels(self) -> int:
        """The duels so far: t."""
        return self.memory.duels


@dataclass(frozen=True, slots=True, kw_only=True)
class Polish(Phase):
    """The next step sends the neighbours of the reference against it."""

    home: GridPoint  # where this polish began
    deadline: int  # duels at which patience ends
    wins: tuple[float, ...]  # of the neighbours
    n: int = 0  # duels of each neighbour so far
    hops: int = 0  # whole steps in a row
    rival_to: GridPoint | None = None  # the reference, if home is a rival that a scan has found


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(Phase):
    """The next block sends the polished arm against the one that it would replace."""

    old: GridPoint
    rival: bool
    n: int = 0
    wins: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan(Phase):
    """The next block sends the centre of the cube at ``path`` against the reference."""

    deadline: int  # duels at which the round is given up
    cost_limit: float | None  # measured regret at which it is; None: never
    path: CubePath = ()
    n: int = 0
    wins: float = 0.0
    best: GridPoint | None = None  # the centre of the best cell so far
    best_gap: float = -1.0
    seen_low: Point | None = None  # corners of the box of the cells that this round has reached
    seen_high: Point | None = None
    cost: float = 0.0  # measured regret of this round, relative to X


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit(Phase):
    """All that remains is played as (X, X)."""


State = Polish | Confirm | Scan | Commit
