"""RGD: its moves by hand. Its regret is in tests/laws."""

import math

import numpy as np
import pytest

from duelli.learners.descent import Rgd
from duelli.learners.descent.rgd import summed, theory_gains

from .samples import in_box, told


def point_of(learner):
    return learner.progress().reference


def test_the_two_points_lie_on_either_side():
    (block,) = Rgd(dim=3, horizon=1000).ask()
    assert math.dist(block.low, (0.5,) * 3) == pytest.approx(0.2)
    assert np.add(block.low, block.reference) == pytest.approx(np.ones(3))


@pytest.mark.parametrize(("share", "moved"), [(1, 0.01), (0, -0.01), (0.5, 0.0), (0.75, 0.005)])
def test_the_point_moves_towards_the_better_one(share, moved):
    learner = Rgd(dim=2, horizon=1000)
    (block,) = told(learner, share)
    along = [(x - 0.5) / 0.2 for x in block.low]
    assert point_of(learner) == pytest.approx([0.5 + moved * u for u in along], abs=1e-12)


def test_the_point_keeps_the_distance_of_the_probe_from_the_walls():
    learner = Rgd(dim=2, horizon=500, start=(1.0, 0.0))
    while learner.ask():
        told(learner, 1)
        assert all(0.2 <= x <= 0.8 for x in point_of(learner))


def test_both_probes_are_at_the_full_distance_at_a_wall():
    (block,) = Rgd(dim=2, horizon=500, start=(1.0, 0.0)).ask()
    assert math.dist(block.low, block.reference) == pytest.approx(0.4)


def test_clipped_probes_let_the_point_come_to_the_walls():
    learner = Rgd(dim=2, horizon=500, start=(1.0, 0.0), walls="clip")
    (block,) = learner.ask()
    assert in_box(block.low)
    assert in_box(block.reference)
    assert (block.low[0] == 1.0) != (block.reference[0] == 1.0)  # one of them would be outside
    while learner.ask():
        (block,) = told(learner, 1)
        assert block.low != block.reference
    assert Rgd(dim=2, horizon=9, start=(1.0, 0.0), walls="clip").recommend() == (1.0, 0.0)


def test_clipped_probes_move_the_point_by_a_whole_step():
    learner = Rgd(dim=2, horizon=500, start=(0.05, 0.95), walls="clip")
    told(learner, 1)
    assert math.dist(point_of(learner), (0.05, 0.95)) == pytest.approx(0.01)


def test_a_block_sums_its_steps_up_to_the_probe():
    assert summed(0.01, 1, 0.2) == 0.01
    assert summed(0.01, 7, 0.2) == pytest.approx(0.07)
    assert summed(0.01, 5000, 0.2) == 0.2
    assert summed(0.3, 1, 0.2) == 0.3  # as given
    learner = Rgd(dim=2, horizon=100_000)  # blocks of 5
    told(learner, 0.8)
    assert math.dist(point_of(learner), (0.5, 0.5)) == pytest.approx(0.05 * 0.6)


def test_the_gains_of_the_theory():
    # ε = .1, d = 2, β = 1, D = √2, c_ρ = .4: γ = .0025 and η = 5e-5.
    assert theory_gains(2, 0.1, 1.0, 0.4) == pytest.approx((0.0025, 5e-5))
    learner = Rgd(dim=2, horizon=1000, gains="theory", slope_min=0.2)
    assert (learner.probe, learner.step) == pytest.approx((0.0025, 5e-5))


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"gains": "game"}, "gains must be one of practical, theory; got 'game'"),
        ({"probe": 0}, r"probe must lie in \[1e-06, 0.5\]; got 0"),
        ({"step": -1}, "step must be above 0; got -1"),
        ({"target": 0}, "target must be above 0; got 0"),
        ({"smoothness": 0}, "smoothness must be above 0; got 0"),
        ({"slope_min": 0}, "slope_min must be above 0; got 0"),
        ({"walls": "none"}, "walls must be one of clip, margin; got 'none'"),
    ],
)
def test_wrong_inputs_are_named(inputs, message):
    with pytest.raises(ValueError, match=message):
        Rgd(dim=2, horizon=100, **inputs)
