"""The five links of the paper."""

import math

import numpy as np

from duelli._arrays import Array
from duelli.links.base import Link

# scipy would be a heavy dependency for this one function.
_erfc = np.frompyfunc(math.erfc, 1, 1)


class Logistic(Link):
    """ρ(u) = 1 / (1 + exp(-u)), Bradley-Terry. Paper: Lemma D.1."""

    def _base(self, v: Array) -> Array:
        t = np.tanh(0.5 * v)  # 1 / (1 + exp(-v)) would overflow
        t *= 0.5
        t += 0.5
        return t

    def _base_slope(self, v: float) -> float:
        return 0.25 * _sech(0.5 * v) ** 2

    def at(self, u: float) -> float:
        """Return ρ(u) for one float."""
        return 0.5 + 0.5 * math.tanh(0.5 * (self.steepness * u))


class Probit(Link):
    """ρ(u) = Φ(u), the normal distribution function. Paper: Lemma D.2."""

    def _base(self, v: Array) -> Array:
        return np.asarray(0.5 * _erfc(v * -math.sqrt(0.5)), dtype=np.float64)[()]

    def _base_slope(self, v: float) -> float:
        return math.exp(-0.5 * v * v) / math.sqrt(2 * math.pi)

    def at(self, u: float) -> float:
        """Return ρ(u) for one float."""
        return 0.5 * math.erfc(self.steepness * u * -math.sqrt(0.5))


class Linear(Link):
    """ρ(u) = (1 + u) / 2, cut at 0 and 1 outside [-1, 1]. Paper: Lemma D.3."""

    def _base(self, v: Array) -> Array:
        return 0.5 + 0.5 * np.clip(v, -1.0, 1.0)

    def _base_slope(self, v: float) -> float:
        return 0.5 if abs(v) <= 1 else 0.0

    def at(self, u: float) -> float:
        """Return ρ(u) for one float."""
        return 0.5 + 0.5 * min(max(self.steepness * u, -1.0), 1.0)


class Arctan(Link):
    """ρ(u) = 1/2 + arctan(u) / π. The paper gives Γ only; λ is 1 / (π (1 + R²))."""

    def _base(self, v: Array) -> Array:
        return 0.5 + np.arctan(v) / math.pi

    def _base_slope(self, v: float) -> float:
        return 1 / (math.pi * (1 + v * v))

    def at(self, u: float) -> float:
        """Return ρ(u) for one float."""
        return 0.5 + math.atan(self.steepness * u) / math.pi


class Tanh(Link):
    """ρ(u) = (1 + tanh u) / 2, the logistic link at twice the steepness. λ = sech²(R) / 2."""

    def _base(self, v: Array) -> Array:
        return 0.5 + 0.5 * np.tanh(v)

    def _base_slope(self, v: float) -> float:
        return 0.5 * _sech(v) ** 2

    def at(self, u: float) -> float:
        """Return ρ(u) for one float."""
        return 0.5 + 0.5 * math.tanh(self.steepness * u)


def _sech(v: float) -> float:
    """Return 1 / cosh(v), and 0 where cosh(v) is too large for a float."""
    return 1 / math.cosh(v) if abs(v) < 700 else 0.0
