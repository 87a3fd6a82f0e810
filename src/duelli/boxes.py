"""Box: the user's own parameters and units on one side, [0, 1]^dim on the other.

This is the only place that rescales.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from duelli import _check
from duelli.cubes import Arm

SCALES = ("linear", "log")
Point = Mapping[str, float] | Sequence[float] | npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One side of a box.

    Args:
        name: What the user calls it.
        low: Its smallest value.
        high: Its largest value, above ``low``.
        scale: "linear", or "log" where equal ratios are equal steps (then ``low`` is above 0).
    """

    name: str
    low: float
    high: float
    scale: str = "linear"

    def __post_init__(self) -> None:
        low = _check.real(f"{self.name}.low", self.low)
        high = _check.real(f"{self.name}.high", self.high)
        if low >= high:
            raise ValueError(f"{self.name}.low must be below {self.name}.high; got {low}, {high}")
        _check.one_of(f"{self.name}.scale", self.scale, SCALES)
        if self.scale == "log" and low <= 0:
            raise ValueError(f"{self.name}.low must be above 0 on a log scale; got {low}")
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    def to_raw(self, unit: float) -> float:
        """Return the value that lies the share ``unit`` of the way up."""
        if unit in (0.0, 1.0):  # the ends are the user's own numbers, to the last digit
            return self.high if unit else self.low
        if self.scale == "log":
            raw = math.exp((1 - unit) * math.log(self.low) + unit * math.log(self.high))
        else:
            raw = (1 - unit) * self.low + unit * self.high
        return min(max(raw, self.low), self.high)  # rounding must not leave the box

    def to_unit(self, raw: object) -> float:
        """Return how far up ``raw`` lies, from 0 at ``low`` to 1 at ``high``."""
        value = _check.real(self.name, raw)
        if not self.low <= value <= self.high:
            raise ValueError(f"{self.name} must lie in [{self.low}, {self.high}]; got {value}")
        if self.scale == "log":
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


class Box:
    """A box of named parameters in the user's own units.

    >>> box = Box({"depth": (1, 9), "rate": (1e-4, 1e-1, "log")})
    >>> box.to_raw((0.5, 0.0))
    {'depth': 5.0, 'rate': 0.0001}

    Args:
        sides: Name -> (low, high) or (low, high, "log"); or just the bounds, one pair a
            dimension, and then points are arrays instead of dicts.
    """

    def __init__(self, sides: Mapping[str, Sequence[Any]] | Sequence[Sequence[Any]]) -> None:
        if not isinstance(sides, Mapping | Sequence | np.ndarray):
            raise TypeError(f"box must be names with bounds, or a list of bounds; got {sides!r}")
        self.named = isinstance(sides, Mapping)
        items = (
            sides.items()
            if isinstance(sides, Mapping)
            else [(f"x{i + 1}", bounds) for i, bounds in enumerate(sides)]
        )
        self.parameters = tuple(_parameter(name, bounds) for name, bounds in items)
        if not self.parameters:
            raise ValueError("box must have at least one parameter; got none")

    @classmethod
    def unit(cls, dim: int) -> "Box":
        """Return [0, 1]^dim, whose points are arrays."""
        return cls([(0.0, 1.0)] * _check.whole("dim", dim, 1))

    @property
    def dim(self) -> int:
        """How many parameters there are."""
        return len(self.parameters)

    @property
    def names(self) -> tuple[str, ...]:
        """What the parameters are called, in order."""
        return tuple(side.name for side in self.parameters)

    def to_raw(self, arm: Arm) -> dict[str, float] | npt.NDArray[np.float64]:
        """Return the user's point for ``arm``: a dict, or an array if the box has no names."""
        arm = _check.arm("arm", arm, self.dim)
        raw = [side.to_raw(unit) for side, unit in zip(self.parameters, arm, strict=True)]
        return dict(zip(self.names, raw, strict=True)) if self.named else np.array(raw)

    def to_unit(self, point: Point) -> Arm:
        """Return the arm of [0, 1]^dim that stands for the user's ``point``."""
        if isinstance(point, Mapping):
            if set(point) != set(self.names):
                raise ValueError(f"point must have the keys {self.names}; got {tuple(point)}")
            point = [point[name] for name in self.names]
        if not isinstance(point, Sequence | np.ndarray):
            raise TypeError(f"point must be a dict, a sequence or an array; got {point!r}")
        if len(point) != self.dim:
            raise ValueError(
                f"point must have shape ({self.dim},), one entry per dimension; got ({len(point)},)"
            )
        return tuple(side.to_unit(raw) for side, raw in zip(self.parameters, point, strict=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and (self.parameters, self.named) == (
            other.parameters,
            other.named,
        )

    def __hash__(self) -> int:
        return hash((self.parameters, self.named))

    def __repr__(self) -> str:
        sides = ", ".join(
            f"{side.name}: [{side.low:g}, {side.high:g}]{' log' * (side.scale == 'log')}"
            for side in self.parameters
        )
        return f"Box({sides})"


def _parameter(name: str, bounds: Sequence[Any]) -> Parameter:
    pair = isinstance(bounds, Sequence | np.ndarray) and not isinstance(bounds, str)
    if not pair or len(bounds) not in (2, 3):
        raise ValueError(f"{name} must be (low, high) or (low, high, scale); got {bounds!r}")
    return Parameter(name, *bounds)
