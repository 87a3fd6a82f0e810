"""Copies of a landscape, mirrored and shifted at random, so that no learner is flattered.

An optimum such as (0.5, 0.5) lies on a corner of every dyadic grid; (0.3, 0.1) lies where a
lexicographic walk comes early. A copy has the same shape elsewhere.
"""

from dataclasses import replace

import numpy as np

from duelli import _rng
from duelli.landscapes.base import Landscape
from duelli.landscapes.forms import Moved

REACH = 0.1  # each coordinate of the best arm moves by at most this
MARGIN = 0.02  # and stays this far inside the box


def shifted_copy(landscape: Landscape, seed: int) -> Landscape:
    """Return a copy of ``landscape``: each axis mirrored or not, then shifted by up to 0.1.

    The formula must be defined a little beyond the box, as the paper's are. The Lipschitz constant
    and the zooming dimension are those of the original.

    Args:
        landscape: The landscape to copy.
        seed: Seed of the axes that are mirrored and of the shift.
    """
    seed = _rng.check_seed(seed)
    rng = _rng.stream(seed, "copy")
    dim = landscape.dim
    mirrored = rng.random(dim) < 0.5
    origin = np.array(landscape.best_arm)
    moved = np.where(mirrored, 1 - origin, origin)
    best = np.clip(moved + rng.uniform(-REACH, REACH, dim), MARGIN, 1 - MARGIN)
    best_arm = tuple(best.tolist())
    signs = tuple(-1.0 if each else 1.0 for each in mirrored)
    return replace(
        landscape,
        name=f"{landscape.name}, copy {seed}",
        values=Moved(landscape.values, landscape.best_arm, best_arm, signs),
        best_arm=best_arm,
        pointwise=None,
    )
