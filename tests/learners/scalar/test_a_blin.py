"""A-BLiN: the sequence of its edges."""

import pytest

from duelli.learners.scalar.a_blin import ABlin

from .rewards import cone
from .test_blin import batches


def test_the_sequence_of_a_hundred_million_pulls():
    sums = ABlin(dim=1, horizon=10**8).config.sums()
    assert sums[:4] == pytest.approx([3.73, 6.21, 7.87, 8.98], abs=0.005)
    assert sums[-1] == pytest.approx(11.19, abs=0.005)


def test_each_edge_is_used_once():
    assert ABlin(dim=1, horizon=10**8).exponents == [3, 4, 6, 7, 8, 9, 10, 11, 12]


def test_the_edges_shrink_faster_at_first_than_those_of_d_blin():
    exponents = ABlin(dim=1, horizon=10**12).exponents
    assert exponents[0] > 4


@pytest.mark.parametrize("horizon", [1, 2, 3, 100, 10**18])
@pytest.mark.parametrize("zooming_dim", [0.0, 1.0, 2.0])
def test_there_are_edges_for_every_horizon(horizon, zooming_dim):
    exponents = ABlin(dim=2, horizon=horizon, zooming_dim=zooming_dim).exponents
    assert exponents == sorted(set(exponents))
    assert exponents


def test_a_larger_zooming_dimension_has_larger_cubes_in_the_end():
    last = [ABlin(dim=2, horizon=10**9, zooming_dim=d).exponents[-1] for d in (0, 1, 2)]
    assert last == sorted(last, reverse=True)
    assert last[0] > last[-1]


def test_cubes_are_divided_into_several_parts_at_once():
    learner = ABlin(dim=1, horizon=10**8, const=0.01)
    seen = batches(learner, lambda _: 0.5)
    assert [len(seen["batch", m]) for m in (1, 2, 3)] == [8, 16, 64]


def test_the_run_ends_in_the_best_cube_if_that_is_wanted():
    learner = ABlin(dim=1, horizon=10**8, const=0.01, threshold=0.5, cleanup="best")
    seen = batches(learner, cone)
    ((centre, _),) = seen["cleanup", max(m for phase, m in seen if phase == "cleanup")]
    assert abs(centre[0] - 0.3) < 2.0**-9


@pytest.mark.parametrize("zooming_dim", [-1.0, 3.0])
def test_a_wrong_zooming_dimension_is_named(zooming_dim):
    with pytest.raises(ValueError, match="zooming_dim must be at"):
        ABlin(dim=2, horizon=100, zooming_dim=zooming_dim)
