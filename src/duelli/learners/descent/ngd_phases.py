"""The phases of β-NGD and of (α, β)-NGD: how far to probe and to step, and for how long.

Saha, Koren, Mansour (2021), "Dueling convex optimization", ICML,
https://proceedings.mlr.press/v139/saha21b.html. The formulas are those of an R package that
implements it, under the names that the parameters have there.
"""

import math
from typing import NamedTuple

from duelli.learners.descent.inputs import fitting

ROOT = math.sqrt(2) - 1
PROBE, STEP = 0.1, 0.02


class Phase(NamedTuple):
    """One phase: γ, η, and the number of its iterations, None if it has no end."""

    probe: float
    step: float
    iterations: int | None


def practical_phases(count: int, iterations: int) -> list[Phase]:
    """Return phases of equal length with steps that fall by √2, as those of the theory do."""
    each = max(1, iterations // count)
    steps = [STEP / math.sqrt(2) ** k for k in range(count)]
    ended = [Phase(PROBE, step, each) for step in steps[:-1]]
    return [*ended, Phase(PROBE, steps[-1], None)]


def beta_phase(dim: int, target: float, smoothness: float, distance: float) -> Phase:
    """Return the only phase of β-NGD.

    Args:
        dim: d.
        target: ε, the gap that is aimed at.
        smoothness: β.
        distance: D, the squared distance of the first point from the best one.
    """
    iterations = math.ceil(dim * smoothness * distance / target)  # T = d β D / ε
    return _phase(dim, target, smoothness, distance, iterations)


def alpha_beta_phases(
    dim: int, count: int, *, convexity: float, smoothness: float, distance: float
) -> list[Phase]:
    """Return the phases of (α, β)-NGD: ε_k = α / 2^k, D for the first and 1 for the others.

    Departs: F66 (ε_k falls in every phase).
    """
    each = 800 * dim * smoothness / (ROOT * convexity)  # t = 800 d β / ((√2 - 1) α)
    first = _phase(dim, convexity / 2, smoothness, distance, math.ceil(each * distance))
    others = [
        _phase(dim, convexity / 2**k, smoothness, 1.0, math.ceil(2 * each))  # t_k = 2 t
        for k in range(2, count + 1)
    ]
    return [first, *others]


def _phase(dim: int, target: float, smoothness: float, distance: float, iterations: int) -> Phase:
    """Return γ and η for a gap of ε after so many iterations."""
    step = math.sqrt(target) / (20 * math.sqrt(dim * smoothness))  # η = √ε / (20 √(d β))
    reach = distance + step * iterations  # D + η T, in γ
    logarithm = math.log(480 * math.sqrt(smoothness * dim) * reach / math.sqrt(2 * target))
    scale = 240 * math.sqrt(2) * dim * reach**2 * math.sqrt(max(1.0, logarithm))
    return Phase(fitting(math.pow(target / smoothness, 1.5) / scale), step, iterations)  # γ
