"""Blocks, tallies and steps: all that learners and engines share, and the protocols of both.

A block is n duels of arms drawn uniformly from one cube against one fixed reference arm. A single
pair is a block with edge 0 and n = 1. A step is a tuple of blocks that may be judged at once and
in any order; it is the only event.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, Self

from duelli import _check
from duelli.answers import Answer
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
    """Asks for steps, is told tallies, and can be stopped and continued at any step.

    Its inputs are the fields of ``Config``, a frozen dataclass with ``dim``, ``horizon`` and
    ``seed``; ``config`` is one of those.
    """

    Config: ClassVar[type]
    EXTENDS: ClassVar[bool]  # whether a run may go on to a larger horizon

    @property
    def config(self) -> Any:
        """The inputs of this learner, an instance of ``Config``."""
        ...

    @property
    def dim(self) -> int:
        """The number of coordinates of an arm."""
        ...

    @property
    def horizon(self) -> int | None:
        """The number of duels of the whole run; None if it has no end."""
        ...

    @property
    def duels(self) -> int:
        """The number of duels that the learner has been told of."""
        ...

    def ask(self) -> Step:
        """Return the next step: the same one until it is told, () once the run has ended."""
        ...

    def tell(self, tallies: Sequence[Tally]) -> None:
        """Take in what became of the step that `ask` returned last: one tally for each block."""
        ...

    def recommend(self) -> Arm:
        """Return the arm to use if the run ended now."""
        ...

    def best(self) -> Answer:
        """Return the recommended arm with what can be claimed for it."""
        ...

    def progress(self) -> Progress:
        """Return where the learner stands."""
        ...

    def observer(self) -> Observer | None:
        """Return a fresh observer of what only this kind of learner has; None if nothing is."""
        ...

    def check_extension(self, horizon: int) -> None:
        """Raise ValueError if the run cannot go on to ``horizon``."""
        ...

    def extend(self, horizon: int) -> None:
        """Let the run go on to a larger horizon, if the algorithm allows that."""
        ...

    def state(self) -> dict[str, Any]:
        """Return all that `from_state` needs to go on bit for bit, as JSON has it."""
        ...

    def state_bits(self) -> int:
        """Return the number of bits that the algorithm itself has to remember right now."""
        ...

    @classmethod
    def from_state(cls, inputs: Any, state: Mapping[str, Any]) -> Self:
        """Return a learner that goes on from ``state``; a state that cannot be is refused."""
        ...


class ScalarLearner(Protocol):
    """Pulls one arm at a time and is told its reward, a number in [0, 1]."""

    @property
    def dim(self) -> int:
        """The number of coordinates of an arm."""
        ...

    @property
    def horizon(self) -> int | None:
        """The number of pulls of the whole run; None if it has no end."""
        ...

    def pull(self) -> Arm | None:
        """Return the next arm: the same one until `update`, None once the run has ended."""
        ...

    def update(self, reward: float) -> None:
        """Take in the reward of the arm that `pull` returned last."""
        ...

    def recommend(self) -> Arm:
        """Return the arm to use if the run ended now."""
        ...

    def state(self) -> dict[str, Any]:
        """Return all that is needed to go on bit for bit, as JSON has it."""
        ...


class Engine(Protocol):
    """Answers blocks."""

    def play(self, block: Block) -> Played:
        """Fight the duels of ``block``."""
        ...
