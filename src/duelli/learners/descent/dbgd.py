"""Dueling Bandit Gradient Descent: the point moves whenever a random point near it wins.

Yue, Joachims (2009), "Interactively optimizing information retrieval systems as a dueling bandits
problem", ICML, https://doi.org/10.1145/1553374.1553527. The algorithm is well known; the constants
of the theory are written from memory. Departs: F60 (blocks, the answer) and F61 (walls, gains).
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from duelli import _check
from duelli.blocks import Tally
from duelli.cubes import Arm
from duelli.learners.base import takes
from duelli.learners.descent.gains import num_blocks
from duelli.learners.descent.inputs import GAINS, fitting, half_width, optional, settle
from duelli.learners.descent.moves import direction, moved
from duelli.learners.descent.walker import Walker

PROBE, STEP = 0.2, 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class DbgdConfig:
    """The inputs of DBGD.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of duels.
        gains: "practical" has a probe of 0.2 and a step of 0.01, which suit a box and 10^4 duels
            or more; "theory" has those of the regret bound, which make for very slow progress.
        probe: δ, the distance of the point that is tried; that of ``gains`` if None.
        step: γ, how far the point moves when that one wins; that of ``gains`` if None.
        lipschitz: L of the utility, for the gains "theory" only.
        start: The first point; the middle of the box if None.
        seed: Seed of the directions.
    """

    dim: int
    horizon: int
    gains: str = "practical"
    probe: float | None = None
    step: float | None = None
    lipschitz: float = 1.0
    start: Arm | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        _check.one_of("gains", self.gains, GAINS)
        settle(
            self,
            probe=optional(half_width, "probe", self.probe),
            step=optional(_check.positive, "step", self.step),
            lipschitz=_check.positive("lipschitz", self.lipschitz),
        )

    def distances(self) -> tuple[float, float]:
        """Return δ and γ."""
        probe, step = PROBE, STEP
        if self.gains == "theory":
            probe, step = theory_gains(self.dim, num_blocks(self.horizon), self.lipschitz)
        return (
            fitting(probe) if self.probe is None else self.probe,
            step if self.step is None else self.step,
        )


def theory_gains(dim: int, iterations: int, lipschitz: float) -> tuple[float, float]:
    """Return δ = √(2 R d) / (√(13 L) T^(1/4)) and γ = R / √T, where R is the box's half diagonal.

    Departs: F61 (constants from memory).
    """
    radius = math.sqrt(dim) / 2
    probe = math.sqrt(2 * radius * dim / (13 * lipschitz)) / math.pow(iterations, 0.25)
    return probe, radius / math.sqrt(iterations)  # Parameters: δ and γ


class Dbgd(Walker[DbgdConfig]):
    """Dueling Bandit Gradient Descent.

    Its keyword arguments are those of `DbgdConfig`. It plays exactly ``horizon`` duels and never
    an arm against itself, whether regret or the answer counts.

    >>> learner = Dbgd(dim=2, horizon=1000)
    >>> learner.ask()[0].reference
    (0.5, 0.5)

    Paper: Algorithm 1.
    """

    Config: ClassVar[type] = DbgdConfig

    @takes(DbgdConfig)
    def __init__(self, config: DbgdConfig) -> None:
        self.probe, self.step = config.distances()
        super().__init__(config)

    def _pair(self, duels: int, theta: Arm) -> tuple[Arm, Arm]:
        return moved(theta, self._direction(duels, theta), self.probe), theta  # Alg. 1: Π(w + δ u)

    def _moved(self, duels: int, theta: Arm, tally: Tally) -> Arm:
        share = tally.wins / tally.n  # 1 if w' won, 0 if w did
        return moved(theta, self._direction(duels, theta), self.step * share)  # Alg. 1: Π(w + γ u)

    def _direction(self, duels: int, theta: Arm) -> Arm:
        """Return u; its opposite if u leads nowhere, as it can in a corner of the box."""
        u = direction(self._key, self._iteration(duels), self.config.dim)
        stuck = moved(theta, u, self.probe) == theta
        return tuple(-x for x in u) if stuck else u
