"""The two words that learners and engines share, and the protocols of both.

A block is the only event: n duels of arms drawn uniformly from one cube against one fixed
reference arm. A single pair is a block with edge 0 and n = 1.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from duelli import _check
from duelli.cubes import Arm


@dataclass(frozen=True, slots=True)
class Block:
    """n duels of uniform arms of a cube against one reference arm.

    Args:
        low: The cube's corner nearest to the origin.
        edge: The cube's edge; 0 for the single arm ``low``.
        reference: The fixed right arm of every duel.
        n: How many duels.
    """

    low: Arm
    edge: float
    reference: Arm
    n: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", _check.whole("n", self.n, 1))
        if len(self.low) != len(self.reference):
            raise ValueError(
                f"reference must have shape ({len(self.low)},), one entry per dimension; "
                f"got ({len(self.reference)},)"
            )
        # Entry by entry, because a NaN fails every comparison but hides from min and max.
        inside = self.edge >= 0 and all(a >= 0 and a + self.edge <= 1 for a in self.low)
        if not self.low or not inside:
            raise ValueError(
                f"the cube must lie in [0, 1]^{len(self.low)}; got low {self.low}, edge {self.edge}"
            )
        if not all(0 <= x <= 1 for x in self.reference):
            raise ValueError(f"reference must lie in [0, 1]^{len(self.low)}; got {self.reference}")


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of a block.

    Args:
        n: How many duels were fought.
        wins: The sum of the left arms' outcomes; a tie is half a win, and an outcome may be any
            number in [0, 1].
        witness: One arm drawn uniformly among the n left arms.
    """

    n: int
    wins: float
    witness: Arm

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", _check.whole("n", self.n, 1))
        if not 0 <= self.wins <= self.n:  # a NaN fails this too
            raise ValueError(f"wins must lie in [0, n] = [0, {self.n}]; got {self.wins}")


@dataclass(frozen=True, slots=True)
class Played:
    """What the engine knows of a block; the learner is told the tally only.

    Args:
        tally: What the learner is told.
        regret: The sum of the strong regrets of the block's duels; NaN where the truth is unknown.
        weak_regret: The sum of the weak regrets.
    """

    tally: Tally
    regret: float
    weak_regret: float


class Progress(NamedTuple):
    """Where a learner stands, for those who watch.

    ``phase`` is "explore" while a scan of cubes or arms goes on, "cleanup" once it is committed,
    and whatever else the learner wants to be told apart.
    """

    phase: str
    rounds_done: int
    reference: Arm


class Observer(Protocol):
    """Watches the blocks of one learner and notes what is particular to that learner."""

    def see(self, block: Block, phase: str) -> None:
        """Take in a block that was played while the learner was in ``phase``."""
        ...

    def notes(self) -> dict[str, Any]:
        """Return the notes of the round that is not finished; empty if there are none."""
        ...

    def close(self) -> dict[str, Any]:
        """Return the notes of the round that was just completed, and begin the next one."""
        ...


class Learner(Protocol):
    """Asks for blocks, is told tallies, and plays exactly its horizon.

    A learner may also have a method ``observer() -> Observer | None``. If it returns an observer,
    the record of a run has the observer's notes in the row of each round.
    """

    @property
    def dim(self) -> int:
        """The number of coordinates of an arm."""
        ...

    @property
    def horizon(self) -> int | None:
        """The number of duels of the whole run; None if it has no end."""
        ...

    def ask(self) -> Block | None:
        """Return the next block: the same one until it is told, None once all is played."""
        ...

    def tell(self, tally: Tally) -> None:
        """Take in what became of the block that `ask` returned last."""
        ...

    def recommend(self) -> Arm:
        """Return the arm to use if the run ended now."""
        ...

    def progress(self) -> Progress:
        """Return where the learner stands."""
        ...

    def state(self) -> dict[str, Any]:
        """Return all that ``from_state`` needs to go on bit for bit, as JSON has it."""
        ...

    def state_bits(self) -> int:
        """Return how many bits the algorithm itself has to remember right now."""
        ...


class Engine(Protocol):
    """Answers blocks."""

    def play(self, block: Block) -> Played:
        """Fight the duels of ``block``."""
        ...
