"""PreferenceModel: the parts of this package behind ask and tell."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar

import numpy as np

from duelli import _rng
from duelli._arrays import Array
from duelli.answers import Answer
from duelli.blocks import Block, Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner, takes
from duelli.learners.model import choice
from duelli.learners.model.answering import answer, outlook
from duelli.learners.model.checks import check_state
from duelli.learners.model.config import ModelConfig
from duelli.learners.model.evidence import first_prior, fitted
from duelli.learners.model.levels import on_levels
from duelli.learners.model.pool import MOST_PAIRS as MOST_REMEMBERED
from duelli.learners.model.pool import added, reduced
from duelli.learners.model.posterior import Posterior
from duelli.learners.model.recommendation import incumbent
from duelli.learners.model.states import PACKED_BYTES, Preferences, on_grid, packed, rounded, ties
from duelli.learners.model.threads import one_thread

MOST_PAIRS = 32  # in a step; each has more duels where that is not enough
GROWTH = 25  # a step has at least one pair for so many duels before it
JITTER = 1e-3  # in length scales: how much a point varies where no pair may be asked twice
DIGITS = 6  # of the differences that a state holds
WORD_BITS = 64


class PreferenceModel(BlockLearner[ModelConfig, Preferences]):
    """A Bayesian model of the utility, for 50 to 20 000 duels and unknown constants.

    Its keyword arguments are those of `ModelConfig`. It plays exactly ``horizon`` duels, and never
    an arm against itself, whether regret or the answer counts.

    >>> learner = PreferenceModel(dim=2)
    >>> learner.recommend()
    (0.5, 0.5)

    docs/preference_model.md says how it works.
    """

    Config: ClassVar[type] = ModelConfig
    States: ClassVar[Mapping[str, type]] = {"model": Preferences}
    EXTENDS: ClassVar[bool] = True

    @takes(ModelConfig)
    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)

    def _first_state(self) -> Preferences:
        config, prior = self.config, first_prior(self.config.dim)
        start = np.full(config.dim, 0.5) if config.start is None else np.array(config.start)
        return Preferences(
            duels=0,
            steps=0,
            incumbent=on_grid(on_levels(start, config.levels)),
            scales=tuple(prior.scales.tolist()),
            spread=prior.spread,
            left=(),
            right=(),
            wins=(),
            n=(),
            differences=(),
            squares=0.0,
            singles=0,
        )

    def _next_step(self) -> Step:
        state, config = self._state, self.config
        size = max(config.batch, state.duels // GROWTH)
        if config.horizon is not None:
            size = min(size, config.horizon - state.duels)
        if size == 0:
            return ()
        rng = _rng.stream(config.seed, "learner", state.steps, 0)
        centre, pairs = np.array(state.incumbent), min(size, MOST_PAIRS)
        if state.duels < choice.OPENING:
            begun = state.duels, state.spread
            asked = choice.opening(centre, *begun, pairs, config.seed, rng, config.levels)
        else:
            with one_thread():
                asked = choice.chosen(posterior(state), centre, pairs, rng, config.levels)
        shares = [size // pairs + (k < size % pairs) for k in range(pairs)]
        return tuple(self._block(*pair, n, rng) for pair, n in zip(asked, shares, strict=True))

    def _block(self, x: Array, y: Array, n: int, rng: np.random.Generator) -> Block:
        """Return ``n`` duels of two points, which vary a little if no pair may come twice."""
        if self.config.repeat == "allowed":
            return Block.pair(on_grid(x), on_grid(y), n)
        size = JITTER * math.exp(min(0.0, *self._state.scales))
        x, y = (np.clip(p, size, 1 - size) + size * rng.uniform(-1, 1, len(p)) for p in (x, y))
        if n == 1:
            return Block.pair(on_grid(x), on_grid(y))
        low = np.clip(x - size / 2, 0, 1 - size)
        return Block(tuple(low.tolist()), size, on_grid(y), n)

    def _advance(self, tallies: Sequence[Tally]) -> Preferences:
        with one_thread():
            return self._with_incumbent(self._fitted(tallies))

    def _fitted(self, tallies: Sequence[Tally]) -> Preferences:
        """Return the state with the duels of the step, and a model that is fitted to them."""
        state, step = self._state, self._pending
        assert step is not None
        scales, pool = np.array(state.scales), state.pool
        for block, tally in zip(step, tallies, strict=True):
            centre = tuple(x + block.edge / 2 for x in block.low)
            pool = added(pool, scales, (centre, block.reference), tally.wins, tally.n)
        if len(pool.n) > MOST_REMEMBERED:
            pool = reduced(pool, scales, posterior(state).mean(pool.points))
        pool = pool._replace(left=rounded(pool.left), right=rounded(pool.right))
        squares = state.squares + sum(_square(tally) for tally in tallies)
        singles = state.singles + sum(tally.n == 1 for tally in tallies)
        prior, fit = fitted(state.prior, pool, state.steps, ties(squares, singles))
        return Preferences(
            duels=state.duels + sum(tally.n for tally in tallies),
            steps=state.steps + 1,
            incumbent=state.incumbent,
            scales=tuple(prior.scales.tolist()),
            spread=float(prior.spread),
            left=packed(pool.left),
            right=packed(pool.right),
            wins=tuple(pool.wins.tolist()),
            n=tuple(pool.n.astype(int).tolist()),
            differences=tuple(np.round(fit.differences, DIGITS).tolist()),
            squares=squares,
            singles=singles,
        )

    def _with_incumbent(self, state: Preferences) -> Preferences:
        """Return the state with the point that its model recommends."""
        rng = _rng.stream(self.config.seed, "learner", state.steps, 1)
        before, start = np.array(state.incumbent), self.config.start
        home = None if start is None else np.array(start)
        point = incumbent(posterior(state), before, rng, self.config.levels, home)
        return replace(state, incumbent=on_grid(point))

    def _check_state(self, state: Preferences) -> None:
        check_state(state, self.config.dim)

    def recommend(self) -> Arm:
        """Return the point that the model recommends."""
        return self._state.incumbent

    def best(self) -> Answer:
        """Return the recommended point with what the model expects of it."""
        state = self._state
        rng = _rng.stream(self.config.seed, "learner", state.steps, 2)
        with one_thread():
            point, levels = np.array(state.incumbent), self.config.levels
            view = outlook(posterior(state), point, rng, levels)
        return answer(state.incumbent, state.duels, view)

    def believed(self, points: Array) -> tuple[Array, Array] | None:
        """Return mean and deviation of u(point) - u(incumbent) for each point."""
        best = np.array(self._state.incumbent)
        with one_thread():
            return posterior(self._state).lead_and_deviation(points, best)

    def progress(self) -> Progress:
        """Return the phase, no rounds, and the incumbent."""
        return Progress("model", 0, self._state.incumbent)

    def state_bits(self) -> int:
        """Return the bits to remember: packed points, and 64 for each other number."""
        dim, pairs = self.config.dim, len(self._state.n)
        points = 2 * 8 * PACKED_BYTES * dim * pairs
        return WORD_BITS * (5 + 2 * dim + 3 * pairs) + points


def _square(tally: Tally) -> float:
    """Return (2 outcome - 1)² of a single duel: 1 for a win or a loss, 0 for a draw."""
    return (2 * tally.wins - 1) ** 2 if tally.n == 1 else 0.0


def posterior(state: Preferences) -> Posterior:
    """Return what the model believes in a state. It depends on the state alone."""
    return _posterior(replace(state, duels=0, steps=0, incumbent=()))  # on none of these


@lru_cache(maxsize=4)
def _posterior(state: Preferences) -> Posterior:
    return Posterior(state.prior, state.pool, state.ties)
