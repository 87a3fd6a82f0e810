"""Blin: cubes in batches, of which those that fall short are dropped and the others divided.

What D-BLiN and A-BLiN share: they differ in the edges of their cubes only.
Feng, Huang, Wang (2022), "Lipschitz bandits with batched feedback", NeurIPS 35,
https://arxiv.org/abs/2110.09722. The edges, the sizes and the rules are from memory, and the
confidence in them is medium to low. Departs: F43 (sizes, margins, cleanup).
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, TypeVar

from duelli import _check, _rng
from duelli.cubes import Arm
from duelli.learners.codec import Point
from duelli.learners.grid import Grid
from duelli.learners.scalar.cube_pulls import (
    Cube,
    CubeLearner,
    cube_size,
    margin,
    set_checked_cubes,
)

CLEANUPS = ("arbitrary", "best")
WORD_BITS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class BlinConfig:
    """The inputs that D-BLiN and A-BLiN share.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of pulls; also in the number of pulls of a cube.
        lipschitz: L of the mean reward, maximum norm.
        const: The factor of ln T / r² in the number of pulls of a cube of edge r; 16 as printed.
        threshold: A cube is dropped if its mean falls short of the best by more than
            threshold / 2 · r (1 + L); 4 as printed.
        cleanup: What is pulled when the next batch does not fit: the cubes that are left in equal
            parts ("arbitrary"), or the one with the largest mean ("best").
        seed: Seed of the points of the cubes.
    """

    dim: int
    horizon: int
    lipschitz: float = 1.0
    const: float = 16.0
    threshold: float = 4.0
    cleanup: str = "arbitrary"
    seed: int = 0

    def __post_init__(self) -> None:
        _check.one_of("cleanup", self.cleanup, CLEANUPS)
        set_checked_cubes(self)


@dataclass(slots=True, kw_only=True)
class Batch:
    """A batch in progress: its cubes, and the means of those whose pulls are done.

    Args:
        pulls: The pulls so far.
        done: The pulls of the present cube.
        total: The sum of their rewards.
        batch: m, from 1.
        cubes: The cubes of A_m, as cells of the grid with edge r_m.
        means: The mean rewards of the first of them.
        answer: The centre of the best cube of the last batch.
    """

    pulls: int
    done: int
    total: float
    batch: int
    cubes: list[int]
    means: list[float]
    answer: Point


@dataclass(slots=True, kw_only=True)
class BatchCleanup:
    """The rest of the horizon: equal parts for the cubes that are left, one after the other."""

    pulls: int
    done: int
    total: float
    batch: int  # the batch whose edge the cubes have; 0 for the whole box
    cubes: list[int]
    turn: int  # which of them is pulled now
    answer: Point


C = TypeVar("C", bound=BlinConfig)


class Blin(CubeLearner[C, Batch | BatchCleanup]):
    """Batched Lipschitz narrowing, with the edges that a subclass names."""

    States: ClassVar[Mapping[str, type]] = {"batch": Batch, "cleanup": BatchCleanup}

    @abstractmethod
    def _exponents(self) -> list[int]:
        """Return k of the edges r_m = 2^-k, in order; cubes of the last may be too many to pull."""

    def __init__(self, config: C) -> None:
        self.config = config
        self.exponents = self._exponents()
        super().__init__(config)

    def grid(self, batch: int) -> Grid:
        """Return the grid whose cells are cubes of edge r_m; that of batch 0 is the whole box."""
        return Grid(self.dim, 2 ** self.exponents[batch - 1] if batch else 1)

    def batch_size(self, batch: int) -> int:
        """Return n_m, the pulls of each cube of a batch."""
        return cube_size(self.config, self.grid(batch).edge)  # Batch m: n_m

    def _first_state(self) -> Batch | BatchCleanup:
        middle = (0.5,) * self.dim
        if not self._fits(1, self.grid(1).num_arms, self.config.horizon):
            return BatchCleanup(
                pulls=0, done=0, total=0.0, batch=0, cubes=[0], turn=0, answer=middle
            )
        cubes = list(range(self.grid(1).num_arms))
        return Batch(pulls=0, done=0, total=0.0, batch=1, cubes=cubes, means=[], answer=middle)

    def _fits(self, batch: int, cubes: int, left: int) -> bool:
        return batch <= len(self.exponents) and cubes * self.batch_size(batch) <= left

    def _cube(self, state: Batch | BatchCleanup) -> Cube:
        grid = self.grid(state.batch)
        if isinstance(state, Batch):
            low = grid.low(state.cubes[len(state.means)])
            return Cube(low, grid.edge, self.batch_size(state.batch))
        left = self.config.horizon - state.pulls + state.done
        share = -(-left // (len(state.cubes) - state.turn))  # equal parts, rounded up
        return Cube(grid.low(state.cubes[state.turn]), grid.edge, share)

    def _finish(self, mean: float) -> None:
        state = self._state
        if isinstance(state, BatchCleanup):
            state.turn += 1
            return
        state.means.append(mean)
        if len(state.means) == len(state.cubes):
            self._state = self._next_batch(state)

    def _next_batch(self, state: Batch) -> Batch | BatchCleanup:
        """Drop the cubes that fall short of the best, and divide the others."""
        grid, top = self.grid(state.batch), max(state.means)
        short = margin(self.config, grid.edge)  # 4 r_m for L = 1
        means = dict(zip(state.cubes, state.means, strict=True))
        kept = [cube for cube, mean in means.items() if top - mean <= short]  # Batch m: drop C
        best = state.cubes[state.means.index(top)]
        answer, following = grid.centre(best), state.batch + 1
        left = self.config.horizon - state.pulls
        if following <= len(self.exponents):
            parts = (self.grid(following).cells // grid.cells) ** self.dim  # (r_m / r_(m+1))^d
            if self._fits(following, len(kept) * parts, left):
                return Batch(
                    pulls=state.pulls,
                    done=0,
                    total=0.0,
                    batch=following,
                    cubes=divided(kept, grid, self.grid(following)),
                    means=[],
                    answer=answer,
                )
        # Batch m: cleanup, if the next batch does not fit.
        return self._cleanup(state, [best] if self.config.cleanup == "best" else kept, answer)

    def _cleanup(self, state: Batch, cubes: list[int], answer: Arm) -> BatchCleanup:
        order = _rng.permutation(self._key, len(cubes))  # no part of the box comes first
        most = max(1, self.config.horizon - state.pulls)
        return BatchCleanup(
            pulls=state.pulls,
            done=0,
            total=0.0,
            batch=state.batch,
            cubes=[cubes[i] for i in order][:most],
            turn=0,
            answer=answer,
        )

    def _check_state(self, state: Batch | BatchCleanup) -> None:
        most = len(self.exponents)
        least = 1 if isinstance(state, Batch) else 0
        if not least <= state.batch <= most:
            raise ValueError(f"state.batch must lie in [{least}, {most}]; got {state.batch}")
        arms, cubes = self.grid(state.batch).num_arms, state.cubes
        if not cubes or len(set(cubes)) != len(cubes) or max(cubes) >= arms:
            raise ValueError(f"state.cubes must name different cubes below {arms}; they do not")
        self._check_batch(state) if isinstance(state, Batch) else self._check_cleanup(state)
        self._check_cube(state)

    def _check_batch(self, state: Batch) -> None:
        n, means = self.batch_size(state.batch), state.means
        if len(means) >= len(state.cubes) or not all(0 <= mean <= 1 for mean in means):
            raise ValueError("state.means must be fewer than state.cubes, and lie in [0, 1]")
        spent = len(means) * n + state.done
        left = len(state.cubes) * n - spent
        if spent > state.pulls or left > self.config.horizon - state.pulls:
            raise ValueError("state.cubes must be a batch that fits in the horizon; it does not")

    def _check_cleanup(self, state: BatchCleanup) -> None:
        if state.turn >= len(state.cubes) and state.pulls < self.config.horizon:
            raise ValueError(f"state.turn must be below {len(state.cubes)}; got {state.turn}")

    def recommend(self) -> Arm:
        """Return the centre of the best cube of the last batch; of the box in the first one."""
        return self._state.answer

    def state_bits(self) -> int:
        """Return the bits to remember: the cubes that are left, and a mean for each of them."""
        name = self.grid(self._state.batch).num_arms.bit_length()
        cubes = len(self._state.cubes) * (name + WORD_BITS)
        return 2 + 3 * self._state.pulls.bit_length() + cubes + WORD_BITS * self.dim


def divided(cubes: list[int], coarse: Grid, fine: Grid) -> list[int]:
    """Return the cells of the fine grid that lie in these cells of the coarse one."""
    parts = range(fine.cells // coarse.cells)
    inside = [
        tuple((i + 0.5) * fine.edge for i in each) for each in product(parts, repeat=fine.dim)
    ]
    lows = (coarse.low(cube) for cube in cubes)
    return [
        fine.index(tuple(a + b for a, b in zip(low, offset, strict=True)))
        for low in lows
        for offset in inside
    ]
