"""Mean: a mean over trials, with its standard error."""

import math
from dataclasses import dataclass
from typing import Self


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
        return f"{self.value:.3g} ± {self.error:.1g}"

    def below(self, other: "Mean", errors: float = 2.0) -> bool:
        """Tell whether this mean is smaller than the other by so many standard errors."""
        return other.value - self.value > errors * math.hypot(self.error, other.error)
