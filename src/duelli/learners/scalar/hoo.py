"""Hoo: a tree of cells, grown where the rewards could be largest.

Bubeck, Munos, Stoltz, Szepesvári (2011), "X-armed bandits", Journal of Machine Learning Research
12, https://jmlr.org/papers/v12/bubeck11a.html. The constants agree with PyXAB, except where
docs/fidelity.md says otherwise. Departs: F42 (ln T, cyclic axes, ν1 and ρ, the recommended arm).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from duelli import _check, _rng
from duelli.cubes import Arm
from duelli.learners.scalar.base import PullLearner
from duelli.learners.scalar.inputs import set_checked
from duelli.learners.scalar.tree import ABSENT, ROOT, Tree, check_tree, depths_of, link
from duelli.learners.stateful import takes

TIE_BITS = 16  # of the address of a tie's coin, for the depth; the pull has the others


@dataclass(frozen=True, slots=True, kw_only=True)
class HooConfig:
    """The inputs of HOO.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of pulls; also in the widths.
        lipschitz: L of the mean reward, maximum norm; ν1 is 2 L.
        seed: Seed of the choice between cells of equal value.
    """

    dim: int
    horizon: int
    lipschitz: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        set_checked(self, lipschitz=_check.positive("lipschitz", self.lipschitz))

    @property
    def first_bonus(self) -> float:
        """ν1 = 2 L: cells of depth h have a diameter of at most 2 · 2^(-h / d)."""
        return 2 * self.lipschitz

    @property
    def bonus_ratio(self) -> float:
        """ρ = 2^(-1 / d): a cell is halved along one axis, and all axes take their turn."""
        return float(2 ** (-1 / self.dim))

    @property
    def width(self) -> float:
        """2 ln T of the width √(2 ln T / N)."""
        return 2 * math.log(self.horizon)


class Hoo(PullLearner[HooConfig, Tree]):
    """HOO: follows the largest upper bounds down a tree of cells, and adds one cell per pull.

    Its keyword arguments are those of `HooConfig`. As the widths have ln T of the whole run, a
    reward changes the bounds of one path only.

    >>> Hoo(dim=1, horizon=100).pull() in [(0.25,), (0.75,)]
    True
    """

    Config: ClassVar[type] = HooConfig
    States: ClassVar[Mapping[str, type]] = {"tree": Tree}

    @takes(HooConfig)
    def __init__(self, config: HooConfig) -> None:
        super().__init__(config)

    @property
    def deepest(self) -> int | None:
        """The depth below which no cell is played; None if there is none."""
        return None

    def _first_state(self) -> Tree:
        return Tree(pulls=0, links=[], counts=[0], sums=[0.0])

    def _prepare(self) -> None:
        tree, depths = self._state, depths_of(self._state)
        self._left, self._right = [ABSENT], [ABSENT]
        self._bonus: list[float] = []  # ν1 ρ^h by depth h
        self._moves: list[tuple[int, float]] = []  # the axis of a cell's halves, and how far off
        self._path: list[int] = [ROOT]
        self._added: int | None = None  # the link of the cell that this pull adds
        self._width = self.config.width
        self._limit = math.inf if self.deepest is None else self.deepest
        for code in tree.links:
            self._add(code)
        self._lengthen(max(depths) + 1)
        self._bounds = [math.inf] * len(tree.counts)  # B; that of an absent cell stays infinite
        for node in sorted(range(1, len(depths)), key=depths.__getitem__, reverse=True):
            self._bounds[node] = self._bound(node, depths[node])

    def _add(self, code: int) -> None:
        """Add the next cell as a child of another one."""
        self._left.append(ABSENT)
        self._right.append(ABSENT)
        (self._right if code & 1 else self._left)[code >> 1] = len(self._left) - 1

    def _lengthen(self, depth: int) -> None:
        """Work out what only depends on the depth, up to a depth."""
        config = self.config
        for h in range(len(self._bonus), depth + 1):
            self._bonus.append(config.first_bonus * config.bonus_ratio**h)
            self._moves.append((h % config.dim, 2.0 ** (-2 - h // config.dim)))

    def _bound(self, node: int, depth: int) -> float:
        """Return B of a cell, from its rewards and the B of its children."""
        count = self._state.counts[node]
        mean, width = self._state.sums[node] / count, math.sqrt(self._width / count)
        upper = mean + width + self._bonus[depth]  # U of Section 3: mean + √(2 ln n / N) + ν1 ρ^h
        if depth >= self._limit:
            return upper
        below, above = self._bounds[self._left[node]], self._bounds[self._right[node]]
        return min(upper, max(below, above))  # B of Section 3

    def _next_arm(self) -> Arm:
        left, right, bounds = self._left, self._right, self._bounds
        centre, node, path = [0.5] * self.config.dim, ROOT, [ROOT]
        self._path, self._added = path, None
        for depth, (axis, half) in enumerate(self._moves):
            below, above = left[node], right[node]
            low, high = bounds[below], bounds[above]
            upper = high > low or (high == low and self._coin(depth))  # Section 3: the larger B
            centre[axis] += half if upper else -half
            child = above if upper else below
            if child == ABSENT:
                self._added = link(node, upper=upper)  # Section 3: one new node per pull
                break
            path.append(child)
            node = child
            if depth + 1 >= self._limit:
                break
        return tuple(centre)

    def _coin(self, depth: int) -> bool:
        """Tell which of two equal halves comes next. Paper: Section 3."""
        address = (self._state.pulls << TIE_BITS) + depth
        return _rng.below(self._key, address, 2) == 1

    def _learn(self, reward: float) -> None:
        tree, path = self._state, self._path
        tree.pulls += 1
        if self._added is not None:
            tree.links.append(self._added)
            tree.counts.append(0)
            tree.sums.append(0.0)
            self._bounds.append(math.inf)
            self._add(self._added)
            path.append(len(tree.counts) - 1)
            self._lengthen(len(path))
        counts, sums = tree.counts, tree.sums
        for node in path:
            counts[node] += 1
            sums[node] += reward
        for depth in range(len(path) - 1, 0, -1):
            self._bounds[path[depth]] = self._bound(path[depth], depth)

    def _check_state(self, state: Tree) -> None:
        check_tree(state, self.deepest)

    def recommend(self) -> Arm:
        """Return the centre of the smallest cell on the path of the most pulled halves."""
        centre, counts = [0.5] * self.dim, self._state.counts
        node, depth = ROOT, 0
        while self._left[node] or self._right[node]:
            below, above = self._left[node], self._right[node]
            upper = below == ABSENT or (above != ABSENT and counts[above] > counts[below])
            axis, half = self._moves[depth]
            centre[axis] += half if upper else -half
            node, depth = (above if upper else below), depth + 1
        return tuple(centre)

    def state_bits(self) -> int:
        """Return the bits to remember: a link and two counts for each cell of the tree."""
        cells = len(self._state.counts)
        counts = 2 * sum(n.bit_length() for n in self._state.counts)
        return 1 + self._state.pulls.bit_length() + cells * cells.bit_length() + counts
