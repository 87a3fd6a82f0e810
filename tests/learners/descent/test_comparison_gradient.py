"""ComparisonGradient: directions without noise, votes under noise, and its end."""

import json
import math

import numpy as np
import pytest

from duelli.blocks import Tally
from duelli.learners.descent import ComparisonGradient

from .samples import STUBBORN, arms_of, bowl, in_box, judged, regrets, stubborn_run, told

BEST = (0.35, 0.62, 0.48)


def moves(learner, utility, count):
    """Yield the point before and after each of the first moves, and its comparisons."""
    for _ in range(count):
        before, done, tests = learner.recommend(), learner.progress().rounds_done, 0
        while learner.progress().rounds_done == done:
            tests += len(judged(learner, utility))
        yield before, learner.recommend(), tests


@pytest.mark.parametrize("accuracy", [0.25, 0.01])
def test_without_noise_it_moves_along_the_gradient(accuracy):
    inputs = {"probe": 0.01, "cap": 1, "accuracy": accuracy, "step": 0.05}
    learner = ComparisonGradient(dim=3, horizon=10_000, start=(0.6, 0.4, 0.7), **inputs)
    most = 3 + 2 + 2 * math.ceil(math.log2(2 * math.sqrt(3) / accuracy))
    for k, (before, now, tests) in enumerate(moves(learner, bowl(BEST), 4), 1):
        slope = np.subtract(BEST, before) / np.linalg.norm(np.subtract(BEST, before))
        step = np.subtract(now, before)
        assert np.linalg.norm(step) == pytest.approx(0.05 / math.sqrt(k))
        assert np.linalg.norm(step / np.linalg.norm(step) - slope) <= accuracy
        assert tests <= most


def test_without_noise_it_finds_the_best_point():
    learner = ComparisonGradient(dim=3, horizon=20_000, cap=1, start=(0.8, 0.2, 0.2))
    while learner.ask():
        judged(learner, bowl(BEST))
    assert math.dist(learner.recommend(), BEST) < 0.03


def test_the_signs_are_asked_at_once_on_either_side():
    learner = ComparisonGradient(dim=3, horizon=10_000)
    for i, block in enumerate(learner.ask()):
        assert np.add(block.low, block.reference) == pytest.approx(np.ones(3))
        assert np.subtract(block.low, block.reference)[i] == pytest.approx(0.2)


def test_a_test_that_is_not_decided_goes_on_alone():
    learner = ComparisonGradient(dim=2, horizon=10**6)
    first, second = learner.ask()
    learner.tell([Tally(64, 64, first.low), Tally(64, 30, second.low)])
    (block,) = learner.ask()
    assert (block.low, block.n) == (second.low, 64)


def test_the_point_keeps_the_distance_of_the_probe_from_the_walls():
    learner = ComparisonGradient(dim=2, horizon=2000, cap=1)
    while learner.ask():
        judged(learner, lambda arm: arm[0] - arm[1])
        assert all(0.1 <= x <= 0.9 for x in learner.recommend())
    assert learner.recommend() == pytest.approx((0.9, 0.1))


def test_ties_are_broken_by_coins():
    # A constant utility must not lead anywhere: 40 runs whose first signs are 80 coins.
    signs = []
    for seed in range(40):
        learner = ComparisonGradient(dim=2, horizon=100, cap=1, seed=seed)
        told(learner, 0.5)
        signs += learner.state()["estimate"]["signs"]
    assert 20 < sum(signs) < 60  # fails with probability below 1e-5


def test_after_the_last_move_of_the_theory_it_rests():
    learner = ComparisonGradient(dim=1, horizon=1000, gains="theory", target=0.05, cap=1)
    for _ in moves(learner, bowl((0.3,)), learner.plan.moves):
        assert learner.progress().phase in ("descent", "cleanup")
    (block,) = learner.ask()
    assert block.low == block.reference == learner.recommend()
    assert block.n == 1000 - learner.duels


@pytest.mark.parametrize("dim", [1, 3, 8])
@pytest.mark.parametrize("judge", STUBBORN)
@pytest.mark.parametrize("horizon", [1, 7, 3000])
def test_it_ends_whatever_the_judge_says(dim, judge, horizon):
    learner = ComparisonGradient(dim=dim, horizon=horizon, start=(1.0,) * dim)
    steps = stubborn_run(learner, judge)
    assert all(in_box(arm) for step in steps for arm in arms_of(step))
    assert all(block.low != block.reference for step in steps for block in step)
    assert learner.duels == horizon


@pytest.mark.slow
@pytest.mark.parametrize("judge", ["tie", "left"])
@pytest.mark.parametrize("cap", [None, 1])
def test_a_long_run_has_at_most_20_000_steps(judge, cap):
    learner = ComparisonGradient(dim=2, horizon=10**8, cap=cap)
    assert len(stubborn_run(learner, judge)) <= 20_000


def test_the_state_goes_on_bit_for_bit_within_an_estimate():
    whole, pieces = (ComparisonGradient(dim=3, horizon=3000, cap=4) for _ in range(2))
    for _ in range(100):
        judged(whole, bowl(BEST))
        judged(pieces, bowl(BEST))
        state = json.loads(json.dumps(pieces.state()))
        pieces = ComparisonGradient.from_state(pieces.config, state)
        assert pieces.state() == whole.state()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"moves": 9}, "state.moves must be at most the 0 duels; got 9"),
        ({"point": [2, 0]}, r"state.point must lie in \[0, 1\]\^2"),
    ],
)
def test_a_state_that_cannot_be_is_refused(change, message):
    learner = ComparisonGradient(dim=2, horizon=100)
    with pytest.raises(ValueError, match=message):
        ComparisonGradient.from_state(learner.config, {**learner.state(), **change})


@pytest.mark.slow
def test_with_votes_it_makes_progress_under_noise():
    # 2130 ± 380 in other runs; staying put costs 9242.
    assert regrets(ComparisonGradient, 4, start=(0.9, 0.9)).mean() < 4000
