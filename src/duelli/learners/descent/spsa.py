"""Pairwise SPSA: duels between two points on either side of theta show where it should move.

Spall (1992), "Multivariate stochastic approximation using a simultaneous perturbation gradient
approximation", IEEE Transactions on Automatic Control 37(3), https://doi.org/10.1109/9.119632.
Departs: F13 (an outcome instead of two measurements, blocks, walls, an average).
"""

from dataclasses import dataclass
from typing import ClassVar

from duelli import _check, _rng
from duelli.blocks import Tally
from duelli.cubes import Arm
from duelli.learners.base import takes
from duelli.learners.descent.gains import (
    BOX_PERTURBATION,
    GAME_PERTURBATION,
    Gains,
    box_gains,
    box_reach,
    game_gains,
)
from duelli.learners.descent.inputs import half_width, optional, settle
from duelli.learners.descent.moves import either_side, moved
from duelli.learners.descent.walker import WORD_BITS, Walker

GAINS = ("box", "game")


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
        _check.one_of("gains", self.gains, GAINS)
        settle(
            self,
            perturbation=optional(half_width, "perturbation", self.perturbation),
            reach=optional(_check.positive, "reach", self.reach),
        )
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


class Spsa(Walker[SpsaConfig]):
    """Pairwise SPSA: theta moves along the slope that pairs around it show.

    Its keyword arguments are those of `SpsaConfig`. It plays exactly ``horizon`` duels and never
    an arm against itself, whether regret or the answer counts.

    >>> learner = Spsa(dim=2, horizon=1000)
    >>> learner.ask()[0].n
    1

    Paper: Section 2.
    """

    Config: ClassVar[type] = SpsaConfig

    @takes(SpsaConfig)
    def __init__(self, config: SpsaConfig) -> None:
        self.gains = config.sequences()
        super().__init__(config)

    def _pair(self, duels: int, theta: Arm) -> tuple[Arm, Arm]:
        c = self.gains.perturbation(duels + 1)
        return either_side(theta, self._signs(self._iteration(duels)), c)

    def _moved(self, duels: int, theta: Arm, tally: Tally) -> Arm:
        k = duels + 1
        difference = 2 * tally.wins / tally.n - 1
        slope = difference / (2 * self.gains.perturbation(k))  # Eq. (2.2), of which Δ is ±1
        move = self.gains.gain(k, tally.n) * slope
        return moved(theta, self._signs(self._iteration(duels)), move)  # Eq. (2.1), uphill

    def _signs(self, step: int) -> Arm:
        """Return Δ of one step: each coordinate is 1 or -1 with probability 1/2.

        Paper: Section 2.
        """
        words = -(-self.config.dim // WORD_BITS)
        bits = 0
        for i in range(words):
            bits |= _rng.word(self._key, step * words + i) << (WORD_BITS * i)
        return tuple(1.0 if bits >> i & 1 else -1.0 for i in range(self.config.dim))
