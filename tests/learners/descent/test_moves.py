"""Directions are uniform and addressed by number; moves stay in the box."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duelli.learners.descent.moves import clipped, direction, either_side, middle, moved

COUNT = 4000
units = st.floats(0, 1)


def directions(dim):
    return np.array([direction(12345, k, dim) for k in range(COUNT)])


@pytest.mark.parametrize("dim", [1, 2, 3, 8])
def test_directions_have_length_1(dim):
    assert np.linalg.norm(directions(dim), axis=1) == pytest.approx(np.ones(COUNT), rel=1e-12)


@pytest.mark.parametrize("dim", [1, 2, 3, 8])
def test_directions_have_mean_0_and_equal_variances(dim):
    # Entries lie in [-1, 1] with variance 1/d: by Hoeffding, each of at most 44 means of products
    # is off by 0.1 with probability below 2 exp(-COUNT 0.1² / 2), in all below 2e-7.
    u = directions(dim)
    assert abs(u.mean(axis=0)).max() < 0.1
    assert abs(u.T @ u / COUNT - np.eye(dim) / dim).max() < 0.1


def test_the_mean_size_of_an_entry_is_that_of_the_sphere():
    # In two dimensions E|u_1| = 2/π; |u_1| is in [0, 1]: off by 0.045 with probability below 1e-6.
    assert abs(directions(2)[:, 0]).mean() == pytest.approx(2 / math.pi, abs=0.045)


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_a_direction_depends_on_its_number_and_its_key_alone(dim):
    assert direction(7, 5, dim) == direction(7, 5, dim)
    assert len({direction(7, k, dim) for k in range(50)}) == (2 if dim == 1 else 50)
    assert [direction(8, k, dim) for k in range(9)] != [direction(7, k, dim) for k in range(9)]


def test_neighbouring_directions_share_no_random_numbers():
    # Each uses words of its own, two for an odd last entry.
    u = np.array([direction(3, k, 3) for k in range(COUNT)])
    correlation = abs((u[:-1] * u[1:]).sum(axis=1).mean())
    assert correlation < 0.1  # as above


def test_a_point_is_clipped_to_the_margin():
    assert clipped((-1.0, 0.5, 2.0)) == (0.0, 0.5, 1.0)
    assert clipped((-1.0, 0.5, 2.0), 0.2) == (0.2, 0.5, 0.8)


def test_a_move_is_clipped():
    assert moved((0.5, 0.5), (1.0, -1.0), 0.2) == pytest.approx((0.7, 0.3))
    assert moved((0.5, 0.5), (1.0, -1.0), 0.7, 0.1) == pytest.approx((0.9, 0.1))


@given(st.lists(units, min_size=1, max_size=5), st.floats(1e-6, 0.5), st.integers(0, 100))
def test_both_sides_lie_in_the_box_at_the_full_distance(point, size, index):
    u = direction(99, index, len(point))
    plus, minus = either_side(tuple(point), u, size)
    assert all(0 <= x <= 1 for x in (*plus, *minus))
    assert math.dist(plus, minus) == pytest.approx(2 * size, rel=1e-6)


def test_the_middle():
    assert middle(3) == (0.5, 0.5, 0.5)
