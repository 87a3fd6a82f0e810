"""Epochs of 2, 4, 8, ... pulls or duels, one after the other."""

from typing import NamedTuple


class Epoch(NamedTuple):
    """Epoch ``number``, which has ``length`` = 2^number turns and began after ``start`` of them."""

    number: int
    start: int
    length: int


def epoch_at(count: int) -> Epoch:
    """Return the epoch that turn ``count`` + 1 belongs to."""
    number = (count + 2).bit_length() - 1
    return Epoch(number, 2**number - 2, 2**number)


def begins_at(count: int) -> bool:
    """Tell whether an epoch begins after so many turns."""
    return (count + 2) & (count + 1) == 0


def half_over(count: int) -> bool:
    """Tell whether half of the turns of the present epoch have been taken."""
    epoch = epoch_at(count)
    return 2 * (count - epoch.start) >= epoch.length
