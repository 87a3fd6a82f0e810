"""β-NGD and (α, β)-NGD: normalised gradient descent on the signs of comparisons.

Saha, Koren, Mansour (2021), "Dueling convex optimization", ICML,
https://proceedings.mlr.press/v139/saha21b.html. The constants are those of an R package that
implements it. Departs: F66 (votes, walls, practical gains, the order of comparisons).
"""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import ClassVar

from duelli import _check
from duelli.blocks import Block, Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner, takes
from duelli.learners.codec import Point
from duelli.learners.descent.gains import block_size
from duelli.learners.descent.inputs import GAINS, half_width, optional, settle
from duelli.learners.descent.moves import clipped, direction, either_side, middle, moved
from duelli.learners.descent.ngd_phases import (
    Phase,
    alpha_beta_phases,
    beta_phase,
    practical_phases,
)
from duelli.learners.descent.walker import WORD_BITS


@dataclass(frozen=True, slots=True, kw_only=True)
class BetaNgdConfig:
    """The inputs of β-NGD.

    Args:
        dim: d, the number of coordinates.
        horizon: The number of duels.
        gains: "practical" has a probe of 0.1 and a step of 0.02 in the first phase; "theory" has
            those of the paper, whose probes are so small that only a judge without noise can tell
            the two points apart, and rests after the last phase.
        phases: The number of phases: 1 for β-NGD, more for (α, β)-NGD, whose steps become smaller
            from phase to phase; None for ⌈log2(α / ε)⌉, as in the theory.
        votes: How many duels decide a comparison by majority; about √horizon / 4 if None. It is 1
            for a judge without noise. A long run has more, so that it has 20 000 steps at most.
        probe: γ, the distance of the two points from w; that of ``gains`` if None.
        step: η of the first phase, how far w moves; that of ``gains`` if None.
        target: ε, the gap of the utility that is aimed at.
        convexity: α, the smallest curvature of the utility.
        smoothness: β, the largest curvature of the utility.
        start: The first point; the middle of the box if None.
        seed: Seed of the directions.
    """

    dim: int
    horizon: int
    gains: str = "practical"
    phases: int | None = 1
    votes: int | None = None
    probe: float | None = None
    step: float | None = None
    target: float = 0.01
    convexity: float = 1.0
    smoothness: float = 1.0
    start: Arm | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        _check.one_of("gains", self.gains, GAINS)
        settle(
            self,
            phases=None if self.phases is None else _check.whole("phases", self.phases, 1),
            votes=None if self.votes is None else _check.whole("votes", self.votes, 1),
            probe=optional(half_width, "probe", self.probe),
            step=optional(_check.positive, "step", self.step),
            **{
                name: _check.positive(name, getattr(self, name))
                for name in ("target", "convexity", "smoothness")
            },
        )

    def num_votes(self) -> int:
        """Return how many duels decide a comparison."""
        chosen = math.isqrt(self.horizon) // 4 // 2 * 2 + 1 if self.votes is None else self.votes
        return max(chosen, block_size(self.horizon))

    def schedule(self) -> list[Phase]:
        """Return the phases, with γ and the first η as given, if they are."""
        phases = self._schedule()
        scale = 1.0 if self.step is None else self.step / phases[0].step
        return [
            Phase(
                phase.probe if self.probe is None else self.probe,
                phase.step * scale,
                phase.iterations,
            )
            for phase in phases
        ]

    def _schedule(self) -> list[Phase]:
        count = self.phases
        if count is None:
            count = max(1, math.ceil(math.log2(self.convexity / self.target)))  # (α, β)-NGD
        if self.gains == "practical":
            return practical_phases(count, self.horizon // (2 * self.num_votes()))
        distance = float(self.dim)  # D, of two opposite corners
        if count == 1:
            return [beta_phase(self.dim, self.target, self.smoothness, distance)]
        curved = {"convexity": self.convexity, "smoothness": self.smoothness}
        return alpha_beta_phases(self.dim, count, distance=distance, **curved)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """The duels and the iterations so far, w, and m, the best of the earlier w."""

    duels: int
    iterations: int
    point: Point
    best: Point


class BetaNgd(BlockLearner[BetaNgdConfig, Signed]):
    """β-NGD: w moves by a fixed step towards the better one of two opposite points.

    Its keyword arguments are those of `BetaNgdConfig`. It plays exactly ``horizon`` duels; with the
    gains "theory" it rests after the last phase. A step has both comparisons of an iteration.

    >>> learner = BetaNgd(dim=2, horizon=10_000)
    >>> learner.ask()[0].n
    25
    """

    Config: ClassVar[type] = BetaNgdConfig
    States: ClassVar[Mapping[str, type]] = {"signs": Signed}

    @takes(BetaNgdConfig)
    def __init__(self, config: BetaNgdConfig) -> None:
        self.votes = config.num_votes()
        self.phases = config.schedule()
        lengths = (each.iterations for each in self.phases)
        self.ends = list(accumulate(math.inf if n is None else n for n in lengths))
        super().__init__(config)

    def _first_state(self) -> Signed:
        start = self.config.start
        best = middle(self.config.dim) if start is None else start
        point = clipped(best, self.phases[0].probe)
        return Signed(duels=0, iterations=0, point=point, best=best)

    def _next_step(self) -> Step:
        state = self._state
        left = self.config.horizon - state.duels
        if left == 0:
            return ()
        if self._rests():
            return (Block.rest(state.best, left),)
        pair = either_side(state.point, self._direction(), self._phase_now().probe)
        blocks = [Block.pair(*pair, min(self.votes, left))]  # Step: (w + γ u, w - γ u)
        if left > self.votes and state.point != state.best:
            n = min(self.votes, left - self.votes)
            blocks.append(Block.pair(state.point, state.best, n))  # Step: (w, m)
        return tuple(blocks)

    def _advance(self, tallies: Sequence[Tally]) -> Signed:
        state = self._state
        duels = state.duels + sum(tally.n for tally in tallies)
        if self._rests():
            return replace(state, duels=duels)
        slope, *champion = tallies
        # Step: w replaces m if it wins.
        best = state.point if champion and majority(champion[0]) > 0 else state.best
        phase, iterations = self._phase_number(state.iterations), state.iterations + 1
        if self._phase_number(iterations) != phase:
            return Signed(duels=duels, iterations=iterations, point=best, best=best)
        probe, step, _ = self.phases[phase]
        centre = clipped(state.point, probe)
        # Step: w = Π(w - η o u)
        point = moved(centre, self._direction(), step * majority(slope), probe)
        return Signed(duels=duels, iterations=iterations, point=point, best=best)

    def _rests(self) -> bool:
        return self._phase_number(self._state.iterations) == len(self.phases)

    def _phase_number(self, iterations: int) -> int:
        return bisect_right(self.ends, iterations)

    def _phase_now(self) -> Phase:
        return self.phases[self._phase_number(self._state.iterations)]

    def _direction(self) -> Arm:
        return direction(self._key, self._state.iterations, self.config.dim)

    def _check_state(self, state: Signed) -> None:
        if state.iterations > state.duels:
            raise ValueError(
                f"state.iterations must be at most the {state.duels} duels; got {state.iterations}"
            )

    def recommend(self) -> Arm:
        """Return m, the best of the earlier w."""
        return self._state.best

    def progress(self) -> Progress:
        """Return the phase, how many phases are done, and w."""
        phase = "cleanup" if self._rests() else "descent"
        return Progress(phase, self._phase_number(self._state.iterations), self._state.point)

    def state_bits(self) -> int:
        """Return the bits to remember: two counters, w and m, in floats."""
        counters = self._state.duels.bit_length() + self._state.iterations.bit_length()
        return counters + 2 * WORD_BITS * self.config.dim


def majority(tally: Tally) -> int:
    """Return 1 if the left point won most duels, -1 if it lost most, and 0 for a tie."""
    return (2 * tally.wins > tally.n) - (2 * tally.wins < tally.n)
