"""Sobol points, beside those of scipy."""

import numpy as np
import pytest
from scipy.stats import qmc

from duelli import _rng
from duelli.learners.finite.sobol import BITS, MOST_DIM, sobol_points

KEY = _rng.key(3, "learner")


def unshifted(count, dim):
    """Return the points without their shift, which is that of the first one."""
    whole = np.array([[int(x * 2**BITS) for x in p] for p in sobol_points(count, dim, KEY)])
    return (whole ^ whole[0]) / 2**BITS


def test_they_are_those_of_scipy():
    theirs = qmc.Sobol(MOST_DIM, scramble=False).random(256)
    np.testing.assert_array_equal(unshifted(256, MOST_DIM), theirs)


@pytest.mark.parametrize("dim", [1, 2, 8, MOST_DIM])
def test_a_power_of_two_has_one_point_in_each_part_of_every_axis(dim):
    points = np.array(sobol_points(64, dim, KEY))
    for column in np.floor(64 * points).astype(int).T:
        assert sorted(column) == list(range(64))


def test_in_the_plane_every_square_of_a_grid_has_a_point():
    points = np.array(sobol_points(64, 2, KEY))
    assert len({tuple(cell) for cell in np.floor(8 * points).astype(int).tolist()}) == 64


def test_the_shift_depends_on_the_key():
    assert sobol_points(4, 2, KEY) == sobol_points(4, 2, KEY)
    assert sobol_points(4, 2, KEY) != sobol_points(4, 2, KEY + 1)


def test_they_lie_inside_the_box():
    points = np.array(sobol_points(4096, 3, KEY))
    assert 0 < points.min() < points.max() < 1
