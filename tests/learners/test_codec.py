"""The codec of states: records to JSON and back, each kind of field with each error."""

import json
import sys
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pytest

from duelli.learners.codec import (
    ArrayMark,
    CubePath,
    Point,
    PointMark,
    Row,
    Table,
    decode,
    encode,
)

Grid = Annotated[tuple[float, ...], PointMark(2.0**32)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    path: CubePath
    arm: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer:
    count: int
    gap: float
    done: bool
    name: str
    arm: Point
    on_grid: Grid
    perhaps: Grid | None
    wins: tuple[float, ...]
    pair: tuple[int, float]
    rivals: dict[int, tuple[int, float]]
    inner: Inner | None


WHOLE = Outer(
    count=3,
    gap=-0.125,
    done=True,
    name="x",
    arm=(0.1, 0.9),
    on_grid=(0.5, 2.0**-32),
    perhaps=(1.0, 0.0),
    wins=(1.0, 2.5),
    pair=(4, 0.5),
    rivals={7: (2, -0.5), 3: (1, 0.0)},
    inner=Inner(path=(0, 3, 1), arm=(0.0, 1.0)),
)


def through_json(value):
    return json.loads(json.dumps(encode(value), allow_nan=False))


def decoded(**changed):
    """Return WHOLE as it is read when some entries of its JSON are changed."""
    return decode(Outer, {**through_json(WHOLE), **changed}, "state", 2)


def test_a_record_comes_back_as_it_was():
    assert decoded() == WHOLE


@dataclass(slots=True, kw_only=True)
class Changing:
    """A record that is changed in place."""

    counts: list[int]
    cells: list[CubePath]
    inner: list[Inner]


def test_lists_come_back_as_lists_of_what_they_held():
    value = Changing(counts=[3, 0], cells=[(), (1, 2)], inner=[Inner(path=(0,), arm=(0.5, 0.25))])
    again = decode(Changing, through_json(value), "state", 2)
    assert again == value
    again.counts.append(1)


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"counts": 3}, TypeError, "state.counts must be a list; got 3"),
        ({"counts": [1, "x"]}, TypeError, r"state.counts\[1\] must be a whole number"),
        ({"cells": [[9]]}, ValueError, r"state.cells\[0\] must hold child numbers below 4"),
    ],
)
def test_a_broken_list_is_refused(changed, error, message):
    value = through_json(Changing(counts=[], cells=[], inner=[]))
    with pytest.raises(error, match=message):
        decode(Changing, {**value, **changed}, "state", 2)


def test_the_order_of_a_dict_is_kept():
    assert list(decoded().rivals) == [7, 3]


@pytest.mark.parametrize("name", ["perhaps", "inner"])
def test_none_comes_back_where_it_may_be(name):
    assert getattr(decoded(**{name: None}), name) is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [("count", int), ("gap", float), ("done", bool), ("wins", tuple), ("rivals", dict)],
)
def test_an_entry_comes_back_with_its_type(name, kind):
    assert type(getattr(decoded(), name)) is kind


def test_whole_floats_are_written_as_ints_and_come_back_as_floats():
    assert through_json(WHOLE)["wins"] == [1, 2.5]
    assert [type(value) for value in decoded().wins] == [float, float]


@pytest.mark.parametrize("value", [2.0**53, 2.0**53 + 2, 1e300])
def test_floats_too_large_to_be_exact_ints_stay_floats(value):
    assert type(encode(value)) is float


LISTS = {
    "floats": [0.0, -0.0, 2.5, -3.0, 2.0**53 - 1, 2.0**53, -(2.0**53), 1e300],
    "counts": [0, 3, -(2**60)],
    "both": [1, 2.0, 0.5],
    "words and gaps": ["x", None, True, 3],
    "lists": [[1.0, 0.5], [2], []],
    "numbers of NumPy": [np.float64(2.0), np.float64(0.5)],
}


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("kind", [list, tuple])
def test_a_list_is_written_as_its_entries_are(name, kind):
    entries = LISTS[name]
    assert json.dumps(encode(kind(entries))) == json.dumps([encode(entry) for entry in entries])


def test_what_is_written_of_a_list_is_another_list():
    counts = [1, 2]
    assert encode(counts) is not counts


@pytest.mark.parametrize("entry", [3, 0.0, 0.5, "x"])
def test_a_long_list_takes_no_call_for_each_entry(entry):
    """Learners on a grid have lists with one entry for each pair of arms."""
    calls = []
    sys.setprofile(lambda _frame, event, _: calls.append(event) if event == "call" else None)
    try:
        encode([entry] * 1000)
    finally:
        sys.setprofile(None)
    assert 0 < len(calls) < 20


def test_a_point_of_the_grid_is_written_in_whole_units():
    assert through_json(WHOLE)["on_grid"] == [2**31, 1]
    assert through_json(WHOLE)["perhaps"] == [2**32, 0]


def test_a_dict_is_written_as_rows():
    assert through_json(WHOLE)["rivals"] == [[7, 2, -0.5], [3, 1, 0]]


