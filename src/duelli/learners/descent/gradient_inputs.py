"""The inputs of the comparison gradient, and its gains.

Zhang, Li (2024), "Comparisons are all you need for optimizing smooth functions",
https://arxiv.org/abs/2405.11454. Departs: F67 (practical gains, constants of the theory from
memory).
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from duelli import _check
from duelli.cubes import Arm
from duelli.learners.descent.gains import block_size
from duelli.learners.descent.inputs import GAINS, fitting, half_width, optional, settle
from duelli.learners.descent.votes import Stages, power_of_two

PROBE, STEP, ACCURACY = 0.1, 0.2, 0.25
LEAST_ACCURACY = 1e-9  # floats cannot tell more


class GradientPlan(NamedTuple):
    """Half the distance of two points, η, δ, and the number of moves, None if it has no end."""

    probe: float
    step: float
    accuracy: float
    moves: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonGradientConfig:
    """The inputs of the comparison gradient.

    Args:
        dim: d, the number of coordinates.
        horizon: The number of duels.
        gains: "practical" has a probe of 0.1, steps of 0.2 / √k and an accuracy of 0.25; "theory"
            has those of the paper, which suit a judge without noise, and rests after the last move.
        probe: The distance of the two points of a test from x; that of ``gains`` if None.
        step: η, how far x moves at first; that of ``gains`` if None.
        accuracy: δ, how far the direction may be off; that of ``gains`` if None.
        cap: The most duels of one test, after which the majority decides; about √horizon if None.
            It is 1 for a judge without noise, and rounded down to a power of 2. A long run has
            more, so that it has 20 000 steps at most.
        failure_prob: The probability with which a test may be wrong that ends before the cap.
        target: ε, the gap of the utility that is aimed at, for the gains "theory" only.
        smoothness: L, the largest curvature of the utility, for the gains "theory" only.
        start: The first point; the middle of the box if None.
        seed: Seed of the coins that break ties.
    """

    dim: int
    horizon: int
    gains: str = "practical"
    probe: float | None = None
    step: float | None = None
    accuracy: float | None = None
    cap: int | None = None
    failure_prob: float = 0.05
    target: float = 0.01
    smoothness: float = 1.0
    start: Arm | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        _check.one_of("gains", self.gains, GAINS)
        cap = None if self.cap is None else power_of_two(_check.whole("cap", self.cap, 1))
        settle(
            self,
            probe=optional(half_width, "probe", self.probe),
            step=optional(_check.positive, "step", self.step),
            accuracy=optional(_check.positive, "accuracy", self.accuracy),
            cap=cap,
            failure_prob=_check.probability("failure_prob", self.failure_prob),
            target=_check.positive("target", self.target),
            smoothness=_check.positive("smoothness", self.smoothness),
        )

    def stages(self) -> Stages:
        """Return the stages of a test."""
        cap = power_of_two(math.isqrt(self.horizon)) if self.cap is None else self.cap
        least = power_of_two(2 * block_size(self.horizon) - 1)  # the next power of 2
        return Stages(self.failure_prob, max(cap, least), least)

    def plan(self) -> GradientPlan:
        """Return probe, step, accuracy and the number of moves."""
        plan = GradientPlan(PROBE, STEP, ACCURACY, None)
        if self.gains == "theory":
            plan = theory_plan(self.dim, self.target, self.smoothness)
        return GradientPlan(
            plan.probe if self.probe is None else self.probe,
            plan.step if self.step is None else self.step,
            max(LEAST_ACCURACY, plan.accuracy if self.accuracy is None else self.accuracy),
            plan.moves,
        )


def theory_plan(dim: int, target: float, smoothness: float) -> GradientPlan:
    """Return what a convex cost wants, with R, half the diagonal of the box.

    η = √(2ε/L), δ = η / (4R), a gradient of at least γ = ε / (2R), a shift of 2Δ/L with
    Δ = δγ / (4 d^(3/2)), and L R² / ε moves. Departs: F67 (constants from memory).
    """
    radius = math.sqrt(dim) / 2
    step = math.sqrt(2 * target / smoothness)  # NGD, convex: η
    accuracy = step / (4 * radius)  # NGD, convex: δ
    slope = accuracy * target / (2 * radius) / (4 * math.pow(dim, 1.5))  # Δ, with γ = ε / 2R
    moves = math.ceil(smoothness * radius**2 / target)  # NGD, convex: T
    # Directional test: the points are 2 Δ / L apart.
    return GradientPlan(fitting(slope / smoothness), step, accuracy, moves)
