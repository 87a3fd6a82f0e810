"""Trials: settings are checked at once, and results are functions of the seed alone."""

import pytest

from duelli.trials import Setting, make_learner, run_trials


def test_learner_gets_the_models_constants():
    learner = make_learner(Setting(landscape="flat", link="probit"), seed=3)
    assert learner.config.lipschitz == pytest.approx(0.9 * 2**0.5)
    assert learner.config.slope_max == pytest.approx(0.398942, abs=1e-6)
    assert learner.config.seed == 3


def test_given_inputs_win_over_the_models_constants():
    setting = Setting(landscape="flat", inputs=(("lipschitz", 1.0),))
    assert make_learner(setting, seed=0).config.lipschitz == 1.0


def test_a_flat_link_leaves_the_slope_ratio_unknown():
    learner = make_learner(Setting(landscape="two_cones_scaled", link="linear"), seed=0)
    assert learner.config.slope_ratio is None


def test_bad_setting_is_refused_before_any_trial():
    with pytest.raises(ValueError, match=r"failure_prob must lie in \(0, 1\); got 7"):
        Setting(landscape="flat", inputs=(("failure_prob", 7),))


def test_trials_come_in_order_and_differ():
    setting = Setting(landscape="sharp", horizon=10**5)
    found = list(run_trials(setting, trials=3, seed=5, jobs=1))
    again = list(run_trials(setting, trials=2, seed=5, jobs=1))
    assert found[:2] == again
    assert len({trace.cumulative_regret for _, trace in found}) == 3
