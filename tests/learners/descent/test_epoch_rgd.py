"""Epoch-RGD: its epochs by hand, and what it finds."""

import math

import numpy as np
import pytest

from duelli.learners.descent import EpochRgd

from .samples import regrets, told


def test_the_practical_epochs_shrink_as_the_theory_says():
    epochs = EpochRgd(dim=2, horizon=10**6).epochs
    assert epochs[0] == (0.2, 0.02, 1000)
    for k, epoch in enumerate(epochs):
        ratio = math.sqrt(3 / 4) ** k  # D_k / D_1
        assert epoch.probe == pytest.approx(0.2 * ratio)
        assert epoch.step == pytest.approx(0.02 * ratio**3)
        assert epoch.duels == math.ceil(1000 / ratio**4)
    assert sum(e.duels for e in epochs[:-1]) < 10**6 <= sum(e.duels for e in epochs)


def test_the_epochs_of_the_theory():
    # d = 1, α = β = 1, c_ρ = .4: B = .4 (1/4) / 20 = .005; D_1 = 1.
    inputs = {"dim": 1, "gains": "theory", "slope_min": 0.2, "target": 0.1}
    learner = EpochRgd(horizon=10**9, **inputs)
    assert len(learner.epochs) == math.ceil(math.log(0.5 / 0.1) / math.log(4 / 3))
    assert learner.epochs[0] == pytest.approx((0.025, 0.005, 20_000))
    assert learner.epochs[1].duels == math.ceil(20_000 * (4 / 3) ** 2)


def test_after_the_last_epoch_of_the_theory_it_rests():
    inputs = {"gains": "theory", "target": 0.49, "slope_min": 50.0, "step": 0.01}
    learner = EpochRgd(dim=1, horizon=1000, **inputs)  # a steep link: the only epoch is 1 duel
    assert [epoch.duels for epoch in learner.epochs] == [1]
    told(learner, 1)
    assert learner.progress().phase == "cleanup"
    ((block,), point) = learner.ask(), learner.recommend()
    assert (block.low, block.reference, block.n) == (point, point, 999)
    told(learner, 0.5)
    assert learner.ask() == ()
    assert learner.recommend() == point


def test_the_distances_are_those_of_the_epoch():
    learner, before = EpochRgd(dim=2, horizon=10_000, epoch=3), 0
    for k, epoch in enumerate(learner.epochs[:6]):
        for _ in range(epoch.duels):
            assert learner.progress().rounds_done == k
            before = learner.progress().reference
            (block,) = told(learner, 1)
            assert math.dist(block.low, block.reference) == pytest.approx(2 * epoch.probe)
        assert math.dist(before, learner.progress().reference) == pytest.approx(epoch.step)


def test_the_point_keeps_the_distance_of_the_probe_from_the_walls():
    learner = EpochRgd(dim=2, horizon=2000, start=(1.0, 0.0))
    while learner.ask():
        probe = learner._epoch(learner.duels).probe
        told(learner, 1)
        assert all(probe - 1e-12 <= x <= 1 - probe + 1e-12 for x in learner.progress().reference)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"epoch": 0}, "epoch must be a whole number of at least 1; got 0"),
        ({"convexity": 2.0}, "smoothness must be at least convexity = 2; got 1"),
        ({"gains": "game"}, "gains must be one of practical, theory; got 'game'"),
        ({"probe": 1}, r"probe must lie in \[1e-06, 0.5\]; got 1"),
    ],
)
def test_wrong_inputs_are_named(inputs, message):
    with pytest.raises(ValueError, match=message):
        EpochRgd(dim=2, horizon=100, **inputs)


@pytest.mark.slow
def test_shrinking_steps_have_less_regret_than_those_of_rgd():
    # 475 ± 60 in other runs, against 840 ± 50 for RGD.
    assert np.mean(regrets(EpochRgd, 3, start=(0.9, 0.9))) < 650
