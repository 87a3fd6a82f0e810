"""Scalars: the single values that choices and fixed parameters have."""

from collections.abc import Sequence

import numpy as np

from duelli import _check

Scalar = str | int | float | bool | None


def scalar(name: str, value: object) -> Scalar:
    """Return a value that JSON can hold, as it is; numpy's numbers become Python's."""
    native = value.item() if isinstance(value, np.generic) else value
    if native is not None and type(native) not in (str, int, float, bool):
        raise TypeError(f"{name} must be a str, int, float, bool or None; got {value!r}")
    if isinstance(native, float):
        return _check.real(name, native)
    assert native is None or isinstance(native, str | int)  # for the type checker
    return native


def listed(values: Sequence[Scalar], between: str = ", ") -> str:
    """Return values as they are written in Python, in one line."""
    return between.join(map(repr, values))
