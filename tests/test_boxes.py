"""Box: the user's units on one side, [0, 1]^dim on the other."""

import doctest
import importlib
import json
import math
import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duelli import Box
from duelli.boxes import choice

NAMED = Box({"depth": (1, 9), "rate": (1e-4, 1e-1, "log")})
PLAIN = Box([(0, 10), (-1, 1)])
SIDES = {
    "rate": (1e-4, 1e-1, "log"),
    "depth": (1, 9, "int"),
    "seed": 7,
    "width": (1, 1000, "log int"),
    "solver": ["adam", "sgd"],
}
MIXED = Box(SIDES)
LISTED = Box(list(SIDES.values()))

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


WAYS = "must be (low, high), (low, high, scale), a list of choices or a fixed value"


@pytest.mark.parametrize(
    ("sides", "message"),
    [
        ({}, "box must have at least one free parameter; got none"),
        ([], "box must have at least one free parameter; got none"),
        ({"a": 5}, "box must have at least one free parameter; got a: 5 fixed"),
        ([0, 1], "box must have at least one free parameter; got x1: 0 fixed, x2: 1 fixed"),
        ("ab", "box must be names with bounds, or a list of bounds; got 'ab'"),
        ({1: (0, 1)}, "the name of a parameter must be a string that is not empty; got 1"),
        ({"": (0, 1)}, "the name of a parameter must be a string that is not empty; got ''"),
        (5, "box must be names with bounds, or a list of bounds; got 5"),
        ({"a": (1, 1)}, "a.low must be below a.high; got 1.0, 1.0"),
        ({"a": (2, 1)}, "a.low must be below a.high; got 2.0, 1.0"),
        ({"a": (0, 1, "log")}, "a.low must be above 0 on a log scale; got 0.0"),
        ({"a": (1, 2, "cubic")}, "a.scale must be one of int, linear, log, log int; got 'cubic'"),
        (
            {"a": (1, 2, "logint")},
            "a.scale must be one of int, linear, log, log int; got 'logint'; "
            "did you mean 'log int'?",
        ),
        *(({"a": side}, f"a {WAYS}; got {side!r}") for side in [(1,), (), ("p", "q"), {"b": 1}]),
        ({"a": (-1e308, 1e308)}, "a must have a finite width; got -1e+308, 1e+308"),
        ({"a": (1e-300, 1e300, "log")}, "a must have a finite width; got 1e-300, 1e+300"),
        ({"a": (0.5, 3, "int")}, "a.low must be a whole number; got 0.5"),
        ({"a": (1, math.inf, "int")}, "a.high must be a whole number; got inf"),
        ({"a": (1, "9", "int")}, "a.high must be a whole number; got '9'"),
        ({"a": (True, 9, "int")}, "a.low must be a whole number; got True"),
        ({"a": (3, 3, "int")}, "a.low must be below a.high; got 3, 3"),
        ({"a": (0, 3, "log int")}, "a.low must be at least 1 on a log scale; got 0"),
        ({"a": (0, 2**40, "int")}, f"a.high - a.low must be below {2**40}; got 0, {2**40}"),
        ({"a": (1, 2**40, "log int")}, f"a.high must be below {2**40}; got 1, {2**40}"),
        ({"a": []}, "a must have two or more choices, no two of them equal; got []"),
        ({"a": ["p"]}, "a must have two or more choices, no two of them equal; got ['p']"),
        ({"a": [1, True]}, "a must have two or more choices, no two of them equal; got [1, True]"),
        ({"a": ["p", [1]]}, "a[1] must be a str, int, float, bool or None; got [1]"),
        ({"a": ["p", math.nan]}, "a[1] must be finite; got nan"),
        ({"a": math.inf, "b": (0, 1)}, "a must be finite; got inf"),
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


# Whole numbers, choices and fixed values


def test_each_kind_comes_back_as_its_own_type():
    point = MIXED.to_raw((0.5, 0.5, 0.5, 0.5))
    assert [type(value) for value in point.values()] == [float, int, int, int, str]


def test_a_fixed_value_takes_no_dimension_and_stays_in_its_place():
    assert MIXED.dim == 4
    assert tuple(MIXED.to_raw((0.0,) * 4)) == MIXED.names == tuple(SIDES)


def test_a_box_without_names_gives_lists_if_a_parameter_is_not_real():
    assert LISTED.to_raw((0.0,) * 4) == [1e-4, 1, 7, 1, "adam"]
    assert LISTED.to_raw((1.0,) * 4) == [1e-1, 9, 7, 1000, "sgd"]


def test_whole_numbers_own_equal_cells():
    units = (np.arange(9000) + 0.5) / 9000
    depths = Box([(1, 9, "int")]).to_raw_many(units[:, None])
    assert Counter(depth for (depth,) in depths) == dict.fromkeys(range(1, 10), 1000)


def test_on_a_log_scale_a_whole_number_owns_half_a_step_to_either_side():
    box, width = Box([(1, 4, "log int")]), math.log(4.5 / 0.5)
    for k in (1, 2, 3):
        edge = math.log((k + 0.5) / 0.5) / width
        assert [box.to_raw((edge + by,)) for by in (-1e-9, 1e-9)] == [[k], [k + 1]]


def test_choices_are_the_very_objects():
    solvers = ["a" * 50, "b" * 50, None]
    assert all(
        box_value is given
        for given, unit in zip(solvers, (0.0, 0.5, 1.0), strict=True)
        for box_value in Box([solvers]).to_raw((unit,))
    )


scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 5), st.floats(-5, 5), st.text(max_size=3)
)
choices = st.lists(scalars, min_size=2, max_size=5, unique=True).map(lambda some: choice(*some))
whole_bounds = st.tuples(st.integers(1, 2**39), st.integers(1, 2**39)).map(
    lambda both: (both[0], both[0] + both[1])
)
wholes = st.tuples(whole_bounds, st.sampled_from(["int", "log int"])).map(
    lambda both: (*both[0], both[1])
)
reals = st.tuples(st.floats(1e-6, 1e6), st.floats(1, 1e6), st.sampled_from(["linear", "log"])).map(
    lambda three: (three[0], three[0] + three[1], three[2])
)
sides = st.one_of(choices, wholes, reals)
some_boxes = st.one_of(
    st.lists(sides, min_size=1, max_size=4).flatmap(
        lambda free: st.lists(scalars, max_size=2).map(lambda fixed: Box(free + fixed))
    ),
    st.dictionaries(st.text(min_size=1, max_size=4), sides, min_size=1, max_size=4).map(Box),
)
some_arms = some_boxes.flatmap(lambda box: st.tuples(st.just(box), st.tuples(*[units] * box.dim)))


