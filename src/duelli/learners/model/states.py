"""The state of the preference model: the pairs that have met, their duels, and the scales."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from duelli._arrays import Array
from duelli.cubes import Arm
from duelli.learners.codec import PointMark
from duelli.learners.model.config import ARM_UNITS
from duelli.learners.model.pool import Pool
from duelli.learners.model.prior import Prior

FIRST_SINGLES = 10  # duels without a draw that are assumed to have gone before
LEAST_TELLING = 0.05
PACKED_BYTES = 2  # of a coordinate that the model remembers
PACKED_UNITS = 256**PACKED_BYTES - 1  # it is a multiple of 1 / PACKED_UNITS

GridPoint = Annotated[Arm, PointMark(ARM_UNITS)]  # a state holds it in whole multiples of 2^-32


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """What the model remembers: at most `pool.MOST_PAIRS` pairs."""

    duels: int  # t
    steps: int  # told so far; they address the random draws
    incumbent: GridPoint  # the recommended arm
    scales: tuple[float, ...]  # the logarithm of each length scale
    spread: float  # the logarithm of the standard deviation of the utility
    left: tuple[int, ...]  # the left point of each pair, see `packed`
    right: tuple[int, ...]
    wins: tuple[float, ...]  # of the left point of each pair
    n: tuple[int, ...]  # the duels of each pair
    differences: tuple[float, ...]  # the most probable u(left) - u(right)
    squares: float  # the sum of (2 outcome - 1)² of duels that were asked singly
    singles: int  # how many those are

    @property
    def pool(self) -> Pool:
        """The pairs with their duels."""
        left, right = (unpacked(x, len(self.scales)) for x in (self.left, self.right))
        rest = (np.array(x, float) for x in (self.wins, self.n, self.differences))
        return Pool(left, right, *rest)

    @property
    def ties(self) -> float:
        """How often there are draws: Davidson's ν, see `laplace`."""
        return ties(self.squares, self.singles)

    @property
    def prior(self) -> Prior:
        """The prior with the scales that were learnt."""
        return Prior(np.array(self.scales), self.spread)


def ties(squares: float, singles: int) -> float:
    """Return Davidson's ν: a share ν / (2 + ν) of duels between equal points are draws.

    Most pairs that are asked are nearly equal, so that the share of draws in all of them stands
    for it.

    Args:
        squares: The sum of (2 outcome - 1)² of the duels that were told singly: a draw adds 0.
        singles: How many those are.
    """
    telling = max(LEAST_TELLING, (squares + FIRST_SINGLES) / (singles + FIRST_SINGLES))
    return 2 * (1 - telling) / telling


def on_grid(point: Array) -> Arm:
    """Return the point of the grid of arms nearest to ``point``, inside the box."""
    units = np.rint(np.clip(point, 0, 1) * ARM_UNITS)
    return tuple((units / ARM_UNITS).tolist())


def rounded(points: Array) -> Array:
    """Return the points that a state holds in the place of these."""
    near: Array = np.rint(points * PACKED_UNITS) / PACKED_UNITS
    return near


def packed(points: Array) -> tuple[int, ...]:
    """Return each point as one whole number: its digits in base 256^PACKED_BYTES are coordinates.

    So many points fit into a state of a few ten thousand bytes.
    """
    units = np.rint(points * PACKED_UNITS).astype("<u2")
    return tuple(int.from_bytes(row.tobytes(), "little") for row in units)


def unpacked(numbers: tuple[int, ...], dim: int) -> Array:
    """Return the points of which `packed` made these numbers."""
    size = PACKED_BYTES * dim
    content = b"".join(number.to_bytes(size, "little") for number in numbers)
    units: Array = np.frombuffer(content, dtype="<u2").reshape(len(numbers), dim) / PACKED_UNITS
    return units
