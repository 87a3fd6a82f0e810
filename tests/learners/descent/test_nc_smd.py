"""NC-SMD: its barrier and its moves by hand. Its regret is in tests/laws."""

import math

import numpy as np
import pytest

from duelli.learners.descent import NcSmd
from duelli.learners.descent.nc_smd import curvature, slope, solved

from .samples import stubborn_run, told


def point_of(learner):
    return learner.progress().reference


@pytest.mark.parametrize("weight", [0.0, 2.0, 500.0])
@pytest.mark.parametrize("a", [1e-6, 0.1, 0.5, 0.99])
def test_a_slope_is_solved_for_its_place(a, weight):
    assert solved(slope(a, weight), weight) == pytest.approx(a, rel=1e-6)


@pytest.mark.parametrize("a", [0.1, 0.5, 0.9])
def test_slope_and_curvature_are_those_of_the_barrier(a):
    def barrier(x, weight):
        return -math.log(x) - math.log(1 - x) + weight * x**2 / 2

    h = 1e-4
    ends = [barrier(x, 3.0) for x in (a - h, a, a + h)]
    assert slope(a, 3.0) == pytest.approx((ends[2] - ends[0]) / (2 * h), rel=1e-4, abs=1e-4)
    assert curvature(a, 3.0) == pytest.approx((ends[0] - 2 * ends[1] + ends[2]) / h**2, rel=1e-3)


def test_the_probe_is_one_step_of_the_dikin_ellipsoid_away():
    (block,) = NcSmd(dim=3, horizon=1000, regularisation=0.0, convexity=0.0).ask()
    # H = 8 on every axis of the middle.
    assert math.dist(block.low, block.reference) == pytest.approx(1 / math.sqrt(8))


def test_a_lost_duel_of_the_incumbent_changes_nothing():
    # With F = 0 forever the point stays, wherever it is.
    learner = NcSmd(dim=2, horizon=200, start=(0.2, 0.9))
    while learner.ask():
        told(learner, 1)
        assert point_of(learner) == (0.2, 0.9)


def test_a_won_duel_of_the_incumbent_moves_it_away_from_the_probe():
    learner = NcSmd(dim=2, horizon=1000)
    (block,) = told(learner, 0)
    away = np.subtract(block.reference, block.low)
    assert np.dot(away, np.subtract(point_of(learner), block.reference)) > 0


def test_the_first_move_by_hand():
    learner = NcSmd(dim=1, horizon=1000, step=0.05, convexity=0.4, regularisation=3.0)
    (block,) = told(learner, 0.25)  # F = 3/4
    weight = 0.4 * 0.05 * 1 + 2 * 3.0
    root = math.sqrt(8 + weight)
    u = 1 if block.low[0] > 0.5 else -1
    assert block.low[0] == pytest.approx(0.5 + u / root)
    a = point_of(learner)[0]
    assert slope(a, weight) == pytest.approx(slope(0.5, weight) - 0.05 * 0.75 * root * u)


def test_the_weight_of_the_past_grows_with_the_iterations():
    learner = NcSmd(dim=2, horizon=10**6)  # blocks of 50
    assert learner._weight(0) == pytest.approx(2 + 0.1 * learner.eta)
    assert learner._weight(5000) == pytest.approx(2 + 0.1 * learner.eta * 101)


def test_the_step_of_the_theory():
    assert NcSmd(dim=2, horizon=20_000).eta == pytest.approx(
        math.sqrt(4 * math.log(20_000) / 20_000) / 4
    )
    assert NcSmd(dim=2, horizon=1).eta > 0
    assert NcSmd(dim=2, horizon=10**9).eta == NcSmd(dim=2, horizon=20_000).eta
    assert NcSmd(dim=2, horizon=100, step=0.3).eta == 0.3


@pytest.mark.parametrize("judge", ["left", "right", "first coordinate"])
@pytest.mark.parametrize("step", [None, 100.0])
def test_the_iterates_stay_strictly_inside(judge, step):
    learner = NcSmd(dim=2, horizon=300, step=step)
    stubborn_run(learner, judge)
    assert all(0 < x < 1 for x in point_of(learner))


def test_a_start_at_a_wall_is_moved_inside():
    learner = NcSmd(dim=2, horizon=300, start=(0.0, 1.0))
    told(learner, 0)
    assert all(0 < x < 1 for x in point_of(learner))


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"step": 0}, "step must be above 0; got 0"),
        ({"convexity": -1}, "convexity must be at least 0; got -1"),
        ({"regularisation": -1}, "regularisation must be at least 0; got -1"),
    ],
)
def test_wrong_inputs_are_named(inputs, message):
    with pytest.raises(ValueError, match=message):
        NcSmd(dim=2, horizon=100, **inputs)
