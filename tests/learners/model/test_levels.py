"""Axes of which only a few places differ."""

import numpy as np
import pytest

import duelli
from duelli.learners.model.levels import on_levels, parted

THREE = (1 / 6, 1 / 2, 5 / 6)


def rng():
    return np.random.default_rng(5)


def test_points_are_moved_to_the_nearest_place_of_their_axis():
    points = np.array([[0.3, 0.3], [0.9, 0.9], [0.34, 0.0]])
    assert on_levels(points, (THREE, ())).tolist() == [[1 / 6, 0.3], [5 / 6, 0.9], [0.5, 0.0]]
    assert points[0, 0] == 0.3  # what was given is not changed


def test_without_levels_points_stay():
    points = rng().random((5, 3))
    assert (on_levels(points, ()) == points).all()


@pytest.mark.parametrize("places", [THREE, (0.25, 0.75), tuple((np.arange(9) + 0.5) / 9)])
@pytest.mark.parametrize("centre", [0.0, 0.5, 1.0])
def test_a_pair_has_two_different_places_and_keeps_its_direction(places, centre):
    draws = rng()
    for sign in (1.0, -1.0):
        for _ in range(20):
            pair = np.array([0.5 + sign * 0.1, 0.2]), np.array([0.5 - sign * 0.1, 0.4])
            plus, minus = parted(pair, np.array([centre, 0.3]), (places, ()), draws)
            assert {plus[0], minus[0]} <= set(places)
            assert (plus[0] - minus[0]) * sign > 0
            assert (plus[1], minus[1]) == (0.2, 0.4)


def test_all_places_are_paired():
    draws, centre = rng(), np.array([0.5])
    pairs = {
        parted((np.array([0.6]), np.array([0.4])), centre, (THREE,), draws)[k][0]
        for _ in range(60)
        for k in range(2)
    }
    assert pairs == set(THREE)


@pytest.mark.parametrize(
    "levels", [((0.5,),), "ab", ((0.5, 0.2), ()), ((0.5, 1.5), ()), ((0.2, "x"), ()), (1, 2)]
)
def test_levels_that_cannot_be_any_are_refused(levels):
    with pytest.raises((ValueError, TypeError), match="levels"):
        duelli.PreferenceModel(dim=2, levels=levels)


def test_every_choice_is_asked_for_and_the_best_found():
    right = 0
    for seed in range(6):
        best, judged = "abc"[seed % 3], set()

        def duel(x, y, best=best, judged=judged):
            judged |= {x["s"], y["s"]}
            assert x["s"] != y["s"]
            return x["s"] == best or (y["s"] != best and x["s"] < y["s"])

        result = duelli.optimize(duel, {"s": ["a", "b", "c"]}, horizon=30, seed=seed)
        assert result.duels == 30  # none was settled as a tie of equal points
        assert judged == {"a", "b", "c"}
        right += result.best["s"] == best
    assert right >= 5


def test_a_choice_beside_a_number_is_varied_from_the_beginning():
    shown = set()

    def duel(x, y):
        shown.update((x["s"], y["s"]))
        return x["z"] > y["z"]

    duelli.optimize(duel, {"s": ["a", "b", "c"], "z": (0.0, 1.0)}, horizon=20)
    assert shown == {"a", "b", "c"}


def test_a_box_says_where_its_few_values_lie():
    box = duelli.Box({"s": ["a", "b"], "k": (1, 3, "int"), "m": (1, 99, "int"), "x": (0, 1)})
    assert box.levels() == ((0.25, 0.75), pytest.approx(THREE), (), ())
    assert duelli.Box([(0.0, 1.0)] * 2).levels() == ()
    for place, value in zip(
        duelli.Box({"k": (1, 4, "log int")}).levels()[0], (1, 2, 3, 4), strict=True
    ):
        assert duelli.Box({"k": (1, 4, "log int")}).to_raw((place,)) == {"k": value}


@pytest.mark.parametrize("levels", [((0.5,), (0.1,)), ((0.25, 0.2505), (0.5,))])
def test_levels_that_leave_nothing_to_compare_are_refused(levels):
    with pytest.raises(ValueError, match="levels must leave two places to compare"):
        duelli.PreferenceModel(dim=2, levels=levels)


def test_the_first_recommendation_lies_on_the_levels():
    model = duelli.PreferenceModel(dim=2, levels=((0.0, 1.0), ()), start=(0.4, 0.3))
    assert model.recommend() == pytest.approx((0.0, 0.3))


def test_only_places_that_are_there_are_claimed_to_be_better():
    box = {"solver": ["a", "b"]}
    result = duelli.optimize(lambda x, y: x["solver"] > y["solver"], box, horizon=200)
    assert result.best == {"solver": "b"}  # it has won 200 of 200 duels against the only other one
    assert result.answer.gap_high < 0.05
