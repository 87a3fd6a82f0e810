"""The checks of arguments: what they let through, and the wording of what they refuse."""

import math

import numpy as np
import pytest

from duelli import _check


@pytest.mark.parametrize(
    ("value", "expected"),
    [(7, 7), (7.0, 7), (1e8, 10**8), (np.int64(7), 7), (np.float64(7), 7), (10**400, 10**400)],
)
def test_whole_takes_any_whole_number(value, expected):
    assert _check.whole("n", value) == expected


@pytest.mark.parametrize("value", [3, 3.0, np.int64(3), np.float32(3)])
def test_whole_returns_a_plain_int(value):
    assert type(_check.whole("n", value)) is int


def test_whole_loses_no_digit_of_a_large_int():
    assert _check.whole("n", 2**63 + 1) == 2**63 + 1


@pytest.mark.parametrize("value", [1.5, math.nan, math.inf, 0, -1])
def test_whole_refuses_a_number_that_is_not_in_range(value):
    with pytest.raises(ValueError, match=r"^n must be a whole number of at least 1; got "):
        _check.whole("n", value, 1)


@pytest.mark.parametrize("value", [True, "7", None, [7], 7j])
def test_whole_refuses_another_kind(value):
    with pytest.raises(TypeError, match=r"^n must be a whole number of at least 0; got "):
        _check.whole("n", value)


@pytest.mark.parametrize("value", [1, 1.5, -2, np.float32(0.5), np.int8(3)])
def test_real_takes_any_finite_number(value):
    assert _check.real("x", value) == value


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400])
def test_real_refuses_what_is_not_finite(value):
    with pytest.raises(ValueError, match=r"^x must be finite; got "):
        _check.real("x", value)


@pytest.mark.parametrize("value", [True, "1", None, 1j])
def test_real_refuses_another_kind(value):
    with pytest.raises(TypeError, match=r"^x must be a number; got "):
        _check.real("x", value)


@pytest.mark.parametrize("value", [0, -0.1])
def test_positive_refuses_zero_and_below(value):
    with pytest.raises(ValueError, match=f"^x must be above 0; got {value}$"):
        _check.positive("x", value)


def test_at_least_takes_its_bound():
    assert _check.at_least("x", 1, 1.0) == 1.0


def test_at_least_refuses_what_is_below():
    with pytest.raises(ValueError, match=r"^x must be at least 1; got 0\.9$"):
        _check.at_least("x", 0.9, 1.0)


@pytest.mark.parametrize("value", [1e-300, 0.5, 1 - 1e-16])
def test_probability_takes_what_lies_strictly_inside(value):
    assert _check.probability("p", value) == value


@pytest.mark.parametrize("value", [0, 1, 1.5, -0.1])
def test_probability_refuses_the_ends_and_beyond(value):
    with pytest.raises(ValueError, match=rf"^p must lie in \(0, 1\); got {value}$"):
        _check.probability("p", value)


def test_flag_takes_true_and_false():
    assert _check.flag("f", True) is True
    assert _check.flag("f", False) is False


@pytest.mark.parametrize("value", [0, 1, None, "true", np.bool_(True)])
def test_flag_refuses_another_kind(value):
    with pytest.raises(TypeError, match=r"^f must be True or False; got "):
        _check.flag("f", value)


def test_one_of_lists_the_choices_in_order():
    with pytest.raises(ValueError, match=r"^c must be one of a, b, c; got 'd'$"):
        _check.one_of("c", "d", ("b", "c", "a"))


def test_one_of_proposes_what_is_near():
    with pytest.raises(ValueError, match=r"; got 'arc_rase'; did you mean 'arc_race'\?$"):
        _check.one_of("learner", "arc_rase", ["arc_duelli", "arc_race"])


@pytest.mark.parametrize("value", ["spiral", "", None, 5, ("random",)])
def test_one_of_proposes_nothing_where_nothing_is_near(value):
    with pytest.raises(ValueError, match=r"^c must be one of lexicographic, random; got [^;]*$"):
        _check.one_of("c", value, ("random", "lexicographic"))


def test_registered_proposes_what_is_near():
    with pytest.raises(ValueError, match=r"; got 'logit'; did you mean 'logistic'\?$"):
        _check.registered("link", "logit", {"logistic": 1, "probit": 2})


def test_registered_returns_the_entry():
    assert _check.registered("c", "a", {"a": 1}) == 1


def test_known_keys_names_all_that_are_unknown():
    with pytest.raises(ValueError, match=r"^settings may hold a, b; got x, y$"):
        _check.known_keys("settings", ["y", "a", "x"], ["b", "a"])


def test_known_keys_proposes_what_is_near_to_each_unknown_key():
    with pytest.raises(ValueError, match=r"; got cautoin, sed, x; did you mean 'caution', 'seed'"):
        _check.known_keys("settings", ["sed", "cautoin", "x"], ["seed", "caution", "start"])


@pytest.mark.parametrize("value", [(0, 1), [0.0, 1.0], np.array([0.0, 1.0])])
def test_arm_returns_a_tuple_of_floats(value):
    found = _check.arm("x", value, 2)
    assert found == (0.0, 1.0)
    assert [type(entry) for entry in found] == [float, float]


def test_arm_refuses_another_length():
    with pytest.raises(
        ValueError, match=r"^x must have shape \(2,\), one entry per dimension; got \(3,\)$"
    ):
        _check.arm("x", (0, 0, 0), 2)


@pytest.mark.parametrize("entry", [-1e-9, 1 + 1e-9])
def test_arm_refuses_what_lies_outside_the_box(entry):
    with pytest.raises(ValueError, match=r"^x must lie in \[0, 1\]\^2; got "):
        _check.arm("x", (0.5, entry), 2)


def test_arm_names_the_entry_that_is_not_a_number():
    with pytest.raises(ValueError, match=r"^x\[1\] must be finite; got nan$"):
        _check.arm("x", (0.5, math.nan), 2)


@pytest.mark.parametrize("value", ["ab", 0.5, None, {0.5: 1}])
def test_arm_refuses_what_is_not_a_sequence(value):
    with pytest.raises(TypeError, match=r"^x must be a point of \[0, 1\]\^2; got "):
        _check.arm("x", value, 2)
