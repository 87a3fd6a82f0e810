"""The state: points on a grid, so that a saved one is the same."""

from dataclasses import replace

import numpy as np
import pytest

from duelli.learners.model import PreferenceModel
from duelli.learners.model.config import ARM_UNITS
from duelli.learners.model.states import (
    FIRST_SINGLES,
    LEAST_TELLING,
    PACKED_UNITS,
    on_grid,
    packed,
    ties,
    unpacked,
)

from .samples import arms_of, run_of


def test_the_nearest_point_of_the_grid_is_taken():
    for point in arms_of(20, 3):
        units = np.array(on_grid(point)) * ARM_UNITS
        assert (units == np.rint(units)).all()
        assert np.abs(units - point * ARM_UNITS).max() <= 0.5


def test_a_point_of_the_grid_stays_where_it_is():
    assert on_grid(np.array([0.0, 0.375, 1.0])) == (0.0, 0.375, 1.0)


def test_a_point_that_rounding_put_outside_is_taken_back_into_the_box():
    assert on_grid(np.array([-1e-3, 1 + 1e-3])) == (0.0, 1.0)


def test_its_pairs_have_one_row_each():
    state = run_of(2, 30, batch=5).learner._state
    for points, units in [(state.pool.left, state.left), (state.pool.right, state.right)]:
        assert points.shape == (len(state.n), 2)
        assert packed(points) == units


def test_its_duels_and_differences_are_its_lists():
    state = run_of(2, 30, batch=5).learner._state
    pool = state.pool
    for name in ("wins", "n", "differences"):
        assert getattr(pool, name).tolist() == list(map(float, getattr(state, name)))


@pytest.mark.parametrize("dim", [1, 3])
def test_before_any_duel_its_pool_is_empty_but_has_a_dimension(dim):
    pool = PreferenceModel(dim=dim)._state.pool
    assert [part.shape for part in pool] == [(0, dim), (0, dim), (0,), (0,), (0,)]


def test_its_prior_has_its_scales_and_its_spread():
    state = run_of(2, 30, batch=5).learner._state
    assert state.prior.scales.tolist() == list(state.scales)
    assert state.prior.spread == state.spread


# Points as whole numbers.


@pytest.mark.parametrize("dim", [1, 2, 10])
def test_a_packed_point_is_the_nearest_one_that_a_state_can_hold(dim):
    points = np.random.default_rng(dim).random((50, dim))
    there = unpacked(packed(points), dim)
    assert there.shape == points.shape
    assert np.abs(there - points).max() <= 0.5 / PACKED_UNITS + 1e-15
    assert packed(there) == packed(points)  # so that a state that is loaded stays the same


def test_the_first_coordinate_is_the_lowest_digit():
    assert packed(np.array([[0.0, 1.0], [1.0, 0.0]])) == (65535 * 65536, 65535)


def test_no_points_are_no_numbers():
    assert packed(np.zeros((0, 3))) == ()
    assert unpacked((), 3).shape == (0, 3)


# How often there are draws.


def test_without_draws_there_are_no_ties():
    assert ties(25.0, 25) == ties(0.0, 0) == 0


def test_draws_are_the_share_of_ties_between_equal_points():
    # Of 30 single duels 10 were draws, and some clear ones are assumed to have gone before.
    share = 10 / (30 + FIRST_SINGLES)
    found = ties(20.0, 30)
    assert found / (2 + found) == pytest.approx(share)


def test_however_many_draws_there_are_some_duels_tell():
    found = ties(0.0, 10**9)
    assert 2 / (2 + found) == pytest.approx(LEAST_TELLING)


def test_its_ties_are_those_of_its_draws():
    state = run_of(2, 30, batch=5).learner._state
    assert state.ties == 0
    drawn = replace(state, squares=state.singles / 2)
    assert drawn.ties == ties(state.singles / 2, state.singles) > 0
