"""Ranks, standings and leads, on tables made by hand."""

import math

import pytest
from arenas import arena, entry

from duelli.record.ranking import (
    Factor,
    Measure,
    clear,
    landscape_ranks,
    lead,
    least,
    overall,
    ranks,
    standing_among,
    standings,
    would_be,
)

REGRET, GAP = Measure("regret", 1e-5), Measure("gap", 1e-3)


def table(numbers, **more):
    """Return entries of one horizon: {label: {landscape: regrets}}."""
    return [
        entry(label, regrets, landscape=landscape, **more)
        for label, places in numbers.items()
        for landscape, regrets in places.items()
    ]


THREE = {
    "a": {"flat": 10.0, "sharp": 30.0, "ridge": 5.0},
    "b": {"flat": 20.0, "sharp": 10.0, "ridge": 5.0},
    "c": {"flat": 40.0, "sharp": 20.0, "ridge": 20.0},
}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"a": 1.0}, {"a": 1.0}),
        ({"a": 3.0, "b": 1.0, "c": 2.0}, {"a": 3.0, "b": 1.0, "c": 2.0}),
        ({"a": 1.0, "b": 1.0, "c": 2.0}, {"a": 1.5, "b": 1.5, "c": 3.0}),
        ({"a": 2.0, "b": 2.0, "c": 2.0, "d": 1.0}, {"a": 3.0, "b": 3.0, "c": 3.0, "d": 1.0}),
    ],
)
def test_the_least_has_rank_1_and_equals_share_their_ranks(values, expected):
    assert ranks(values) == expected


def test_ranks_are_made_on_each_landscape_by_itself():
    assert landscape_ranks(table(THREE), REGRET) == {
        "flat": {"a": 1, "b": 2, "c": 3},
        "sharp": {"a": 3, "b": 1, "c": 2},
        "ridge": {"a": 1.5, "b": 1.5, "c": 3},
    }


def test_standings_are_sorted_by_the_mean_rank():
    found = standings(table(THREE), REGRET)
    assert [(each.label, each.place) for each in found] == [("b", 1), ("a", 2), ("c", 3)]
    assert [each.rank for each in found] == pytest.approx([4.5 / 3, 5.5 / 3, 8 / 3])
    assert [each.first for each in found] == [2, 2, 0]
    assert [each.played for each in found] == [3, 3, 3]


def test_equal_mean_ranks_share_a_place_and_the_next_place_is_left_out():
    numbers = {
        "a": {"flat": 1.0, "sharp": 2.0},
        "b": {"flat": 2.0, "sharp": 1.0},
        "c": {"flat": 3.0, "sharp": 3.0},
    }
    assert [each.place for each in standings(table(numbers), REGRET)] == [1, 1, 3]


def test_times_is_the_geometric_mean_over_the_least_of_each_landscape():
    found = {each.label: each for each in standings(table(THREE), REGRET)}
    assert found["a"].times.value == pytest.approx((1 * 3 * 1) ** (1 / 3))
    assert found["c"].times.value == pytest.approx((4 * 2 * 4) ** (1 / 3))
    assert found["c"].overall.value == pytest.approx((40 * 20 * 20) ** (1 / 3))


def test_a_learner_that_is_absent_somewhere_has_no_place_and_comes_last():
    numbers = {"a": {"flat": 9.0, "sharp": 9.0}, "b": {"flat": 1.0}}
    first, last = standings(table(numbers), REGRET)
    assert (first.label, first.place) == ("a", 1)
    assert (last.label, last.place, last.played, last.first) == ("b", None, 1, 1)


def test_regret_counts_by_its_mean_and_the_gap_by_its_median():
    found = entry("a", (1.0, 2.0, 30.0), (0.1, 0.2, 0.5))
    assert REGRET.value(found) == pytest.approx(11.0)
    assert GAP.value(found) == 0.2


def test_what_is_as_good_as_none_counts_as_the_smallest():
    found = entry("a", 0.0, (0.0, 1e-4), horizon=1000)
    assert GAP.value(found) == 1e-3
    assert REGRET.value(found) == pytest.approx(2 * 1e-5 * 1000)  # of two arms, in every duel
    assert GAP.is_none(found)
    assert REGRET.is_none(found)
    assert not GAP.is_none(entry("a", 1.0, 0.0011))


