"""The state: arms on a grid, so that a saved one is the same."""

import numpy as np
import pytest

from duelli.learners.model.config import ARM_UNITS
from duelli.learners.model.states import on_grid

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


def test_its_arms_have_one_row_each():
    state = run_of(2, 30, batch=5).learner._state
    assert state.arms.shape == (len(state.utilities), 2)
    assert state.arms.ravel().tolist() == pytest.approx([x / 2**32 for x in state.places])


def test_its_counts_are_its_lists():
    state = run_of(2, 30, batch=5).learner._state
    lists = (state.left, state.right, state.wins, state.n)
    assert [tuple(entry.tolist()) for entry in state.counts] == [
        tuple(map(float, x)) for x in lists
    ]
