"""Choices: one of several values."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from duelli.parameters.base import Parameter, assign
from duelli.parameters.scalars import Scalar, listed, scalar


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
        values = tuple(scalar(f"{self.name}[{i}]", each) for i, each in enumerate(self.values))
        index = {value: i for i, value in enumerate(values)}
        if len(values) < 2 or len(index) < len(values):
            rule = f"{self.name} must have two or more choices, no two of them equal"
            raise ValueError(f"{rule}; got {list(values)}")
        assign(self, values=values, low=values[0], high=values[-1], _index=index)
        assign(self, _types=tuple(map(type, values)))

    def to_raw(self, unit: float) -> Scalar:
        """Return the choice in whose cell ``unit`` lies."""
        cells = len(self.values)
        return self.values[min(int(unit * cells), cells - 1)]

    def to_unit(self, raw: object) -> float:
        """Return the middle of the cell of ``raw``."""
        value = raw.item() if isinstance(raw, np.generic) else raw
        cell = self._index.get(value) if isinstance(value, Scalar) else None
        if cell is None or isinstance(value, bool) != isinstance(self.values[cell], bool):
            raise ValueError(f"{self.name} must be one of {listed(self.values)}; got {raw!r}")
        return (cell + 0.5) / len(self.values)

    def places(self, most: int) -> tuple[float, ...]:
        """Return the middle of each cell; () if there are more than ``most``."""
        return tuple(map(self.to_unit, self.values)) if len(self.values) <= most else ()

    def as_json(self) -> dict[str, Any]:
        """Return all but the name as JSON."""
        return {"choices": list(self.values)}

    def describe_range(self, low: float, high: float) -> str:
        """Return the name and the choices from ``low`` to ``high`` in words, as for numbers."""
        first, last = (self._index[self.to_raw(unit)] for unit in (low, max(low, high - 1e-12)))
        *others, final = map(repr, self.values[first : last + 1])
        return f"{self.name} {', '.join(others)}{' or ' * bool(others)}{final}"

    def __str__(self) -> str:
        return f"{self.name}: {listed(self.values, ' | ')}"
