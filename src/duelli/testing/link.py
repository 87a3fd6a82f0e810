"""LinkKit: what every link must hold to."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from duelli import _rng
from duelli.links import Link

SPANS = [0.5, 1.0, 2.0, 6.0]
ROUNDING = 1e-9


class LinkKit:
    """Subclass it and give it a ``link`` fixture: the link, of steepness 1.

        class TestMyLink(LinkKit):
            @pytest.fixture
            def link(self):
                return MyLink()

    It is looked at on [-6, 6]. A link whose slopes were measured sets ``slack``, their relative
    error.
    """

    slack = 0.0

    def test_an_arm_ties_with_its_equal(self, link: Link) -> None:
        assert float(link(0.0)) == 0.5

    def test_is_symmetric(self, link: Link) -> None:
        u = _differences()
        assert np.abs(link(u) + link(-u) - 1).max() < 1e-12

    def test_is_a_probability(self, link: Link) -> None:
        p = link(_differences())
        assert ((p >= 0) & (p <= 1)).all()

    def test_does_not_fall(self, link: Link) -> None:
        assert np.diff(link(_differences())).min() >= -1e-15

    def test_a_float_and_an_array_agree(self, link: Link) -> None:
        u = _differences()[::40]
        assert [float(link(value)) for value in u.tolist()] == np.asarray(link(u)).tolist()

    def test_one_float_has_the_same_probability_as_in_an_array(self, link: Link) -> None:
        u = _differences()
        one_by_one = np.array([link.at(value) for value in u.tolist()])
        assert np.abs(one_by_one - link(u)).max() <= 1e-15

    def test_the_probability_of_one_float_is_a_float(self, link: Link) -> None:
        assert type(link.at(0.25)) is float

    def test_keeps_the_shape_of_an_array(self, link: Link) -> None:
        assert np.shape(link(np.zeros((3, 4)))) == (3, 4)

    @pytest.mark.parametrize("span", SPANS)
    def test_its_slopes_bound_all_difference_quotients(self, link: Link, span: float) -> None:
        on = replace(link, span=span)
        quotients = _quotients(on, span)
        assert quotients.max() <= on.slope_max * (1 + self.slack) + ROUNDING
        assert quotients.min() >= on.slope_min * (1 - self.slack) - ROUNDING

    @pytest.mark.parametrize("span", SPANS)
    def test_its_slopes_are_reached(self, link: Link, span: float) -> None:
        on = replace(link, span=span)
        quotients = _quotients(on, span)
        assert quotients.max() >= on.slope_max * 0.999
        assert quotients.min() <= on.slope_min * 1.01 + ROUNDING

    def test_its_slope_ratio_is_that_of_its_slopes(self, link: Link) -> None:
        on = replace(link, span=0.5)
        assert on.slope_ratio == pytest.approx(on.slope_max / on.slope_min)

    @pytest.mark.parametrize("steepness", [0.5, 3.0])
    def test_its_steepness_scales_the_difference(self, link: Link, steepness: float) -> None:
        u, steep = _differences() / 3, replace(link, steepness=steepness)
        assert np.allclose(steep(u), link(steepness * u), rtol=0, atol=1e-15)

    @pytest.mark.parametrize("steepness", [0.5, 3.0])
    def test_its_steepness_scales_its_slopes(self, link: Link, steepness: float) -> None:
        steep, base = replace(link, steepness=steepness, span=1.0), replace(link, span=steepness)
        slopes = [steepness * base.slope_max, steepness * base.slope_min]
        assert [steep.slope_max, steep.slope_min] == pytest.approx(slopes, rel=1e-6)


def _differences() -> Any:
    return np.linspace(-6.0, 6.0, 2401)


def _quotients(link: Link, span: float) -> Any:
    """Return difference quotients between neighbours of a grid and between random pairs."""
    rng = _rng.stream(0, "arms")
    grid = np.linspace(-span, span, 4001)
    low, high = np.sort(rng.uniform(-span, span, (2, 4000)), axis=0)
    apart = high - low > 1e-6  # nearer ones would show rounding, not slope
    low = np.concatenate([grid[:-1], low[apart]])
    high = np.concatenate([grid[1:], high[apart]])
    return (link(high) - link(low)) / (high - low)
