"""The wording of every argument error: the name, the rule, and what came instead."""

import difflib
import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any, SupportsFloat, TypeVar

import numpy as np

V = TypeVar("V")
MAX_HORIZON = 10**18


def whole(name: str, value: object, at_least: int = 0) -> int:
    """Return ``value`` as an int; a float such as 1e8 counts as whole, a bool does not."""
    if type(value) is int and value >= at_least:  # every block and tally passes here
        return value
    rule = f"{name} must be a whole number of at least {at_least}; got {value!r}"
    if isinstance(value, bool) or not isinstance(value, SupportsFloat):
        raise TypeError(rule)
    if not math.isfinite(number := float(value)) or number != math.floor(number):
        raise ValueError(rule)
    exact = value if isinstance(value, int) else int(number)
    if exact < at_least:
        raise ValueError(rule)
    return exact


def horizon(value: object) -> int:
    """Return a horizon: a whole number from 1 to 10^18, since more duels overflow counters."""
    duels = whole("horizon", value, 1)
    if duels > MAX_HORIZON:
        raise ValueError(f"horizon must be at most 1e18; got {value!r}")
    return duels


def real(name: str, value: object) -> float:
    """Return ``value`` as a finite float."""
    if type(value) is float and math.isfinite(value):  # every outcome passes here
        return value
    if isinstance(value, bool) or not isinstance(value, SupportsFloat):
        raise TypeError(f"{name} must be a number; got {value!r}")
    try:
        number = float(value)
    except OverflowError:  # an int of more than 308 digits
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite; got {value!r}")
    return number


def positive(name: str, value: object) -> float:
    """Return ``value`` as a finite float above 0."""
    if (number := real(name, value)) <= 0:
        raise ValueError(f"{name} must be above 0; got {value!r}")
    return number


def at_least(name: str, value: object, bound: float) -> float:
    """Return ``value`` as a finite float that is no smaller than ``bound``."""
    if (number := real(name, value)) < bound:
        raise ValueError(f"{name} must be at least {bound:g}; got {value!r}")
    return number


def probability(name: str, value: object) -> float:
    """Return ``value`` as a float strictly between 0 and 1."""
    if not 0 < (number := real(name, value)) < 1:
        raise ValueError(f"{name} must lie in (0, 1); got {value!r}")
    return number


def flag(name: str, value: object) -> bool:
    """Return ``value`` if it is True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False; got {value!r}")
    return value


def one_of(name: str, value: str, choices: Collection[str]) -> None:
    """Check that ``value`` is one of ``choices``."""
    if value not in choices:
        rule = f"{name} must be one of {', '.join(sorted(choices))}; got {value!r}"
        raise ValueError(rule + did_you_mean([value], choices))


def registered(name: str, key: str, registry: dict[str, V]) -> V:
    """Return the registry's entry for ``key``."""
    if not isinstance(key, str):
        raise TypeError(f"{name} must be a string; got {key!r}")
    one_of(name, key, registry)
    return registry[key]


def unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON in which every name comes once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name comes twice in one object")
    return found


def known_keys(name: str, given: Collection[str], known: Collection[str]) -> None:
    """Check that a mapping holds no key outside ``known``."""
    if unknown := sorted(set(given) - set(known)):
        rule = f"{name} may hold {', '.join(sorted(known))}; got {', '.join(unknown)}"
        raise ValueError(rule + did_you_mean(unknown, known))


def did_you_mean(unknown: Iterable[object], known: Collection[str]) -> str:
    """Return the end of a message that proposes the nearest known names; empty if none is near."""
    names = sorted(known)  # so that the proposal does not depend on the order of a set
    words = [word for word in unknown if isinstance(word, str)]
    near = [difflib.get_close_matches(word, names, n=1, cutoff=0.7) for word in words]
    proposed = dict.fromkeys(repr(name) for names in near for name in names)
    return f"; did you mean {', '.join(proposed)}?" if proposed else ""


def arm(name: str, value: object, dim: int) -> tuple[float, ...]:
    """Return ``value`` as a point of [0, 1]^dim."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray):
        raise TypeError(f"{name} must be a point of [0, 1]^{dim}; got {value!r}")
    point = tuple(real(f"{name}[{i}]", entry) for i, entry in enumerate(value))
    if len(point) != dim:
        raise ValueError(
            f"{name} must have shape ({dim},), one entry per dimension; got ({len(point)},)"
        )
    if not all(0 <= entry <= 1 for entry in point):
        raise ValueError(f"{name} must lie in [0, 1]^{dim}; got {point}")
    return point
