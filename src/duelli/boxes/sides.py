"""Sides: how the user writes a parameter, and which kind it then is."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, SupportsFloat

import numpy as np
import numpy.typing as npt

from duelli import _check
from duelli.parameters import (
    REAL_SCALES,
    SCALES,
    Choices,
    Continuous,
    Fixed,
    Parameter,
    Scalar,
    Whole,
)

Side = Sequence[Any] | npt.NDArray[Any] | Parameter | Scalar
Sides = Mapping[str, Side] | Sequence[Side] | npt.NDArray[Any]


def choice(*values: Scalar) -> Choices:
    """Return a parameter that is one of ``values``.

    A list says the same, ``["adam", "sgd"]``, unless it is two numbers, which are read as bounds.

    >>> Box({"rate": (0.1, 1.0), "workers": choice(1, 8)})
    Box(rate: [0.1, 1], workers: 1 | 8)
    """
    return Choices("choice", values)


def numbered(sides: Sequence[Side] | npt.NDArray[Any]) -> dict[str, Side]:
    """Return sides without names with the names x1, x2, ..."""
    return {f"x{i + 1}": side for i, side in enumerate(sides)}


def parameter(name: object, side: Side) -> Parameter:
    """Return the parameter that the user wrote as ``side``."""
    if not isinstance(name, str) or not name:
        raise TypeError(f"the name of a parameter must be a string that is not empty; got {name!r}")
    if isinstance(side, Parameter):
        return replace(side, name=name)  # type: ignore[type-var]  # every kind is a dataclass
    side = side.tolist() if isinstance(side, np.ndarray | np.generic) else side
    if isinstance(side, Scalar):
        return Fixed(name, side)
    if isinstance(side, list) and not _is_bounds(side):
        return Choices(name, tuple(side))
    words = isinstance(side, Sequence) and all(isinstance(entry, str) for entry in side)
    if words or not isinstance(side, Sequence) or len(side) not in (2, 3):
        rule = f"{name} must be (low, high), (low, high, scale), a list of choices or a fixed value"
        raise ValueError(f"{rule}; got {side!r}")
    return bounds(name, *side)


def _is_bounds(side: list[Any]) -> bool:
    """Tell whether a list is bounds, not choices: two numbers, and maybe a scale."""
    numbers = [each for each in side[:2] if not isinstance(each, bool | str)]
    real = len(numbers) == 2 and all(isinstance(each, SupportsFloat) for each in numbers)
    return real and (len(side) == 2 or (len(side) == 3 and side[2] in SCALES))


def bounds(name: str, low: Any, high: Any, scale: Any = "linear") -> Parameter:
    """Return the number that lies between two bounds on a scale."""
    _check.one_of(f"{name}.scale", scale, SCALES)
    kind = Continuous if scale in REAL_SCALES else Whole
    return kind(name, low, high, scale)
