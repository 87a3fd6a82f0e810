"""Walker: the base of learners that compare two points near theta and then move theta.

Departs: F60 (blocks of duels in long runs, and the mean of the second half as the answer).
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, TypeVar

from duelli.blocks import Block, Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner
from duelli.learners.codec import Point
from duelli.learners.descent.gains import block_size
from duelli.learners.descent.moves import clipped, middle

WORD_BITS = 64


class WalkInputs(Protocol):
    """What the inputs of every walker have."""

    @property
    def dim(self) -> int: ...  # noqa: D102 (the fields say what they are)
    @property
    def horizon(self) -> int: ...  # noqa: D102
    @property
    def start(self) -> Arm | None: ...  # noqa: D102
    @property
    def seed(self) -> int: ...  # noqa: D102


@dataclass(frozen=True, slots=True, kw_only=True)
class Descent:
    """The duels so far, theta, and its mean over the second half of the run once that began."""

    duels: int
    theta: Point
    average: Point | None


W = TypeVar("W", bound=WalkInputs)


class Walker(BlockLearner[W, Descent]):
    """One pair after the other: a subclass says which pair, and where theta moves then.

    Up to 20 000 duels each one is an iteration. Longer runs have 20 000 blocks of equal size, and
    all duels of a block are of the same pair.
    """

    States: ClassVar[Mapping[str, type]] = {"descent": Descent}

    def __init__(self, config: W) -> None:
        self.block_size = block_size(config.horizon)
        self.unaveraged = config.horizon // 2 // self.block_size * self.block_size
        super().__init__(config)

    @abstractmethod
    def _pair(self, duels: int, theta: Arm) -> tuple[Arm, Arm]:
        """Return the two points of the block that begins after so many duels."""

    @abstractmethod
    def _moved(self, duels: int, theta: Arm, tally: Tally) -> Arm:
        """Return the theta that follows the block that began after so many duels."""

    def _planned(self) -> int:
        """Return after how many duels theta rests; a multiple of the block size, or more."""
        return self.config.horizon

    def _rounds(self) -> int:
        """Return the rounds that are done."""
        return 0

    def _first_state(self) -> Descent:
        start = self.config.start
        theta = middle(self.config.dim) if start is None else start
        return Descent(duels=0, theta=theta, average=None)

    def _next_step(self) -> Step:
        state = self._state
        left = self.config.horizon - state.duels
        if left == 0:
            return ()
        if self._rests():
            return (Block.rest(self.recommend(), left),)
        pair = self._pair(state.duels, state.theta)
        return (Block.pair(*pair, min(self.block_size, left)),)

    def _advance(self, tallies: Sequence[Tally]) -> Descent:
        (tally,), state = tallies, self._state
        duels = state.duels + tally.n
        if self._rests():
            return replace(state, duels=duels)
        theta = self._moved(state.duels, state.theta, tally)
        return Descent(duels=duels, theta=theta, average=self._average(theta, duels, tally.n))

    def _rests(self) -> bool:
        return self._state.duels >= self._planned()

    def _iteration(self, duels: int) -> int:
        """Return the number of the block that begins after so many duels, from 0."""
        return duels // self.block_size

    def _average(self, theta: Arm, duels: int, n: int) -> Arm | None:
        """Return the mean of the thetas of the second half, of which ``theta`` counts n times."""
        if duels <= self.unaveraged:
            return None
        before = theta if self._state.average is None else self._state.average
        share = n / (duels - self.unaveraged)
        means = (mean + share * (x - mean) for mean, x in zip(before, theta, strict=True))
        return clipped(tuple(means))

    def _check_state(self, state: Descent) -> None:
        if state.duels % self.block_size and state.duels != self.config.horizon:
            raise ValueError(
                f"state.duels must be a multiple of {self.block_size} or the horizon; "
                f"got {state.duels}"
            )
        walked = min(state.duels, self._planned())
        if (state.average is None) != (walked <= self.unaveraged):
            raise ValueError(
                f"state.average must be there after more than {self.unaveraged} duels, and not "
                f"before; got {state.average} after {walked}"
            )

    def recommend(self) -> Arm:
        """Return the mean of the thetas of the second half of the run; theta before that."""
        return self._state.theta if self._state.average is None else self._state.average

    def progress(self) -> Progress:
        """Return the phase, the rounds that are done, and theta."""
        phase = "cleanup" if self._rests() else "descent"
        return Progress(phase, self._rounds(), self._state.theta)

    def state_bits(self) -> int:
        """Return the bits to remember: the counter, theta and the mean, in floats."""
        points = 1 if self._state.average is None else 2
        return self._state.duels.bit_length() + WORD_BITS * points * self.config.dim
