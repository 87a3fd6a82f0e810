"""Sparring: complementary rewards, and two sides that are independent."""

import pytest

from duelli.learners.scalar import Sparring
from duelli.learners.scalar.hoo import Hoo
from duelli.learners.scalar.ucb1 import Ucb1

from .duels import duelled, linear, scripted
from .rewards import cone


@pytest.mark.parametrize(("scalar", "kind"), [("ucb1", Ucb1), ("hoo", Hoo)])
def test_the_rewards_of_each_duel_add_up_to_1(monkeypatch, scalar, kind):
    told = scripted(monkeypatch, kind)
    learner = Sparring(dim=1, horizon=200, scalar=scalar)
    outcomes = [outcome for _, _, outcome in duelled(learner, linear(cone))]
    left, right = learner._state.scalars
    assert [reward for scalar, reward in told if scalar is left] == outcomes
    assert [reward for scalar, reward in told if scalar is right] == [1 - o for o in outcomes]


def test_both_sides_converge_to_the_best_arm_of_a_deterministic_order():
    learner = Sparring(dim=1, horizon=3000, scalar="ucb1", cells=4)
    pairs = list(duelled(learner, lambda x, y: float(x < y) + 0.5 * (x == y)))[-500:]
    for side in (0, 1):
        assert sum(pair[side] == (0.125,) for pair in pairs) > 400


def test_the_two_sides_do_not_mirror_each_other():
    learner = Sparring(dim=2, horizon=50, scalar="ucb1", cells=5)
    pairs = list(duelled(learner, linear(cone)))
    assert sum(x == y for x, y, _ in pairs) < 25
    left, right = learner._state.scalars
    assert left.config.seed != right.config.seed


def test_both_sides_have_the_horizon_of_the_run():
    assert [each.horizon for each in Sparring(dim=1, horizon=77)._state.scalars] == [77, 77]


def test_it_recommends_what_the_left_side_recommends():
    learner = Sparring(dim=1, horizon=500)
    for _ in duelled(learner, linear(cone)):
        pass
    assert learner.recommend() == learner._state.scalars[0].recommend()
    assert abs(learner.recommend()[0] - 0.3) < 0.2
