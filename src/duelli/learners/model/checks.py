"""Which states of the preference model can be."""

import math
from collections.abc import Sequence

from duelli.learners.model.config import ARM_UNITS
from duelli.learners.model.evidence import SCALES, SPREADS
from duelli.learners.model.states import Preferences

MOST_UTILITY = 1e4
ROUNDING = 1e-9


def check_state(state: Preferences, dim: int) -> None:
    """Raise ValueError if no run can be in ``state``."""
    m, pairs = len(state.utilities), len(state.n)
    _length("scales", state.scales, dim)
    _length("places", state.places, m * dim)
    for name in ("left", "right", "wins"):
        _length(name, getattr(state, name), pairs)
    _within("scales", state.scales, *SCALES)
    _within("spread", [state.spread], *SPREADS)
    _within("places", state.places, 0, ARM_UNITS)
    _within("utilities", state.utilities, -MOST_UTILITY, MOST_UTILITY)
    if m == 0:
        raise ValueError("state.utilities must hold one arm at least; got none")
    _check_pairs(state, m)
    if not 0 <= state.squares <= state.singles <= state.duels:
        raise ValueError(
            f"state.squares and singles must fit {state.duels} duels; "
            f"got {state.squares}, {state.singles}"
        )
    if state.steps > state.duels or (state.steps == 0) != (state.duels == 0):
        raise ValueError(f"state.steps must fit {state.duels} duels; got {state.steps}")


def _check_pairs(state: Preferences, m: int) -> None:
    for i, j, wins, n in zip(state.left, state.right, state.wins, state.n, strict=True):
        if not (i < j < m and 0 <= wins <= n and n > 0):
            raise ValueError(
                "state.left, right, wins and n must describe duels of two of the "
                f"{m} arms; got {i}, {j}, {wins}, {n}"
            )
    if len(set(zip(state.left, state.right, strict=True))) < len(state.n):
        raise ValueError("state.left and right must hold each pair once; got one twice")
    if sum(state.n) > state.duels:
        raise ValueError(f"state.n must add up to at most {state.duels}; got {sum(state.n)}")


def _length(name: str, values: Sequence[float], length: int) -> None:
    if len(values) != length:
        raise ValueError(f"state.{name} must have {length} entries; got {len(values)}")


def _within(name: str, values: Sequence[float], low: float, high: float) -> None:
    for value in values:
        if not low - ROUNDING <= value <= high + ROUNDING or math.isnan(value):
            raise ValueError(f"state.{name} must lie in [{low:g}, {high:g}]; got {value!r}")
