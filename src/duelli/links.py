"""Links: the paper's transfer function ρ, from a difference of utilities to a win probability.

Each link has a ``steepness`` s, ρ(u) = ρ_1(s u), and a ``span`` R: its slopes Γ and λ are those on
[-R, R], where the differences of utility lie (Assumption 3.2, Lemmas D.1-D.3).
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from duelli import _check
from duelli._arrays import Array

# Beyond these, products with the steepness overflow or vanish, and no judge is like that.
LEAST_STEEPNESS, MOST_STEEPNESS = 1e-100, 1e100

GUESSED_SLOPE = 4.0  # Γ L where nobody knows it: too large costs little, too small a lot

# scipy would be a heavy dependency for this one function.
_erfc = np.frompyfunc(math.erfc, 1, 1)


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


LINKS: dict[str, Link] = {
    "logistic": Logistic(),
    "linear": Linear(),
    "probit": Probit(),
    "arctan": Arctan(),
    "tanh": Tanh(),
}


@dataclass(frozen=True, kw_only=True)
class CustomLink(Link):
    """A link of the user's own, checked on [-span, span] when it is made; see `link`."""

    function: Callable[[Array], Array] = field(compare=False)
    given_slopes: tuple[float | None, float | None] = (None, None)  # Γ, λ as the user gave them
    _slopes: tuple[float, float] = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "_slopes", _checked_slopes(self, *self.given_slopes))

    def _base(self, v: Array) -> Array:
        return np.asarray(self.function(v), dtype=np.float64)[()]

    def _base_slope(self, v: float) -> float:  # only asked at 0 (Γ) and at the span (λ)
        return self._slopes[0 if v == 0 else 1] / self.steepness

    def on(self, span: float) -> Self:  # noqa: ARG002 (the same signature for every link)
        """Return the link itself: its user gave its span, and it was checked there only."""
        return self


def link(
    function: Callable[[Array], Array],
    *,
    span: float = 1.0,
    slope_max: float | None = None,
    slope_min: float | None = None,
) -> CustomLink:
    """Return a link made of any vectorised ρ, after checking that it is one.

    It must be finite, lie in [0, 1], not fall, and be symmetric: ρ(-u) = 1 - ρ(u). This is checked
    at 2001 points of [-span, span].

    Args:
        function: ρ, from an array of differences to an array of win probabilities.
        span: R, the largest difference of utilities that will occur.
        slope_max: Γ, which is checked. If None, it is measured between the 2001 points, which may
            be slightly too small.
        slope_min: λ, which is checked. If None, it is measured likewise.
    """
    if not callable(function):
        raise TypeError(f"function must be a function of arrays; got {function!r}")
    return CustomLink(function=function, span=span, given_slopes=(slope_max, slope_min))


def parse(link: Link | str) -> Link:
    """Return the link that a text such as ``logistic:10`` names; a link is returned as it is."""
    if isinstance(link, Link):
        return link
    if not isinstance(link, str):
        raise TypeError(f"link must be a Link or a name; got {link!r}")
    name, colon, steepness = link.partition(":")
    named = _check.registered("link", name, LINKS)
    if not colon:
        return named
    try:
        number = float(steepness)
    except ValueError:
        number = math.nan
    if not number > 0 or math.isinf(number):
        raise ValueError(f"link steepness must be a number above 0; got {steepness!r}")
    return replace(named, steepness=number)


def known_slopes(link: Link | str | None, lipschitz: float | None) -> dict[str, Any]:
    """Return what the learner is told of link and Lipschitz constant, guessed if unknown."""
    lipschitz = None if lipschitz is None else _check.positive("lipschitz", lipschitz)
    if link is None:
        return {"slope_max": 0.25, "lipschitz": GUESSED_SLOPE / 0.25}
    parsed = parse(link)
    if lipschitz is None:
        return {"slope_max": parsed.slope_max, "lipschitz": GUESSED_SLOPE / parsed.slope_max}
    return {"lipschitz": lipschitz, **parsed.on(lipschitz).facts()}


def _checked_slopes(
    candidate: Link, slope_max: float | None, slope_min: float | None
) -> tuple[float, float]:
    """Return (Γ, λ) as given or measured; raise if ``candidate`` breaks a rule of links."""
    u = np.linspace(-candidate.span, candidate.span, 2001)
    p = np.asarray(candidate(u))
    if p.shape != u.shape:
        raise ValueError(f"link must map shape {u.shape} to the same shape; got {p.shape}")
    rules = [
        ("be finite", np.isfinite(p)),
        ("lie in [0, 1]", (p >= 0) & (p <= 1)),
        ("be symmetric, ρ(-u) = 1 - ρ(u)", np.abs(p + p[::-1] - 1) < 1e-9),
        ("not fall", np.append(np.diff(p), 0.0) >= -1e-12),
    ]
    for rule, holds in rules:
        if not holds.all():
            worst = int(np.argmin(holds))
            raise ValueError(f"link must {rule}; got ρ({u[worst]:g}) = {p[worst]}")
    quotients = np.diff(p) / np.diff(u)
    if quotients.max() <= 0:
        raise ValueError("link must rise somewhere; got the same probability everywhere")
    steepest, flattest = float(quotients.max()), float(max(quotients.min(), 0.0))
    upper = steepest if slope_max is None else _check.positive("slope_max", slope_max)
    lower = flattest if slope_min is None else _check.at_least("slope_min", slope_min, 0.0)
    if upper < steepest * (1 - 1e-9):
        raise ValueError(f"slope_max must be at least {steepest:g}, as measured; got {upper}")
    if lower > flattest * (1 + 1e-9):
        raise ValueError(f"slope_min must be at most {flattest:g}, as measured; got {lower}")
    return upper, lower
