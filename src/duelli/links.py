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
import numpy.typing as npt

from duelli import _check

Array = npt.NDArray[np.float64]

# scipy would be a heavy dependency for this one function.
_erfc = np.frompyfunc(math.erfc, 1, 1)


@dataclass(frozen=True, kw_only=True)
class Link(ABC):
    """ρ(u): the probability that an arm wins whose utility is larger by ``u``.

    Args:
        steepness: s; a judge ten times as clear-sighted has ten times the steepness.
        span: R; the slopes are those on [-R, R].
    """

    steepness: float = 1.0
    span: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "steepness", _check.positive("steepness", self.steepness))
        object.__setattr__(self, "span", _check.positive("span", self.span))

    @abstractmethod
    def _base(self, v: Any) -> Any:
        """Return ρ_1(v), the link of steepness 1."""

    @abstractmethod
    def _base_slope(self, v: float) -> float:
        """Return the derivative of ρ_1 at ``v``; it is largest at 0 and falls with abs(v)."""

    @property
    @abstractmethod
    def saturation(self) -> float:
        """The difference from which on ρ is 0 or 1 to the last bit (infinite if never)."""

    def __call__(self, u: Any) -> Any:
        """Return ρ(u), entry by entry for an array."""
        return self._base(self.steepness * np.asarray(u, dtype=np.float64))

    def on(self, span: float) -> Self:
        """Return the same link with its slopes taken on [-span, span]."""
        return replace(self, span=span)

    def covering(self, reach: float) -> Self:
        """Return the link to use where differences of utility reach ``reach``."""
        return self.on(reach)

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
        return 0.5 + 0.5 * np.tanh(0.5 * v)  # the same function, without overflow

    def _base_slope(self, v: float) -> float:
        return 0.25 / math.cosh(0.5 * v) ** 2 if abs(v) < 1400 else 0.0

    @property
    def saturation(self) -> float:
        """Where exp(-u) falls below half a unit in the last place of 1."""
        return 38.0 / self.steepness


class Probit(Link):
    """ρ(u) = Φ(u), the normal distribution function. Paper: Lemma D.2."""

    def _base(self, v: Array) -> Array:
        return np.asarray(0.5 * _erfc(v * -math.sqrt(0.5)), dtype=np.float64)[()]

    def _base_slope(self, v: float) -> float:
        return math.exp(-0.5 * v * v) / math.sqrt(2 * math.pi)

    @property
    def saturation(self) -> float:
        """Where 1 - Φ falls below half a unit in the last place of 1."""
        return 8.5 / self.steepness


class Linear(Link):
    """ρ(u) = (1 + u) / 2, cut at 0 and 1 outside [-1, 1]. Paper: Lemma D.3."""

    def _base(self, v: Array) -> Array:
        return 0.5 + 0.5 * np.clip(v, -1.0, 1.0)

    def _base_slope(self, v: float) -> float:
        return 0.5 if abs(v) <= 1 else 0.0

    @property
    def saturation(self) -> float:
        """Where the line reaches 1."""
        return 1.0 / self.steepness


class Arctan(Link):
    """ρ(u) = 1/2 + arctan(u) / π. The paper gives Γ only; λ is 1 / (π (1 + R²))."""

    def _base(self, v: Array) -> Array:
        return 0.5 + np.arctan(v) / math.pi

    def _base_slope(self, v: float) -> float:
        return 1 / (math.pi * (1 + v * v))

    @property
    def saturation(self) -> float:
        """Its tails are too heavy ever to saturate."""
        return math.inf


class Tanh(Link):
    """ρ(u) = (1 + tanh u) / 2, the logistic link at twice the steepness. λ = sech²(R) / 2."""

    def _base(self, v: Array) -> Array:
        return 0.5 + 0.5 * np.tanh(v)

    def _base_slope(self, v: float) -> float:
        return 0.5 / math.cosh(v) ** 2 if abs(v) < 700 else 0.0

    @property
    def saturation(self) -> float:
        """Half of the logistic's."""
        return 19.0 / self.steepness


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
    given_slopes: tuple[float | None, float | None] = (None, None)  # Γ, λ of the user's word
    _slopes: tuple[float, float] = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "_slopes", _checked_slopes(self, *self.given_slopes))

    def _base(self, v: Array) -> Array:
        return np.asarray(self.function(v), dtype=np.float64)[()]

    def _base_slope(self, v: float) -> float:  # only asked at 0 (Γ) and at the span (λ)
        return self._slopes[0 if v == 0 else 1] / self.steepness

    def covering(self, reach: float) -> Self:  # noqa: ARG002 (the user has said what will come)
        """Return the link itself: its span is the user's word, and it was checked there only."""
        return self

    @property
    def saturation(self) -> float:
        """Unknown, hence never."""
        return math.inf


def link(
    function: Callable[[Array], Array],
    *,
    span: float = 1.0,
    slope_max: float | None = None,
    slope_min: float | None = None,
) -> CustomLink:
    """Return a link made of any vectorised ρ, once it has passed for one.

    It must be finite, lie in [0, 1], not fall, and be symmetric: ρ(-u) = 1 - ρ(u). It is looked at
    in 2001 points of [-span, span].

    Args:
        function: ρ, from an array of differences to an array of win probabilities.
        span: R, the largest difference of utilities that will come.
        slope_max: Γ, checked; measured between the points if None, which may miss a little.
        slope_min: λ, likewise.
    """
    if not callable(function):
        raise TypeError(f"function must be a function of arrays; got {function!r}")
    return CustomLink(function=function, span=span, given_slopes=(slope_max, slope_min))


def parse(link: Link | str) -> Link:
    """Return the link that a text such as ``logistic:10`` names; a link is itself."""
    if isinstance(link, Link):
        return link
    if not isinstance(link, str):
        raise TypeError(f"link must be a Link or a name; got {link!r}")
    name, colon, steepness = link.partition(":")
    found = _check.registered("link", name, LINKS)
    if not colon:
        return found
    try:
        return replace(found, steepness=float(steepness))
    except ValueError:
        raise ValueError(f"link steepness must be a number above 0; got {steepness!r}") from None


def _checked_slopes(
    candidate: Link, slope_max: float | None, slope_min: float | None
) -> tuple[float, float]:
    """Return (Γ, λ) as given or measured, or say what keeps ``candidate`` from being a link."""
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
