"""Continuous: a real number between two bounds."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from duelli import _check
from duelli.parameters.base import Array, Parameter, assign
from duelli.parameters.bounds import ENDS, REAL_SCALES, check_order


@dataclass(frozen=True, slots=True)
class Continuous(Parameter):
    """A real number.

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
    _logs: tuple[float, float] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        low, high = (_check.real(f"{self.name}.{end}", getattr(self, end)) for end in ENDS)
        check_order(self.name, low, high)
        _check.one_of(f"{self.name}.scale", self.scale, REAL_SCALES)
        log = self.scale == "log"
        if log and low <= 0:
            raise ValueError(f"{self.name}.low must be above 0 on a log scale; got {low}")
        if not math.isfinite(high / low if log else high - low):
            raise ValueError(f"{self.name} must have a finite width; got {low}, {high}")
        assign(self, low=low, high=high, _logs=(math.log(low), math.log(high)) if log else None)

    def to_raw(self, unit: float) -> float:
        """Return the value that lies the share ``unit`` of the way up."""
        if self._logs is None:
            raw = (1 - unit) * self.low + unit * self.high
        elif unit in (0.0, 1.0):  # the ends are the user's own numbers, to the last digit
            return self.high if unit else self.low
        else:
            raw = math.exp((1 - unit) * self._logs[0] + unit * self._logs[1])
        if raw < self.low:  # rounding must not leave the box
            return self.low
        return self.high if raw > self.high else raw

    def to_unit(self, raw: object) -> float:
        """Return how far up ``raw`` lies, from 0 at ``low`` to 1 at ``high``."""
        value = _check.real(self.name, raw)
        if not self.low <= value <= self.high:
            raise ValueError(f"{self.name} must lie in [{self.low}, {self.high}]; got {value}")
        if self._logs is not None:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def array(self, units: Array) -> Array:
        """Return `to_raw` of each of ``units``, shape ``(n,)``, to the last digit."""
        if self._logs is None:
            raw = (1 - units) * self.low + units * self.high
        else:
            exponents = (1 - units) * self._logs[0] + units * self._logs[1]
            raw = np.array(list(map(math.exp, exponents.tolist())))  # np.exp rounds differently
            raw[units == 0.0], raw[units == 1.0] = self.low, self.high
        return np.clip(raw, self.low, self.high, out=raw)

    def column(self, units: Array) -> list[float]:
        """Return `to_raw` of each of ``units``, shape ``(n,)``."""
        values: list[float] = self.array(units).tolist()
        return values

    def as_json(self) -> dict[str, Any]:
        """Return all but the name as JSON."""
        return {"low": self.low, "high": self.high, "scale": self.scale}

    def describe(self, unit: float) -> str:
        """Return the name and the value at ``unit`` in words."""
        return f"{self.name} = {_shown(self.to_raw(unit), 4)}"

    def describe_range(self, low: float, high: float) -> str:
        """Return the name and the values from ``low`` to ``high`` in words."""
        first, last = self.to_raw(low), self.to_raw(high)
        for digits in (4, 8, 12):  # as many as it takes to tell the ends apart
            ends = _shown(first, digits), _shown(last, digits)
            if ends[0] != ends[1]:
                return f"{self.name} from {ends[0]} to {ends[1]}"
        return f"{self.name} {_shown(first, 4)}"

    def __str__(self) -> str:
        return f"{self.name}: [{self.low:g}, {self.high:g}]{' log' if self._logs else ''}"


def _shown(value: float, digits: int) -> str:
    """Return ``value`` rounded to so many significant digits, without an exponent if it is near 1.

    >>> _shown(12345.6, 4), _shown(0.000123456, 4)
    ('12350', '0.0001235')
    """
    return f"{float(f'{value:.{digits}g}'):.12g}"
