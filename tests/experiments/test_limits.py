"""Limits: the table names learners that exist, and others have a default."""

import time

import pytest

from duelli.experiments.limits import ANY, LIMITS, UNLISTED, Limit, limit_of
from duelli.experiments.presets import ARENAS
from duelli.experiments.trials import Setting, run_trial
from duelli.learners import LEARNERS


def test_every_learner_in_the_table_exists():
    assert set(LIMITS) <= set(LEARNERS)


def test_a_learner_that_is_not_listed_plays_as_far_as_a_second_takes_it():
    assert limit_of("a_learner_of_tomorrow") == UNLISTED == Limit(10_000)


@pytest.mark.slow
def test_savage_plays_a_million_duels_in_a_few_seconds():
    setting = Setting(landscape="two_cones", learner="savage", horizon=limit_of("savage").horizon)
    begun = time.process_time()
    assert run_trial(setting, 0).horizon == 10**6
    assert time.process_time() - begun < 10  # 0.8 s where nothing else runs


def test_some_learner_plays_to_the_end_of_each_arena():
    for preset in ARENAS.values():
        assert any(limit_of(name).horizon >= max(preset.horizons) for name in LEARNERS)


@pytest.mark.parametrize(
    ("horizon", "dim", "reason"),
    [
        (100, 3, ""),
        (101, 3, "plays at most 100 duels here, because of its cost"),
        (100, 4, "plays in at most 3 dimensions here, because of its cost"),
    ],
)
def test_a_limit_says_why(horizon, dim, reason):
    assert Limit(100, dim=3).reason(horizon, dim) == reason


def test_a_learner_without_a_limit_plays_any_number_of_duels():
    assert Limit(ANY).reason(10**18, 100) == ""
