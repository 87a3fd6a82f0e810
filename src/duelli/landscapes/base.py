"""Landscape: a utility on [0, 1]^dim with what is known of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from duelli._arrays import Array
from duelli.boxes import Box
from duelli.cubes import Arm


@dataclass(frozen=True, kw_only=True, eq=False)
class Landscape:
    """A utility f on [0, 1]^dim.

    Args:
        name: The name that tables and reports show.
        dim: d, the number of coordinates.
        values: f on many arms, from shape ``(n, dim)`` to shape ``(n,)``; if it has an attribute
            ``at``, that is f of one arm, a tuple of floats.
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
    _at: Callable[[Arm], Any] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_at", getattr(self.values, "at", None) or self.pointwise)
        object.__setattr__(self, "best_utility", float(self.utility(np.array([self.best_arm]))[0]))

    def __reduce__(self) -> tuple[Any, ...]:
        given = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
        return _remade, (given,)

    def utility(self, xs: Array) -> Array:
        """Return f at each row of ``xs``, shape ``(n, dim)``; refuse what is not finite."""
        utilities = values_of(self.values, xs)
        finite = np.isfinite(utilities)
        if not finite.all():
            worst = int(np.argmin(finite))
            raise ValueError(
                f"utility must be finite; got {utilities[worst]} at {tuple(map(float, xs[worst]))}"
            )
        return utilities

    def utility_at(self, arm: Arm) -> float:
        """Return f at one arm, tuple in and float out."""
        if self._at is not None and math.isfinite(utility := float(self._at(arm))):
            return utility
        return float(self.utility(np.array([arm]))[0])  # which names a value that is not finite


def _remade(given: dict[str, Any]) -> Landscape:
    return Landscape(**given)


def values_of(f: Callable[[Array], Any], xs: Array) -> Array:
    """Return f at each row of ``xs``, one value per arm."""
    utilities = np.asarray(f(xs), dtype=np.float64)
    if utilities.shape != (len(xs),):
        raise ValueError(
            f"utility must map shape {xs.shape} to {(len(xs),)}, one value per arm; "
            f"got {utilities.shape}"
        )
    return utilities
