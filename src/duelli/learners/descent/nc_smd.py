"""Noisy Comparison-based Stochastic Mirror Descent, with a barrier that keeps to the box.

Kumagai (2017), "Regret analysis for continuous dueling bandit", NeurIPS,
https://arxiv.org/abs/1711.07693. The structure follows a public script; the constants of η and of
the regularisation are from memory. Departs: F60 (blocks, the answer) and F64 (constants).
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from duelli import _check
from duelli.blocks import Tally
from duelli.cubes import Arm
from duelli.learners.base import takes
from duelli.learners.descent.gains import num_blocks
from duelli.learners.descent.inputs import optional, settle
from duelli.learners.descent.moves import clipped, direction
from duelli.learners.descent.walker import Walker

WALL = 1e-9  # the barrier is infinite at a wall
HALVINGS = 60  # of an interval of length 1, to the last bits of its middle


@dataclass(frozen=True, slots=True, kw_only=True)
class NcSmdConfig:
    """The inputs of NC-SMD.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of duels.
        step: η; that of the theory if None, (1 / 2d) √(2 d ln T / T).
        convexity: λ, at most half the curvature of the utility times the slope of the link.
        regularisation: μ, the weight of ‖a‖² in the barrier.
        start: The first point; the middle of the box, where the barrier is least, if None.
        seed: Seed of the directions.
    """

    dim: int
    horizon: int
    step: float | None = None
    convexity: float = 0.1
    regularisation: float = 1.0
    start: Arm | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        settle(
            self,
            step=optional(_check.positive, "step", self.step),
            convexity=_check.at_least("convexity", self.convexity, 0.0),
            regularisation=_check.at_least("regularisation", self.regularisation, 0.0),
        )

    def eta(self) -> float:
        """Return η, with ν = 2 d, the parameter of the barrier of a box.

        Departs: F64 (constants from memory, C = 0).
        """
        if self.step is not None:
            return self.step
        iterations = max(2, num_blocks(self.horizon))
        barrier = 2 * self.dim
        return math.sqrt(barrier * math.log(iterations) / iterations) / (2 * self.dim)  # η


def slope(a: float, weight: float) -> float:
    """Return the derivative of -ln a - ln(1 - a) + weight a² / 2 on one axis."""
    return 1 / (1 - a) - 1 / a + weight * a  # ∇R_t, without the sum over earlier points


def curvature(a: float, weight: float) -> float:
    """Return the second derivative of -ln a - ln(1 - a) + weight a² / 2 on one axis."""
    return 1 / a**2 + 1 / (1 - a) ** 2 + weight  # Step t: H = ∇²R_t


def solved(value: float, weight: float) -> float:
    """Return the a in (0, 1) whose `slope`, which rises with a, is ``value``."""
    low, high = WALL, 1 - WALL
    for _ in range(HALVINGS):
        centre = (low + high) / 2
        if slope(centre, weight) < value:
            low = centre
        else:
            high = centre
    return (low + high) / 2


class NcSmd(Walker[NcSmdConfig]):
    """NC-SMD: mirror descent for a strongly concave utility.

    Its keyword arguments are those of `NcSmdConfig`. It plays exactly ``horizon`` duels and never
    an arm against itself, whether regret or the answer counts.

    >>> learner = NcSmd(dim=2, horizon=1000)
    >>> learner.ask()[0].reference
    (0.5, 0.5)
    """

    Config: ClassVar[type] = NcSmdConfig

    @takes(NcSmdConfig)
    def __init__(self, config: NcSmdConfig) -> None:
        self.eta = config.eta()
        super().__init__(config)

    def _pair(self, duels: int, theta: Arm) -> tuple[Arm, Arm]:
        a, u = clipped(theta, WALL), self._direction(duels)
        roots = self._roots(duels, a)
        probe = (x + step / root for x, step, root in zip(a, u, roots, strict=True))
        return clipped(tuple(probe)), a  # Step t: a' = a + H^(-1/2) u, inside up to rounding

    def _moved(self, duels: int, theta: Arm, tally: Tally) -> Arm:
        lost = 1 - tally.wins / tally.n  # Step t: F, 1 if the incumbent won
        if lost == 0:
            return theta
        a, weight = clipped(theta, WALL), self._weight(duels)
        scale = self.eta * lost * self.config.dim
        gradient = [
            scale * root * step  # Step t: η ĝ, of which ĝ = F d H^(1/2) u
            for root, step in zip(self._roots(duels, a), self._direction(duels), strict=True)
        ]
        # Step t: ∇R_t(a_(t+1)) = ∇R_t(a_t) - η ĝ; the earlier points add the same to both sides.
        return tuple(solved(slope(x, weight) - g, weight) for x, g in zip(a, gradient, strict=True))

    def _direction(self, duels: int) -> Arm:
        return direction(self._key, self._iteration(duels), self.config.dim)

    def _weight(self, duels: int) -> float:
        """Return λ η t + 2 μ, the curvature that is added to that of the barrier."""
        t = self._iteration(duels) + 1
        return self.config.convexity * self.eta * t + 2 * self.config.regularisation

    def _roots(self, duels: int, a: Arm) -> list[float]:
        """Return the diagonal of H^(1/2), of which H is the Hessian of R_t at a."""
        weight = self._weight(duels)
        return [math.sqrt(curvature(x, weight)) for x in a]
