"""CubeCounter: which cubes a round of ARC-DuelLi visits and eliminates, seen from outside."""

import math
from typing import Any

from duelli import cubes
from duelli.blocks import Block
from duelli.cubes import Arm

MOST_KEPT = 4096  # cubes of the deepest level; beyond them only the counts are noted


class CubeCounter:
    """Counts the cubes that a round visits at each depth.

    Paper: the active cubes of Alg. 2, and those that line 12 eliminates.

    Args:
        dim: d, the number of coordinates.
    """

    def __init__(self, dim: int) -> None:
        self._dim = dim
        self._active: dict[int, int] = {}
        self._edge = math.inf  # of the smallest cubes so far
        self._corners: list[Arm] = []  # of these cubes

    def see(self, block: Block, phase: str) -> None:
        """Take in a block that was played while the learner was in ``phase``.

        Paper: Alg. 2, lines 4-12.
        """
        if phase != "explore":
            return
        if block.edge < self._edge:
            self._edge, self._corners = block.edge, []
        depth = 1 - round(math.log2(block.edge))  # r_h = 2^(1 - h)
        self._active[depth] = self._active.get(depth, 0) + 1
        if block.edge == self._edge and len(self._corners) <= MOST_KEPT:
            self._corners.append(block.low)

    def notes(self) -> dict[str, Any]:
        """Return what is known of the round that is not finished.

        ``active`` has the number of cubes visited at each depth h. ``visited`` says which cubes of
        the deepest level they were, as ranges [first, last] of their numbers; a cube's number has
        its path as digits in base 2^d. It is left out if the cubes were too many to keep.

        Paper: Alg. 2, the recursion that the horizon cuts short.
        """
        if not self._active:
            return {}
        notes: dict[str, Any] = {"active": dict(self._active)}
        if len(self._corners) <= MOST_KEPT:
            notes["visited"] = _ranges([self._number(corner) for corner in self._corners])
        return notes

    def close(self) -> dict[str, Any]:
        """Return the notes of the round that was just completed, and begin the next one.

        ``active`` has the number of cubes visited at each depth h, and ``eliminated`` how many
        were visited without their children.

        Paper: Alg. 2, lines 12-14.
        """
        active = self._active
        self._active, self._edge, self._corners = {}, math.inf, []
        return {"active": active, "eliminated": eliminated_cubes(active, 2**self._dim)}

    def _number(self, corner: Arm) -> int:
        number = 0
        for child in cubes.path_to(corner, max(self._active) - 1):
            number = number << self._dim | child
        return number


def eliminated_cubes(active: dict[int, int], children: int) -> int:
    """Return how many cubes were visited at some depth without their children being visited.

    Paper: Alg. 2, line 12.
    """
    deepest = max(active, default=0)
    return sum(active[h] - active.get(h + 1, 0) // children for h in active if h < deepest)


def _ranges(numbers: list[int]) -> list[list[int]]:
    """Return a list of numbers as sorted ranges [first, last]."""
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ranges
