"""Box: the user's own parameters and units on one side, [0, 1]^dim on the other."""

from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from duelli import _check
from duelli.boxes.saved import sides_from_json
from duelli.boxes.sides import Sides, numbered, parameter
from duelli.cubes import Arm
from duelli.parameters import (
    Array,
    Continuous,
    Fixed,
    Parameter,
    Scalar,
)

MOST_LEVELS = 32  # values of a parameter that a learner should know one by one

Point = Mapping[str, Scalar] | Sequence[Scalar] | npt.NDArray[Any]
Raw = dict[str, Scalar] | list[Scalar] | Array
Convert = Callable[[float], Scalar]
Values = list[tuple[Parameter, object]]


class Box:
    """A box of named parameters in the user's own units.

    >>> box = Box({"rate": (1e-4, 1e-1, "log"), "depth": (1, 9, "int"), "solver": ["adam", "sgd"]})
    >>> box
    Box(rate: [0.0001, 0.1] log, depth: 1..9, solver: 'adam' | 'sgd')
    >>> box.to_raw((0.0, 0.5, 1.0))
    {'rate': 0.0001, 'depth': 5, 'solver': 'sgd'}

    A parameter is one of:

    - ``(low, high)``: a real number;
    - ``(low, high, "log")``: the same, and equal ratios are equal steps;
    - ``(low, high, "int")``: a whole number, both ends included;
    - ``(low, high, "log int")``: the same, and equal ratios are equal steps;
    - ``["adam", "sgd"]``: a list of choices, each a str, int, float, bool or None;
    - ``7`` or ``"adam"``: a fixed value. It takes no dimension, and every point has it.

    A list of exactly two numbers, such as ``[0, 1]``, with or without one of the words above after
    them, is read as bounds and not as choices. Write two numbers to choose from as `choice`.

    Args:
        sides: Name -> parameter; or just the parameters, and then points are arrays instead of
            dicts, or lists if some parameter is not a real number.
    """

    def __init__(self, sides: Sides) -> None:
        if isinstance(sides, str | bytes) or not isinstance(sides, Mapping | Sequence | np.ndarray):
            raise TypeError(f"box must be names with bounds, or a list of bounds; got {sides!r}")
        self.named = isinstance(sides, Mapping)
        named = sides if isinstance(sides, Mapping) else numbered(sides)
        self.parameters = tuple(parameter(name, side) for name, side in named.items())
        self.free = tuple(each for each in self.parameters if not isinstance(each, Fixed))
        if not self.free:
            got = ", ".join(map(str, self.parameters)) or "none"
            raise ValueError(f"box must have at least one free parameter; got {got}")
        self.names = tuple(each.name for each in self.parameters)
        self.dim = len(self.free)  # the fixed parameters take no dimension
        reals = tuple(each for each in self.parameters if isinstance(each, Continuous))
        self.continuous = len(reals) == len(self.parameters)
        self._array = reals if self.continuous and not self.named else ()
        self._template, self._places = self._prepared()

    @classmethod
    def unit(cls, dim: int) -> "Box":
        """Return [0, 1]^dim, whose points are arrays."""
        return cls([(0.0, 1.0)] * _check.whole("dim", dim, 1))

    def to_raw(self, arm: Arm) -> Raw:
        """Return the user's point for ``arm``: a dict if the box has names.

        Without names it is an array if all parameters are real numbers, and a list otherwise.
        """
        if type(arm) is not tuple or len(arm) != self.dim:
            return self.to_raw(_check.arm("arm", arm, self.dim))
        point = self._template.copy()
        for (key, convert), unit in zip(self._places, arm, strict=True):
            if type(unit) is not float or not 0.0 <= unit <= 1.0:
                return self.to_raw(_check.arm("arm", arm, self.dim))
            point[key] = convert(unit)
        return np.array(point) if self._array else point

    def to_raw_many(
        self, arms: Array | Sequence[Arm]
    ) -> list[dict[str, Scalar]] | list[list[Scalar]] | Array:
        """Return the user's points for ``arms``, shape ``(n, dim)``, each as `to_raw` gives it.

        If those are arrays, so is the whole, of shape ``(n, dim)``.
        """
        units = self._checked(arms)
        if self._array:
            both = zip(self._array, units.T, strict=True)
            return np.stack([side.array(column) for side, column in both], axis=1)
        free = iter(units.T)
        columns = [
            repeat(side.value, len(units)) if isinstance(side, Fixed) else side.column(next(free))
            for side in self.parameters
        ]
        rows = zip(*columns, strict=True)
        if self.named:
            return [dict(zip(self.names, row, strict=False)) for row in rows]  # strict is slow
        return [list(row) for row in rows]

    def to_unit(self, point: Point, name: str = "point") -> Arm:
        """Return the arm of [0, 1]^dim that stands for the user's ``point``.

        Fixed values may be left out. Whole numbers and choices stand at the middle of their cell.

        Args:
            point: The values of all parameters.
            name: What an error message calls the point.
        """
        if isinstance(point, Mapping):
            values = self._by_name(point, name)
        elif isinstance(point, str | bytes) or not isinstance(point, Sequence | np.ndarray):
            raise TypeError(f"{name} must be a dict, a sequence or an array; got {point!r}")
        else:
            values = self._by_place(point, name)
        units = [side.to_unit(value) for side, value in values]
        return tuple(
            unit
            for unit, (side, _) in zip(units, values, strict=True)
            if not isinstance(side, Fixed)
        )

    def levels(self) -> tuple[tuple[float, ...], ...]:
        """Return where the values of each free parameter lie, () for one that has too many.

        It is () in all if every parameter has too many.
        """
        levels = tuple(each.places(MOST_LEVELS) for each in self.free)
        return levels if any(levels) else ()

    def same_point(self, a: Arm, b: Arm) -> bool:
        """Tell whether the user sees the same point in both arms."""
        if tuple(a) == tuple(b):
            return True
        return not self.continuous and bool(self.to_raw(a) == self.to_raw(b))

    def describe(self, arm: Arm) -> str:
        """Return the free parameters of a point in words: "rate = 0.0123, solver = 'adam'"."""
        arm = _check.arm("arm", arm, self.dim)
        both = zip(self.free, arm, strict=True)
        return ", ".join(side.describe(unit) for side, unit in both)

    def free_names(self) -> tuple[str, ...]:
        """Return what the free parameters are called."""
        return tuple(side.name for side in self.free)

    def corner_range(self, low_arm: Arm, high_arm: Arm) -> str:
        """Return the part of the box between two arms in words: "rate from 0.001 to 0.02".

        A whole number or a choice whose cell only begins at ``high_arm`` is left out, as the upper
        face of a cube belongs to the next one.
        """
        low = _check.arm("low_arm", low_arm, self.dim)
        high = _check.arm("high_arm", high_arm, self.dim)
        if any(a > b for a, b in zip(low, high, strict=True)):
            raise ValueError(f"low_arm must not lie above high_arm; got {low}, {high}")
        all_three = zip(self.free, low, high, strict=True)
        return ", ".join(side.describe_range(a, b) for side, a, b in all_three)

    def as_json(self) -> dict[str, Any]:
        """Return the box as JSON, for `from_json`; the parameters stay in order."""
        parameters = [
            {"name": each.name, **each.as_json()} if self.named else each.as_json()
            for each in self.parameters
        ]
        return {"named": self.named, "parameters": parameters}

    @classmethod
    def from_json(cls, value: object) -> "Box":
        """Return the box of which ``value`` is `as_json`; check every field of it.

        Raises:
            ValueError: A field is missing or unknown, or its value is not allowed.
            TypeError: A field is of another kind.
        """
        return cls(sides_from_json(value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and (self.parameters, self.named) == (
            other.parameters,
            other.named,
        )

    def __hash__(self) -> int:
        return hash((self.parameters, self.named))

    def __repr__(self) -> str:
        return f"Box({', '.join(map(str, self.parameters))})"

    def _prepared(self) -> tuple[dict[Any, Scalar] | list[Scalar], tuple[tuple[Any, Convert], ...]]:
        """Return what `to_raw` starts from, and where in it each free value goes."""
        values = [each.low for each in self.parameters]
        keys = self.names if self.named else tuple(range(len(values)))
        places = tuple(
            (key, each.to_raw)
            for key, each in zip(keys, self.parameters, strict=True)
            if not isinstance(each, Fixed)
        )
        return dict(zip(keys, values, strict=True)) if self.named else values, places

    def _checked(self, arms: Array | Sequence[Arm]) -> Array:
        """Return ``arms`` as an array of shape ``(n, dim)`` inside [0, 1]^dim."""
        units = np.asarray(arms, dtype=np.float64)
        if units.ndim != 2 or units.shape[1] != self.dim:
            raise ValueError(f"arms must have shape (n, {self.dim}); got {units.shape}")
        if not ((units >= 0) & (units <= 1)).all():  # NaN is not inside either
            raise ValueError(
                f"arms must lie in [0, 1]^{self.dim}; got {units.min()}, {units.max()}"
            )
        return units

    def _by_name(self, point: Mapping[str, Scalar], called: str) -> Values:
        free = tuple(side.name for side in self.free)
        unknown = [key for key in point if key not in self.names]
        if unknown or any(name not in point for name in free):
            fixed = tuple(name for name in self.names if name not in free)
            rule = f"{called} must have the keys {free}{f' and may have {fixed}' if fixed else ''}"
            hint = _check.did_you_mean(unknown, [name for name in self.names if name not in point])
            raise ValueError(f"{rule}; got {tuple(point)}{hint}")
        return [(side, point[side.name]) for side in self.parameters if side.name in point]

    def _by_place(self, point: Sequence[Scalar] | npt.NDArray[Any], called: str) -> Values:
        sides = self.free if len(point) == self.dim else self.parameters
        if len(point) != len(sides):
            count = len(self.parameters)
            rule = f"{called} must have shape ({count},), one entry per dimension"
            raise ValueError(f"{rule}; got ({len(point)},)")
        return list(zip(sides, point, strict=True))
