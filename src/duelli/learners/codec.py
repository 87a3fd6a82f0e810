"""The codec of states: frozen records to JSON and back, checked entry by entry on the way in.

The types of a record's fields say how each is written and what is allowed in it. A marker in
``Annotated`` says more: that a tuple is a point of the box or a path of child numbers, or how many
axes an array has.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from duelli import _check
from duelli._arrays import Array
from duelli.cubes import Arm, Path

EXACT = 2.0**53  # whole numbers below it are floats without rounding
AS_THEY_ARE = {bool, int, str, NoneType}  # what JSON writes without any change


@dataclass(frozen=True, slots=True)
class PointMark:
    """A point of [0, 1]^dim, written in whole multiples of ``1 / units`` if that is not 0."""

    units: float = 0.0


@dataclass(frozen=True, slots=True)
class PathMark:
    """A path of child numbers, each below 2^dim."""


@dataclass(frozen=True, slots=True)
class ArrayMark:
    """A NumPy array of finite numbers of at least ``least``, with so many axes."""

    axes: int
    least: float = 0.0


Point = Annotated[Arm, PointMark()]
CubePath = Annotated[Path, PathMark()]
Row = Annotated[Array, ArrayMark(1)]
Table = Annotated[Array, ArrayMark(2)]


def encode(value: Any) -> Any:
    """Return a value as JSON has it: records as dicts, tuples and arrays as lists."""
    if value is None or isinstance(value, int | str):  # most entries are
        return value
    if is_dataclass(value):
        record: type = type(value)
        return {name: _encode_field(getattr(value, name), kind) for name, kind in _kinds(record)}
    if isinstance(value, dict):
        return [[encode(key), *encode(entry)] for key, entry in value.items()]
    if isinstance(value, tuple | list | np.ndarray):
        return _encode_list(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < EXACT:
        return int(value)  # shorter, and equal
    return value


def decode(kind: Any, value: Any, name: str, dim: int) -> Any:
    """Return what `encode` wrote of a value of type ``kind``.

    Args:
        kind: The type, as a record's field declares it.
        value: What JSON has.
        name: What errors call it.
        dim: The number of coordinates of an arm.
    """
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _decode_marked(args[1], value, name, dim)
    if origin in (Union, UnionType):
        return None if value is None else decode(_without_none(args), value, name, dim)
    if isinstance(kind, type) and is_dataclass(kind):
        return _decode_record(kind, value, name, dim)
    if origin in (tuple, list):
        kinds = args if origin is tuple else (args[0], ...)
        return origin(_decode_tuple(kinds, value, name, dim))
    if origin is dict:
        rows = decode(tuple[tuple[Any, ...], ...], value, name, dim)
        row_kind = tuple[args[0], *get_args(args[1])]  # type: ignore[valid-type, misc]
        decoded = [decode(row_kind, list(row), f"{name} entry", dim) for row in rows]
        return {row[0]: row[1:] for row in decoded}
    return _decode_scalar(kind, value, name)


@lru_cache(maxsize=128)
def _kinds(record: type) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(record, include_extras=True)
    return tuple((field.name, hints[field.name]) for field in fields(record) if field.init)


def _encode_list(value: Any) -> Any:
    """Return an array as lists; all at once where it holds whole numbers only, as counts are."""
    if not isinstance(value, np.ndarray):
        return _encode_entries(value)
    if np.all((value == np.rint(value)) & (np.abs(value) < EXACT)):
        return value.astype(np.int64).tolist()
    return encode(value.tolist())


def _encode_entries(value: Any) -> list[Any]:
    """Return the entries of a tuple or list; without a call for each where all are alike."""
    kinds = set(map(type, value))
    if kinds <= AS_THEY_ARE:
        return list(value)
    if kinds == {float}:
        return [int(x) if -EXACT < x < EXACT and x.is_integer() else x for x in value]
    return [encode(entry) for entry in value]


def _encode_field(value: Any, kind: Any) -> Any:
    mark = next((arg for arg in _marks(kind) if isinstance(arg, PointMark)), None)
    if mark is None or not mark.units or value is None:
        return encode(value)
    return [encode(entry * mark.units) for entry in value]


@lru_cache(maxsize=256)
def _marks(kind: Any) -> tuple[Any, ...]:
    """Return the markers of a type, also of one that may be None."""
    if get_origin(kind) is Annotated:
        return get_args(kind)[1:]
    if get_origin(kind) in (Union, UnionType):
        return _marks(_without_none(get_args(kind)))
    return ()


def _without_none(kinds: tuple[Any, ...]) -> Any:
    (kind,) = (kind for kind in kinds if kind is not NoneType)
    return kind


def _decode_marked(mark: Any, value: Any, name: str, dim: int) -> Any:
    if isinstance(mark, PathMark):
        path = _decode_tuple((int, ...), value, name, dim)
        if any(child >= 2**dim for child in path):
            raise ValueError(f"{name} must hold child numbers below {2**dim}; got {value!r}")
        return path
    if isinstance(mark, ArrayMark):
        return _decode_array(mark, value, name)
    entries = _decode_tuple((float, ...), value, name, dim)
    return _check.arm(name, [x / mark.units if mark.units else x for x in entries], dim)


def _decode_array(mark: ArrayMark, value: Any, name: str) -> Array:
    rows = [value] if mark.axes == 1 else _decode_tuple((Any, ...), value, name, 0)
    found = [_decode_tuple((float, ...), row, f"{name} row", 0) for row in rows]
    if len({len(row) for row in found}) > 1:
        raise ValueError(f"{name} must have rows of equal length; they are not")
    table = np.array(found, dtype=np.float64)
    if table.size and table.min() < mark.least:
        raise ValueError(f"{name} must hold numbers of at least {mark.least:g}; got {table.min()}")
    return table[0] if mark.axes == 1 else table


def _decode_record(kind: type, value: Any, name: str, dim: int) -> Any:
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a JSON object; got {value!r}")
    kinds = dict(_kinds(kind))
    for key in kinds:
        if key not in value:
            raise ValueError(f"{name} must hold {key!r}; it is missing")
    _check.known_keys(name, value, kinds)
    return kind(**{key: decode(kinds[key], value[key], f"{name}.{key}", dim) for key in kinds})


def _decode_tuple(kinds: tuple[Any, ...], value: Any, name: str, dim: int) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError(f"{name} must be a list; got {value!r}")
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        kinds = (kinds[0],) * len(value)
    if len(kinds) != len(value):
        raise ValueError(f"{name} must have {len(kinds)} entries; got {value!r}")
    return tuple(
        decode(kind, entry, f"{name}[{i}]", dim)
        for i, (kind, entry) in enumerate(zip(kinds, value, strict=True))
    )


def _decode_scalar(kind: Any, value: Any, name: str) -> Any:
    if kind is Any:
        return value
    if kind is int:
        return _check.whole(name, value)
    if kind is float:
        number = _check.real(name, value)
        assert math.isfinite(number)  # JSON has no other
        return number
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be a {kind.__name__}; got {value!r}")
    return value
