"""Trials: settings are checked at once, and results are functions of the seed alone."""

import time
from dataclasses import replace

import pytest

from duelli.experiments.trials import Setting, make_learner, run_trials, trial_model
from duelli.learners import LEARNERS


def test_learner_gets_the_models_constants():
    learner = make_learner(Setting(landscape="flat", link="probit"), seed=3)
    assert learner.config.lipschitz == pytest.approx(0.9 * 2**0.5)
    assert learner.config.slope_max == pytest.approx(0.398942, abs=1e-6)
    assert learner.config.seed == 3


def test_learner_of_a_practice_problem_is_told_neither_link_nor_lipschitz_constant():
    setting = Setting(landscape="bumpy/2", learner="arc_race", horizon=100, link="probit:3")
    config = make_learner(setting, seed=3).config
    assert (config.dim, config.seed, config.aim) == (2, 3, "answer")
    assert (config.slope_max, config.lipschitz) == (0.25, 16.0)  # as optimize has them


def test_the_truth_of_a_practice_problem_depends_on_the_seed_and_the_clarity():
    setting = Setting(landscape="bumpy/2", learner="spsa", horizon=100)
    model = trial_model(setting, 5)
    assert model.landscape.name == "bumpy/2, medium, seed 5"
    assert trial_model(replace(setting, horizon=7, learner="arc_race"), 5) is model
    fog = trial_model(replace(setting, clarity="fog"), 5)
    assert fog.landscape.best_arm == model.landscape.best_arm
    assert fog.gap_to_best((0.5, 0.5)) < model.gap_to_best((0.5, 0.5))


def test_given_inputs_win_over_the_models_constants():
    setting = Setting(landscape="flat", inputs=(("lipschitz", 1.0),))
    assert make_learner(setting, seed=0).config.lipschitz == 1.0


def test_a_flat_link_leaves_the_slope_ratio_unknown():
    learner = make_learner(Setting(landscape="two_cones_scaled", link="linear"), seed=0)
    assert learner.config.slope_ratio is None


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"inputs": (("failure_prob", 7),)}, r"failure_prob must lie in \(0, 1\); got 7"),
        ({"inputs": (("colour", 7),)}, "the inputs of arc_duelli"),
        ({"horizon": 0}, "horizon must be a whole number of at least 1; got 0"),
        ({"link": "bt"}, "link must be one of"),
        ({"learner": "nobody"}, "learner must be one of"),
        ({"engine": "callback"}, "engine must be one of"),
        ({"clarity": "dim"}, "clarity must be one of clear, fog, medium"),
        ({"landscape": "bumpy/3", "copies": True}, "copies must be False for a practice problem"),
        ({"landscape": "bumpy/3", "link": "bt"}, "link must be one of"),
        ({"landscape": "bumpy/7"}, "problem must be one of"),
    ],
)
def test_bad_setting_is_refused_before_any_trial(more, message):
    with pytest.raises(ValueError, match=message):
        Setting(**{"landscape": "flat", **more})


def test_a_setting_is_checked_without_building_a_learner(monkeypatch):
    def fail(_):
        raise AssertionError("a learner was built")

    for kind in LEARNERS.values():
        monkeypatch.setattr(kind, "_first_state", fail)
    for name in LEARNERS:
        Setting(landscape="flat", learner=name)


def test_trials_come_in_order_and_differ():
    setting = Setting(landscape="sharp", horizon=10**5)
    three = list(run_trials(setting, trials=3, seed=5, jobs=1))
    two = list(run_trials(setting, trials=2, seed=5, jobs=1))
    assert three[:2] == two
    assert len({trace.cumulative_regret for _, trace in three}) == 3


def test_the_first_of_very_many_trials_comes_at_once():
    setting = Setting(landscape="sharp", horizon=100)
    started = time.process_time()
    seed, _ = next(run_trials(setting, trials=10**9, seed=5, jobs=1))
    assert time.process_time() - started < 5  # a seed takes 30 us: all would take 8 hours
    assert seed == next(run_trials(setting, trials=1, seed=5))[0]
