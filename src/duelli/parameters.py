"""The kinds of parameters that make a box, each with its way to [0, 1] and back."""

import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from duelli import _check

Scalar = str | int | float | bool | None
Array = npt.NDArray[np.float64]
REAL_SCALES = ("linear", "log")
WHOLE_SCALES = ("int", "log int")
SCALES = REAL_SCALES + WHOLE_SCALES
_ENDS = ("low", "high")
MOST_CELLS = 2**40  # beyond it a float in [0, 1] can no longer tell neighbours apart on a log scale


class Parameter(ABC):
    """One parameter of a box: ``low`` is its value at 0, ``high`` its value at 1."""

    __slots__ = ()
    name: str
    low: Scalar
    high: Scalar

    @abstractmethod
    def to_raw(self, unit: float) -> Scalar:
        """Return the value that lies the share ``unit`` of the way up."""

    @abstractmethod
    def to_unit(self, raw: object) -> float:
        """Return where in [0, 1] the value ``raw`` lies: the middle of its cell if it has one."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """Return all but the name as JSON."""

    @abstractmethod
    def __str__(self) -> str: ...

    def column(self, units: Array) -> list[Any]:
        """Return `to_raw` of each of ``units``, shape ``(n,)``."""
        return list(map(self.to_raw, units.tolist()))

    def describe(self, unit: float) -> str:
        """Return the name and the value at ``unit`` in words."""
        return f"{self.name} = {self.to_raw(unit)!r}"

    def describe_range(self, low: float, high: float) -> str:
        """Return the name and the values from ``low`` to ``high`` in words.

        A cell that begins at ``high`` is left out, as the upper face of a cube belongs to the next.
        """
        first, last = self.to_raw(low), self.to_raw(max(low, high - 1e-12))
        return f"{self.name} {first!r}" if first == last else f"{self.name} from {first} to {last}"


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
        low, high = (_check.real(f"{self.name}.{end}", getattr(self, end)) for end in _ENDS)
        _check_order(self.name, low, high)
        _check.one_of(f"{self.name}.scale", self.scale, REAL_SCALES)
        log = self.scale == "log"
        if log and low <= 0:
            raise ValueError(f"{self.name}.low must be above 0 on a log scale; got {low}")
        if not math.isfinite(high / low if log else high - low):
            raise ValueError(f"{self.name} must have a finite width; got {low}, {high}")
        _assign(self, low=low, high=high, _logs=(math.log(low), math.log(high)) if log else None)

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
        low, high = (_bound(f"{self.name}.{end}", getattr(self, end)) for end in _ENDS)
        _check_order(self.name, low, high)
        _check.one_of(f"{self.name}.scale", self.scale, WHOLE_SCALES)
        log = self.scale == "log int"
        if log and low < 1:
            raise ValueError(f"{self.name}.low must be at least 1 on a log scale; got {low}")
        if (high if log else high - low) >= MOST_CELLS:
            most = "high must be below" if log else f"high - {self.name}.low must be below"
            raise ValueError(f"{self.name}.{most} {MOST_CELLS}; got {low}, {high}")
        logs = (math.log(low - 0.5), math.log(high + 0.5)) if log else None
        _assign(self, low=low, high=high, _logs=logs)

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

    def as_json(self) -> dict[str, Any]:
        """Return all but the name as JSON."""
        return {"low": self.low, "high": self.high, "scale": self.scale}

    def __str__(self) -> str:
        return f"{self.name}: {self.low}..{self.high}{' log' if self._logs else ''}"


@dataclass(frozen=True, slots=True)
class Choices(Parameter):
    """One of two or more values, which own equally much of [0, 1].

    Args:
        name: What the user calls it.
        values: What there is to choose from, each a str, int, float, bool or None.
    """

    name: str
    values: tuple[Scalar, ...]
    low: Scalar = field(init=False, repr=False, compare=False)
    high: Scalar = field(init=False, repr=False, compare=False)
    _types: tuple[type, ...] = field(init=False, repr=False)  # or 1 would equal True
    _index: dict[Scalar, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        values = tuple(_scalar(f"{self.name}[{i}]", each) for i, each in enumerate(self.values))
        index = {value: i for i, value in enumerate(values)}
        if len(values) < 2 or len(index) < len(values):
            rule = f"{self.name} must have two or more choices, no two of them equal"
            raise ValueError(f"{rule}; got {list(values)}")
        _assign(self, values=values, low=values[0], high=values[-1], _index=index)
        _assign(self, _types=tuple(map(type, values)))

    def to_raw(self, unit: float) -> Scalar:
        """Return the choice in whose cell ``unit`` lies."""
        cells = len(self.values)
        return self.values[min(int(unit * cells), cells - 1)]

    def to_unit(self, raw: object) -> float:
        """Return the middle of the cell of ``raw``."""
        value = raw.item() if isinstance(raw, np.generic) else raw
        cell = self._index.get(value) if isinstance(value, Scalar) else None
        if cell is None or isinstance(value, bool) != isinstance(self.values[cell], bool):
            raise ValueError(f"{self.name} must be one of {_listed(self.values)}; got {raw!r}")
        return (cell + 0.5) / len(self.values)

    def as_json(self) -> dict[str, Any]:
        """Return all but the name as JSON."""
        return {"choices": list(self.values)}

    def describe_range(self, low: float, high: float) -> str:
        """Return the name and the choices from ``low`` to ``high`` in words, as for numbers."""
        first, last = (self._index[self.to_raw(unit)] for unit in (low, max(low, high - 1e-12)))
        *others, final = map(repr, self.values[first : last + 1])
        return f"{self.name} {', '.join(others)}{' or ' * bool(others)}{final}"

    def __str__(self) -> str:
        return f"{self.name}: {_listed(self.values, ' | ')}"


@dataclass(frozen=True, slots=True)
class Fixed(Parameter):
    """A value that never changes: it takes no dimension, but every point has it.

    Args:
        name: What the user calls it.
        value: A str, int, float, bool or None.
    """

    name: str
    value: Scalar
    low: Scalar = field(init=False, repr=False, compare=False)
    high: Scalar = field(init=False, repr=False, compare=False)
    _type: type = field(init=False, repr=False)  # or 1 would equal True

    def __post_init__(self) -> None:
        value = _scalar(self.name, self.value)
        _assign(self, value=value, low=value, high=value, _type=type(value))

    def to_raw(self, unit: float) -> Scalar:  # noqa: ARG002 (the same wherever one is)
        """Return the value."""
        return self.value

    def to_unit(self, raw: object) -> float:
        """Check that ``raw`` is the value."""
        value = raw.item() if isinstance(raw, np.generic) else raw
        same = isinstance(value, bool) == isinstance(self.value, bool)
        if not same or not isinstance(value, Scalar) or value != self.value:
            raise ValueError(f"{self.name} must be {self.value!r}, its fixed value; got {raw!r}")
        return 0.5

    def as_json(self) -> dict[str, Any]:
        """Return all but the name as JSON."""
        return {"fixed": self.value}

    def __str__(self) -> str:
        return f"{self.name}: {self.value!r} fixed"


def _assign(record: Parameter, **values: Any) -> None:
    """Set fields of a frozen record while it is being made."""
    for name, value in values.items():
        object.__setattr__(record, name, value)


def _check_order(name: str, low: float, high: float) -> None:
    if low >= high:
        raise ValueError(f"{name}.low must be below {name}.high; got {low}, {high}")


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


def _scalar(name: str, value: object) -> Scalar:
    """Return a value that JSON can hold, as it is; numpy's numbers become Python's."""
    native = value.item() if isinstance(value, np.generic) else value
    if native is not None and type(native) not in (str, int, float, bool):
        raise TypeError(f"{name} must be a str, int, float, bool or None; got {value!r}")
    if isinstance(native, float):
        return _check.real(name, native)
    assert native is None or isinstance(native, str | int)  # for the type checker
    return native


def _shown(value: float, digits: int) -> str:
    """Return ``value`` rounded to so many significant digits, without an exponent if it is near 1.

    >>> _shown(12345.6, 4), _shown(0.000123456, 4)
    ('12350', '0.0001235')
    """
    return f"{float(f'{value:.{digits}g}'):.12g}"


def _listed(values: Sequence[Scalar], between: str = ", ") -> str:
    return between.join(map(repr, values))
