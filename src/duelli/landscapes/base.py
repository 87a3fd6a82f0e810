"""Landscape: a utility on [0, 1]^dim with what is known of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from duelli import _check
from duelli.boxes import Box
from duelli.cubes import Arm

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Landscape:
    """A utility f on [0, 1]^dim.

    Args:
        name: What it is called.
        dim: d, the number of coordinates.
        values: f on many arms, from shape ``(n, dim)`` to shape ``(n,)``.
        best_arm: x*, an arm of the largest utility.
        lipschitz: L, with abs(f(x) - f(y)) <= L max_i abs(x_i - y_i).
        zooming_dim: d_z, where it is known.
        box: The user's units; utilities are functions of the unit coordinates all the same.
        pointwise: f of one arm, a tuple, in the part of Python that numba compiles; None if f is
            known on arrays only.
    """

    name: str
    dim: int
    values: Callable[[Array], Array]
    best_arm: Arm
    lipschitz: float
    zooming_dim: float
    box: Box
    pointwise: Callable[[Any], Any] | None = None
    best_utility: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "best_utility", float(self.utility(np.array([self.best_arm]))[0]))

    def utility(self, xs: Array) -> Array:
        """Return f at each row of ``xs``, shape ``(n, dim)``; refuse what is not finite."""
        found = _values(self.values, xs)
        finite = np.isfinite(found)
        if not finite.all():
            worst = int(np.argmin(finite))
            raise ValueError(
                f"utility must be finite; got {found[worst]} at {tuple(map(float, xs[worst]))}"
            )
        return found

    def utility_at(self, arm: Arm) -> float:
        """Return f at one arm, tuple in and float out."""
        if self.pointwise is not None and math.isfinite(found := float(self.pointwise(arm))):
            return found
        return float(self.utility(np.array([arm]))[0])  # which names a value that is not finite


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
        best_arm: x*; if None it is looked for on a grid and polished, which is meant for smooth
            utilities of few dimensions.
        lipschitz: L in the maximum norm.
        zooming_dim: d_z.
        name: What to call it.
        box: The user's units, for reports; the unit box if None.
    """
    dim = _check.whole("dim", dim, 1)
    if not callable(f):
        raise TypeError(f"f must be a function from shape (n, dim) to (n,); got {f!r}")
    pointwise, values = _vectorised(f, dim)
    _values(values, np.full((dim + 2, dim), 0.5))  # a function of one arm would give dim values
    if best_arm is None:
        best_arm = _search(values, dim)
    return Landscape(
        name=name,
        dim=dim,
        values=values,
        best_arm=_check.arm("best_arm", best_arm, dim),
        lipschitz=_check.positive("lipschitz", lipschitz),
        zooming_dim=_check.at_least("zooming_dim", zooming_dim, 0.0),
        box=Box.unit(dim) if box is None else box,
        pointwise=pointwise,
    )


def _values(f: Callable[[Array], Any], xs: Array) -> Array:
    """Return f at each row of ``xs``, one value per arm."""
    found = np.asarray(f(xs), dtype=np.float64)
    if found.shape != (len(xs),):
        raise ValueError(
            f"utility must map shape {xs.shape} to {(len(xs),)}, one value per arm; "
            f"got {found.shape}"
        )
    return found


def _vectorised(f: Callable[[Any], Any], dim: int) -> tuple[Any, Callable[[Array], Array]]:
    """Return ``f`` as a loop can compile it, if it can, and ``f`` as a function of many arms.

    A numba function may take one arm, as a tuple or as an array, instead of many.
    """
    compiled = hasattr(f, "py_func")  # numba's mark, seen without importing numba
    if compiled and _shape(f, (0.5,) * dim) == ():
        return f, lambda xs: np.array([f(tuple(row)) for row in xs.tolist()])
    many = _shape(f, np.full((dim + 2, dim), 0.5)) == (dim + 2,)
    if compiled and not many and _shape(f, np.full(dim, 0.5)) == ():
        return None, lambda xs: np.array([f(row) for row in xs])
    return None, f


def _shape(f: Callable[[Any], Any], arms: Any) -> tuple[int, ...] | None:
    """Return the shape of what ``f`` makes of ``arms``; None if it refuses them."""
    try:
        found: tuple[int, ...] = np.shape(f(arms))
    except Exception:  # there are many ways to refuse; the vectorised call will say why
        return None
    return found


def _search(values: Callable[[Array], Array], dim: int) -> Arm:
    """Return the best of a grid of some 4000 points, refined by ever smaller grids around it."""
    side = max(3, int(4000 ** (1 / dim)))
    ticks = np.stack(np.meshgrid(*[np.linspace(0, 1, side)] * dim, indexing="ij"), -1)
    offsets = ticks.reshape(-1, dim) - 0.5
    centre, width = np.full(dim, 0.5), 1.0
    while width > 1e-9:
        arms = np.clip(centre + width * offsets, 0.0, 1.0)
        centre = arms[int(np.argmax(values(arms)))]
        width *= 4.0 / side if side > 8 else 0.7
    return tuple(map(float, centre))
