"""LogLi: a depth-first walk over dyadic cubes that remembers one path and two numbers.

Zhu, Huang (2025), "Lipschitz bandits in optimal space", ICLR. Only the abstract was at hand: the
walk is that of ARC-DuelLi, which is built after it, the constants are those of BLiN from memory,
and the confidence in both is medium to low. Departs: F44 (all that the abstract leaves open).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from duelli import cubes
from duelli.cubes import Arm, Path
from duelli.learners.codec import CubePath
from duelli.learners.scalar.cube_pulls import (
    Cube,
    CubeLearner,
    cube_size,
    margin,
    set_checked_cubes,
)
from duelli.learners.stateful import takes

WORD_BITS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLiConfig:
    """The inputs of Log-Li.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of pulls; also in the number of pulls of a cube.
        lipschitz: L of the mean reward, maximum norm.
        const: The factor of ln T / r² in the number of pulls of a cube of edge r.
        threshold: A cube is not divided if its mean falls short of the best of the last round by
            more than threshold / 2 · r (1 + L).
        seed: Seed of the points of the cubes.
    """

    dim: int
    horizon: int
    lipschitz: float = 1.0
    const: float = 16.0
    threshold: float = 4.0
    seed: int = 0

    def __post_init__(self) -> None:
        set_checked_cubes(self)


@dataclass(slots=True, kw_only=True)
class Leading:
    """The cube of the largest mean so far."""

    mean: float
    path: CubePath


@dataclass(slots=True, kw_only=True)
class Walk:
    """A round in progress.

    Args:
        pulls: The pulls so far.
        done: The pulls of the present cube.
        total: The sum of their rewards.
        round: m, from 1: the depth at which cubes are compared.
        path: The present cube.
        last: The best cube of the last round, whose mean decides what is divided.
        best: The best cube of this round.
    """

    pulls: int
    done: int
    total: float
    round: int
    path: CubePath
    last: Leading | None
    best: Leading | None


@dataclass(slots=True, kw_only=True)
class WalkCleanup:
    """The rest of the horizon, for uniform points of the best cube of the last round."""

    pulls: int
    done: int
    total: float
    path: CubePath


class LogLi(CubeLearner[LogLiConfig, Walk | WalkCleanup]):
    """Log-Li: rounds of a depth-first walk over cubes, in O(log T) bits.

    Its keyword arguments are those of `LogLiConfig`.

    >>> LogLi(dim=2, horizon=20_000).pull_many(1000).n
    159
    """

    Config: ClassVar[type] = LogLiConfig
    States: ClassVar[Mapping[str, type]] = {"walk": Walk, "cleanup": WalkCleanup}

    @takes(LogLiConfig)
    def __init__(self, config: LogLiConfig) -> None:
        super().__init__(config)

    def _first_state(self) -> Walk | WalkCleanup:
        return self._at(Place(0, 1, (), None, None))

    def _at(self, place: "Place") -> Walk | WalkCleanup:
        """Return the state at a place of the walk; if its cube does not fit, the walk ends."""
        left = self.config.horizon - place.pulls
        if cube_size(self.config, cubes.edge(place.path)) > left:
            path = place.last.path if place.last else ()
            # Cleanup: uniform points of C_max; the round that is not complete is given up.
            return WalkCleanup(pulls=place.pulls, done=0, total=0.0, path=path)
        return Walk(**place._asdict(), done=0, total=0.0)

    def _cube(self, state: Walk | WalkCleanup) -> Cube:
        edge, low = cubes.edge(state.path), cubes.low(state.path, self.dim)
        if isinstance(state, Walk):
            return Cube(low, edge, cube_size(self.config, edge))  # Rounds: n_h
        return Cube(low, edge, self.config.horizon - state.pulls + state.done)

    def _finish(self, mean: float) -> None:
        state = self._state
        if isinstance(state, WalkCleanup):
            return
        best, following = state.best, None
        if len(state.path) + 1 == state.round:
            if best is None or mean > best.mean:  # Rounds, h = m: the largest mean
                best = Leading(mean=mean, path=state.path)
            following = cubes.successor(state.path, self._next_child)
        elif self._divides(state, mean):
            following = (*state.path, 0)
        else:
            following = cubes.successor(state.path, self._next_child)
        if following is None:
            self._state = self._next_round(state, best)
        else:
            self._state = self._at(Place(state.pulls, state.round, following, state.last, best))

    def _divides(self, state: Walk, mean: float) -> bool:
        """Tell whether a cube above the depth of the round is divided."""
        short = margin(self.config, cubes.edge(state.path))  # 4 r_h for L = 1
        return state.last is None or state.last.mean - mean <= short  # Rounds, h < m: recurse

    def _next_round(self, state: Walk, best: Leading | None) -> Walk | WalkCleanup:
        if best is None:  # no cube was divided down to the depth of the round
            path = state.last.path if state.last else ()
            return WalkCleanup(pulls=state.pulls, done=0, total=0.0, path=path)
        return self._at(Place(state.pulls, state.round + 1, (), best, None))  # μ_max of round m

    def _next_child(self, _: Path, child: int) -> int | None:
        return child + 1 if child + 1 < 2**self.dim else None

    def _check_state(self, state: Walk | WalkCleanup) -> None:
        if isinstance(state, Walk):
            self._check_walk(state)
        self._check_cube(state)

    def _check_walk(self, state: Walk) -> None:
        if not len(state.path) < state.round <= state.pulls + 1:
            raise ValueError(
                f"state.round must be above {len(state.path)}, the length of state.path, and "
                f"at most {state.pulls + 1}; got {state.round}"
            )
        if self._cube(state).n - state.done > self.config.horizon - state.pulls:
            raise ValueError("state.path must be a cube whose pulls fit in the horizon")
        for name, cube in (("last", state.last), ("best", state.best)):
            if cube is not None and not 0 <= cube.mean <= 1:
                raise ValueError(f"state.{name}.mean must lie in [0, 1]; got {cube.mean}")

    def recommend(self) -> Arm:
        """Return the centre of the best cube of the last round; of the box in the first one."""
        state = self._state
        path: Path = ()
        if isinstance(state, WalkCleanup):
            path = state.path
        elif state.last is not None:
            path = state.last.path
        return tuple(a + cubes.edge(path) / 2 for a in cubes.low(path, self.dim))

    def state_bits(self) -> int:
        """Return the bits to remember: counters, two means, and paths of d bits per level."""
        state = self._state
        paths = [state.path]
        if isinstance(state, Walk):
            paths += [cube.path for cube in (state.last, state.best) if cube is not None]
        levels = sum(map(len, paths))
        return 2 + 3 * state.pulls.bit_length() + self.dim * levels + 2 * WORD_BITS


class Place(NamedTuple):
    """Where a walk stands between two cubes."""

    pulls: int
    round: int
    path: Path
    last: Leading | None
    best: Leading | None