@repeatable
@given(st.one_of(choices, wholes), units)
def test_a_value_of_a_cell_comes_back_exactly(side, unit):
    box = Box([side])
    point = box.to_raw((unit,))
    again = box.to_raw(box.to_unit(point))
    assert (again, type(again[0])) == (point, type(point[0]))


@repeatable
@given(some_boxes, st.sampled_from([0.0, 1.0]))
def test_the_ends_come_back_exactly(box, unit):
    corner = box.to_raw((unit,) * box.dim)
    assert np.array_equal(box.to_raw(box.to_unit(corner)), corner)


@repeatable
@given(some_arms)
def test_many_points_are_the_points_one_by_one(drawn):
    box, arm = drawn
    arms = np.array([arm, (0.0,) * box.dim, (1.0,) * box.dim])
    many = box.to_raw_many(arms)
    single = [box.to_raw(tuple(row)) for row in arms.tolist()]
    assert np.array_equal(many, single) if isinstance(many, np.ndarray) else many == single


@repeatable
@given(some_boxes)
def test_a_box_survives_json(box):
    again = Box.from_json(json.loads(json.dumps(box.as_json(), sort_keys=True)))
    assert (again, hash(again), again.as_json()) == (box, hash(box), box.as_json())


@repeatable
@given(some_arms)
def test_any_point_and_any_part_can_be_described(drawn):
    box, arm = drawn
    assert box.describe(arm)
    assert box.corner_range(arm, (1.0,) * box.dim)


def test_a_box_survives_pickling():
    again = pickle.loads(pickle.dumps(MIXED))
    assert again == MIXED
    assert again.to_raw((0.5,) * 4) == MIXED.to_raw((0.5,) * 4)


