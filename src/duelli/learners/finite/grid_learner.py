"""GridLearner: what all learners on a grid share beyond their inputs.

A learner names its arms by the numbers of their cells. It plans meetings, which are pairs of arms
with a number of duels, and takes in what became of each of them. An arm that meets itself tells
nothing: such a duel counts as a draw, whatever came of it (F21).
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from duelli import _rng
from duelli.blocks import Block, Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner
from duelli.learners.finite.grids import GridConfig

Meeting = tuple[int, int, int]  # two arms, and the number of their duels
MOST_KEPT = 1 << 16  # blocks of one duel that are kept to be asked again


class Counted(Protocol):
    """What the states of all learners on a grid have; they are changed in place."""

    duels: int


G = TypeVar("G", bound=GridConfig)
R = TypeVar("R", bound=Counted)


class GridLearner(BlockLearner[G, R], Generic[G, R]):
    """A learner whose arms are the cells of a grid.

    A subclass says which arms meet next, how a meeting changes the state, and which arm it
    recommends. With a single arm there is nothing to learn, and the subclass is not asked.
    """

    def __init__(self, config: G) -> None:
        self.grid = config.grid
        self.num_arms = self.grid.num_arms  # K
        self._middle = self.grid.index((0.5,) * config.dim)  # recommended before the first duel
        self._arms: dict[int, Arm] = {}
        self._blocks: dict[int, Block] = {}
        self._plan: list[Meeting] | None = None
        super().__init__(config)

    def arm(self, index: int) -> Arm:
        """Return the point of the box that is arm number ``index``."""
        found = self._arms.get(index)
        if found is None:
            found = self._arms[index] = self.grid.centre(index)
        return found

    @abstractmethod
    def _meetings(self, left: int) -> list[Meeting]:
        """Return who meets next, regardless of how these duels end; ``left`` duels at most."""

    @abstractmethod
    def _take(self, i: int, j: int, n: int, wins: float) -> None:
        """Take in a meeting of which ``i`` won so many duels; those are counted already."""

    @abstractmethod
    def _champion(self) -> int:
        """Return the arm to recommend."""

    def _settled(self) -> bool:
        """Tell whether the learner has committed itself to one arm for good."""
        return self.num_arms == 1

    def _rounds(self) -> int:
        """Return how many rounds are done, for those who watch."""
        return 0

    def _next_step(self) -> Step:
        self._plan = self._planned()
        return tuple(self._block(*meeting) for meeting in self._plan)

    def _advance(self, tallies: Sequence[Tally]) -> R:
        plan, state = self._planned() if self._plan is None else self._plan, self._state
        self._plan = None
        for (i, j, n), tally in zip(plan, tallies, strict=True):
            state.duels += n
            if self.num_arms > 1:
                self._take(i, j, n, tally.wins if i != j else n / 2)
        return state

    def resumed(self, state: R, pending: Step | None) -> "GridLearner[G, R]":
        """Return this learner in another state of its own, with the step asked in it if any."""
        self._plan = None
        return super().resumed(state, pending)

    def _planned(self) -> list[Meeting]:
        left = self.config.horizon - self._state.duels
        if left == 0:
            return []
        return self._meetings(left) if self.num_arms > 1 else [(0, 0, left)]

    def _block(self, i: int, j: int, n: int) -> Block:
        """Return the block of a meeting; those of a single duel are asked again and again."""
        if n > 1:
            return Block.pair(self.arm(i), self.arm(j), n)
        name = i * self.num_arms + j
        block = self._blocks.get(name)
        if block is None:
            if len(self._blocks) >= MOST_KEPT:
                self._blocks.clear()
            block = self._blocks[name] = Block.pair(self.arm(i), self.arm(j))
        return block

    def _key_of(self, use: int) -> int:
        """Return the key of the draws for one use."""
        return _rng.word(self._key, use)

    def recommend(self) -> Arm:
        """Return the arm that looks best so far."""
        return self.arm(self._champion())

    def progress(self) -> Progress:
        """Return the phase, the rounds that are done, and the arm that looks best so far."""
        phase = "cleanup" if self._settled() else "explore"
        return Progress(phase, self._rounds(), self.recommend())
