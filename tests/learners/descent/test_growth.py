"""How steps grow with the duels so far."""

import pytest

from duelli.learners.descent.growth import shares, step_duels


@pytest.mark.parametrize(
    ("duels", "batch", "size"), [(0, 1, 1), (49, 1, 1), (50, 1, 2), (1000, 1, 40), (1000, 99, 99)]
)
def test_a_step_grows_with_the_duels_before_it(duels, batch, size):
    assert step_duels(duels, 10**6, batch, 25) == size


@pytest.mark.parametrize(("duels", "size"), [(90, 10), (99, 1), (100, 0)])
def test_no_step_goes_beyond_the_horizon(duels, size):
    assert step_duels(duels, 100, 50, 25) == size


def test_the_number_of_steps_grows_with_the_logarithm():
    steps = duels = 0
    while n := step_duels(duels, 10**18, 1, 25):
        steps, duels = steps + 1, duels + n
    assert steps < 1100


@pytest.mark.parametrize(
    ("total", "parts", "expected"), [(7, 3, [3, 2, 2]), (2, 5, [1, 1]), (6, 1, [6]), (6, 2, [3, 3])]
)
def test_shares_are_equal_up_to_one(total, parts, expected):
    assert shares(total, parts) == expected
