"""The states of ArcRace: what outlives a phase, and one record for each of the five phases."""

from dataclasses import dataclass
from typing import Annotated

from duelli.cubes import Arm
from duelli.learners.codec import CubePath, Point, PointMark
from duelli.learners.race.config import ARM_UNITS

GridPoint = Annotated[Arm, PointMark(ARM_UNITS)]  # a state holds it in whole multiples of 2^-32


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """What the sweeps about an arm have shown."""

    step: float  # s of the local search: the longest half-axis of a sweep
    drop: float = 0.0  # D, what a neighbour at that distance should lose; 0 if nothing is known
    shape: tuple[float, ...] = ()  # A of its sweeps; () for the ball
    settled: tuple[float, ...] = ()  # mean half-axis and D after the first sweeps; () before
    trend: tuple[float, ...] = ()  # the running mean of their slopes, in units of their sd
    sweeps: int = 0  # so far; they choose the directions of the next


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What outlives a phase."""

    duels: int  # t
    horizon_now: int  # T, or the horizon pretended for now
    reference: GridPoint  # X
    local: Local  # what the sweeps about X have shown
    round: int = 1  # m, the depth of the cells of this round, or of the last
    begun: int = 0  # rounds begun
    done: int = 0  # rounds completed
    alive: int = 1  # cells that the next round will have to enter
    cost: float = 0.0  # measured regret of the costliest round, relative to X
    final: bool = False  # the polish before committing has begun
    tests: int = 0  # rounds begun that could eliminate a cube
    spent: float = 0.0  # the probability that a claim of the rounds so far fails (Lemmas 1, 2)
    low: Point  # corners of a box that holds every cell that was not eliminated, hence x*
    high: Point
    anchor: GridPoint | None = None  # the reference of the round that bounded a gap best
    certified: float = 0.5  # Δ(x*, anchor) is at most this
    steepest: float = 0.0  # Γ L is at least this, as duels have shown
    refuted: bool = False  # the boxes of two rounds do not meet

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
class Survey(Phase):
    """The next step sends points all over the box against the middle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Polish(Phase):
    """The next step sends the neighbours of the reference against it."""

    home: GridPoint  # where this polish began
    start: int  # the duels before it
    deadline: int  # duels at which patience ends
    rival_to: GridPoint | None = None  # the reference, if home is a rival that a scan has found
    lead: float = 0.0  # by how much X should beat the arm that it would replace
    old_local: Local | None = None  # what was known about the reference, if home is a rival


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(Phase):
    """The next block sends the polished arm against the one that it would replace."""

    old: GridPoint
    rival: bool
    lead: float  # by how much it should win, for all that was seen before
    deadline: int  # duels at which an arm that is no rival counts as no worse
    old_local: Local | None = None  # what was known about ``old``, if it may have to come back
    n: int = 0
    wins: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan(Phase):
    """The next block sends the centre of the cube at ``path`` against the reference."""

    deadline: int  # duels at which the round is given up
    cost_limit: float | None  # measured regret at which it is; None: never
    deeper: int  # depths that this round gains, lost again if it is given up
    alive_before: int
    path: CubePath = ()
    n: int = 0
    wins: float = 0.0
    best: GridPoint | None = None  # the centre of the best cell so far
    best_gap: float = -1.0
    seen_low: Point | None = None  # corners of the box of the cells that this round has reached
    seen_high: Point | None = None
    cost: float = 0.0  # measured regret of this round, relative to X
    upper: float = -0.5  # the largest upper bound on the gap of a cell that was measured (Lemma 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit(Phase):
    """All that remains is played as (X, X)."""


State = Survey | Polish | Confirm | Scan | Commit