REFUSED = {
    "count_text": ({"count": "3"}, TypeError, "state.count must be a whole number"),
    "count_fraction": ({"count": 0.5}, ValueError, "state.count must be a whole number"),
    "count_negative": ({"count": -1}, ValueError, "state.count must be a whole number"),
    "count_bool": ({"count": True}, TypeError, "state.count must be a whole number"),
    "gap_text": ({"gap": "x"}, TypeError, "state.gap must be a number; got 'x'"),
    "gap_none": ({"gap": None}, TypeError, "state.gap must be a number; got None"),
    "gap_nan": ({"gap": float("nan")}, ValueError, "state.gap must be finite; got nan"),
    "gap_huge": ({"gap": 10**400}, ValueError, "state.gap must be finite; got 1000"),
    "done_number": ({"done": 1}, TypeError, "state.done must be a bool; got 1"),
    "name_number": ({"name": 1}, TypeError, "state.name must be a str; got 1"),
    "arm_outside": ({"arm": [0.5, 1.5]}, ValueError, "state.arm must lie in [0, 1]^2"),
    "arm_short": ({"arm": [0.5]}, ValueError, "state.arm must have shape (2,)"),
    "arm_number": ({"arm": 0.5}, TypeError, "state.arm must be a list; got 0.5"),
    "arm_entry": ({"arm": [0.5, "x"]}, TypeError, "state.arm[1] must be a number; got 'x'"),
    "grid_outside": ({"on_grid": [0, 2**33]}, ValueError, "state.on_grid must lie in [0, 1]^2"),
    "wins_text": ({"wins": "12"}, TypeError, "state.wins must be a list; got '12'"),
    "wins_entry": ({"wins": [1, None]}, TypeError, "state.wins[1] must be a number; got None"),
    "pair_long": ({"pair": [1, 2, 3]}, ValueError, "state.pair must have 2 entries; got [1, 2, 3]"),
    "pair_entry": ({"pair": [0.5, 2]}, ValueError, "state.pair[0] must be a whole number"),
    "rivals_object": ({"rivals": {}}, TypeError, "state.rivals must be a list; got {}"),
    "rivals_row": ({"rivals": [[1, 2]]}, ValueError, "state.rivals entry must have 3 entries"),
    "rivals_flat": ({"rivals": [1]}, TypeError, "state.rivals[0] must be a list; got 1"),
    "inner_list": ({"inner": []}, TypeError, "state.inner must be a JSON object; got []"),
    "inner_missing": (
        {"inner": {"path": []}},
        ValueError,
        "state.inner must hold 'arm'; it is missing",
    ),
    "inner_unknown": (
        {"inner": {"path": [], "arm": [0, 0], "pth": []}},
        ValueError,
        "state.inner may hold arm, path; got pth; did you mean 'path'?",
    ),
    "path_child": (
        {"inner": {"path": [4], "arm": [0, 0]}},
        ValueError,
        "state.inner.path must hold child numbers below 4; got [4]",
    ),
    "path_negative": (
        {"inner": {"path": [-1], "arm": [0, 0]}},
        ValueError,
        "state.inner.path[0] must be a whole number of at least 0; got -1",
    ),
    "unknown": ({"extra": 1}, ValueError, "state may hold arm, count, "),
}


@pytest.mark.parametrize(("changed", "kind", "message"), REFUSED.values(), ids=REFUSED)
def test_an_entry_that_cannot_be_is_named(changed, kind, message):
    with pytest.raises(kind) as caught:
        decoded(**changed)
    assert type(caught.value) is kind
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", list(through_json(WHOLE)))
def test_a_missing_entry_is_named(name):
    value = through_json(WHOLE)
    del value[name]
    with pytest.raises(ValueError, match=f"^state must hold '{name}'; it is missing$"):
        decode(Outer, value, "state", 2)


@pytest.mark.parametrize("value", [None, [], 3, "x"])
def test_a_record_must_be_an_object(value):
    with pytest.raises(TypeError, match=r"^state must be a JSON object; got "):
        decode(Outer, value, "state", 2)


@dataclass(slots=True, kw_only=True)
class Counts:
    row: Row
    table: Table
    any_sign: Annotated[np.ndarray, ArrayMark(1, least=-np.inf)]


COUNTS = Counts(
    row=np.array([1.0, 2.5]), table=np.array([[0.0, 3.0], [1.0, 0.0]]), any_sign=np.array([-1.5])
)


def test_arrays_come_back_as_they_were():
    written = through_json(COUNTS)
    assert written == {"row": [1, 2.5], "table": [[0, 3], [1, 0]], "any_sign": [-1.5]}
    again = decode(Counts, written, "state", 2)
    for name in ("row", "table", "any_sign"):
        assert getattr(again, name).tolist() == getattr(COUNTS, name).tolist()
        assert getattr(again, name).dtype == np.float64


def test_whole_numbers_of_an_array_are_written_as_such():
    assert json.dumps(encode(np.array([1.0, 1e15]))) == "[1, 1000000000000000]"
    assert encode(np.array([0.1, 2.0])) == [0.1, 2]
    assert encode(np.array([1e30])) == [1e30]
    assert encode(np.zeros((0,))) == []


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"row": 3}, TypeError, "state.row row must be a list; got 3"),
        ({"row": [1, "x"]}, TypeError, r"state.row row\[1\] must be a number; got 'x'"),
        ({"row": [1, True]}, TypeError, r"state.row row\[1\] must be a number; got True"),
        ({"row": [1, -2]}, ValueError, "state.row must hold numbers of at least 0; got -2"),
        ({"row": [[1]]}, TypeError, "must be a number"),
        ({"table": [1]}, TypeError, "state.table row must be a list; got 1"),
        ({"table": [[1, 2], [3]]}, ValueError, "state.table must have rows of equal length"),
        ({"table": None}, TypeError, "state.table must be a list; got None"),
    ],
)
def test_an_array_that_cannot_be_is_refused(changed, error, message):
    with pytest.raises(error, match=message):
        decode(Counts, {**through_json(COUNTS), **changed}, "state", 2)
