"""Links of the user's own."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from duelli import _check
from duelli._arrays import Array
from duelli.links.base import Link


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
