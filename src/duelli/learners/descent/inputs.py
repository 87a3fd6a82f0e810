"""The checks of inputs that the learners of this package share."""

from collections.abc import Callable
from typing import Any, TypeVar

from duelli import _check, _rng

GAINS = ("practical", "theory")
LEAST_HALF = 1e-6  # so that no arm ever meets itself
MOST_HALF = 0.5  # a pair that is farther apart does not fit into the box

V = TypeVar("V")


def settle(config: Any, **checked: object) -> None:
    """Check dim, horizon, start and seed of a frozen config, and set them with ``checked``."""
    dim = _check.whole("dim", config.dim, 1)
    values: dict[str, object] = {
        "dim": dim,
        "horizon": _check.horizon(config.horizon),
        "seed": _rng.check_seed(config.seed),
        **checked,
    }
    if config.start is not None:
        values["start"] = _check.arm("start", config.start, dim)
    for name, value in values.items():
        object.__setattr__(config, name, value)


def optional(check: Callable[[str, object], V], name: str, value: object) -> V | None:
    """Return a checked value; None, which stands for the default, passes."""
    return None if value is None else check(name, value)


def half_width(name: str, value: object) -> float:
    """Return a distance to either side of a point, such that both sides fit into the box."""
    number = _check.real(name, value)
    if not LEAST_HALF <= number <= MOST_HALF:
        raise ValueError(f"{name} must lie in [{LEAST_HALF:g}, {MOST_HALF:g}]; got {value!r}")
    return number


def fitting(size: float) -> float:
    """Return a distance that a formula gave, but no smaller and no larger than is allowed."""
    return min(max(size, LEAST_HALF), MOST_HALF)


def check_number(name: str, value: object, low: int, high: int) -> int:
    """Return a whole number from ``low`` to ``high``."""
    number = _check.whole(name, value, low)
    if number > high:
        raise ValueError(f"{name} must be at most {high}; got {value!r}")
    return number
