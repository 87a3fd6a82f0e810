"""ComparisonGradient: steps along the gradient's direction, which comparisons reveal.

Zhang, Li (2024), "Comparisons are all you need for optimizing smooth functions",
https://arxiv.org/abs/2405.11454, who have comparisons without noise. The constants of the theory
are from memory and uncertain. Departs: F67 (opposite points, votes, practical gains).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from duelli import _rng
from duelli.blocks import Block, Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner, takes
from duelli.learners.codec import Point
from duelli.learners.descent.gradient_inputs import ComparisonGradientConfig
from duelli.learners.descent.gradient_search import (
    Estimate,
    after,
    check_estimate,
    complete,
    gradient,
    open_directions,
    opened,
)
from duelli.learners.descent.moves import clipped, either_side, middle, moved
from duelli.learners.descent.votes import Votes
from duelli.learners.descent.walker import WORD_BITS


@dataclass(frozen=True, slots=True, kw_only=True)
class Climbing:
    """The duels and the moves so far, x, and what is known of the gradient there."""

    duels: int
    moves: int
    point: Point
    estimate: Estimate


class ComparisonGradient(BlockLearner[ComparisonGradientConfig, Climbing]):
    """Normalised gradient descent whose directions come from comparisons alone.

    Its keyword arguments are those of `ComparisonGradientConfig`. It plays exactly ``horizon``
    duels; with the gains "theory" it rests after the last move. A step has all tests that do not
    depend on each other.

    >>> learner = ComparisonGradient(dim=3, horizon=10_000)
    >>> [block.n for block in learner.ask()]
    [64, 64, 64]
    """

    Config: ClassVar[type] = ComparisonGradientConfig
    States: ClassVar[Mapping[str, type]] = {"gradient": Climbing}

    @takes(ComparisonGradientConfig)
    def __init__(self, config: ComparisonGradientConfig) -> None:
        self.plan = config.plan()
        self.stages = config.stages()
        super().__init__(config)

    def _first_state(self) -> Climbing:
        start = self.config.start
        point = middle(self.config.dim) if start is None else start
        return Climbing(duels=0, moves=0, point=point, estimate=opened(self.config.dim))

    def _next_step(self) -> Step:
        state = self._state
        left = self.config.horizon - state.duels
        if left == 0:
            return ()
        if self._rests():
            return (Block.rest(state.point, left),)
        directions = open_directions(state.estimate, self.config.dim)
        # Directional test, between two opposite points (F67).
        pairs = [either_side(state.point, v, self.plan.probe) for v in directions]
        return tuple(Block.pair(*pairs[i], n) for i, n in self._asked())

    def _asked(self) -> list[tuple[int, int]]:
        """Return the tests that are open, and how many duels each gets."""
        left, asked = self.config.horizon - self._state.duels, []
        for i, votes in enumerate(self._state.estimate.votes):
            if n := min(self.stages.wanted(votes), left):
                asked.append((i, n))
                left -= n
        return asked

    def _advance(self, tallies: Sequence[Tally]) -> Climbing:
        state = self._state
        duels = state.duels + sum(tally.n for tally in tallies)
        if self._rests():
            return replace(state, duels=duels)
        votes = list(state.estimate.votes)
        for (i, _), tally in zip(self._asked(), tallies, strict=True):
            votes[i] = votes[i].plus(tally)
        estimate = replace(state.estimate, votes=tuple(votes))
        state = replace(state, duels=duels, estimate=estimate)
        decided = all(self.stages.verdict(each) is not None for each in votes)
        return self._decided(state) if decided else state

    def _decided(self, state: Climbing) -> Climbing:
        """Return the state once all open tests have a verdict; x moves if nothing is left open."""
        dim = self.config.dim
        upward = [self._upward(i, each) for i, each in enumerate(state.estimate.votes)]
        estimate = after(state.estimate, upward, dim)
        if not complete(estimate, dim, self.plan.accuracy):
            return replace(state, estimate=estimate)
        probe, step, moves = self.plan.probe, self.plan.step, state.moves + 1
        if self.plan.moves is None:
            step /= math.sqrt(moves)
        centre = clipped(state.point, probe)
        point = moved(centre, gradient(estimate, dim), step, probe)  # NGD: Π(x + η g), uphill
        return Climbing(duels=state.duels, moves=moves, point=point, estimate=opened(dim))

    def _upward(self, test: int, votes: Votes) -> bool:
        """Tell whether the left point is the better one; a coin decides a tie."""
        if 2 * votes.wins == votes.n:
            return bool(_rng.word(_rng.word(self._key, self._state.duels), test) & 1)
        return 2 * votes.wins > votes.n

    def _rests(self) -> bool:
        return self.plan.moves is not None and self._state.moves >= self.plan.moves

    def _check_state(self, state: Climbing) -> None:
        most = min(state.duels, self.stages.cap)
        check_estimate("state.estimate", state.estimate, self.config.dim, most)
        if state.moves > state.duels:
            raise ValueError(
                f"state.moves must be at most the {state.duels} duels; got {state.moves}"
            )

    def recommend(self) -> Arm:
        """Return x, the point of the last move."""
        return self._state.point

    def progress(self) -> Progress:
        """Return the phase, the moves that are done, and x."""
        phase = "cleanup" if self._rests() else "descent"
        return Progress(phase, self._state.moves, self._state.point)

    def state_bits(self) -> int:
        """Return the bits to remember: the counters, x, and what is known of the gradient."""
        state, dim = self._state, self.config.dim
        counters = state.duels.bit_length() + state.moves.bit_length()
        votes = sum(2 * each.n.bit_length() for each in state.estimate.votes)
        floats = dim + len(state.estimate.low) + len(state.estimate.high)
        return counters + votes + 3 * dim + WORD_BITS * floats
