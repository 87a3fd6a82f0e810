"""MultiSBM: the chain of arms, and one scalar learner per arm."""

import itertools

import numpy as np
import pytest

from duelli.learners.scalar import MultiSbm
from duelli.learners.scalar.ucb1 import Ucb1

from .duels import duelled, linear, scripted
from .rewards import cone


def test_the_left_arm_of_a_duel_is_the_opponent_of_the_next_one():
    pairs = list(duelled(MultiSbm(dim=2, horizon=300, cells=2), linear(cone)))
    assert all(x == later for (x, _, _), (_, later, _) in itertools.pairwise(pairs))


def test_an_outcome_goes_to_the_scalar_learner_of_the_opponent(monkeypatch):
    told = scripted(monkeypatch, Ucb1)
    learner = MultiSbm(dim=1, horizon=200, cells=4)
    pairs = list(duelled(learner, linear(cone)))
    for (scalar, reward), (_, y, outcome) in zip(told, pairs, strict=True):
        assert scalar is learner._state.scalars[learner.grid.index(y)]
        assert reward == outcome


def test_the_first_opponent_is_drawn():
    first = {MultiSbm(dim=1, horizon=5, cells=9, seed=s).ask()[0].reference for s in range(30)}
    assert len(first) > 5


@pytest.mark.parametrize(
    ("dim", "horizon", "arms"), [(2, 10_000, 25), (1, 100, 3), (3, 400, 8), (8, 10, 256)]
)
def test_the_grid_leaves_ten_duels_for_each_pair_or_has_two_cells_per_axis(dim, horizon, arms):
    assert MultiSbm(dim=dim, horizon=horizon).grid.num_arms == arms


def test_more_than_1024_arms_are_refused():
    with pytest.raises(ValueError, match=r"cells must make at most 1024 arms; got 33\^2"):
        MultiSbm(dim=2, horizon=10, cells=33)


def test_each_scalar_learner_has_the_width_that_was_asked_for():
    learner = MultiSbm(dim=1, horizon=10, cells=3, scale=1.5)
    assert {each.config.scale for each in learner._state.scalars} == {1.5}
    assert MultiSbm(dim=1, horizon=10).config.scale == 3.0


def test_it_recommends_the_arm_that_was_chosen_most_often():
    learner = MultiSbm(dim=1, horizon=3000, cells=5)
    arms = [x for x, _, _ in duelled(learner, linear(cone))]
    assert learner.recommend() == max(set(arms), key=arms.count) == (0.3,)


@pytest.mark.parametrize("aim", ["regret", "answer"])
def test_the_pulls_of_the_scalar_learners_say_how_often_an_arm_was_chosen(aim):
    learner = MultiSbm(dim=1, horizon=300, cells=4, seed=2, aim=aim)
    for _ in duelled(learner, linear(lambda _: 0.5)):
        rows = [scalar.state()["counts"] for scalar in learner._state.scalars]
        chosen = np.sum(rows, axis=0)  # by all opponents
        assert learner.recommend() == learner.grid.centre(int(chosen.argmax()))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"arm": 2}, "state.arm must be below 2; got 2"),
        ({"duels": 3, "turns": 3}, "state.scalars must have 3 pulls in all; got 4"),
    ],
)
def test_a_state_that_cannot_be_is_refused(change, message):
    learner = MultiSbm(dim=1, horizon=10, cells=2)
    for _ in duelled(learner, linear(cone), most=4):
        pass
    with pytest.raises(ValueError, match=message):
        MultiSbm.from_state(learner.config, {**learner.state(), **change})
