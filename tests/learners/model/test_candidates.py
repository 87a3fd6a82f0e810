"""Points and pairs to choose from."""

import math

import numpy as np
import pytest

from duelli.learners.model.candidates import (
    FAR,
    NEAR,
    around,
    opening_pair,
    opening_signs,
    opposite,
)

from .samples import prior_of

PLACES = [(0.5, 0.5), (0.0, 1.0), (0.03, 0.6), (1.0, 1.0)]
USUAL_SPREAD = math.log(1.5)
UP = np.ones(2)
PRIORS = [prior_of((0.3, 0.3)), prior_of((0.05, 20.0))]


def rng(seed=0):
    return np.random.default_rng(seed)


def width(pair):
    return float(np.abs(np.subtract(*pair)).max())


def in_the_box(*points):
    return all(((p >= 0) & (p <= 1)).all() for p in points)


# Points about a centre.


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("prior", PRIORS)
def test_points_about_a_centre_stay_in_the_box(place, prior):
    points = around(np.array(place), prior, 500, 2.0, rng())
    assert points.shape == (500, 2)
    assert in_the_box(points)


def test_points_about_a_centre_are_as_far_as_the_length_scales_say():
    prior, centre = prior_of((0.01, 0.1)), np.full(2, 0.5)
    away = np.abs(around(centre, prior, 2000, 1.0, rng()) - centre)
    assert np.median(away[:, 1]) == pytest.approx(10 * np.median(away[:, 0]), rel=0.2)


def test_a_smaller_reach_gives_points_that_are_closer():
    prior, centre = prior_of((0.1, 0.1)), np.full(2, 0.5)
    near, far = (np.abs(around(centre, prior, 500, r, rng()) - centre).mean() for r in (0.1, 1.0))
    assert far == pytest.approx(10 * near, rel=0.01)


def test_a_long_scale_counts_as_the_box():
    centre = np.full(1, 0.5)
    box, long = (around(centre, prior_of((x,)), 100, 0.1, rng()) for x in (1.0, 20.0))
    assert (box == long).all()


def test_in_many_dimensions_a_point_keeps_most_coordinates_of_its_centre():
    centre = np.full(40, 0.5)
    kept = (around(centre, prior_of([0.3] * 40), 500, 0.5, rng()) == centre).mean()
    assert 0.5 < kept < 1


# Pairs about a centre.


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("prior", PRIORS)
def test_opposite_points_stay_in_the_box(place, prior):
    assert in_the_box(*opposite(np.array(place), prior, 500, rng()))


@pytest.mark.parametrize("place", [(0.5, 0.5), (0.3, 0.6), (0.1, 0.95)])
@pytest.mark.parametrize("prior", PRIORS)
def test_opposite_points_are_symmetric_about_the_centre_where_no_wall_is_near(place, prior):
    centre = np.array(place)
    plus, minus = opposite(centre, prior, 500, rng())
    half, room = np.abs(plus - minus) / 2, np.minimum(centre, 1 - centre)
    free = half <= room
    assert free.any()
    assert ((plus + minus) / 2 - centre)[free] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("prior", PRIORS)
def test_opposite_points_are_as_far_apart_at_a_wall_as_in_the_middle(prior):
    gaps = [
        np.abs(np.subtract(*opposite(np.array(place), prior, 200, rng())))
        for place in [(0.5, 0.5), (0.0, 1.0)]
    ]
    assert gaps[0] == pytest.approx(gaps[1], abs=1e-12)


def test_opposite_points_are_near_and_far():
    plus, minus = opposite(np.full(2, 0.5), prior_of((0.3, 0.3)), 500, rng())
    half = np.abs(plus - minus).max(axis=1) / 2
    assert NEAR * 0.999 <= half.min() < 2 * NEAR
    assert FAR / 2 < half.max() <= FAR


def test_opposite_points_are_farther_apart_along_axes_that_matter_less():
    plus, minus = opposite(np.full(2, 0.5), prior_of((0.1, 1.0)), 200, rng())
    half = np.abs(plus - minus)
    assert (half[:, 1] >= half[:, 0]).all()
    assert np.median(half[:, 1] / half[:, 0]) > 2


GOOD = np.array([(0.9, 0.6), (0.4, 0.1), (0.51, 0.505)])  # the last is at the centre, all but


def in_good_directions(centre, good, n=200):
    """Return the moves of pairs about a centre, relative to their longest part."""
    plus, minus = opposite(np.array(centre), PRIORS[0], n, rng(), good)
    moves = plus - minus
    return moves / np.abs(moves).max(axis=1, keepdims=True)


