"""Parameter: what every kind of parameter can do."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from duelli.parameters.scalars import Scalar

Array = npt.NDArray[np.float64]


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

    def places(self, most: int) -> tuple[float, ...]:  # noqa: ARG002
        """Return where in [0, 1] its values lie, in order; () if there are more than ``most``."""
        return ()

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


def assign(record: Parameter, **values: Any) -> None:
    """Set fields of a frozen record while it is being made."""
    for name, value in values.items():
        object.__setattr__(record, name, value)
