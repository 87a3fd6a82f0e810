"""Pairwise SPSA: duels between two points on either side of theta show where it should move.

Spall (1992), "Multivariate stochastic approximation using a simultaneous perturbation gradient
approximation", IEEE Transactions on Automatic Control 37(3), https://doi.org/10.1109/9.119632.
Departs: F13 (an outcome instead of two measurements, blocks, walls, an average).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from duelli import _check, _rng
from duelli.blocks import Block, Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner, takes
from duelli.learners.codec import Point
from duelli.learners.descent.gains import (
    BOX_PERTURBATION,
    GAME_PERTURBATION,
    MOST_PERTURBATION,
    Gains,
    block_size,
    box_gains,
    box_reach,
    game_gains,
)

GAINS = ("box", "game")
LEAST_PERTURBATION = 1e-6  # so that no arm ever meets itself
WORD_BITS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class SpsaConfig:
    """The inputs of pairwise SPSA.

    Args:
        dim: d, the number of coordinates.
        horizon: K, the number of duels; the gains depend on it.
        gains: "box" scales the gains to the box, "game" takes those of game tuners, which are
            meant for a start that is nearly right already and for 10^5 games or more.
        perturbation: c as a share of the box. With "box" it is that of the first duel, 0.1 if
            None; with "game" it is that of the last one, 0.05 if None.
        reach: How many boxes theta would move along each axis if every duel said the same. If
            None, it is 1.5 up to 1000 duels and 1.5 √(K / 1000) beyond. Only for "box".
        start: The first theta; the middle of the box if None.
        seed: Seed of the perturbations.
    """

    dim: int
    horizon: int
    gains: str = "box"
    perturbation: float | None = None
    reach: float | None = None
    start: Arm | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        dim = _check.whole("dim", self.dim, 1)
        _check.one_of("gains", self.gains, GAINS)
        checked: dict[str, object] = {
            "dim": dim,
            "horizon": _check.horizon(self.horizon),
            "seed": _rng.check_seed(self.seed),
        }
        if self.perturbation is not None:
            checked["perturbation"] = _perturbation(self.perturbation)
        if self.reach is not None:
            checked["reach"] = _check.positive("reach", self.reach)
        if self.start is not None:
            checked["start"] = _check.arm("start", self.start, dim)
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        if self.gains == "game" and self.reach is not None:
            raise ValueError(
                f"reach must be None with the gains 'game', which have their own; got {self.reach}"
            )

    def sequences(self) -> Gains:
        """Return the gain sequences a_k and c_k."""
        c = self.perturbation
        if self.gains == "game":
            return game_gains(self.horizon, GAME_PERTURBATION if c is None else c)
        reach = box_reach(self.horizon) if self.reach is None else self.reach
        return box_gains(self.horizon, BOX_PERTURBATION if c is None else c, reach)


def _perturbation(value: object) -> float:
    c = _check.real("perturbation", value)
    if not LEAST_PERTURBATION <= c <= MOST_PERTURBATION:
        raise ValueError(
            f"perturbation must lie in [{LEAST_PERTURBATION:g}, {MOST_PERTURBATION:g}]; "
            f"got {value!r}"
        )
    return c


@dataclass(frozen=True, slots=True, kw_only=True)
class Descent:
    """The duels so far, theta, and its mean over the second half of the run once that began."""

    duels: int
    theta: Point
    average: Point | None


class Spsa(BlockLearner[SpsaConfig, Descent]):
    """Pairwise SPSA: theta moves along the slope that pairs around it show.

    Its keyword arguments are those of `SpsaConfig`. It plays exactly ``horizon`` duels and never
    an arm against itself, whether regret or the answer counts.

    >>> learner = Spsa(dim=2, horizon=1000)
    >>> learner.ask()[0].n
    1

    Paper: Section 2.
    """

    Config: ClassVar[type] = SpsaConfig
    States: ClassVar[Mapping[str, type]] = {"descent": Descent}

    @takes(SpsaConfig)
    def __init__(self, config: SpsaConfig) -> None:
        self.gains = config.sequences()
        self.block_size = block_size(config.horizon)
        self.unaveraged = config.horizon // 2 // self.block_size * self.block_size
        super().__init__(config)

    def _first_state(self) -> Descent:
        start = self.config.start
        theta = (0.5,) * self.config.dim if start is None else start
        return Descent(duels=0, theta=theta, average=None)

    def _next_step(self) -> Step:
        state = self._state
        n = min(self.block_size, self.config.horizon - state.duels)
        if n == 0:
            return ()
        c = self.gains.perturbation(state.duels + 1)
        centre = [min(max(x, c), 1 - c) for x in state.theta]
        signs = self._signs(state.duels // self.block_size)
        plus = tuple(x + c * sign for x, sign in zip(centre, signs, strict=True))
        minus = tuple(x - c * sign for x, sign in zip(centre, signs, strict=True))
        return (Block.pair(plus, minus, n),)

    def _advance(self, tallies: Sequence[Tally]) -> Descent:
        (tally,), state = tallies, self._state
        k, duels = state.duels + 1, state.duels + tally.n
        difference = 2 * tally.wins / tally.n - 1
        slope = difference / (2 * self.gains.perturbation(k))  # Eq. (2.2), of which Δ is ±1
        move = self.gains.gain(k, tally.n) * slope
        signs = self._signs(state.duels // self.block_size)
        theta = tuple(
            min(max(x + move * sign, 0.0), 1.0)  # Eq. (2.1), uphill
            for x, sign in zip(state.theta, signs, strict=True)
        )
        return Descent(duels=duels, theta=theta, average=self._average(theta, duels, tally.n))

    def _average(self, theta: Arm, duels: int, n: int) -> Arm | None:
        """Return the mean of the thetas of the second half, of which ``theta`` counts n times."""
        if duels <= self.unaveraged:
            return None
        before = theta if self._state.average is None else self._state.average
        share = n / (duels - self.unaveraged)
        return tuple(
            min(max(mean + share * (x - mean), 0.0), 1.0)
            for mean, x in zip(before, theta, strict=True)
        )

    def _signs(self, step: int) -> list[int]:
        """Return Δ of one step: each coordinate is 1 or -1 with probability 1/2.

        Paper: Section 2.
        """
        words = -(-self.config.dim // WORD_BITS)
        bits = 0
        for i in range(words):
            bits |= _rng.word(self._key, step * words + i) << (WORD_BITS * i)
        return [1 if bits >> i & 1 else -1 for i in range(self.config.dim)]

    def _check_state(self, state: Descent) -> None:
        if state.duels % self.block_size and state.duels != self.config.horizon:
            raise ValueError(
                f"state.duels must be a multiple of {self.block_size} or the horizon; "
                f"got {state.duels}"
            )
        if (state.average is None) != (state.duels <= self.unaveraged):
            raise ValueError(
                f"state.average must be there after more than {self.unaveraged} duels, and not "
                f"before; got {state.average} after {state.duels}"
            )

    def recommend(self) -> Arm:
        """Return the mean of the thetas of the second half of the run; theta before that."""
        return self._state.theta if self._state.average is None else self._state.average

    def progress(self) -> Progress:
        """Return the phase, no rounds, and theta."""
        return Progress("descent", 0, self._state.theta)

    def state_bits(self) -> int:
        """Return the bits to remember: the counter, theta and the mean, in floats."""
        points = 1 if self._state.average is None else 2
        return self._state.duels.bit_length() + WORD_BITS * points * self.config.dim