def test_half_of_the_opposite_points_lie_in_the_directions_of_good_points():
    moves = in_good_directions((0.5, 0.5), GOOD[:2])[:100]
    directions = {tuple(np.round(move, 9)) for move in moves.tolist()}
    assert directions == {(1.0, 0.25), (-0.25, -1.0)}


@pytest.mark.parametrize("good", [GOOD[:0], GOOD[2:], None])
def test_without_good_points_elsewhere_all_axes_are_moved_alike(good):
    moves = in_good_directions((0.5, 0.5), good)
    assert np.abs(moves) == pytest.approx(np.ones((200, 2)))


def test_the_other_half_of_the_opposite_points_moves_all_axes_alike():
    moves = in_good_directions((0.5, 0.5), GOOD)[100:]
    assert np.abs(moves) == pytest.approx(np.ones((100, 2)))


@pytest.mark.parametrize("place", PLACES)
def test_opposite_points_towards_good_ones_stay_in_the_box_and_differ(place):
    plus, minus = opposite(np.array(place), PRIORS[1], 500, rng(), np.vstack([GOOD, place]))
    assert in_the_box(plus, minus)
    assert np.abs(plus - minus).max(axis=1).min() >= NEAR


# Pairs of the opening.


@pytest.mark.parametrize("place", PLACES)
def test_opening_pairs_stay_in_the_box_and_their_points_differ(place):
    for duels in (0, 10, 10**6):
        plus, minus = opening_pair(np.array(place), duels, USUAL_SPREAD, UP, rng())
        assert in_the_box(plus, minus)
        assert (np.abs(plus - minus) > 0.01).all()


def test_an_opening_pair_is_symmetric_about_the_centre_where_no_wall_is_near():
    centre = np.array([0.4, 0.5, 0.6])
    plus, minus = opening_pair(centre, 3, USUAL_SPREAD, np.ones(3), rng())
    assert (plus + minus) / 2 == pytest.approx(centre, abs=1e-12)


def test_an_opening_pair_moves_all_axes_alike():
    plus, minus = opening_pair(np.full(5, 0.5), 3, USUAL_SPREAD, np.ones(5), rng())
    half = np.abs(plus - minus)
    assert half == pytest.approx(half[0])


def test_later_opening_pairs_are_closer():
    gaps = [width(opening_pair(np.full(2, 0.5), n, USUAL_SPREAD, UP, rng())) for n in (0, 9, 99)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] > gaps[-1]


def test_opening_pairs_are_closer_where_the_judge_is_more_sure():
    spreads = np.log([0.01, 0.5, 1.5, 3.0, 100.0])
    gaps = [width(opening_pair(np.full(2, 0.5), 9, s, UP, rng())) for s in spreads]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[1] > 2 * gaps[3]
    assert 0.05 < gaps[-1] < gaps[0] < 1


def test_an_opening_pair_lies_in_the_direction_of_its_signs():
    signs = np.array([1.0, -1.0, -1.0])
    plus, minus = opening_pair(np.full(3, 0.5), 3, USUAL_SPREAD, signs, rng())
    assert (np.sign(plus - minus) == signs).all()


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("dim", [1, 2, 3, 4, 5, 8, 100])
def test_the_signs_of_consecutive_opening_duels_are_orthogonal(dim, seed):
    size = 2 ** math.ceil(math.log2(dim))
    for first in (0, size, 7 * size):
        signs = np.array([opening_signs(dim, first + k, seed) for k in range(size)])
        assert (np.abs(signs) == 1).all()
        assert (signs.T @ signs == size * np.eye(dim)).all()


def test_the_signs_of_opening_duels_are_fair_coins_over_the_seeds():
    count, dim = 2000, 3
    for duel in (0, 3, 5):
        signs = np.array([opening_signs(dim, duel, seed) for seed in range(count)])
        # Six sums of 2000 coins: all within 6 standard deviations but for 2e-8.
        products = signs.T @ signs - count * np.eye(dim)
        assert abs(products).max() < 6 * math.sqrt(count)
        assert abs(signs.sum(axis=0)).max() < 6 * math.sqrt(count)


def test_the_directions_of_the_opening_come_in_another_order_after_each_turn():
    turns = [[tuple(opening_signs(8, 8 * t + k, 0)) for k in range(8)] for t in range(4)]
    assert len(set(map(tuple, turns))) == 4
