"""Copies of a landscape, mirrored and shifted at random, so that no learner is flattered.

An optimum such as (0.5, 0.5) lies on a corner of every dyadic grid; (0.3, 0.1) lies where a
lexicographic walk comes early. A copy has the same shape elsewhere.
"""

from dataclasses import replace

import numpy as np

from duelli import _rng
from duelli.landscapes.base import Array, Landscape

REACH = 0.1  # each coordinate of the best arm moves by at most this
MARGIN = 0.02  # and stays this far inside the box


def shifted_copy(landscape: Landscape, seed: int) -> Landscape:
    """Return a copy of ``landscape``: each axis mirrored or not, then shifted by up to 0.1.

    The formula must be defined a little beyond the box, as the paper's are. The Lipschitz constant
    and the zooming dimension are those of the original.
    """
    rng = _rng.stream(_rng.check_seed(seed), "copy")
    dim = landscape.dim
    mirrored = rng.random(dim) < 0.5
    origin = np.array(landscape.best_arm)
    moved = np.where(mirrored, 1 - origin, origin)
    best = np.clip(moved + rng.uniform(-REACH, REACH, dim), MARGIN, 1 - MARGIN)
    signs = np.where(mirrored, -1.0, 1.0)

    def values(xs: Array) -> Array:
        return landscape.values(origin + signs * (xs - best))

    return replace(
        landscape,
        name=f"{landscape.name}, copy {seed}",
        values=values,
        best_arm=tuple(map(float, best)),
        pointwise=None,
    )
