"""The inputs of the comparison gradient, and its gains."""

import math

import pytest

from duelli.learners.descent import ComparisonGradientConfig
from duelli.learners.descent.gradient_inputs import theory_plan


def config(**inputs):
    return ComparisonGradientConfig(**{"dim": 2, "horizon": 1000, **inputs})


def test_the_practical_gains():
    assert config().plan() == (0.1, 0.2, 0.25, None)


def test_the_gains_of_the_theory():
    # d = 4: R = 1; ε = .02, L = 4: η = .1, δ = η / 4, γ = ε / 2, Δ = δ γ / 32, L R² / ε moves.
    plan = theory_plan(4, 0.02, 4.0)
    assert plan == pytest.approx((0.1 / 4 * 0.01 / 32 / 4, 0.1, 0.1 / 4, 200))
    assert config(dim=4, gains="theory", target=0.02, smoothness=4.0).plan() == plan


def test_given_gains_win():
    assert config(probe=0.3, step=0.5, accuracy=0.01).plan() == (0.3, 0.5, 0.01, None)


def test_an_accuracy_that_floats_do_not_have_is_not_asked_for():
    assert config(accuracy=1e-300).plan().accuracy == 1e-9


@pytest.mark.parametrize(("horizon", "cap"), [(1, 1), (10, 2), (20_000, 128), (10**8, 8192)])
def test_the_cap_grows_with_the_root_of_the_horizon(horizon, cap):
    assert config(horizon=horizon).stages().cap == cap
    assert cap <= math.sqrt(horizon) < 2 * cap + 1


@pytest.mark.parametrize(("horizon", "least"), [(20_000, 1), (20_001, 2), (10**8, 8192)])
def test_a_long_run_has_a_larger_first_stage(horizon, least):
    stages = config(horizon=horizon, cap=1).stages()
    assert (stages.least, stages.cap, stages.first) == (least, least, least)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"gains": "box"}, "gains must be one of practical, theory; got 'box'"),
        ({"cap": 0}, "cap must be a whole number of at least 1; got 0"),
        ({"probe": 0.7}, r"probe must lie in \[1e-06, 0.5\]; got 0.7"),
        ({"accuracy": 0}, "accuracy must be above 0; got 0"),
        ({"failure_prob": 0}, r"failure_prob must lie in \(0, 1\); got 0"),
    ],
)
def test_wrong_inputs_are_named(inputs, message):
    with pytest.raises(ValueError, match=message):
        config(**inputs)
