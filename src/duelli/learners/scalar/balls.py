"""BallLearner: the base of zooming learners, which differ in the radius of their arms.

The rules of activation and of selection are those of Kleinberg, Slivkins, Upfal (2008),
"Multi-armed bandits in metric spaces", STOC, https://arxiv.org/abs/0809.4882.
"""

import heapq
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, TypeVar

from duelli import _rng
from duelli.cubes import Arm
from duelli.learners.codec import CubePath, Point
from duelli.learners.scalar.base import PullLearner, ScalarInputs
from duelli.learners.scalar.covering import ActiveArm, Cover, check_cover

TIE_BITS = 40  # of the 64 of the address of a tie's word, for the pulls; the arm has the others
WORD_BITS = 64


@dataclass(slots=True, kw_only=True)
class Zoom:
    """The pulls so far, the answer of the last phase if there was one, and the active arms.

    ``waiting`` has the cells that no ball holds yet.
    """

    pulls: int
    answer: Point | None
    arms: list[ActiveArm]
    waiting: list[CubePath] = field(default_factory=list)


class ZoomInputs(ScalarInputs, Protocol):
    """What the inputs of zooming learners have."""

    @property
    def lipschitz(self) -> float: ...  # noqa: D102 (the field says what it is)


C = TypeVar("C", bound=ZoomInputs)


Radius = Callable[[int], float]  # of an arm that was pulled so often


class BallLearner(PullLearner[C, Zoom]):
    """What zooming learners share: a cover, and the arm of the largest index."""

    States: ClassVar[Mapping[str, type]] = {"zoom": Zoom}

    @abstractmethod
    def _radius(self, pulls: int) -> Radius:
        """Return the radius r of the arms, in rewards, after so many pulls of the whole run."""

    def _ball(self, pulls: int) -> Radius:
        """Return the radius r / L of the balls after so many pulls of the whole run."""
        radius, lipschitz = self._radius(pulls), self.config.lipschitz
        return lambda n: radius(n) / lipschitz

    def _first_state(self) -> Zoom:
        return self._fresh(0, None)

    def _fresh(self, pulls: int, answer: Arm | None) -> Zoom:
        """Return a state with one active arm, the middle of the box."""
        middle = ActiveArm(point=(0.5,) * self.config.dim)
        state = Zoom(pulls=pulls, answer=answer, arms=[middle], waiting=[()])
        self._covered(state).settle()
        return state

    def _covered(self, state: Zoom) -> Cover:
        return Cover(state.arms, state.waiting, self._ball(state.pulls), self.config.dim)

    def _prepare(self) -> None:
        self._cover = self._covered(self._state)
        self._reward_radius = self._radius(self._state.pulls)
        self._heap: list[tuple[float, int, int, int]] = []
        for i in range(len(self._state.arms)):
            self._push(i)

    def _push(self, i: int) -> None:
        """Add an arm's present index to the heap; what it had before is out of date."""
        arm = self._state.arms[i]
        if not arm.removed:
            index = arm.mean + 2 * self._reward_radius(arm.pulls)  # Selection: mean + 2 r
            tie = _rng.word(self._key, (i << TIE_BITS) + arm.pulls)
            heapq.heappush(self._heap, (-index, tie, i, arm.pulls))

    def _top(self) -> int:
        """Return the arm of the largest index; of several, one at random."""
        heap, arms = self._heap, self._state.arms
        while True:
            _, _, i, pulls = heap[0]
            if arms[i].pulls == pulls and not arms[i].removed:
                return i
            heapq.heappop(heap)

    def _next_arm(self) -> Arm:
        return self._state.arms[self._top()].point

    def _learn(self, reward: float) -> None:
        state, i = self._state, self._top()
        state.pulls += 1
        state.arms[i].pulls += 1
        state.arms[i].total += reward
        self._push(i)
        self._cover.shrink(i)
        if self._cover.settle():  # Activation
            self._push(len(state.arms) - 1)

    def _check_state(self, state: Zoom) -> None:
        if not state.arms or all(arm.removed for arm in state.arms):
            raise ValueError("state.arms must hold an arm that is not removed; it does not")
        pulls = sum(arm.pulls for arm in state.arms)
        if pulls != (expected := self._pulls_of_arms(state)):
            raise ValueError(f"state.arms must have {expected} pulls in all; got {pulls}")
        check_cover(state.arms, state.waiting, self._ball(state.pulls))

    def _pulls_of_arms(self, state: Zoom) -> int:
        """Return how many pulls the active arms of a state have in all."""
        return state.pulls

    def recommend(self) -> Arm:
        """Return the arm that was pulled most often, the first one of several."""
        return max(self._state.arms, key=lambda arm: arm.pulls).point

    def state_bits(self) -> int:
        """Return the bits to remember: for each arm its point, two counts, and its cells."""
        arms = self._state.arms
        counts = sum(2 * arm.pulls.bit_length() for arm in arms)
        levels = sum(len(cell) for arm in arms for cell in arm.cells)
        numbers = WORD_BITS * self.dim * len(arms) + counts + self.dim * levels
        return 1 + self._state.pulls.bit_length() + numbers
