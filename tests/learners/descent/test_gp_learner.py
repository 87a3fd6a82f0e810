"""What both learners share that model the win rates of candidates."""

import json

import numpy as np
import pytest

from duelli.learners.descent import CompGpUcb, KernelSelfSparring
from duelli.testing.coins import CoinFlips

from .samples import STUBBORN, arms_of, in_box, stubborn_run, told

KINDS = [CompGpUcb, KernelSelfSparring]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("judge", STUBBORN)
@pytest.mark.parametrize("dim", [1, 3, 8])
def test_it_ends_whatever_the_judge_says(kind, judge, dim):
    learner = kind(dim=dim, horizon=3000, candidates=20, start=(1.0,) * dim)
    steps = stubborn_run(learner, judge)
    assert all(in_box(arm) for step in steps for arm in arms_of(step))
    assert learner.duels == 3000
    assert in_box(learner.recommend())


@pytest.mark.parametrize("kind", KINDS)
def test_a_long_run_has_few_steps_and_a_small_state(kind):
    learner = kind(dim=2, horizon=10**12, candidates=30)
    assert len(stubborn_run(learner, "tie")) < 1000
    assert len(json.dumps(learner.state())) < 5000


@pytest.mark.parametrize("kind", KINDS)
def test_it_recommends_the_start_before_the_first_duel(kind):
    assert kind(dim=2, horizon=100, candidates=9, start=(0.1, 0.8)).recommend() == (0.1, 0.8)


@pytest.mark.parametrize("kind", KINDS)
def test_the_state_goes_on_bit_for_bit(kind):
    whole, pieces = (kind(dim=2, horizon=300, candidates=30, seed=4) for _ in range(2))
    coins = CoinFlips(seed=1), CoinFlips(seed=1)
    while whole.ask():
        for learner, flips in zip((whole, pieces), coins, strict=True):
            learner.tell([flips.play(block).tally for block in learner.ask()])
        pieces = kind.from_state(pieces.config, json.loads(json.dumps(pieces.state())))
        assert pieces.state() == whole.state()
        assert pieces.recommend() == whole.recommend()


@pytest.mark.parametrize("kind", KINDS)
def test_the_batch_is_the_least_size_of_a_step(kind):
    learner = kind(dim=2, horizon=100, candidates=9, batch=30)
    sizes = []
    while learner.ask():
        sizes.append(sum(block.n for block in told(learner, 0.5)))
    assert sizes == [30, 30, 30, 10]


@pytest.mark.parametrize("kind", KINDS)
def test_a_state_that_cannot_be_is_refused(kind):
    learner = kind(dim=2, horizon=100, candidates=9)
    with pytest.raises(ValueError, match=r"state\.arms must be ascending numbers below 9"):
        kind.from_state(
            learner.config, {**learner.state(), "duels": 1, "arms": [9], "n": [1], "wins": [1]}
        )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"candidates": 1}, "candidates must be a whole number of at least 2; got 1"),
        ({"candidates": 1001}, "candidates must be at most 1000; got 1001"),
        ({"batch": 0}, "batch must be a whole number of at least 1; got 0"),
        ({"length": 0}, "length must be above 0; got 0"),
    ],
)
def test_wrong_inputs_are_named(kind, inputs, message):
    with pytest.raises(ValueError, match=message):
        kind(dim=2, horizon=100, **inputs)


@pytest.mark.parametrize("kind", KINDS)
def test_the_length_scale_can_be_given(kind):
    short, usual = (kind(dim=2, horizon=9, candidates=9, **more) for more in ({"length": 0.01}, {}))
    assert np.allclose(short._prior.covariance, np.diag(short._prior.covariance.diagonal()))
    assert usual._prior.covariance.min() > 1e-4
