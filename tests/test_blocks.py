"""Block and Tally refuse what cannot be, at the door."""

import json
import math

import numpy as np
import pytest

from duelli import Block, Tally


def test_a_block_is_a_value():
    assert Block((0.0,), 1.0, (0.5,), 3) == Block((0.0,), 1.0, (0.5,), 3)
    assert len({Block((0.0,), 1.0, (0.5,), 3), Block((0.0,), 1.0, (0.5,), 3)}) == 1


def test_a_block_cannot_be_changed():
    block = Block((0.0,), 1.0, (0.5,), 3)
    with pytest.raises(AttributeError):
        block.n = 4


@pytest.mark.parametrize(
    ("low", "edge"), [((0.0, 0.0), 1.0), ((1.0, 1.0), 0.0), ((0.5, 0.25), 0.5)]
)
def test_a_block_takes_any_cube_of_the_box(low, edge):
    assert Block(low, edge, (0.5, 0.5), 1).edge == edge


@pytest.mark.parametrize("n", [0, -3, 1.5, math.nan])
def test_a_block_has_a_whole_number_of_duels(n):
    with pytest.raises(ValueError, match=r"^n must be a whole number of at least 1; got "):
        Block((0.5,), 0.0, (0.5,), n)


@pytest.mark.parametrize(
    ("low", "edge"),
    [
        ((0.5, 0.5), 0.6),
        ((-0.1, 0.5), 0.0),
        ((0.5, 1.1), 0.0),
        ((0.5, 0.5), -0.1),
        ((0.5, 0.5), math.nan),
        ((math.nan, 0.5), 0.0),
        ((0.5, math.nan), 0.0),
    ],
)
def test_a_block_refuses_a_cube_outside_the_box(low, edge):
    with pytest.raises(ValueError, match=r"^the cube must lie in \[0, 1\]\^2; got low "):
        Block(low, edge, (0.5, 0.5), 1)


@pytest.mark.parametrize("reference", [(0.5, 1.5), (-0.5, 0.5), (math.nan, 0.5), (0.5, math.nan)])
def test_a_block_refuses_a_reference_outside_the_box(reference):
    with pytest.raises(ValueError, match=r"^reference must lie in \[0, 1\]\^2; got "):
        Block((0.5, 0.5), 0.0, reference, 1)


def test_a_block_refuses_a_cube_without_coordinates():
    with pytest.raises(
        ValueError, match=r"^the cube must lie in \[0, 1\]\^0; got low \(\), edge 0"
    ):
        Block((), 0.0, (), 1)


def test_a_block_refuses_a_reference_of_another_dimension():
    with pytest.raises(
        ValueError, match=r"^reference must have shape \(2,\), one entry per dimension; got \(1,\)$"
    ):
        Block((0.5, 0.5), 0.0, (0.5,), 1)


@pytest.mark.parametrize("wins", [0, 2.5, 4])
def test_a_tally_takes_any_wins_up_to_n(wins):
    assert Tally(4, wins, (0.5,)).wins == wins


@pytest.mark.parametrize("wins", [-0.5, 4.5, math.nan])
def test_a_tally_refuses_other_wins(wins):
    with pytest.raises(ValueError, match=rf"^wins must lie in \[0, n\] = \[0, 4\]; got {wins}$"):
        Tally(4, wins, (0.5,))


@pytest.mark.parametrize("n", [0, -1, 2.5])
def test_a_tally_has_a_whole_number_of_duels(n):
    with pytest.raises(ValueError, match=r"^n must be a whole number of at least 1; got "):
        Tally(n, 0, (0.5,))


def test_the_counts_of_numpy_become_plain_ones():
    tally = Tally(np.int64(5), 2, (0.5,))
    assert json.dumps(tally.n) == "5"
