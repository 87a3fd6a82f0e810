"""Fixed: a value that never changes."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from duelli.parameters.base import Parameter, assign
from duelli.parameters.scalars import Scalar, scalar


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
        value = scalar(self.name, self.value)
        assign(self, value=value, low=value, high=value, _type=type(value))

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
