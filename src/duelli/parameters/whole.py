"""Whole: a whole number between two bounds."""

import math
import operator
from dataclasses import dataclass, field
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np

from duelli import _check
from duelli.parameters.base import Parameter, assign
from duelli.parameters.bounds import ENDS, WHOLE_SCALES, check_order

MOST_CELLS = 2**40  # beyond it a float in [0, 1] can no longer tell neighbours apart on a log scale


@dataclass(frozen=True, slots=True)
class Whole(Parameter):
    """A whole number from ``low`` to ``high``, both included.

    Args:
        name: What the user calls it.
        low: Its smallest value.
        high: Its largest value, above ``low``.
        scale: "int", all numbers own equally much of [0, 1]; or "log int", equal ratios are equal
            steps: k owns log(k - 1/2) to log(k + 1/2) (then ``low`` is at least 1).
    """

    name: str
    low: int
    high: int
    scale: str = "int"
    _logs: tuple[float, float] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        low, high = (_bound(f"{self.name}.{end}", getattr(self, end)) for end in ENDS)
        check_order(self.name, low, high)
        _check.one_of(f"{self.name}.scale", self.scale, WHOLE_SCALES)
        log = self.scale == "log int"
        if log and low < 1:
            raise ValueError(f"{self.name}.low must be at least 1 on a log scale; got {low}")
        if (high if log else high - low) >= MOST_CELLS:
            most = "high must be below" if log else f"high - {self.name}.low must be below"
            raise ValueError(f"{self.name}.{most} {MOST_CELLS}; got {low}, {high}")
        logs = (math.log(low - 0.5), math.log(high + 0.5)) if log else None
        assign(self, low=low, high=high, _logs=logs)

    def to_raw(self, unit: float) -> int:
        """Return the whole number in whose cell ``unit`` lies."""
        if self._logs is None:
            cells = self.high - self.low + 1
            return self.low + min(int(unit * cells), cells - 1)
        real = math.exp((1 - unit) * self._logs[0] + unit * self._logs[1])
        return min(max(int(real + 0.5), self.low), self.high)

    def to_unit(self, raw: object) -> float:
        """Return the middle of the cell of ``raw``."""
        rule = f"{self.name} must be a whole number from {self.low} to {self.high}; got {raw!r}"
        if (value := _integral(raw, rule)) is None or not self.low <= value <= self.high:
            raise ValueError(rule)
        if self._logs is None:
            return (value - self.low + 0.5) / (self.high - self.low + 1)
        middle = (math.log(value - 0.5) + math.log(value + 0.5)) / 2
        return (middle - self._logs[0]) / (self._logs[1] - self._logs[0])

    def places(self, most: int) -> tuple[float, ...]:
        """Return the middle of each cell; () if there are more than ``most``."""
        few = self.high - self.low < most
        return tuple(map(self.to_unit, range(self.low, self.high + 1))) if few else ()

    def as_json(self) -> dict[str, Any]:
        """Return all but the name as JSON."""
        return {"low": self.low, "high": self.high, "scale": self.scale}

    def __str__(self) -> str:
        return f"{self.name}: {self.low}..{self.high}{' log' if self._logs else ''}"


def _bound(name: str, value: object) -> int:
    """Return a bound of a whole number as an int."""
    rule = f"{name} must be a whole number; got {value!r}"
    if (number := _integral(value, rule)) is None:
        raise ValueError(rule)
    return number


def _integral(value: object, rule: str) -> int | None:
    """Return ``value`` as an int, None if it has a fraction; TypeError(rule) if it is no number."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, SupportsFloat | SupportsIndex):
        raise TypeError(rule)
    if isinstance(value, int | np.integer):
        return operator.index(value)  # loses no digit
    number = float(value)
    return int(number) if number.is_integer() else None
