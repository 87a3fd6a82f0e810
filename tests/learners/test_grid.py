"""The cells of a grid."""

import pytest

from duelli.blocks import Block
from duelli.learners.grid import Grid


def test_cells_are_numbered_with_the_first_axis_slowest():
    grid = Grid(2, 4)
    assert grid.num_arms == 16
    assert [grid.centre(index) for index in (0, 1, 4, 15)] == [
        (0.125, 0.125),
        (0.125, 0.375),
        (0.375, 0.125),
        (0.875, 0.875),
    ]
    assert grid.low(7) == (0.25, 0.75)


@pytest.mark.parametrize(("dim", "cells"), [(1, 7), (2, 5), (3, 4)])
def test_the_centre_of_a_cell_is_in_that_cell(dim, cells):
    grid = Grid(dim, cells)
    assert [grid.index(grid.centre(index)) for index in range(grid.num_arms)] == list(
        range(grid.num_arms)
    )


def test_the_upper_end_of_the_box_is_in_the_last_cell():
    assert Grid(2, 3).index((1.0, 1.0)) == 8


@pytest.mark.parametrize("cells", range(1, 400))
def test_every_cell_lies_in_the_box_despite_rounding(cells):
    grid = Grid(1, cells)
    for index in range(cells):
        block = Block(grid.low(index), grid.edge, grid.centre(index), 1)
        assert block.low[0] == pytest.approx(index / cells, abs=1e-15)


def test_a_shift_moves_every_point_by_the_same_share_of_a_cell():
    grid = Grid(2, 4, (0.25, -0.5))
    assert [grid.centre(index) for index in (0, 1, 15)] == [
        (0.1875, 0.0),
        (0.1875, 0.25),
        (0.9375, 0.75),
    ]
    assert grid.low(7) == Grid(2, 4).low(7)
