"""Forms of a utility: callables on arrays of arms that also know how to take one arm.

Each is called with many arms, shape ``(n, dim)``, and returns their utilities, shape ``(n,)``.
Its method or attribute ``at`` takes one arm, a tuple of floats, and is as fast as can be. They are
classes instead of closures so that a landscape can be pickled and copied.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from duelli._arrays import Array
from duelli.cubes import Arm


class _FloatFunctions(SimpleNamespace):
    """Functions for single floats, which are far faster there than NumPy's; NumPy has the rest."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


FLOATS = _FloatFunctions(sqrt=math.sqrt, abs=abs, minimum=min, maximum=max)


class Formula:
    """A function of a tuple of coordinates, which may be floats or arrays.

    Args:
        formula: A plain function of a module that imports NumPy as ``np``.
    """

    def __init__(self, formula: Callable[[Any], Any]) -> None:
        assert isinstance(formula, FunctionType)
        self.formula = formula
        self.at: Callable[[Arm], float] = FunctionType(
            formula.__code__, {**formula.__globals__, "np": FLOATS}, formula.__name__
        )

    def __call__(self, xs: Array) -> Array:
        """Return the utilities of the rows of ``xs``."""
        utilities: Array = self.formula(tuple(xs.T))
        return utilities

    def __reduce__(self) -> tuple[Any, ...]:
        return Formula, (self.formula,)


class OfTuples:
    """A compiled function of one arm, given as a tuple."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.at = function

    def __call__(self, xs: Array) -> Array:
        """Return the utilities of the rows of ``xs``."""
        return np.array([self.at(tuple(row)) for row in xs.tolist()])


class OfRows:
    """A compiled function of one arm, given as an array."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function

    def __call__(self, xs: Array) -> Array:
        """Return the utilities of the rows of ``xs``."""
        return np.array([self.function(row) for row in xs])

    def at(self, arm: Arm) -> float:
        """Return the utility of one arm."""
        return float(self.function(np.array(arm)))


@dataclass(frozen=True)
class Moved:
    """A utility whose best arm has been moved from ``origin`` to ``best``, some axes mirrored.

    Args:
        values: The utility that is moved.
        origin: The best arm before.
        best: The best arm after.
        signs: -1.0 for each axis that is mirrored, 1.0 for the others.
    """

    values: Callable[[Array], Array]
    origin: Arm
    best: Arm
    signs: Arm

    def __call__(self, xs: Array) -> Array:
        """Return the utilities of the rows of ``xs``."""
        return self.values(np.array(self.origin) + np.array(self.signs) * (xs - self.best))

    def at(self, arm: Arm) -> float:
        """Return the utility of one arm."""
        sides = zip(self.origin, self.signs, arm, self.best, strict=True)
        return self._inner(tuple(o + s * (x - b) for o, s, x, b in sides))

    def _inner(self, arm: Arm) -> float:
        at: Callable[[Arm], float] | None = getattr(self.values, "at", None)
        return at(arm) if at is not None else float(self.values(np.array([arm]))[0])