@pytest.mark.parametrize("pair", [(0, 1), [0, 1], np.array([0, 1]), [0.0, np.float64(1)]])
def test_two_numbers_are_bounds(pair):
    assert Box([pair]) == Box.unit(1)
    assert Box({"a": pair}) == Box({"a": (0.0, 1.0)})


def test_a_list_of_two_numbers_and_a_scale_is_bounds():
    assert Box([[1, 9, "int"]]) == Box([(1, 9, "int")])


def test_an_array_of_rows_is_bounds():
    assert Box(np.array([[0, 1], [0, 1]])) == Box.unit(2)


@pytest.mark.parametrize("some", [[True, False], [1, 2, 3], [0, "auto"], [None, 1], ["a", "b"]])
def test_any_other_list_is_choices(some):
    assert Box([some]) == Box([choice(*some)])
    assert Box([some]).to_raw((0.0,)) == some[:1]


def test_two_numbers_to_choose_from_are_written_as_choice():
    assert Box({"workers": choice(1, 8)}).to_raw((1.0,)) == {"workers": 8}


@pytest.mark.parametrize("value", [np.int64(7), 7])
def test_numbers_of_numpy_become_plain(value):
    box = Box({"a": value, "b": (np.int64(1), 2.0, "int"), "c": ["p", value]})
    assert json.dumps(box.to_raw((0.0, 1.0))) == '{"a": 7, "b": 1, "c": 7}'


@pytest.mark.parametrize("arm", [[0.5, 0.5], np.array([0.5, 0.5]), tuple(np.array([0.5, 0.5]))])
def test_an_arm_may_be_any_sequence(arm):
    point = NAMED.to_raw(arm)
    assert point == NAMED.to_raw((0.5, 0.5))
    assert {type(value) for value in point.values()} == {float}


@pytest.mark.parametrize("arm", [(0.5, math.nan), (0.5, "a"), (True, 0.5), (0.5,), "ab", None])
def test_what_is_not_an_arm_is_refused(arm):
    with pytest.raises((ValueError, TypeError), match=r"^arm(\[\d\])? must "):
        NAMED.to_raw(arm)


@pytest.mark.parametrize(
    ("arms", "message"),
    [
        (np.zeros(2), r"^arms must have shape \(n, 2\); got \(2,\)$"),
        (np.zeros((5, 3)), r"^arms must have shape \(n, 2\); got \(5, 3\)$"),
        (np.full((5, 2), 1.5), r"^arms must lie in \[0, 1\]\^2; got 1\.5, 1\.5$"),
        (np.full((5, 2), math.nan), r"^arms must lie in \[0, 1\]\^2; got nan, nan$"),
    ],
)
def test_what_are_not_arms_is_refused(arms, message):
    with pytest.raises(ValueError, match=message):
        PLAIN.to_raw_many(arms)


def test_no_arms_are_no_points():
    assert NAMED.to_raw_many(np.zeros((0, 2))) == []
    assert PLAIN.to_raw_many(np.zeros((0, 2))).shape == (0, 2)


POINT = {"rate": 1e-2, "depth": 5, "width": 30, "solver": "sgd"}


def test_a_fixed_value_may_be_left_out_of_a_point():
    arm = MIXED.to_unit(POINT)
    assert arm == MIXED.to_unit({**POINT, "seed": 7}) == LISTED.to_unit([1e-2, 5, 30, "sgd"])
    assert arm == LISTED.to_unit([1e-2, 5.0, 7, np.int64(30), "sgd"])
    assert len(arm) == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"depth": 5.5}, "depth must be a whole number from 1 to 9; got 5.5"),
        ({"depth": 10}, "depth must be a whole number from 1 to 9; got 10"),
        ({"depth": math.nan}, "depth must be a whole number from 1 to 9; got nan"),
        ({"depth": "5"}, "depth must be a whole number from 1 to 9; got '5'"),
        ({"depth": True}, "depth must be a whole number from 1 to 9; got True"),
        ({"solver": "adm"}, "solver must be one of 'adam', 'sgd'; got 'adm'"),
        ({"solver": ["adam"]}, "solver must be one of 'adam', 'sgd'; got ['adam']"),
        ({"seed": 8}, "seed must be 7, its fixed value; got 8"),
        ({"seed": [7]}, "seed must be 7, its fixed value; got [7]"),
        ({"rate": 1.0}, "rate must lie in [0.0001, 0.1]; got 1.0"),
        ({"rate": 10**400}, f"rate must be finite; got {10**400}"),
    ],
)
def test_a_value_that_a_parameter_does_not_take_is_refused(change, message):
    with pytest.raises((ValueError, TypeError)) as caught:
        MIXED.to_unit({**POINT, **change})
    assert str(caught.value) == message


