"""DuelModel: win probabilities, gaps and regrets."""

import copy
import math
import pickle

import numpy as np
import pytest

from duelli import LANDSCAPES, DuelModel, landscape, link
from duelli.links import Logistic, Probit

MODEL = DuelModel("sharp")  # f is 1 less the distance to (0.5, 0.5)
BEST, NEAR, FAR = (0.5, 0.5), (0.5, 0.6), (0.5, 0.9)


def logistic(u):
    return 1 / (1 + math.exp(-u))


def test_the_win_probability_is_the_link_of_the_difference():
    assert MODEL.win_prob(NEAR, FAR) == pytest.approx(logistic(0.3))


def test_the_win_probabilities_of_both_arms_add_up_to_one():
    assert MODEL.win_prob(NEAR, FAR) + MODEL.win_prob(FAR, NEAR) == pytest.approx(1.0)


def test_the_gap_is_the_win_probability_less_a_half():
    assert MODEL.gap(NEAR, FAR) == pytest.approx(logistic(0.3) - 0.5)


def test_the_gap_to_the_best_arm():
    assert MODEL.gap_to_best(FAR) == pytest.approx(logistic(0.4) - 0.5)


def test_the_regret_is_the_sum_of_both_gaps():
    expected = logistic(0.1) - 0.5 + logistic(0.4) - 0.5
    assert MODEL.regret(NEAR, FAR) == pytest.approx(expected)


def test_the_weak_regret_is_the_smaller_gap():
    assert MODEL.weak_regret(FAR, NEAR) == pytest.approx(logistic(0.1) - 0.5)


def test_the_best_arm_against_itself_costs_nothing():
    assert (MODEL.regret(BEST, BEST), MODEL.weak_regret(BEST, BEST)) == (0.0, 0.0)


def test_one_arm_gives_a_float():
    assert isinstance(float(MODEL.win_prob(NEAR, FAR)), float)
    assert np.ndim(MODEL.win_prob(NEAR, FAR)) == 0


def test_many_arms_give_an_array():
    many = MODEL.win_prob(np.array([NEAR, FAR]), FAR)
    assert many.tolist() == pytest.approx([logistic(0.3), 0.5])


def test_a_model_is_made_of_names():
    model = DuelModel("sharp", "probit:3")
    assert model.landscape is LANDSCAPES["sharp"]
    assert model.link == Probit(steepness=3, span=LANDSCAPES["sharp"].lipschitz)


def test_a_model_is_made_of_objects():
    model = DuelModel(LANDSCAPES["sharp"], Logistic(steepness=2))
    assert model.win_prob(NEAR, FAR) == pytest.approx(logistic(0.6))


def test_the_slopes_of_the_link_are_those_on_the_range_of_the_utility():
    assert DuelModel("two_cones_scaled").link.span == LANDSCAPES["two_cones_scaled"].lipschitz


def test_a_custom_link_keeps_its_own_span():
    mine = link(lambda u: 0.5 + 0.5 * u)
    assert DuelModel("sharp", mine).link is mine


@pytest.mark.parametrize("again", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
@pytest.mark.parametrize("link_name", ["logistic", "linear:2", "probit", "arctan", "tanh:10"])
def test_a_model_of_names_can_be_pickled_and_copied(link_name, again):
    model = DuelModel("two_peaks", link_name)
    other = again(model)
    assert other.link == model.link
    assert other.regret(NEAR, FAR) == model.regret(NEAR, FAR)


@pytest.mark.parametrize("method", ["win_prob", "gap", "regret", "weak_regret"])
@pytest.mark.parametrize(
    ("arm", "message"),
    [
        ((0.5,), "must have shape (2,) or (n, 2); got (1,)"),
        (0.5, "must have shape (2,) or (n, 2); got ()"),
        ([[[0.5, 0.5]]], "must have shape (2,) or (n, 2); got (1, 1, 2)"),
        ((0.5, 1.5), "must lie in [0, 1]^2; got [0.5, 1.5]"),
        ((0.5, math.nan), "must lie in [0, 1]^2; got [0.5, nan]"),
        ([BEST, (-1, 0)], "must lie in [0, 1]^2; got [[0.5, 0.5], [-1.0, 0.0]]"),
    ],
)
@pytest.mark.parametrize("place", ["x", "y"])
def test_an_arm_that_is_none_is_refused_by_its_name(method, arm, message, place):
    message = f"{place} {message}"
    arms = {"x": BEST, "y": BEST, place: arm}
    with pytest.raises(ValueError, match="must") as caught:
        getattr(MODEL, method)(**arms)
    assert str(caught.value) == message


def test_an_unknown_landscape_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"^landscape must be one of flat, .*; got 'cone'$"):
        DuelModel("cone")


@pytest.mark.parametrize("thing", [3, None, lambda xs: xs])
def test_what_is_no_landscape_is_refused(thing):
    with pytest.raises(TypeError, match=r"^landscape must be a Landscape or a name; got "):
        DuelModel(thing)


@pytest.mark.parametrize("thing", [3, None, math.tanh])
def test_what_is_no_link_is_refused(thing):
    with pytest.raises(TypeError, match=r"^link must be a Link or a name; got "):
        DuelModel("sharp", thing)


def test_a_utility_that_is_not_a_number_is_refused_where_it_is_met():
    holed = landscape(lambda xs: np.where(xs[:, 0] < 0.1, np.nan, xs[:, 0]), 1, best_arm=(1,))
    with pytest.raises(ValueError, match=r"^utility must be finite; got nan at \(0\.05,\)$"):
        DuelModel(holed).win_prob((0.05,), (0.5,))
