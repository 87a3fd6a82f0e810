"""An odd polynomial within 1e-14 of a link, which a compiled loop can vectorise."""

from dataclasses import dataclass

import numpy as np
from numpy.polynomial import Chebyshev, Polynomial

from duelli._arrays import Array
from duelli.links import Link

TOLERANCE = 1e-14
MOST_TERMS = 16


@dataclass(frozen=True)
class Series:
    """ρ(u) - 1/2 = s · Σ_k terms[k] s^(2k) with s = u / reach, for abs(u) <= reach."""

    terms: tuple[float, ...]
    reach: float


def fit(link: Link, reach: float) -> Series | None:
    """Return the shortest polynomial within 1e-14 of ``link`` on [-reach, reach].

    Return None if 16 terms do not suffice, as for a steep link, or for one with a kink.
    """
    s = np.linspace(0.0, 1.0, 1001)[1:]
    truth = np.asarray(link(s * reach)) - 0.5
    for count in range(1, MOST_TERMS + 1):
        terms = _odd_terms(link, reach, count)
        error = np.abs(s * np.polynomial.polynomial.polyval(s * s, terms) - truth).max()
        if error < TOLERANCE:
            return Series(tuple(map(float, terms)), reach)
    return None


def _odd_terms(link: Link, reach: float, count: int) -> Array:
    def quotient(q: Array) -> Array:
        root = np.sqrt(q)
        return (np.asarray(link(root * reach)) - 0.5) / root

    series = Chebyshev.interpolate(quotient, count - 1, domain=[0, 1])
    terms = np.zeros(count)
    coefficients = series.convert(kind=Polynomial, domain=[-1, 1]).coef
    terms[: len(coefficients)] = coefficients  # trailing zeros are left off
    return terms
