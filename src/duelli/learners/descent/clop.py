"""Clop: samples meet the incumbent, and are drawn where a quadratic model is not sure of a loss.

Coulom (2011), "CLOP: Confident local optimization for noisy black-box parameter tuning", Advances
in Computer Games 13, https://www.remi-coulom.fr/CLOP/. Written from memory, without the text at
hand. Departs: F70 (duels with the incumbent, steps of several samples, Gibbs sampling).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from duelli import _check, _rng
from duelli._arrays import Array
from duelli.blocks import Block, Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner, takes
from duelli.learners.codec import Point
from duelli.learners.descent.growth import shares, step_duels
from duelli.learners.descent.inputs import settle
from duelli.learners.descent.moves import clipped, middle
from duelli.learners.descent.quadratic import Fit, Matches, fitted, weights_at
from duelli.learners.descent.walker import WORD_BITS
from duelli.learners.model.threads import one_thread

GROWTH = 10  # a step has at least one duel for so many before it
SAMPLES = 8  # of a step, at most
PLACES = 32  # of an axis, among which the next coordinate is drawn
SWEEPS = 2  # over all axes, for one sample


@dataclass(frozen=True, slots=True, kw_only=True)
class ClopConfig:
    """The inputs of CLOP.

    Args:
        dim: d, the number of coordinates.
        horizon: The number of duels.
        batch: The least number of duels in a step.
        start: The first incumbent; the middle of the box if None.
        seed: Seed of the samples.
    """

    dim: int
    horizon: int
    batch: int = 1
    start: Arm | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        settle(self, batch=_check.whole("batch", self.batch, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """All samples and what became of them.

    Args:
        duels: The duels so far.
        incumbents: The incumbent of each step, and that of the next one.
        samples: The samples.
        steps: The number of the step of each sample, from 0.
        n: The duels of each sample.
        wins: How many of them it won.
    """

    duels: int
    incumbents: tuple[Point, ...]
    samples: tuple[Point, ...]
    steps: tuple[int, ...]
    n: tuple[int, ...]
    wins: tuple[float, ...]

    def played(self) -> Matches:
        """Return the samples with their opponents, as arrays."""
        incumbents = np.array(self.incumbents)[np.array(self.steps, dtype=np.intp)]
        n = np.array(self.n, dtype=np.float64)
        return Matches(np.array(self.samples), incumbents, np.array(self.wins), n)


class Clop(BlockLearner[ClopConfig, Samples]):
    """CLOP: a quadratic model is fitted to the samples that are not confidently below the mean.

    Its keyword arguments are those of `ClopConfig`. It plays exactly ``horizon`` duels and never an
    arm against itself, whether regret or the answer counts.

    >>> learner = Clop(dim=2, horizon=1000)
    >>> learner.ask()[0].reference
    (0.5, 0.5)
    """

    Config: ClassVar[type] = ClopConfig
    States: ClassVar[Mapping[str, type]] = {"samples": Samples}

    @takes(ClopConfig)
    def __init__(self, config: ClopConfig) -> None:
        super().__init__(config)
        self._model: tuple[Samples, list[Fit], Array] | None = None

    def _first_state(self) -> Samples:
        start = self.config.start
        incumbent = middle(self.config.dim) if start is None else start
        return Samples(duels=0, incumbents=(incumbent,), samples=(), steps=(), n=(), wins=())

    def _next_step(self) -> Step:
        state, config = self._state, self.config
        size = step_duels(state.duels, config.horizon, config.batch, GROWTH)
        if size == 0:
            return ()
        rng = _rng.stream(config.seed, "learner", len(state.incumbents))
        sizes = shares(size, SAMPLES)
        chosen = rng.random((len(sizes), config.dim))
        if state.samples:
            fits, weights = self._fitted()
            chosen = drawn(np.array(state.samples), weights, fits, len(sizes), rng)
        arms = [tuple(row) for row in chosen.tolist()]
        incumbent = state.incumbents[-1]
        return tuple(Block.pair(x, incumbent, n) for x, n in zip(arms, sizes, strict=True))

    def _advance(self, tallies: Sequence[Tally]) -> Samples:
        state, count = self._state, len(tallies)
        after = Samples(
            duels=state.duels + sum(tally.n for tally in tallies),
            incumbents=state.incumbents,
            samples=(*state.samples, *(tally.witness for tally in tallies)),
            steps=(*state.steps, *[len(state.incumbents) - 1] * count),
            n=(*state.n, *(tally.n for tally in tallies)),
            wins=(*state.wins, *(float(tally.wins) for tally in tallies)),
        )
        fits, weights = _fit_of(after)
        mean = _mean(after, weights)
        after = replace(after, incumbents=(*state.incumbents, mean))
        self._model = after, fits, weights
        return after

    def _fitted(self) -> tuple[list[Fit], Array]:
        """Return the fits of the samples and their weights; they depend on the state alone."""
        if self._model is None or self._model[0] is not self._state:
            self._model = self._state, *_fit_of(self._state)
        return self._model[1:]

    def _check_state(self, state: Samples) -> None:
        last = len(state.incumbents) - 2
        lengths = {len(state.samples), len(state.steps), len(state.n), len(state.wins)}
        if len(lengths) > 1 or not state.incumbents or (state.samples == ()) != (last == -1):
            raise ValueError(
                "state.samples, .steps, .n and .wins must have one entry for each sample, and "
                "state.incumbents one for each step and one more; they do not"
            )
        if state.steps and (max(state.steps) > last or list(state.steps) != sorted(state.steps)):
            raise ValueError(f"state.steps must ascend to {last} at most; got {state.steps}")
        records = zip(state.n, state.wins, strict=True)
        if sum(state.n) != state.duels or any(n < 1 or not 0 <= won <= n for n, won in records):
            raise ValueError(
                f"state.n and state.wins must be 0 to n wins of n duels, {state.duels} in all; "
                f"got {state.n} and {state.wins}"
            )

    def recommend(self) -> Arm:
        """Return the incumbent: the mean of the samples by their weights."""
        return self._state.incumbents[-1]

    def progress(self) -> Progress:
        """Return the phase, no rounds, and the incumbent."""
        return Progress("model", 0, self.recommend())

    def state_bits(self) -> int:
        """Return the bits to remember: samples, incumbents, duels and wins, 64 for each number."""
        state, dim = self._state, self.config.dim
        return WORD_BITS * (1 + dim * len(state.incumbents) + (dim + 3) * len(state.samples))


def _fit_of(state: Samples) -> tuple[list[Fit], Array]:
    with one_thread():
        return fitted(state.played())


def _mean(state: Samples, weights: Array) -> Arm:
    """Return the mean of the samples, each of which counts by its weight and its duels."""
    counts = weights * np.array(state.n, dtype=np.float64)
    mean = counts @ np.array(state.samples) / counts.sum()  # CLOP: the answer is the mean by w
    return clipped(tuple(mean.tolist()))


def drawn(
    samples: Array, weights: Array, fits: list[Fit], count: int, rng: np.random.Generator
) -> Array:
    """Return points whose density is that of the weights, by Gibbs sampling.

    Each begins at a sample that is drawn by its weight. Then each coordinate in turn is drawn anew,
    by the weights of places all over its axis.
    """
    begin = rng.choice(len(samples), count, p=weights / weights.sum())
    points = samples[begin].copy()
    for point in points:
        for axis in [*range(samples.shape[1])] * SWEEPS:
            line = np.repeat(point[None], PLACES, axis=0)
            line[:, axis] = (np.arange(PLACES) + rng.random(PLACES)) / PLACES
            likely = weights_at(line, fits)
            total = likely.sum()
            if total > 0:  # else all of the axis is hopeless, and the sample stays
                point[axis] = line[rng.choice(PLACES, p=likely / total), axis]  # density w
    return points
