"""Auto: the preference model first, then ArcRace from its point."""

import json

import pytest

import duelli
from duelli import Auto
from duelli.driver import play
from duelli.engines import ENGINES
from duelli.learners import auto


def engine(seed=1):
    return ENGINES["collapsed"](duelli.DuelModel("two_cones", "logistic:10"), seed=seed)


def played(learner, duels, seed=1):
    for _ in play(learner, engine(seed)):
        if learner.duels >= duels:
            break
    return learner


def test_arc_race_goes_on_from_the_point_of_the_model():
    learner = played(Auto(dim=2, horizon=400, handover=60, seed=2), 60)
    model = played(duelli.PreferenceModel(dim=2, horizon=400, seed=2), 60)
    assert learner.duels == model.duels
    assert learner.progress().phase == "polish"
    assert learner.recommend() == model.recommend() != (0.5, 0.5)
    assert {block.reference for block in learner.ask()} >= {model.recommend()}


@pytest.mark.parametrize(
    ("horizon", "duels", "hands_over"),
    [
        (auto.HANDOVER, auto.HANDOVER, False),
        (int(auto.LEAST_RACE * auto.HANDOVER), auto.HANDOVER - 1, False),
        (int(auto.LEAST_RACE * auto.HANDOVER), auto.HANDOVER, True),
        (None, auto.HANDOVER, True),
    ],
)
def test_it_hands_over_where_enough_duels_are_left(horizon, duels, hands_over):
    config = Auto(dim=2, horizon=horizon).config
    assert config.hands_over(duels) == hands_over


def test_both_parts_go_on_from_a_saved_state():
    for stop in (30, 200):
        learner = played(Auto(dim=2, horizon=400, handover=60, seed=2), stop)
        state = json.loads(json.dumps(learner.state()))
        again = Auto.from_state(learner.config, state)
        assert again.ask() == learner.ask()
        assert again.recommend() == learner.recommend()


def test_before_the_handover_it_is_the_model():
    model = duelli.PreferenceModel(dim=2, horizon=100, seed=3)
    learner = Auto(dim=2, horizon=100, seed=3)
    for (ours, _), (theirs, _) in zip(play(learner, engine()), play(model, engine()), strict=True):
        assert ours == theirs
    assert learner.recommend() == model.recommend()


def test_the_whole_horizon_is_played_for_the_regret():
    learner = played(Auto(dim=2, horizon=500, handover=60, seed=2), 500)
    assert learner.duels == 500
    assert learner.ask() == ()
