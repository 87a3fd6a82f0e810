"""The machine of ArcRace: what each aim asks for, and how a run goes on to a larger horizon."""

from dataclasses import replace
from itertools import islice

import pytest

from duelli.blocks import Tally
from duelli.driver import play
from duelli.errors import OutOfTurnError
from duelli.learners.race import ArcRace, RaceConfig
from duelli.learners.race import machine as m
from duelli.learners.race.scan import Scanned
from duelli.learners.race.states import Commit, Confirm, Memory, Polish, Scan
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
    assert bool(steps_of(learner)) == (horizon >= 2 * dim)


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
    assert phases["polish"] >= {4}
    assert {size for phase in ("confirm", "explore", "cleanup") for size in phases[phase]} == {1}


CONFIG = RaceConfig(dim=1, horizon=10**6, slope_max=0.25)
MEMORY = Memory(
    duels=0, horizon_now=10**6, reference=(0.5,), step=0.25, low=(0.0,), high=(1.0,), final=True
)


def confirmed(rival, n, wins):
    """Return what follows when the arm at 0.5 has won ``wins`` of ``n`` duels against 0.25."""
    state = Confirm(memory=MEMORY, old=(0.25,), rival=rival)
    return m.advance(state, [Tally(n, wins, (0.5,))], CONFIG)


def test_a_rival_that_surely_wins_is_the_reference():
    state = confirmed(True, 100, 80)
    assert isinstance(state, Commit)
    assert state.memory.reference == (0.5,)


def test_a_rival_that_surely_loses_gives_way_to_a_polish_of_the_old_arm():
    state = confirmed(True, 100, 20)
    assert isinstance(state, Polish)
    assert state.memory.reference == state.home == (0.25,)


@pytest.mark.parametrize("wins", [40, 50, 60])
def test_a_rival_that_is_not_sure_is_asked_again(wins):
    state = confirmed(True, 100, wins)
    assert (state.n, state.wins, state.memory.duels) == (100, wins, 100)
    assert m.next_step(state, CONFIG)[0].n == 100


def test_a_polished_arm_that_surely_loses_is_given_up():
    assert confirmed(False, 100, 20).memory.reference == (0.25,)


def test_a_polished_arm_needs_less_than_a_rival():
    assert isinstance(confirmed(False, 100, 56), Commit)
    assert isinstance(confirmed(True, 100, 56), Confirm)


def test_a_round_that_was_given_up_keeps_the_reference():
    memory = replace(MEMORY, final=False)
    state = m._after_scan(Scanned(memory, (0.75,), 0.4, False), CONFIG)
    assert state.memory.reference == (0.5,)
    assert state.memory.final


def test_the_best_cell_of_a_round_challenges_the_reference():
    state = m._after_scan(Scanned(replace(MEMORY, final=False), (0.75,), 0.4, True), CONFIG)
    assert (state.memory.reference, state.rival_to) == ((0.75,), (0.5,))


def test_a_cell_that_is_clearly_worse_challenges_nobody():
    state = m._after_scan(Scanned(replace(MEMORY, final=False), (0.75,), -0.4, True), CONFIG)
    assert (state.memory.reference, state.rival_to) == ((0.5,), None)


@pytest.mark.parametrize(("left", "kind"), [(10**12, Scan), (100, Commit)])
def test_a_round_begins_only_if_it_pays(left, kind):
    config = replace(CONFIG, horizon=left, without=("local_search",))
    memory = replace(MEMORY, horizon_now=left, final=False)
    assert isinstance(m._decide(memory, config), kind)


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
