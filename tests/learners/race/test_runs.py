"""Whole runs of ArcRace on coins: what each aim asks for, and how a run is extended."""

from itertools import islice

import pytest

from duelli.driver import play
from duelli.errors import OutOfTurnError
from duelli.learners.race import ArcRace, looks
from duelli.testing import CoinFlips

HORIZONS = (1, 2, 7, 30, 200, 1000, 5000)


def race(dim=2, **inputs):
    return ArcRace(**{"dim": dim, "horizon": 1000, "slope_max": 0.25, **inputs})


def steps_of(learner, seed=0):
    return [step for step, _ in play(learner, CoinFlips(seed=seed))]


every_dim = pytest.mark.parametrize("dim", range(1, 11))
every_horizon = pytest.mark.parametrize("horizon", HORIZONS)


@every_dim
@every_horizon
def test_for_the_answer_no_arm_meets_itself(dim, horizon):
    learner = race(dim, horizon=horizon, aim="answer")
    blocks = [block for step in steps_of(learner, seed=dim) for block in step]
    assert not any(block.low == block.reference for block in blocks)


@every_dim
@every_horizon
def test_for_the_answer_the_duels_are_at_most_the_horizon(dim, horizon):
    learner = race(dim, horizon=horizon, aim="answer")
    total = sum(block.n for step in steps_of(learner, seed=dim) for block in step)
    assert total == learner.duels <= horizon


@every_dim
@every_horizon
def test_for_the_answer_a_budget_for_one_look_is_not_left_unused(dim, horizon):
    learner = race(dim, horizon=horizon, aim="answer")
    assert bool(steps_of(learner)) == (horizon >= (2 + looks.PAIRS) * dim)


@every_dim
@every_horizon
def test_for_the_regret_the_duels_are_exactly_the_horizon(dim, horizon):
    learner = race(dim, horizon=horizon)
    assert sum(block.n for step in steps_of(learner, seed=dim) for block in step) == horizon


def test_only_a_polish_has_several_blocks_in_a_step():
    learner, phases = race(horizon=10**7), {}
    before = learner.progress().phase
    for step, _ in play(learner, CoinFlips()):
        phases.setdefault(before, set()).add(len(step))
        before = learner.progress().phase
    assert phases["polish"] >= {6}
    assert {size for phase in ("confirm", "explore", "cleanup") for size in phases[phase]} == {1}


@pytest.mark.parametrize("aim", ["answer", "regret"])
@every_horizon
def test_a_finished_run_goes_on_to_a_larger_horizon(horizon, aim):
    learner = race(1, horizon=horizon, aim=aim)
    steps_of(learner)
    before = learner.duels
    learner.extend(10 * horizon)
    assert learner.horizon == learner.config.horizon == 10 * horizon
    steps_of(learner)
    assert before < learner.duels <= 10 * horizon


def test_a_run_for_the_regret_that_was_extended_plays_the_new_horizon():
    learner = race(horizon=1000)
    steps_of(learner)
    learner.extend(5000)
    steps_of(learner)
    assert learner.duels == 5000


def test_a_run_may_be_extended_between_two_steps():
    learner = race(horizon=1000)
    for _ in islice(play(learner, CoinFlips()), 3):
        pass
    learner.extend(3000)
    steps_of(learner)
    assert learner.duels == 3000


def test_an_extended_run_goes_on_from_its_state():
    learner = race(horizon=1000)
    steps_of(learner)
    learner.extend(5000)
    twin = ArcRace.from_state(learner.config, learner.state())
    assert steps_of(twin) == steps_of(learner)


def test_a_run_with_a_pending_step_is_not_extended():
    learner = race()
    learner.ask()
    with pytest.raises(
        OutOfTurnError, match=r"extend\(\) was called with a step pending; call tell"
    ):
        learner.extend(2000)
    assert learner.horizon == 1000


def test_a_run_is_not_shortened():
    learner = race()
    with pytest.raises(ValueError, match="horizon must be at least 1000, as before; got 999"):
        learner.extend(999)


def test_a_run_without_a_horizon_is_not_extended():
    with pytest.raises(ValueError, match="horizon must be at least None"):
        race(horizon=None).extend(10)


def test_the_horizon_that_it_has_changes_nothing():
    learner = race()
    before = learner.state()
    learner.extend(1000)
    assert learner.state() == before
