"""Numbers over trials, and how they are written: `neat`, `Mean` and `Spread`."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self


def neat(value: float, digits: int = 3) -> str:
    """Return a number with at most so many digits: 4.9e6, 1230, 0.064, 1.5e-5.

    A power of ten is used from 1e4 on, and below 1e-4.
    """
    if not math.isfinite(value):
        return str(value)
    rounded = float(f"{value:.{digits - 1}e}")
    if rounded == 0 or 1e-4 <= abs(rounded) < 1e4:
        decimals = digits - 1 - math.floor(math.log10(abs(rounded))) if rounded else 0
        text = f"{rounded:.{max(decimals, 0)}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    mantissa, exponent = f"{rounded:.{digits - 1}e}".split("e")
    short = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{short}e{int(exponent)}"


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its standard error and the standard deviation behind it; 0 for one value."""

    value: float
    error: float
    deviation: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        """Return the mean of ``values``."""
        mean = math.fsum(values) / len(values)
        variance = math.fsum((v - mean) ** 2 for v in values) / max(len(values) - 1, 1)
        return cls(mean, math.sqrt(variance / len(values)), math.sqrt(variance))

    def __str__(self) -> str:
        return f"{neat(self.value)} ± {neat(self.error, 1)}"

    def below(self, other: "Mean", errors: float = 2.0) -> bool:
        """Tell whether this mean is smaller than the other by so many standard errors."""
        return other.value - self.value > errors * math.hypot(self.error, other.error)


@dataclass(frozen=True, slots=True)
class Spread:
    """The median and the worst, that is the largest, of the values of all trials."""

    median: float
    worst: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        """Return the spread of ``values``."""
        return cls(statistics.median(values), max(values))

    def __str__(self) -> str:
        return f"{neat(self.median, 2)}, worst {neat(self.worst, 2)}"
