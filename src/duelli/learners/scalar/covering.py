"""Cover: arms whose balls hold all cells of the box, and a new arm where a cell is left over.

Cells are dyadic cubes, each of which lies in the ball of the arm that owns it. When a ball shrinks,
the cells that stick out go to other arms, are divided, or get a new arm in their middle. So the
balls cover the box, and a new arm is farther from every other one than half of its ball. It is the
rule of activation of zooming, without its covering oracle: see `zooming`. Departs: F45.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from duelli import cubes
from duelli._arrays import Array
from duelli.cubes import Arm, Path
from duelli.learners.codec import CubePath, Point

SPACING = 0.5  # a new arm lies outside of every ball that is shrunk by this factor


@dataclass(slots=True, kw_only=True)
class ActiveArm:
    """An active arm: its point, its rewards, and the cells that it covers.

    Args:
        point: The arm.
        pulls: How often it was pulled.
        total: The sum of its rewards.
        cells: The cells that it owns.
        removed: Whether it is not pulled any more; its ball stays as it is.
    """

    point: Point
    pulls: int = 0
    total: float = 0.0
    cells: list[CubePath] = field(default_factory=list)
    removed: bool = False

    @property
    def mean(self) -> float:
        """The mean reward; 0 before the first one."""
        return self.total / self.pulls if self.pulls else 0.0


class Cover:
    """The balls of the active arms, and the cells that wait for one.

    Args:
        arms: The active arms; new ones are added to this list.
        waiting: The cells that no ball holds; the list is changed in place.
        radius: The radius of a ball of an arm that was pulled so often.
        dim: The number of coordinates.
    """

    def __init__(
        self,
        arms: list[ActiveArm],
        waiting: list[Path],
        radius: Callable[[int], float],
        dim: int,
    ) -> None:
        self._arms, self._waiting, self._radius, self._dim = arms, waiting, radius, dim
        self._points: Array = np.array([arm.point for arm in arms]).reshape(-1, dim)
        self._radii: Array = np.array([radius(arm.pulls) for arm in arms])
        self._reaches = [self._farthest(arm) for arm in arms]

    def shrink(self, index: int) -> None:
        """Take over that an arm was pulled: cells that are now outside of its ball wait."""
        arm = self._arms[index]
        ball = self._radius(arm.pulls)
        self._radii[index] = ball
        if self._reaches[index] > ball:
            inside = [cell for cell in arm.cells if _reach(cell, arm.point) <= ball]
            self._waiting.extend(cell for cell in arm.cells if _reach(cell, arm.point) > ball)
            arm.cells = inside
            self._reaches[index] = self._farthest(arm)

    def settle(self) -> bool:
        """Find a ball for each cell that waits, with the help of one new arm at most.

        Tell whether an arm was added. Cells go on waiting only if they need a second new arm.
        """
        added = False
        while self._waiting:
            cell = self._waiting[-1]
            middle = _middle(cell, self._dim)
            far = np.abs(self._points - middle).max(axis=1)
            slack = self._radii - far - cubes.edge(cell) / 2
            owner = int(slack.argmax()) if len(slack) else -1
            if owner >= 0 and slack[owner] >= 0:
                self._give(self._waiting.pop(), owner)
            elif (far <= SPACING * self._radii).any():
                self._waiting.pop()
                self._waiting.extend((*cell, child) for child in range(2**self._dim))
            elif added:
                break
            else:
                self._activate(middle)  # Activation: of one point that no ball covers
                added = True
        return added

    def _give(self, cell: Path, owner: int) -> None:
        arm = self._arms[owner]
        arm.cells.append(cell)
        self._reaches[owner] = max(self._reaches[owner], _reach(cell, arm.point))

    def _activate(self, point: Arm) -> None:
        self._arms.append(ActiveArm(point=point))
        self._points = np.vstack([self._points, point])
        self._radii = np.append(self._radii, self._radius(0))
        self._reaches.append(0.0)

    def _farthest(self, arm: ActiveArm) -> float:
        return max((_reach(cell, arm.point) for cell in arm.cells), default=0.0)


def _middle(cell: Path, dim: int) -> Arm:
    half = cubes.edge(cell) / 2
    return tuple(a + half for a in cubes.low(cell, dim))


def _reach(cell: Path, point: Arm) -> float:
    """Return the distance from a point to the farthest point of a cell, maximum norm."""
    middle = _middle(cell, len(point))
    return max(abs(a - x) for a, x in zip(middle, point, strict=True)) + cubes.edge(cell) / 2


def check_cover(arms: list[ActiveArm], waiting: list[Path], radius: Callable[[int], float]) -> None:
    """Raise ValueError unless the cells make up the box and each lies in its arm's ball."""
    cells = sorted([*waiting, *(cell for arm in arms for cell in arm.cells)])
    nested = any(after[: len(cell)] == cell for cell, after in itertools.pairwise(cells))
    dim = len(arms[0].point)
    if nested or sum(Fraction(1, 2 ** (dim * len(cell))) for cell in cells) != 1:
        raise ValueError("the cells of state.arms and state.waiting must make up the box")
    for i, arm in enumerate(arms):
        if any(_reach(cell, arm.point) > radius(arm.pulls) for cell in arm.cells):
            raise ValueError(f"the cells of state.arms[{i}] must lie in its ball; one does not")
        if not 0 <= arm.total <= arm.pulls:
            raise ValueError(f"state.arms[{i}].total must lie in [0, {arm.pulls}]; got {arm.total}")
