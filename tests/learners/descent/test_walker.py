"""What all learners share that walk with one pair after the other."""

import json

import numpy as np
import pytest

from duelli.learners.descent import Dbgd, EpochRgd, NcSmd, Rgd

from .samples import STUBBORN, arms_of, in_box, stubborn_run, told

WALKERS = [Dbgd, EpochRgd, NcSmd, Rgd]


def theta_of(learner):
    return learner.progress().reference


@pytest.mark.parametrize("kind", WALKERS)
def test_up_to_20_000_duels_each_is_an_iteration(kind):
    assert kind(dim=2, horizon=20_000).ask()[0].n == 1
    assert kind(dim=2, horizon=20_001).ask()[0].n == 2


@pytest.mark.slow
@pytest.mark.parametrize("kind", WALKERS)
def test_a_long_run_has_20_000_blocks(kind):
    learner, count = kind(dim=1, horizon=10**12), 0
    while learner.ask():
        told(learner, 0.5)
        count += 1
    assert (count, learner.duels) == (20_000, 10**12)


@pytest.mark.parametrize("kind", WALKERS)
@pytest.mark.parametrize("dim", [1, 3, 8])
@pytest.mark.parametrize("judge", STUBBORN)
def test_arms_stay_in_the_box_and_never_meet_themselves(kind, dim, judge):
    for corner in (0.0, 1.0):
        learner = kind(dim=dim, horizon=150, start=(corner,) * dim, seed=1)
        for step in stubborn_run(learner, judge):
            assert all(map(in_box, arms_of(step)))
            assert all(block.low != block.reference for block in step)
        assert in_box(learner.recommend())


@pytest.mark.parametrize("kind", WALKERS)
def test_the_first_pair_lies_about_the_start(kind):
    start = (0.42, 0.61)
    (block,) = kind(dim=2, horizon=100, start=start).ask()
    centre = np.mean([block.low, block.reference], axis=0)
    assert start in (block.reference, pytest.approx(tuple(centre)))


@pytest.mark.parametrize("kind", WALKERS)
def test_it_recommends_theta_in_the_first_half_and_its_mean_in_the_second(kind):
    learner, thetas = kind(dim=2, horizon=10, seed=1), []
    for outcome in (1, 0, 1, 1, 0, 1, 0, 0, 1, 1):
        told(learner, outcome)
        thetas.append(theta_of(learner))
        second = thetas[5:]
        expected = np.mean(second, axis=0) if second else thetas[-1]
        assert learner.recommend() == pytest.approx(tuple(expected), rel=1e-12)


@pytest.mark.parametrize("kind", WALKERS)
def test_the_state_goes_on_bit_for_bit_in_both_halves(kind):
    whole, pieces = kind(dim=3, horizon=40, seed=2), kind(dim=3, horizon=40, seed=2)
    for k in range(40):
        told(whole, k % 3 / 2)
        told(pieces, k % 3 / 2)
        pieces = kind.from_state(pieces.config, json.loads(json.dumps(pieces.state())))
        assert pieces.state() == whole.state()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"duels": 3}, "state.duels must be a multiple of 5 or the horizon; got 3"),
        ({"average": [0.5]}, "state.average must be there after more than 50000 duels"),
        ({"duels": 50_005}, "state.average must be there after more than 50000 duels"),
        ({"theta": [1.5]}, r"state.theta must lie in \[0, 1\]\^1"),
    ],
)
@pytest.mark.parametrize("kind", WALKERS)
def test_a_state_that_cannot_be_is_refused(kind, change, message):
    learner = kind(dim=1, horizon=10**5)
    with pytest.raises(ValueError, match=message):
        kind.from_state(learner.config, {**learner.state(), **change})


@pytest.mark.parametrize("kind", WALKERS)
def test_the_directions_depend_on_the_seed(kind):
    assert len({kind(dim=3, horizon=10, seed=seed).ask()[0].low for seed in range(5)}) == 5
