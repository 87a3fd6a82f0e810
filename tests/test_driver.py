"""The drivers: what they yield, and when they end."""

import pytest

from duelli import SCALARS, play_scalar


def test_each_arm_comes_with_its_reward():
    learner = SCALARS["ucb1"](dim=1, horizon=6, cells=3)
    played = list(play_scalar(learner, lambda arm: arm[0]))
    assert len(played) == 6
    assert all(arm == (reward,) for arm, reward in played)


def test_a_reward_that_raises_leaves_the_learner_where_it_was():
    learner = SCALARS["ucb1"](dim=1, horizon=6, cells=3)
    before = learner.state()
    with pytest.raises(ZeroDivisionError):
        list(play_scalar(learner, lambda _: 1 / 0))
    assert learner.state() == before
    assert len(list(play_scalar(learner, lambda _: 1.0))) == 6


def test_a_run_may_be_left_and_taken_up_again():
    learner = SCALARS["hoo"](dim=1, horizon=10)
    for i, _ in enumerate(play_scalar(learner, lambda _: 1.0)):
        if i == 3:
            break
    assert learner.pulls == 4
    assert len(list(play_scalar(learner, lambda _: 1.0))) == 6
