"""CubeLearner: the base of learners that pull uniform points of one cube at a time.

How often a cube is pulled is known in advance, so that many pulls may be made at once, and only
the sum of their rewards counts. The sizes and margins are those of BLiN: see `blin`.
"""

import math
from abc import abstractmethod
from typing import NamedTuple, Protocol, TypeVar

from duelli import _check, _rng
from duelli.cubes import Arm
from duelli.learners.scalar.base import PullLearner, Pulls, ScalarInputs
from duelli.learners.scalar.inputs import set_checked


class CubeInputs(ScalarInputs, Protocol):
    """What the inputs of learners of cubes have."""

    @property
    def lipschitz(self) -> float: ...  # noqa: D102 (the fields say what they are)
    @property
    def const(self) -> float: ...  # noqa: D102
    @property
    def threshold(self) -> float: ...  # noqa: D102


class CubeRecord(Protocol):
    """What the states of learners of cubes have."""

    pulls: int
    done: int  # pulls of the present cube
    total: float  # the sum of their rewards


class Cube(NamedTuple):
    """A cube and how often it is to be pulled in all."""

    low: Arm
    edge: float
    n: int


C = TypeVar("C", bound=CubeInputs)
S = TypeVar("S", bound=CubeRecord)


def set_checked_cubes(config: CubeInputs, **checked: object) -> None:
    """Check the inputs that all learners of cubes share, and set them."""
    set_checked(
        config,
        lipschitz=_check.positive("lipschitz", config.lipschitz),
        const=_check.positive("const", config.const),
        threshold=_check.positive("threshold", config.threshold),
        **checked,
    )


def cube_size(config: CubeInputs, edge: float) -> int:
    """Return n = ⌈const · ln T / r²⌉, at least 1: the pulls of a cube of edge r."""
    return max(1, math.ceil(config.const * math.log(config.horizon) / edge**2))  # BLiN: n_m


def margin(config: CubeInputs, edge: float) -> float:
    """Return by how much a cube of edge r may fall short of the best: 4 r if L is 1.

    It is threshold / 2 · r (1 + L): the noise of two means is r each, and across a cube the mean
    reward changes by L r.
    """
    return config.threshold / 2 * (1 + config.lipschitz) * edge  # BLiN: 4 r_m


class CubeLearner(PullLearner[C, S]):
    """Pulls the cubes that `_cube` names, each as often as that says."""

    @abstractmethod
    def _cube(self, state: S) -> Cube:
        """Return the cube that is pulled in a state, and its pulls from first to last."""

    @abstractmethod
    def _finish(self, mean: float) -> None:
        """Bring the state up to date with the mean reward of a cube whose pulls are done."""

    def _check_cube(self, state: S) -> None:
        """Raise ValueError if what a state has of its present cube cannot be."""
        if not 0 <= state.total <= state.done <= state.pulls:
            raise ValueError(
                f"state.total must lie in [0, {state.done}], and state.done in [0, {state.pulls}]; "
                f"got {state.total} and {state.done}"
            )
        if state.pulls < self.config.horizon and state.done >= (n := self._cube(state).n):
            raise ValueError(f"state.done must be below {n}; got {state.done}")

    def _next_arm(self) -> Arm:
        cube, first = self._cube(self._state), self._state.pulls * self.dim
        offsets = (_rng.unit(self._key, first + i) for i in range(self.dim))
        return tuple(a + cube.edge * u for a, u in zip(cube.low, offsets, strict=True))

    def _learn(self, reward: float) -> None:
        self.update_many(reward, 1)

    def pull_many(self, most: int) -> Pulls | None:
        """Return the pulls that are left of the present cube; None once the run has ended.

        Args:
            most: The largest number of pulls to return.
        """
        if self._state.pulls == self.config.horizon:
            return None
        cube = self._cube(self._state)
        return Pulls(cube.low, cube.edge, min(most, cube.n - self._state.done))

    def update_many(self, total: float, n: int) -> None:
        """Take in the sum of the rewards of the ``n`` pulls that `pull_many` returned last."""
        state = self._state
        state.pulls += n
        state.done += n
        state.total += total
        if state.done == self._cube(state).n:
            mean, state.done, state.total = state.total / state.done, 0, 0.0
            self._finish(mean)
