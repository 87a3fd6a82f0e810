"""Numbers over trials, and how they are written."""

import math

import pytest

from duelli.record.stats import Mean, Spread, neat


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0, 3, "0"),
        (1, 3, "1"),
        (1234, 3, "1230"),
        (88, 1, "90"),
        (9999.6, 3, "1e4"),
        (12345, 10, "1.2345e4"),
        (4.9e6, 3, "4.9e6"),
        (10**8, 10, "1e8"),
        (-3.21e7, 3, "-3.21e7"),
        (0.0641, 2, "0.064"),
        (0.000123, 3, "0.000123"),
        (1.5e-5, 3, "1.5e-5"),
        (math.inf, 3, "inf"),
    ],
)
def test_numbers_are_written_in_short(value, digits, text):
    assert neat(value, digits) == text


def test_mean_knows_its_error_and_its_deviation():
    mean = Mean.of([1.0, 2.0, 3.0, 4.0])
    assert mean.value == 2.5
    assert mean.deviation == pytest.approx(1.2909944)
    assert mean.error == pytest.approx(1.2909944 / 2)


def test_one_value_has_no_error():
    assert Mean.of([3.0]) == Mean(3.0, 0.0, 0.0)


def test_a_mean_is_below_another_only_by_enough_errors():
    low, high = Mean(1.0, 0.3, 1.0), Mean(2.0, 0.4, 1.0)  # 1 apart, errors 0.5 together
    assert low.below(high, 1.9)
    assert not low.below(high, 2.0)
    assert not high.below(low, 0.0)


def test_spread_is_the_median_and_the_largest():
    assert Spread.of([0.1, 0.4, 0.2]) == Spread(0.2, 0.4)
    assert str(Spread(0.2, 0.4)) == "0.2, worst 0.4"