def test_a_number_is_shown_with_its_error_if_it_has_one():
    assert REGRET.shown(entry("a", (90.0, 110.0))) == "100 ± 10"
    assert REGRET.shown(entry("a", 100.0)) == "100"
    assert GAP.shown(entry("a", gaps=(0.1234, 0.3))) == "0.21"


def test_gaps_that_are_as_good_as_none_are_equal():
    entries = [entry("a", gaps=0.0), entry("b", gaps=5e-4), entry("c", gaps=0.01)]
    assert landscape_ranks(entries, GAP)["flat"] == {"a": 1.5, "b": 1.5, "c": 3}


def test_the_error_is_that_of_the_logarithm():
    error = GAP.error(entry("a", gaps=(0.1, 0.2, 0.4)))
    assert error == pytest.approx(math.log(2) / math.sqrt(3))
    assert GAP.error(entry("a")) is None


def test_errors_over_landscapes_add_up_as_squares():
    entries = [entry("a", gaps=(0.1, 0.2), landscape=name) for name in ("flat", "sharp")]
    each = math.log(2) / 2  # the standard error of two logarithms that are log 2 apart
    assert overall(entries, GAP).error == pytest.approx(math.sqrt(2) * each / 2)


def test_one_landscape_without_an_error_leaves_the_whole_without_one():
    entries = [entry("a", gaps=(0.1, 0.2)), entry("a", gaps=0.1, landscape="sharp")]
    assert overall(entries, GAP).error is None


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        (Factor(3.14159, 0.1), "3.14 ± 0.3"),
        (Factor(3.14159, None), "3.14"),
        (Factor(0.04567, 0.02), "0.046 ± 0.0009"),
        (Factor(123456.0, 0.1), "1.23e5 ± 1e4"),
    ],
)
def test_a_factor_is_written_with_its_error(factor, text):
    assert str(factor) == text


def test_the_least_is_found_for_each_landscape():
    assert least(table(THREE), REGRET) == {"flat": 10.0, "sharp": 10.0, "ridge": 5.0}


def test_a_lead_names_the_winner_the_next_and_the_factor():
    found = lead([entry("a", 30.0), entry("b", 10.0), entry("c", 20.0)], REGRET)
    assert [each.label for each in found.winners] == ["b"]
    assert found.second.label == "c"
    assert found.factor == 2.0


def test_equals_win_together():
    found = lead([entry("a", 10.0), entry("b", 10.0), entry("c", 40.0)], REGRET)
    assert [each.label for each in found.winners] == ["a", "b"]
    assert (found.second.label, found.factor) == ("c", 4.0)


def test_who_is_alone_has_nobody_next():
    found = lead([entry("a", 10.0)], REGRET)
    assert (found.second, found.factor, found.clear) == (None, 1.0, False)


def test_a_difference_is_clear_beyond_two_standard_errors():
    # The logarithms of each pair are 0.2 apart: a standard error of 0.1, of the difference 0.1414.
    def pair(label, middle):
        return entry(label, (math.exp(middle - 0.1), math.exp(middle + 0.1)))

    def shift(by):
        return pair("a", 3.0), pair("b", 3.0 + by)

    assert not clear(*shift(0.27), REGRET)
    assert clear(*shift(0.29), REGRET)
    assert not clear(*reversed(shift(0.29)), REGRET)


def test_nothing_is_clear_from_one_trial():
    assert not clear(entry("a", 1.0), entry("b", 100.0), REGRET)


@pytest.mark.parametrize(("own", "rank"), [(5.0, 1.0), (10.0, 1.5), (15.0, 2.0), (99.0, 4.0)])
def test_somebody_who_does_not_take_part_has_a_rank_too(own, rank):
    rivals = [entry("a", 10.0), entry("b", 20.0), entry("c", 30.0)]
    assert would_be(entry("x", own), rivals, REGRET) == rank


def test_the_middle_stands_among_the_learners():
    found = arena(table(THREE, horizon=100), middle={"flat": 0.1, "sharp": 0.01, "ridge": 0.05})
    stands = standing_among(found.middles_at(100), found.entries, REGRET)  # 20, 2 and 10
    assert stands.place is None
    assert stands.rank == pytest.approx((2.5 + 1 + 3) / 3)
    assert (stands.first, stands.played) == (1, 3)
    assert stands.times.value == pytest.approx((2 * 0.2 * 2) ** (1 / 3))
