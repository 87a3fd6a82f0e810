"""landscape: a landscape made of any utility of the user's own."""

from collections.abc import Callable
from typing import Any

import numpy as np

from duelli import _check
from duelli._arrays import Array
from duelli.boxes import Box
from duelli.cubes import Arm
from duelli.landscapes.base import Landscape, values_of
from duelli.landscapes.forms import OfRows, OfTuples
from duelli.landscapes.search import check_best_arm, search


def landscape(
    f: Callable[[Any], Any],
    dim: int,
    *,
    best_arm: Arm | None = None,
    lipschitz: float = 1.0,
    zooming_dim: float = 0.0,
    name: str = "custom",
    box: Box | None = None,
) -> Landscape:
    """Return a landscape made of any utility on [0, 1]^dim.

    Args:
        f: A vectorised function from shape ``(n, dim)`` to ``(n,)``; or a numba function, either
            vectorised likewise or of one arm. If it takes the arm as a tuple, the per-duel engine
            compiles it into its loop.
        dim: d, the number of coordinates.
        best_arm: x*, which is checked: regret is measured from its utility. If None, it is searched
            for on a grid and polished, which is meant for smooth utilities of few dimensions.
        lipschitz: L in the maximum norm.
        zooming_dim: d_z.
        name: The name that tables and reports show.
        box: The user's units, for reports; the unit box if None.

    Raises:
        ValueError: If a search finds an arm of a clearly larger utility than ``best_arm``.
    """
    dim = _check.whole("dim", dim, 1)
    if not callable(f):
        raise TypeError(f"f must be a function from shape (n, dim) to (n,); got {f!r}")
    pointwise, values = _vectorised(f, dim)
    values_of(values, np.full((dim + 2, dim), 0.5))  # a function of one arm would give dim values
    searched = best_arm is None
    made = Landscape(
        name=name,
        dim=dim,
        values=values,
        best_arm=_check.arm("best_arm", search(values, dim) if searched else best_arm, dim),
        lipschitz=_check.positive("lipschitz", lipschitz),
        zooming_dim=_check.at_least("zooming_dim", zooming_dim, 0.0),
        box=Box.unit(dim) if box is None else box,
        pointwise=pointwise,
    )
    if not searched:
        check_best_arm(made)
    return made


def _vectorised(f: Callable[[Any], Any], dim: int) -> tuple[Any, Callable[[Array], Array]]:
    """Return ``f`` for compiled loops, None if it cannot be used there, and ``f`` on many arms.

    A numba function may take one arm, as a tuple or as an array, instead of many.
    """
    compiled = hasattr(f, "py_func")  # the mark of numba's functions, known without numba
    if compiled and _shape(f, (0.5,) * dim) == ():
        return f, OfTuples(f)
    many = _shape(f, np.full((dim + 2, dim), 0.5)) == (dim + 2,)
    if compiled and not many and _shape(f, np.full(dim, 0.5)) == ():
        return None, OfRows(f)
    return None, f


def _shape(f: Callable[[Any], Any], arms: Any) -> tuple[int, ...] | None:
    """Return the shape of what ``f`` makes of ``arms``; None if it refuses them."""
    try:
        shape: tuple[int, ...] = np.shape(f(arms))
    except Exception:  # there are many ways to refuse; the vectorised call will say why
        return None
    return shape
