"""The number of cells that suits a horizon."""

import pytest

from duelli.learners.scalar.inputs import check_cells, rate_cells


@pytest.mark.parametrize(
    ("horizon", "cells"),
    [(10**4, (11, 6, 5, 4)), (10**6, (42, 17, 10, 7)), (10**8, (176, 49, 23, 14))],
)
def test_the_cells_of_a_horizon_in_1_to_4_dimensions(horizon, cells):
    assert tuple(rate_cells(horizon, dim) for dim in (1, 2, 3, 4)) == cells


@pytest.mark.parametrize("horizon", [1, 2, 3])
def test_there_are_two_cells_for_the_shortest_runs(horizon):
    assert rate_cells(horizon, 1) == 2


def test_there_are_no_more_arms_than_can_be_remembered():
    assert rate_cells(10**18, 8) ** 8 <= 10**6 < 10**18
    assert rate_cells(10**4, 2, most_arms=20) == 4
    assert rate_cells(10**4, 30) == 1


def test_too_many_cells_are_refused():
    with pytest.raises(ValueError, match=r"cells must make at most 1000000 arms; got 11\^6"):
        check_cells(11, 6)
