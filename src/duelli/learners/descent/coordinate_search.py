"""CoordinateSearch: one axis after the other is searched by comparisons, as by bisection.

Jamieson, Nowak, Recht (2012), "Query complexity of derivative-free optimization", NeurIPS,
https://arxiv.org/abs/1209.2434. The algorithm is written from memory; η and the number of searches
are the least certain. Departs: F65 (widths, both sides at once, an end).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from duelli import _check, _rng
from duelli.blocks import Block, Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner, takes
from duelli.learners.descent.inputs import GAINS, fitting, half_width, optional, settle
from duelli.learners.descent.line_search import Searching, begun, narrowed
from duelli.learners.descent.moves import middle
from duelli.learners.descent.votes import Stages, Votes, power_of_two
from duelli.learners.descent.walker import WORD_BITS

ACCURACY, CAP = 0.05, 2**13
MOST_CAP = 2**62
LONG = 64  # in a long run a comparison has at most T / (64 d) duels


@dataclass(frozen=True, slots=True, kw_only=True)
class CoordinateSearchConfig:
    """The inputs of the coordinate search.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of duels.
        gains: "practical" has an accuracy of 0.05; "theory" has that of the paper for a target.
        accuracy: η, the length of the interval at which a search ends; that of ``gains`` if None.
        searches: K, after how many searches the learner rests; that of ``gains`` if None.
        cap: The most duels of one comparison; one that is still open then counts as a tie. If
            None, it is 2^13, or T / (64 d) if that is more. It is rounded down to a power of 2.
            Short runs want a smaller one.
        failure_prob: The probability with which one comparison may be wrong.
        target: ε, the gap of the utility that is aimed at, for the gains "theory" only.
        convexity: τ, the smallest curvature of the utility, for the gains "theory" only.
        smoothness: L, the largest curvature of the utility, for the gains "theory" only.
        start: The first point; the middle of the box if None.
        seed: Seed of the order of the axes.
    """

    dim: int
    horizon: int
    gains: str = "practical"
    accuracy: float | None = None
    searches: int | None = None
    cap: int | None = None
    failure_prob: float = 0.05
    target: float = 0.01
    convexity: float = 1.0
    smoothness: float = 1.0
    start: Arm | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        _check.one_of("gains", self.gains, GAINS)
        settle(
            self,
            accuracy=optional(half_width, "accuracy", self.accuracy),
            searches=None if self.searches is None else _check.whole("searches", self.searches, 1),
            cap=None if self.cap is None else power_of_two(_check.whole("cap", self.cap, 1)),
            failure_prob=_check.probability("failure_prob", self.failure_prob),
            **{
                name: _check.positive(name, getattr(self, name))
                for name in ("target", "convexity", "smoothness")
            },
        )
        enough = Stages(self.failure_prob, MOST_CAP).first
        if self.stages().cap < enough:
            raise ValueError(
                f"cap must be at least {enough}, so that a comparison can be decided; "
                f"got {self.stages().cap}"
            )

    def stages(self) -> Stages:
        """Return the stages of a comparison."""
        long = power_of_two(self.horizon // (LONG * self.dim))
        return Stages(self.failure_prob, max(CAP, long) if self.cap is None else self.cap)

    def plan(self) -> tuple[float, int]:
        """Return η and K."""
        accuracy, ratio = ACCURACY, 1.0
        if self.gains == "theory":
            root = math.sqrt(4 * self.convexity * self.target / self.dim)
            # Parameters: η = √(4 τ ε / (d L²))
            accuracy, ratio = root / self.smoothness, self.smoothness / self.convexity
        accuracy = fitting(accuracy) if self.accuracy is None else self.accuracy
        # The first gap is d L / 2 at most, and ε = d L² η² / (4 τ), which makes their ratio this.
        gaps = max(math.e, 2 / (ratio * accuracy**2))
        searches = math.ceil(4 * self.dim * ratio * math.log(gaps))  # Parameters: K
        return accuracy, searches if self.searches is None else self.searches


class CoordinateSearch(BlockLearner[CoordinateSearchConfig, Searching]):
    """Pairwise coordinate search: a random axis is searched until its best place is known.

    Its keyword arguments are those of `CoordinateSearchConfig`. It plays exactly ``horizon`` duels;
    after the last search that is planned it rests. If the horizon ends a search, its axis stays
    where it was before.

    >>> learner = CoordinateSearch(dim=2, horizon=10_000)
    >>> [block.n for block in learner.ask()]
    [64, 64]
    """

    Config: ClassVar[type] = CoordinateSearchConfig
    States: ClassVar[Mapping[str, type]] = {"search": Searching}

    @takes(CoordinateSearchConfig)
    def __init__(self, config: CoordinateSearchConfig) -> None:
        self.accuracy, self.searches = config.plan()
        self.stages = config.stages()
        super().__init__(config)

    def _first_state(self) -> Searching:
        start = self.config.start
        point = middle(self.config.dim) if start is None else start
        return begun(0, 0, point)

    def _next_step(self) -> Step:
        state = self._state
        left = self.config.horizon - state.duels
        if left == 0:
            return ()
        if self._rests():
            return (Block.rest(state.point, left),)
        centre, quarter = (state.low + state.high) / 2, (state.high - state.low) / 4
        places = {"left": centre - quarter, "right": centre + quarter}  # Line search: l and r
        reference = self._at(centre)
        return tuple(Block.pair(self._at(places[k]), reference, n) for k, n in self._asked())

    def _asked(self) -> list[tuple[str, int]]:
        """Return which comparisons are open, and how many duels each gets."""
        state, asked = self._state, []
        left = self.config.horizon - state.duels
        for name, votes in (("left", state.left), ("right", state.right)):
            if n := min(self.stages.wanted(votes), left):
                asked.append((name, n))
                left -= n
        return asked

    def _advance(self, tallies: Sequence[Tally]) -> Searching:
        state = self._state
        duels = state.duels + sum(tally.n for tally in tallies)
        if self._rests():
            return replace(state, duels=duels)
        votes = {"left": state.left, "right": state.right}
        for (name, _), tally in zip(self._asked(), tallies, strict=True):
            votes[name] = votes[name].plus(tally)
        told = replace(state, duels=duels, left=votes["left"], right=votes["right"])
        return self._narrowed(told)

    def _narrowed(self, state: Searching) -> Searching:
        """Return the state with the interval that the comparisons leave, if they are decided."""
        verdicts = self.stages.verdict(state.left), self.stages.verdict(state.right)
        half = narrowed(state.low, state.high, *verdicts)
        if half is None:
            return state
        low, high = half
        fresh = replace(state, low=low, high=high, left=Votes(), right=Votes())
        if high - low > self.accuracy:  # Line search: stop at hi - lo <= η
            return fresh
        point = self._at((low + high) / 2)  # Loop: move there
        return begun(state.duels, state.searches + 1, point)

    def _rests(self) -> bool:
        return self._state.searches >= self.searches

    def _at(self, place: float) -> Arm:
        """Return the point, moved to a place of the axis that is searched."""
        point = self._state.point
        axis = _rng.below(self._key, self._state.searches, self.config.dim)  # Loop: i uniform
        return (*point[:axis], place, *point[axis + 1 :])

    def _check_state(self, state: Searching) -> None:
        if state.searches > self.searches:
            raise ValueError(
                f"state.searches must be at most {self.searches}; got {state.searches}"
            )
        if not 0 <= state.low < state.high <= 1 or state.high - state.low <= self.accuracy:
            raise ValueError(
                f"state.low and state.high must be an interval of [0, 1] that is longer than "
                f"{self.accuracy:g}; got {state.low} and {state.high}"
            )
        most = min(state.duels, self.stages.cap)
        for votes in (state.left, state.right):
            if not 0 <= votes.wins <= votes.n <= most:
                raise ValueError(
                    f"state.left and state.right must have 0 to n wins of n duels, at most "
                    f"{most}; got {votes.wins} of {votes.n}"
                )

    def recommend(self) -> Arm:
        """Return the point of the last search that was completed."""
        return self._state.point

    def progress(self) -> Progress:
        """Return the phase, the searches that are done, and the point that they have led to."""
        phase = "cleanup" if self._rests() else "search"
        return Progress(phase, self._state.searches, self._state.point)

    def state_bits(self) -> int:
        """Return the bits to remember: the counters, the point and the interval, in floats."""
        state = self._state
        counters = (state.duels, state.searches, state.left.n, state.right.n)
        floats = WORD_BITS * (self.config.dim + 2)
        return sum(2 * n.bit_length() for n in counters) + floats