def test_true_is_not_the_choice_1():
    with pytest.raises(ValueError, match=r"^a must be one of 1, 2; got True$"):
        Box({"a": choice(1, 2)}).to_unit({"a": True})


def test_true_is_not_the_fixed_value_1():
    with pytest.raises(ValueError, match=r"^a must be 1, its fixed value; got True$"):
        Box({"a": 1, "b": (0, 1)}).to_unit({"a": True, "b": 0})


def test_a_wrong_key_is_named_with_the_one_that_was_meant():
    with pytest.raises(ValueError, match="must have the keys") as caught:
        NAMED.to_unit({"depth": 1, "rte": 1e-2})
    assert str(caught.value) == (
        "point must have the keys ('depth', 'rate'); got ('depth', 'rte'); did you mean 'rate'?"
    )


def test_keys_that_may_be_left_out_are_named_too():
    with pytest.raises(ValueError, match=r"'solver'\) and may have \('seed',\); got \('depth',\)$"):
        MIXED.to_unit({"depth": 1})


def test_a_word_is_not_a_point():
    with pytest.raises(TypeError, match=r"^point must be a dict, a sequence or an array; got 'ab'"):
        PLAIN.to_unit("ab")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Box([choice(1, 2)]), Box([choice(1.0, 2)])),
        (Box([(0, 1), 1]), Box([(0, 1), True])),
        (Box([(1, 9, "int")]), Box([(1, 9)])),
        (Box([(1, 9, "int")]), Box([(1, 9, "log int")])),
    ],
)
def test_boxes_whose_points_differ_in_type_are_not_equal(one, other):
    assert one != other


def test_a_box_of_all_kinds_shows_them():
    assert repr(MIXED) == (
        "Box(rate: [0.0001, 0.1] log, depth: 1..9, seed: 7 fixed, width: 1..1000 log, "
        "solver: 'adam' | 'sgd')"
    )


# Words


def test_a_point_is_described_with_four_digits():
    box = Box({"rate": (0, 1), "depth": (1, 9, "int"), "solver": ["adam", "sgd"], "seed": 7})
    assert box.describe((0.0123456, 0.5, 0.0)) == "rate = 0.01235, depth = 5, solver = 'adam'"


@pytest.mark.parametrize(
    ("value", "shown"), [(12345.6, "12350"), (1e-7, "1e-07"), (2.0, "2"), (-1234567, "-1235000")]
)
def test_numbers_are_shown_as_people_write_them(value, shown):
    box = Box({"a": (value, value + 1e12)})
    assert box.describe((0.0,)) == f"a = {shown}"


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        ((0.1, 0.25, 0.0), (0.2, 0.75, 1.0), "a from 0.1 to 0.2, b from 3 to 6, c 'p', 'q' or 'r'"),
        ((0.0, 0.0, 0.0), (0.5, 0.125, 0.5), "a from 0 to 0.5, b 1, c 'p' or 'q'"),
        ((0.3, 0.3, 0.9), (0.3, 0.3, 0.9), "a 0.3, b 3, c 'r'"),
        ((0.99951, 0.0, 0.0), (0.99954, 0.0, 0.0), "a from 0.99951 to 0.99954, b 1, c 'p'"),
    ],
)
def test_a_part_of_the_box_is_described_by_its_ends(low, high, words):
    box = Box({"a": (0, 1), "b": (1, 8, "int"), "c": ["p", "q", "r"], "d": None})
    assert box.corner_range(low, high) == words


def test_corners_in_the_wrong_order_are_refused():
    with pytest.raises(
        ValueError, match=r"^low_arm must not lie above high_arm; got \(0\.5, 0\.5\)"
    ):
        PLAIN.corner_range((0.5, 0.5), (1.0, 0.4))


