"""Which states of the preference model can be."""

import math
from collections.abc import Sequence

from duelli.learners.model.evidence import SCALES, SPREADS
from duelli.learners.model.states import PACKED_BYTES, Preferences

MOST_DIFFERENCE = 1e4
ROUNDING = 1e-9


def check_state(state: Preferences, dim: int) -> None:
    """Raise ValueError if no run can be in ``state``."""
    pairs = len(state.n)
    _length("scales", state.scales, dim)
    for name in ("left", "right", "wins", "differences"):
        _length(name, getattr(state, name), pairs)
    _within("scales", state.scales, *SCALES)
    _within("spread", [state.spread], *SPREADS)
    _packed("left", state.left, PACKED_BYTES * dim)
    _packed("right", state.right, PACKED_BYTES * dim)
    _within("differences", state.differences, -MOST_DIFFERENCE, MOST_DIFFERENCE)
    for wins, n in zip(state.wins, state.n, strict=True):
        if not (0 <= wins <= n and n > 0):
            raise ValueError(f"state.wins and n must describe duels; got {wins}, {n}")
    if sum(state.n) != state.duels:
        raise ValueError(f"state.n must add up to {state.duels}; got {sum(state.n)}")
    if not 0 <= state.squares <= state.singles <= state.duels:
        raise ValueError(
            f"state.squares and singles must fit {state.duels} duels; "
            f"got {state.squares}, {state.singles}"
        )
    if state.steps > state.duels or (state.steps == 0) != (state.duels == 0):
        raise ValueError(f"state.steps must fit {state.duels} duels; got {state.steps}")


def _length(name: str, values: Sequence[float], length: int) -> None:
    if len(values) != length:
        raise ValueError(f"state.{name} must have {length} entries; got {len(values)}")


def _packed(name: str, numbers: Sequence[int], size: int) -> None:
    for number in numbers:
        if number.bit_length() > 8 * size:
            raise ValueError(f"state.{name} must be points of {size} bytes each; got {number}")


def _within(name: str, values: Sequence[float], low: float, high: float) -> None:
    for value in values:
        if not low - ROUNDING <= value <= high + ROUNDING or math.isnan(value):
            raise ValueError(f"state.{name} must lie in [{low:g}, {high:g}]; got {value!r}")
