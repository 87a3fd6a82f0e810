"""The inputs of ArcRace."""

import pytest

from duelli import ArcRace
from duelli.learners.race import SLACKS, RaceConfig


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"caution": 0}, "caution must be above 0; got 0"),
        ({"min_block": 0}, "min_block must be a whole number of at least 1; got 0"),
        ({"horizon": 1.5}, "horizon must be a whole number of at least 1; got 1.5"),
        ({"failure_prob": 1}, r"failure_prob must lie in \(0, 1\); got 1"),
        ({"start": (2.0, 0.0)}, r"start must lie in \[0, 1\]\^2"),
        ({"without": "luck"}, "without must be one of any_reference, .*; got 'luck'"),
    ],
)
def test_bad_input_is_named(inputs, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ArcRace(dim=2, slope_max=0.25, **{"horizon": 100, **inputs})


def test_bias_is_half_of_the_slope_across_a_cube():
    config = RaceConfig(dim=2, slope_max=0.25, lipschitz=2.0)
    assert config.bias(1) == 0.25
    assert config.bias(3) == 0.0625


def test_without_the_centre_the_bias_doubles():
    config = RaceConfig(dim=2, slope_max=0.25, without=("centre",))
    assert config.bias(1) == 0.25


def test_every_slack_can_be_switched_off_by_name():
    for name in SLACKS:
        assert not RaceConfig(dim=1, slope_max=0.25, without=name).has(name)
