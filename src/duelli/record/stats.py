"""Mean: a mean over trials, with its standard error."""

import math
from dataclasses import dataclass
from typing import Self


def neat(value: float, digits: int = 3) -> str:
    """Return a number with so many digits, 4.9e6 rather than 4.9e+06."""
    return f"{value:.{digits}g}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its standard error and the standard deviation behind it; 0 for one value."""

    value: float
    error: float
    deviation: float

    @classmethod
    def of(cls, values: list[float]) -> Self:
        """Return the mean of ``values``."""
        mean = math.fsum(values) / len(values)
        variance = math.fsum((v - mean) ** 2 for v in values) / max(len(values) - 1, 1)
        return cls(mean, math.sqrt(variance / len(values)), math.sqrt(variance))

    def __str__(self) -> str:
        return f"{neat(self.value)} ± {neat(self.error, 1)}"

    def below(self, other: "Mean", errors: float = 2.0) -> bool:
        """Tell whether this mean is smaller than the other by so many standard errors."""
        return other.value - self.value > errors * math.hypot(self.error, other.error)
