"""Blocks, tallies and steps: the records that learners and engines exchange.

A block is n duels of arms drawn uniformly from one cube against one fixed reference arm. A single
pair is a block with edge 0 and n = 1. A step is a tuple of blocks that may be judged at once and
in any order; it is the only event.
"""

from dataclasses import dataclass
from typing import NamedTuple

from duelli import _check
from duelli.cubes import Arm


@dataclass(frozen=True, slots=True)
class Block:
    """n duels of uniform arms of a cube against one reference arm.

    Args:
        low: The cube's corner nearest to the origin.
        edge: The cube's edge; 0 for the single arm ``low``.
        reference: The fixed right arm of every duel.
        n: The number of duels.
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

    @classmethod
    def pair(cls, x: Arm, y: Arm, n: int = 1) -> "Block":
        """Return n duels of the single arm ``x`` against ``y``."""
        return cls(x, 0.0, y, n)

    @classmethod
    def rest(cls, x: Arm, n: int) -> "Block":
        """Return n duels of ``x`` against itself: nothing is to be learnt, the arm is used."""
        return cls(x, 0.0, x, n)


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of a block.

    Args:
        n: The number of duels that were fought.
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


Step = tuple[Block, ...]


class Progress(NamedTuple):
    """Where a learner stands, for those who watch.

    ``phase`` is "explore" while a scan of cubes or arms goes on, "cleanup" once the learner has
    committed itself to one arm, and any other word for the learner's other phases.
    """

    phase: str
    rounds_done: int
    reference: Arm
