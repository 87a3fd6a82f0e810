"""Landscapes: the utilities that duels are fought over, with the truth about them.

``LANDSCAPES`` holds the paper's eleven; `landscape` makes one of any function, `generated_shape`
draws one of the kinds in ``SHAPES`` at random, and `practice_problem` one of ``PROBLEMS``, which
are calibrated to what judges can tell apart. The Lipschitz constants are those of the maximum norm,
which the paper assumes to be 1: a Euclidean cone has the square root of ``dim``
(docs/fidelity.md, F8).
"""

import math
from collections.abc import Callable
from typing import Any

from duelli.boxes import Box
from duelli.cubes import Arm
from duelli.landscapes import shapes
from duelli.landscapes.base import Landscape
from duelli.landscapes.copies import shifted_copy
from duelli.landscapes.custom import landscape
from duelli.landscapes.forms import Formula
from duelli.landscapes.generated import SHAPES, generated_shape
from duelli.landscapes.practice import CLARITIES, PROBLEMS, practice_problem

__all__ = [
    "CLARITIES",
    "LANDSCAPES",
    "PROBLEMS",
    "SHAPES",
    "Landscape",
    "generated_shape",
    "landscape",
    "practice_problem",
    "shifted_copy",
]


def _paper(
    name: str,
    formula: Callable[[Any], Any],
    best_arm: Arm,
    *,
    zooming_dim: float = 0.0,
    lipschitz: float | None = None,
    box: Box | None = None,
) -> Landscape:
    dim = len(best_arm)
    return Landscape(
        name=name,
        dim=dim,
        values=Formula(formula),
        best_arm=best_arm,
        lipschitz=math.sqrt(dim) if lipschitz is None else lipschitz,
        zooming_dim=zooming_dim,
        box=Box.unit(dim) if box is None else box,
        pointwise=formula,
    )


LANDSCAPES: dict[str, Landscape] = {
    each.name: each
    for each in (
        _paper("two_cones", shapes.two_cones, (0.3, 0.1)),
        _paper("two_cones_linf", shapes.two_cones_linf, (0.3, 0.1), lipschitz=1.0),
        _paper("two_cones_3d", shapes.two_cones_deep, (0.3, 0.1, 0.5)),
        _paper("two_cones_4d", shapes.two_cones_deep, (0.3, 0.1, 0.5, 0.5)),
        _paper(
            "two_cones_scaled",
            shapes.two_cones_scaled,
            (0.3, 0.1),
            lipschitz=10 * math.sqrt(2),
            box=Box([(0, 10)] * 2),
        ),
        _paper("flat", shapes.flat, (0.78, 0.22), zooming_dim=4 / 3, lipschitz=0.9 * math.sqrt(2)),
        _paper("plateau", shapes.plateau, (0.5, 0.5), zooming_dim=2.0),
        _paper("quadratic", shapes.quadratic, (0.5, 0.5), zooming_dim=1.0),
        _paper("ridge", shapes.ridge, (0.78, 0.5), zooming_dim=1.0),
        _paper("sharp", shapes.sharp, (0.5, 0.5)),
        _paper("two_peaks", shapes.two_peaks, (0.2, 0.2), lipschitz=1.0),
    )
}