@pytest.mark.parametrize(
    ("box", "a", "b", "same"),
    [
        (PLAIN, (0.5, 0.5), (0.5, 0.5), True),
        (PLAIN, (0.5, 0.5), (0.5, 0.6), False),
        (Box([(0, 1), (0, 1, "int")]), (0.5, 0.1), (0.5, 0.4), True),
        (Box([(0, 1), (0, 1, "int")]), (0.5, 0.1), (0.5, 0.6), False),
        (Box({"a": ["p", "q"]}), (0.6,), (0.9,), True),
        (Box({"a": (0, 1), "b": ["p", "q"]}), (0.6, 0.1), (0.7, 0.2), False),
    ],
)
def test_two_arms_are_the_same_point_if_the_user_sees_no_difference(box, a, b, same):
    assert box.same_point(a, b) is same


# JSON


def test_json_keeps_the_order_and_the_kind_of_each_parameter():
    assert MIXED.as_json() == {
        "named": True,
        "parameters": [
            {"name": "rate", "low": 1e-4, "high": 1e-1, "scale": "log"},
            {"name": "depth", "low": 1, "high": 9, "scale": "int"},
            {"name": "seed", "fixed": 7},
            {"name": "width", "low": 1, "high": 1000, "scale": "log int"},
            {"name": "solver", "choices": ["adam", "sgd"]},
        ],
    }


GOOD = {"name": "a", "low": 0, "high": 1, "scale": "linear"}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "box must be an object; got None"),
        ({"named": True}, "box must have the fields named, parameters; got named"),
        ({"named": 1, "parameters": [GOOD]}, "box.named must be true or false; got 1"),
        ({"named": True, "parameters": {}}, "box.parameters must be a list; got {}"),
        ({"named": True, "parameters": []}, "box must have at least one free parameter; got none"),
        (
            {"named": True, "parameters": [GOOD, GOOD]},
            "box.parameters must have different names; got a, a",
        ),
    ],
)
def test_json_that_is_no_box_is_refused(value, message):
    with pytest.raises((ValueError, TypeError)) as caught:
        Box.from_json(value)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (5, "box.parameters[1] must be an object; got 5"),
        (
            {"name": "b", "low": 0},
            "box.parameters[1] must have the fields high, low, name, scale or choices, name "
            "or fixed, name; got name, low",
        ),
        ({**GOOD, "name": 5}, "box.parameters[1].name must be a string that is not empty; got 5"),
        ({**GOOD, "name": ""}, "box.parameters[1].name must be a string that is not empty; got ''"),
        ({**GOOD, "low": "0"}, "a.low must be a number; got '0'"),
        ({**GOOD, "high": math.nan}, "a.high must be finite; got nan"),
        ({**GOOD, "high": 10**400}, f"a.high must be finite; got {10**400}"),
        ({**GOOD, "scale": None}, "a.scale must be one of int, linear, log, log int; got None"),
        ({**GOOD, "scale": []}, "a.scale must be one of int, linear, log, log int; got []"),
        ({"name": "b", "choices": "pq"}, "box.parameters[1].choices must be a list; got 'pq'"),
        ({"name": "b", "choices": [{}, 1]}, "b[0] must be a str, int, float, bool or None; got {}"),
        ({"name": "b", "fixed": []}, "b must be a str, int, float, bool or None; got []"),
    ],
)
def test_a_parameter_that_was_tampered_with_is_refused(entry, message):
    with pytest.raises((ValueError, TypeError)) as caught:
        Box.from_json({"named": True, "parameters": [{**GOOD, "name": "first"}, entry]})
    assert str(caught.value) == message


def test_names_in_the_json_of_a_box_without_names_are_refused():
    with pytest.raises(
        ValueError, match=r"^box\.parameters\[0\] must have the fields high, low, sc"
    ):
        Box.from_json({"named": False, "parameters": [GOOD]})


@pytest.mark.parametrize("name", ["boxes.box", "boxes.sides", "parameters.continuous"])
def test_the_examples_are_right(name):
    module = importlib.import_module(f"duelli.{name}")
    failed, attempted = doctest.testmod(module, extraglobs={"Box": Box})
    assert failed == 0 < attempted
