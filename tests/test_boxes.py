"""Box: the user's units on one side, [0, 1]^dim on the other."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duelli import Box

NAMED = Box({"depth": (1, 9), "rate": (1e-4, 1e-1, "log")})
PLAIN = Box([(0, 10), (-1, 1)])

units = st.floats(0, 1)
repeatable = settings(derandomize=True, deadline=None)


def test_a_named_box_gives_dicts():
    assert NAMED.to_raw((0.5, 0.0)) == {"depth": 5.0, "rate": 1e-4}


def test_a_box_without_names_gives_arrays():
    found = PLAIN.to_raw((0.5, 0.5))
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [5.0, 0.0]


def test_half_way_up_a_log_scale_is_the_geometric_mean():
    assert NAMED.to_raw((0.0, 0.5))["rate"] == pytest.approx(math.sqrt(1e-4 * 1e-1))


def test_the_corners_are_the_bounds():
    assert NAMED.to_raw((0.0, 0.0)) == {"depth": 1.0, "rate": 1e-4}
    assert NAMED.to_raw((1.0, 1.0)) == {"depth": 9.0, "rate": 1e-1}


@repeatable
@given(units, units)
def test_there_and_back_is_where_one_was(a, b):
    assert NAMED.to_unit(NAMED.to_raw((a, b))) == pytest.approx((a, b), abs=1e-9)


@repeatable
@given(st.floats(-1e12, 1e12), st.floats(1e-3, 1e12), units, st.sampled_from(["linear", "log"]))
def test_rounding_never_leaves_the_box(low, width, unit, scale):
    low = abs(low) + 1e-6 if scale == "log" else low
    box = Box({"x": (low, low + width, scale)})
    assert low <= box.to_raw((unit,))["x"] <= low + width


@repeatable
@given(st.lists(units, min_size=2, max_size=2, unique=True), st.sampled_from(["linear", "log"]))
def test_further_up_is_never_less(pair, scale):
    low, high = sorted(pair)
    box = Box({"x": (2, 5, scale)})
    assert box.to_raw((low,))["x"] <= box.to_raw((high,))["x"]


def test_the_keys_of_a_point_may_come_in_any_order():
    assert NAMED.to_unit({"rate": 1e-4, "depth": 9}) == (1.0, 0.0)


def test_a_point_may_be_an_array():
    assert PLAIN.to_unit(np.array([5.0, 1.0])) == (0.5, 1.0)


def test_names_are_in_order():
    assert NAMED.names == ("depth", "rate")


def test_a_box_without_names_numbers_its_parameters():
    assert PLAIN.names == ("x1", "x2")


def test_the_unit_box_changes_nothing():
    assert Box.unit(3).to_raw((0.1, 0.2, 0.3)).tolist() == [0.1, 0.2, 0.3]


def test_equal_boxes_are_equal_and_hash_alike():
    again = Box({"depth": (1, 9), "rate": (1e-4, 1e-1, "log")})
    assert (NAMED, hash(NAMED)) == (again, hash(again))


@pytest.mark.parametrize(
    "other",
    [
        Box({"rate": (1e-4, 1e-1, "log"), "depth": (1, 9)}),
        Box({"depth": (1, 9), "rate": (1e-4, 1e-1)}),
        Box([(1, 9), (1e-4, 1e-1, "log")]),
        (1, 9),
    ],
)
def test_other_boxes_are_not_equal(other):
    assert other != NAMED


def test_a_box_shows_its_sides():
    assert repr(NAMED) == "Box(depth: [1, 9], rate: [0.0001, 0.1] log)"


@pytest.mark.parametrize(
    ("sides", "message"),
    [
        ({}, "box must have at least one parameter; got none"),
        ([], "box must have at least one parameter; got none"),
        (5, "box must be names with bounds, or a list of bounds; got 5"),
        ({"a": (1, 1)}, "a.low must be below a.high; got 1.0, 1.0"),
        ({"a": (2, 1)}, "a.low must be below a.high; got 2.0, 1.0"),
        ({"a": (0, 1, "log")}, "a.low must be above 0 on a log scale; got 0.0"),
        ({"a": (1, 2, "cubic")}, "a.scale must be one of linear, log; got 'cubic'"),
        ({"a": (1,)}, "a must be (low, high) or (low, high, scale); got (1,)"),
        ({"a": "ab"}, "a must be (low, high) or (low, high, scale); got 'ab'"),
        ({"a": 5}, "a must be (low, high) or (low, high, scale); got 5"),
        ({"a": (0, math.nan)}, "a.high must be finite; got nan"),
        ([(0, 1), (0, math.inf)], "x2.high must be finite; got inf"),
    ],
)
def test_sides_that_make_no_box_are_refused(sides, message):
    with pytest.raises((ValueError, TypeError)) as caught:
        Box(sides)
    assert str(caught.value) == message


def test_a_bound_that_is_not_a_number_is_refused():
    with pytest.raises(TypeError, match=r"^a\.low must be a number; got 'x'$"):
        Box({"a": ("x", 1)})


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ({"depth": 1}, "point must have the keys ('depth', 'rate'); got ('depth',)"),
        ([1], "point must have shape (2,), one entry per dimension; got (1,)"),
        ({"depth": 10, "rate": 1e-2}, "depth must lie in [1.0, 9.0]; got 10.0"),
        ({"depth": math.nan, "rate": 1e-2}, "depth must be finite; got nan"),
    ],
)
def test_a_point_that_is_not_in_the_box_is_refused(point, message):
    with pytest.raises(ValueError, match="must") as caught:
        NAMED.to_unit(point)
    assert str(caught.value) == message


def test_what_is_not_a_point_is_refused():
    with pytest.raises(TypeError, match=r"^point must be a dict, a sequence or an array; got "):
        NAMED.to_unit(None)


def test_an_arm_outside_the_unit_cube_is_refused():
    with pytest.raises(ValueError, match=r"^arm must lie in \[0, 1\]\^2; got \(0\.5, 2\.0\)$"):
        PLAIN.to_raw((0.5, 2.0))
