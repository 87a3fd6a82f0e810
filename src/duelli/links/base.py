"""Link: what every link can do, and its slopes."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from duelli import _check

# Beyond these, products with the steepness overflow or vanish, and no judge is like that.
LEAST_STEEPNESS, MOST_STEEPNESS = 1e-100, 1e100


@dataclass(frozen=True, kw_only=True)
class Link(ABC):
    """ρ(u): the probability that an arm wins whose utility is larger by ``u``.

    Args:
        steepness: s. The larger it is, the surer the better arm is to win.
        span: R, the largest difference of utilities; the slopes are those on [-R, R].
    """

    steepness: float = 1.0
    span: float = 1.0

    def __post_init__(self) -> None:
        steepness = _check.positive("steepness", self.steepness)
        if not LEAST_STEEPNESS <= steepness <= MOST_STEEPNESS:
            bounds = f"[{LEAST_STEEPNESS:g}, {MOST_STEEPNESS:g}]"
            raise ValueError(f"steepness must lie in {bounds}; got {self.steepness!r}")
        object.__setattr__(self, "steepness", steepness)
        object.__setattr__(self, "span", _check.positive("span", self.span))

    @abstractmethod
    def _base(self, v: Any) -> Any:
        """Return ρ_1(v), the link of steepness 1."""

    @abstractmethod
    def _base_slope(self, v: float) -> float:
        """Return the derivative of ρ_1 at ``v``; it is largest at 0 and falls with abs(v)."""

    def __call__(self, u: Any) -> Any:
        """Return ρ(u), entry by entry for an array."""
        return self._base(self.steepness * np.asarray(u, dtype=np.float64))

    def at(self, u: float) -> float:
        """Return ρ(u) for one float, within 1e-15 of calling the link.

        A link whose formula can be written with the functions of ``math`` overrides this, because
        calls of NumPy on single numbers are slow.
        """
        return float(self(u))

    def on(self, span: float) -> Self:
        """Return the link to use where differences of utility reach ``span``.

        Its slopes are those on [-span, span]. A link made by `link` is returned as it is: its
        user has said on which span it holds.
        """
        return replace(self, span=span)

    @property
    def slope_max(self) -> float:
        """Γ, the largest slope on [-R, R]."""
        return self.steepness * self._base_slope(0.0)

    @property
    def slope_min(self) -> float:
        """λ, the smallest slope on [-R, R]; 0 where the link is flat."""
        return self.steepness * self._base_slope(self.steepness * self.span)

    @property
    def slope_ratio(self) -> float:
        """κ = Γ / λ, infinite where λ is 0."""
        return self.slope_max / self.slope_min if self.slope_min > 0 else math.inf

    def facts(self) -> dict[str, float | None]:
        """Return what learners may be told of the link: Γ, and κ unless it is infinite."""
        ratio = self.slope_ratio
        return {
            "slope_max": self.slope_max,
            "slope_ratio": ratio if math.isfinite(ratio) else None,
        }
