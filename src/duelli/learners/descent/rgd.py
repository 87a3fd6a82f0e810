"""Relative Gradient Descent: opposite points show the slope, however weak the preference is.

Saha, Koren, Mansour (2025), "Dueling convex optimization with general preferences", ICML,
https://proceedings.mlr.press/v267/saha25a.html. Its formulas are taken here for p = 1, as all links
of duelli have a positive slope. Departs: F60 (blocks, the answer) and F62 (walls, practical gains).
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from duelli import _check
from duelli.blocks import Tally
from duelli.cubes import Arm
from duelli.learners.base import takes
from duelli.learners.descent.inputs import GAINS, fitting, half_width, optional, settle
from duelli.learners.descent.moves import clipped, direction, either_side, moved
from duelli.learners.descent.walker import Walker

PROBE, STEP = 0.2, 0.01
SHARE = 1 / 20  # c~, the constant of the theorems
SLOPE_MIN = 0.1966  # of the logistic link on [-1, 1]
WALLS = ("clip", "margin")


@dataclass(frozen=True, slots=True, kw_only=True)
class RgdConfig:
    """The inputs of RGD.

    Args:
        dim: d, the number of coordinates.
        horizon: The number of duels.
        gains: "practical" has a probe of 0.2 and a step of 0.01; "theory" has those of Theorem 3,
            which need some 10^9 duels.
        probe: γ, the distance of the two points from w; that of ``gains`` if None.
        step: η, how far w moves; that of ``gains`` if None.
        target: ε, the gap of the utility that is aimed at, for the gains "theory" only.
        smoothness: β, the largest curvature of the utility, for the gains "theory" only.
        slope_min: λ, the smallest slope of the link, for the gains "theory" only.
        walls: "margin" keeps w so far from the walls that both points lie in the box; "clip" lets
            w come to a wall and moves the points that lie outside to it, which bends the slope.
        start: The first point; the middle of the box if None.
        seed: Seed of the directions.
    """

    dim: int
    horizon: int
    gains: str = "practical"
    probe: float | None = None
    step: float | None = None
    target: float = 0.1
    smoothness: float = 1.0
    slope_min: float = SLOPE_MIN
    walls: str = "margin"
    start: Arm | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        _check.one_of("gains", self.gains, GAINS)
        _check.one_of("walls", self.walls, WALLS)
        settle(
            self,
            probe=optional(half_width, "probe", self.probe),
            step=optional(_check.positive, "step", self.step),
            **{
                name: _check.positive(name, getattr(self, name))
                for name in ("target", "smoothness", "slope_min")
            },
        )

    def distances(self) -> tuple[float, float]:
        """Return γ and η."""
        probe, step = PROBE, STEP
        if self.gains == "theory":
            slope = 2 * self.slope_min  # c_ρ, as outcomes are -1 and 1 in the paper
            probe, step = theory_gains(self.dim, self.target, self.smoothness, slope)
        return (
            fitting(probe) if self.probe is None else self.probe,
            step if self.step is None else self.step,
        )


def theory_gains(dim: int, target: float, smoothness: float, slope: float) -> tuple[float, float]:
    """Return γ and η of Theorem 3 for p = 1, with D = √d, the diagonal of the box."""
    diagonal = math.sqrt(dim)
    probe = SHARE * target / (smoothness * math.sqrt(dim) * diagonal)  # Theorem 3: γ
    # Theorem 3: η = p c_ρ c~^(2p-1) ε^(2p) / (d^((2p+1)/2) β^p D^(2p-1))
    step = slope * SHARE * target**2 / (math.pow(dim, 1.5) * smoothness * diagonal)
    return probe, step


def summed(step: float, n: int, probe: float) -> float:
    """Return the step of ``n`` iterations at once: their sum, but no more than the probe (F60)."""
    return max(step, min(step * n, probe))


class Rgd(Walker[RgdConfig]):
    """Relative Gradient Descent: w moves towards the better one of two opposite points.

    Its keyword arguments are those of `RgdConfig`. It plays exactly ``horizon`` duels and never an
    arm against itself, whether regret or the answer counts.

    >>> learner = Rgd(dim=2, horizon=1000)
    >>> learner.progress().reference
    (0.5, 0.5)
    """

    Config: ClassVar[type] = RgdConfig

    @takes(RgdConfig)
    def __init__(self, config: RgdConfig) -> None:
        self.probe, self.step = config.distances()
        self.margin = self.probe if config.walls == "margin" else 0.0
        super().__init__(config)

    def _pair(self, duels: int, theta: Arm) -> tuple[Arm, Arm]:
        u = direction(self._key, self._iteration(duels), self.config.dim)
        if self.config.walls == "clip":
            return moved(theta, u, self.probe), moved(theta, u, -self.probe)
        return either_side(theta, u, self.probe)  # Step: w + γ u and w - γ u

    def _moved(self, duels: int, theta: Arm, tally: Tally) -> Arm:
        u = direction(self._key, self._iteration(duels), self.config.dim)
        outcome = 2 * tally.wins / tally.n - 1  # -o, as the paper has costs
        move = summed(self.step, tally.n, self.probe) * outcome
        return moved(clipped(theta, self.margin), u, move, self.margin)  # Step: Π(w - η o u)
