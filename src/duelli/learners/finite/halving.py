"""SuccessiveHalving: points all over the box duel each other, and half of them leave each round.

Karnin, Koren, Somekh (2013), "Almost optimal exploration in multi-armed bandits", ICML,
https://proceedings.mlr.press/v28/karnin13.html, who call it Sequential Halving.
Departs: F14 (duels instead of rewards, points of a box).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from duelli import _check, _rng
from duelli.blocks import Block, Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner, takes
from duelli.learners.finite.pairings import Pairings
from duelli.learners.finite.sobol import MOST_DIM, sobol_points

LEAST_DUELS = 2  # for each point in every round, if the learner chooses how many points there are
MOST_CHOSEN = 1024  # points that the learner chooses itself
MOST_POINTS = 65_536  # points that it can be told to begin with
DESIGNS = ("latin", "sobol")
MOST_BLOCKS = 256  # of a step; a round of more is asked in several steps


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessiveHalvingConfig:
    """The inputs of successive halving.

    Args:
        dim: d, the number of coordinates.
        horizon: The number of duels; every round has an equal part of them.
        points: K, the number of points to begin with; if None, the largest power of 2 up to 1024
            that leaves two duels for each point in every round.
        design: Where the points are: "latin", a Latin hypercube, or "sobol", the first points of a
            shifted Sobol sequence.
        start: One of the points; the middle of the box if None.
        seed: Seed of the other points and of who meets whom.
    """

    dim: int
    horizon: int
    points: int | None = None
    design: str = "latin"
    start: Arm | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        dim = _check.whole("dim", self.dim, 1)
        checked: dict[str, object] = {
            "dim": dim,
            "horizon": _check.horizon(self.horizon),
            "seed": _rng.check_seed(self.seed),
        }
        _check.one_of("design", self.design, DESIGNS)
        if self.design == "sobol" and dim > MOST_DIM:
            raise ValueError(f"dim must be at most {MOST_DIM} for Sobol points; got {dim}")
        if self.points is not None:
            checked["points"] = _check.whole("points", self.points, 1)
        if self.start is not None:
            checked["start"] = _check.arm("start", self.start, dim)
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        if self.num_points > MOST_POINTS:
            raise ValueError(f"points must be at most {MOST_POINTS}; got {self.points}")
        if self.num_rounds > self.horizon:
            raise ValueError(
                f"points must be at most {2**self.horizon}, so that each round has a duel; "
                f"got {self.points}"
            )

    @property
    def num_points(self) -> int:
        """K, the number of points to begin with."""
        if self.points is not None:
            return self.points
        rounds = 1
        while 2 ** (rounds + 1) * (rounds + 1) * LEAST_DUELS <= self.horizon:
            rounds += 1
        return int(min(2**rounds, MOST_CHOSEN))

    @property
    def num_rounds(self) -> int:
        """⌈log2 K⌉, after which one point is left."""
        return (self.num_points - 1).bit_length()

    def duels_before(self, rounds: int) -> int:
        """Return the duels of the first ``rounds`` rounds, of which all have an equal part."""
        return self.horizon * rounds // self.num_rounds if rounds else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Halving:
    """The points that are left, and what the present round has shown of them.

    Args:
        duels: The duels so far.
        round: The rounds that are done.
        pairs: The pairs of the present round that have met.
        left: The numbers of the points that are left, the best of the last round first.
        wins: The wins of each of them in the present round.
    """

    duels: int
    round: int
    pairs: int
    left: tuple[int, ...]
    wins: tuple[float, ...]


class SuccessiveHalving(BlockLearner[SuccessiveHalvingConfig, Halving]):
    """Successive halving on points all over the box: the worse half leaves after each round.

    Its keyword arguments are those of `SuccessiveHalvingConfig`. It plays exactly ``horizon`` duels
    and never an arm against itself, whether regret or the answer counts; a single point has nobody
    to meet, and plays none.

    >>> learner = SuccessiveHalving(dim=2, horizon=1000)
    >>> len(learner.points), len(learner.ask())
    (64, 166)
    """

    Config: ClassVar[type] = SuccessiveHalvingConfig
    States: ClassVar[Mapping[str, type]] = {"halving": Halving}

    @takes(SuccessiveHalvingConfig)
    def __init__(self, config: SuccessiveHalvingConfig) -> None:
        self.num_rounds = config.num_rounds
        super().__init__(config)
        self.points = self._spread()

    def _first_state(self) -> Halving:
        points = self.config.num_points
        return Halving(duels=0, round=0, pairs=0, left=tuple(range(points)), wins=(0.0,) * points)

    def _next_step(self) -> Step:
        state = self._state
        if state.round == self.num_rounds:
            return ()
        arms = [self.points[k] for k in state.left]
        return tuple(Block.pair(arms[i], arms[j], n) for i, j, n in self._asked(state))

    def _advance(self, tallies: Sequence[Tally]) -> Halving:
        state, wins = self._state, list(self._state.wins)
        asked = self._asked(state)
        for (i, j, n), tally in zip(asked, tallies, strict=True):
            wins[i] += tally.wins
            wins[j] += n - tally.wins
        after = replace(
            state,
            duels=state.duels + sum(n for _, _, n in asked),
            pairs=state.pairs + len(asked),
            wins=tuple(wins),
        )
        return self._halved(after) if after.pairs == self._pairings(after).count else after

    def _halved(self, state: Halving) -> Halving:
        """Return the state with the better half of the points; ties are broken at random."""
        games = self._pairings(state).games()
        rates = [w / n if n else 0.5 for w, n in zip(state.wins, games, strict=True)]
        key = self._key_of(2 * state.round + 1)
        order = sorted(range(len(rates)), key=lambda k: (-rates[k], _rng.word(key, k)))
        left = tuple(state.left[k] for k in order[: (len(order) + 1) // 2])
        return replace(state, round=state.round + 1, pairs=0, left=left, wins=(0.0,) * len(left))

    def _asked(self, state: Halving) -> list[tuple[int, int, int]]:
        """Return the places of those who meet in a step, with the number of their duels."""
        pairings = self._pairings(state)
        last = min(state.pairs + MOST_BLOCKS, pairings.count)
        return [pairings.pair(k) for k in range(state.pairs, last)]

    def _pairings(self, state: Halving) -> Pairings:
        begun, ended = (self.config.duels_before(state.round + k) for k in (0, 1))
        order = _rng.permutation(self._key_of(2 * state.round), len(state.left))
        return Pairings(order, ended - begun)

    def _spread(self) -> list[Arm]:
        """Return K points of the design, of which the start takes the first one's place."""
        count, dim = self.config.num_points, self.config.dim
        first = (0.5,) * dim if self.config.start is None else self.config.start
        if self.config.design == "sobol":
            return [first, *sobol_points(count, dim, self._key_of(2 * self.num_rounds))[1:]]
        return [first, *self._latin_hypercube()[1:]]

    def _latin_hypercube(self) -> list[Arm]:
        count, rounds = self.config.num_points, 2 * self.num_rounds
        axes = []
        for axis in range(self.config.dim):
            order, inside = (self._key_of(rounds + 2 * axis + k) for k in (0, 1))
            strata = _rng.permutation(order, count)
            axes.append([(s + _rng.unit(inside, i)) / count for i, s in enumerate(strata)])
        return list(zip(*axes, strict=True))

    def _key_of(self, use: int) -> int:
        """Return the key of the draws for one use."""
        return _rng.word(self._key, use)

    def _check_state(self, state: Halving) -> None:
        if state.round > self.num_rounds:
            raise ValueError(f"state.round must be at most {self.num_rounds}; got {state.round}")
        points, size = self.config.num_points, -(-self.config.num_points // 2**state.round)
        if len(state.left) != size or len(set(state.left)) != size or max(state.left) >= points:
            raise ValueError(
                f"state.left must be {size} different numbers below {points}; got {state.left}"
            )
        told = self._told(state)
        duels = self.config.duels_before(state.round) + told
        if state.duels != duels:
            raise ValueError(f"state.duels must be {duels}; got {state.duels}")
        if len(state.wins) != size or not all(0 <= won <= told for won in state.wins):
            raise ValueError(
                f"state.wins must be {size} numbers from 0 to {told}; got {state.wins}"
            )

    def _told(self, state: Halving) -> int:
        """Return the duels of the present round so far, if its pairs can be right."""
        ended = state.round == self.num_rounds
        count = 1 if ended else self._pairings(state).count
        if state.pairs % MOST_BLOCKS or state.pairs >= count:
            raise ValueError(
                f"state.pairs must be a multiple of {MOST_BLOCKS} below {count}; got {state.pairs}"
            )
        return 0 if ended else self._pairings(state).duels_before(state.pairs)

    def recommend(self) -> Arm:
        """Return the best point of the last round; the start in the first one."""
        return self.points[self._state.left[0]]

    def progress(self) -> Progress:
        """Return the phase, the rounds that are done, and the best point of the last one."""
        return Progress("halving", self._state.round, self.recommend())

    def state_bits(self) -> int:
        """Return the bits to remember: the counters, and who is left with how many wins."""
        state, name = self._state, (self.config.num_points - 1).bit_length()
        counters = sum(n.bit_length() for n in (state.duels, state.round, state.pairs, 1))
        return counters + sum(name + int(won).bit_length() for won in state.wins)
