"""The links: their values and slopes as the paper states them, and links of one's own."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from duelli.links import LINKS, Arctan, CustomLink, Logistic, link, parse

E = math.e
ROOT = math.sqrt(2 * math.pi)
SLOPES = {  # on [-1, 1]: Γ, λ. The paper gives no λ for the last two.
    "logistic": (1 / 4, E / (1 + E) ** 2),
    "probit": (1 / ROOT, math.exp(-0.5) / ROOT),
    "linear": (1 / 2, 1 / 2),
    "arctan": (1 / math.pi, 1 / (2 * math.pi)),
    "tanh": (1 / 2, 0.5 / math.cosh(1) ** 2),
}
PRINTED = {  # the same as decimals
    "logistic": (0.25, 0.196612),
    "probit": (0.398942, 0.241971),
    "linear": (0.5, 0.5),
    "arctan": (0.318310, 0.159155),
    "tanh": (0.5, 0.209987),
}
VALUES = {
    "logistic": lambda u: 1 / (1 + np.exp(-u)),
    "probit": norm.cdf,
    "linear": lambda u: (1 + u) / 2,
    "arctan": lambda u: 0.5 + np.arctan(u) / np.pi,
    "tanh": lambda u: (1 + np.tanh(u)) / 2,
}


@pytest.mark.parametrize("name", LINKS)
def test_the_slopes_are_those_of_the_closed_forms(name):
    chosen = LINKS[name]
    assert (chosen.slope_max, chosen.slope_min) == pytest.approx(SLOPES[name], rel=1e-12)


@pytest.mark.parametrize("name", LINKS)
def test_the_slopes_are_those_of_the_table(name):
    chosen = LINKS[name]
    assert (chosen.slope_max, chosen.slope_min) == pytest.approx(PRINTED[name], abs=5e-7)


@pytest.mark.parametrize("name", LINKS)
def test_the_values_are_those_of_the_formula(name):
    u = np.linspace(-1, 1, 201)
    assert np.abs(LINKS[name](u) - VALUES[name](u)).max() < 1e-15


@pytest.mark.parametrize(("name", "ratio"), [("arctan", 2.0), ("tanh", 2.381098), ("linear", 1.0)])
def test_the_slope_ratio(name, ratio):
    assert LINKS[name].slope_ratio == pytest.approx(ratio, abs=5e-7)


def test_tanh_is_the_logistic_link_at_twice_the_steepness():
    u = np.linspace(-5, 5, 101)
    assert np.abs(LINKS["tanh"](u) - Logistic(steepness=2)(u)).max() < 1e-15


def test_on_a_wide_span_the_logistic_link_is_nearly_flat_at_the_ends():
    wide = LINKS["logistic"].on(6)
    assert wide.slope_min == pytest.approx(0.002467, abs=5e-7)
    assert wide.slope_ratio == pytest.approx(101.4, abs=0.1)


def test_a_linear_link_that_is_cut_has_no_smallest_slope():
    cut = LINKS["linear"].on(2)
    assert (cut.slope_min, cut.slope_ratio) == (0.0, math.inf)


@pytest.mark.parametrize("name", LINKS)
def test_a_huge_difference_overflows_nothing(name):
    assert float(LINKS[name](1e308)) == pytest.approx(1.0)


@pytest.mark.parametrize("name", LINKS)
def test_a_very_steep_link_still_has_slopes(name):
    steep = parse(f"{name}:1e6")
    assert 0 <= steep.slope_min <= steep.slope_max < math.inf


def test_a_name_is_parsed():
    assert parse("logistic") is LINKS["logistic"]


def test_a_name_with_a_steepness_is_parsed():
    assert parse("arctan:2.5") == Arctan(steepness=2.5)


@pytest.mark.parametrize("steepness", ["0", "-1", "x", "nan", "inf", ""])
def test_a_steepness_that_is_not_above_zero_is_refused(steepness):
    with pytest.raises(ValueError, match="steepness") as caught:
        parse(f"logistic:{steepness}")
    assert str(caught.value) == f"link steepness must be a number above 0; got {steepness!r}"


@pytest.mark.parametrize("steepness", ["1e308", "1e101", "1e-101", "5e-324"])
def test_a_steepness_out_of_all_proportion_is_refused(steepness):
    with pytest.raises(ValueError, match="steepness") as caught:
        parse(f"logistic:{steepness}")
    expected = f"steepness must lie in [1e-100, 1e+100]; got {float(steepness)!r}"
    assert str(caught.value) == expected


@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("steepness", [1e-100, 800.0, 1399.0, 1e100])
def test_at_every_steepness_that_is_allowed_a_link_has_values_and_slopes(name, steepness):
    steep = replace(LINKS[name], steepness=steepness)
    assert 0 <= steep.slope_min <= steep.slope_max < math.inf
    assert steep.slope_ratio >= 1
    assert [steep.at(-1e300), steep.at(1e300)] == pytest.approx([0.0, 1.0])


@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("steepness", [0.3, 10.0, 1e6])
def test_one_float_gives_what_an_array_gives(name, steepness):
    steep = replace(LINKS[name], steepness=steepness)
    u = np.concatenate([np.linspace(-2, 2, 2001), np.geomspace(1e-12, 1e12, 200)])
    one_by_one = np.array([steep.at(value) for value in u.tolist()])
    assert np.abs(one_by_one - steep(u)).max() <= 1e-15


def test_a_custom_link_takes_one_float_too():
    mine = link(VALUES["logistic"])
    assert mine.at(0.4) == float(mine(0.4))


@pytest.mark.parametrize("name", LINKS)
def test_a_link_can_be_pickled(name):
    steep = replace(LINKS[name], steepness=3.0)
    assert pickle.loads(pickle.dumps(steep)) == steep


def test_a_custom_link_of_a_function_of_a_module_can_be_pickled():
    again = pickle.loads(pickle.dumps(link(norm.cdf)))
    assert again.at(0.4) == pytest.approx(norm.cdf(0.4), abs=1e-15)


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(
        ValueError, match=r"^link must be one of arctan, linear, logistic, probit, tanh; got 'bt'$"
    ):
        parse("bt")


@pytest.mark.parametrize("name", ["steepness", "span"])
def test_a_link_refuses_a_size_that_is_not_above_zero(name):
    with pytest.raises(ValueError, match=f"^{name} must be above 0; got 0$"):
        Logistic(**{name: 0})


def test_a_custom_link_answers_as_its_function():
    mine = link(lambda u: 0.5 + 0.3 * np.sin(u))
    assert float(mine(0.4)) == pytest.approx(0.5 + 0.3 * math.sin(0.4))


def test_a_custom_link_has_measured_slopes():
    mine = link(VALUES["logistic"])
    assert (mine.slope_max, mine.slope_min) == pytest.approx(PRINTED["logistic"], rel=1e-3)


def test_a_custom_link_is_measured_on_its_span():
    wide = link(VALUES["logistic"], span=6)
    assert wide.slope_min == pytest.approx(LINKS["logistic"].on(6).slope_min, rel=1e-2)


def test_a_custom_link_keeps_the_span_that_its_user_gave():
    mine = link(VALUES["linear"])  # beyond 1 it is no probability
    assert mine.on(6.0) is mine


def test_a_custom_link_that_does_not_hold_on_a_wider_span_is_refused_there():
    with pytest.raises(ValueError, match=r"^link must lie in \[0, 1\]; got "):
        replace(link(VALUES["linear"]), span=2)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            lambda u: VALUES["logistic"](u) ** 2,
            "link must be symmetric, ρ(-u) = 1 - ρ(u); got ρ(-1",
        ),
        (lambda u: 0.5 + u, "link must lie in [0, 1]; got ρ(-1) = -0.5"),
        (
            lambda u: np.where(np.abs(u) < 0.3, np.nan, 0.5),
            "link must be finite; got ρ(-0.3) = nan",
        ),
        (lambda u: 0.5 - 0.1 * u, "link must not fall; got ρ(-1) = 0.6"),
        (lambda u: 0.5 + 0 * u, "link must rise somewhere; got the same probability everywhere"),
        (lambda u: u[:7], "link must map shape (2001,) to the same shape; got (7,)"),
        (lambda _: 0.5, "link must map shape (2001,) to the same shape; got ()"),
    ],
    ids=["symmetric", "probability", "finite", "falling", "flat", "shape", "scalar"],
)
def test_a_function_that_is_no_link_is_refused(function, message):
    with pytest.raises(ValueError, match="link must") as caught:
        link(function)
    assert str(caught.value).startswith(message)


def test_what_is_not_a_function_is_refused():
    with pytest.raises(TypeError, match=r"^function must be a function of arrays; got 3$"):
        link(3)


def test_a_custom_link_is_checked_however_it_is_made():
    with pytest.raises(ValueError, match=r"^link must be symmetric"):
        CustomLink(function=lambda u: VALUES["logistic"](u + 0.1))


def test_given_slopes_of_a_custom_link_are_taken_at_their_word():
    chosen = link(LINKS["logistic"], slope_max=0.25, slope_min=0.19)
    assert (chosen.slope_max, chosen.slope_min) == (0.25, 0.19)


def test_a_given_slope_that_the_link_exceeds_is_refused():
    with pytest.raises(
        ValueError, match=r"slope_max must be at least 0\.25, as measured; got 0\.2"
    ):
        link(LINKS["logistic"], slope_max=0.2)
