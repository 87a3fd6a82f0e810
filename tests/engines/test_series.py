"""The polynomials that stand for the links in the compiled loop."""

import numpy as np
import pytest

from duelli import links
from duelli.engines import _series
from duelli.links import LINKS

REACHES = [0.01, 0.3, 0.6, 1.0]


def value(series, u):
    s = u / series.reach
    return 0.5 + s * np.polynomial.polynomial.polyval(s * s, series.terms)


@pytest.mark.parametrize("reach", REACHES)
@pytest.mark.parametrize("name", LINKS)
def test_a_series_is_within_1e_14_of_its_link(name, reach):
    series = _series.fit(LINKS[name], reach)
    u = np.random.default_rng(0).uniform(-reach, reach, 20_000)
    assert np.abs(value(series, u) - LINKS[name](u)).max() < 1e-14


def test_a_series_is_symmetric():
    series = _series.fit(LINKS["probit"], 1.0)
    u = np.linspace(0, 1, 100)
    assert value(series, u) + value(series, -u) == pytest.approx(np.ones(100), abs=1e-15)


def test_a_line_takes_one_term():
    assert len(_series.fit(LINKS["linear"], 1.0).terms) == 1


def test_a_series_is_no_longer_than_it_must_be():
    lengths = [len(_series.fit(LINKS["logistic"], reach).terms) for reach in REACHES]
    assert lengths == sorted(lengths)


@pytest.mark.parametrize(
    ("link", "reach"),
    [
        pytest.param("logistic:100", 1.0, id="steep"),
        pytest.param("linear", 2.0, id="kinked"),
        pytest.param("arctan", 10.0, id="wide"),
    ],
)
def test_a_link_that_is_no_short_polynomial_has_no_series(link, reach):
    assert _series.fit(links.parse(link), reach) is None
