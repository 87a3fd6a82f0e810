"""What all learners on a grid share: one arm, few duels, ties, self-duels and saved states."""

import pytest

import duelli
from duelli.blocks import Played, Tally
from duelli.driver import play
from duelli.learners import LEARNERS
from duelli.learners.finite import DoubleThompsonSampling, Rmed1, Rucb, VersatileDb
from duelli.learners.finite.grid_learner import GridLearner
from duelli.testing.coins import CoinFlips

NAMES = [name for name, kind in LEARNERS.items() if issubclass(kind, GridLearner)]
ANYTIME = ["double_thompson_sampling", "rmed1", "rmed2", "rucb", "versatile_db", "winner_stays"]


def made(name, **inputs):
    return LEARNERS[name].from_inputs({"dim": 1, "horizon": 300, "cells": 3, **inputs})


class Draws:
    """Every duel is a draw."""

    def play(self, block):
        return Played(Tally(block.n, block.n / 2, block.low), 0.0, 0.0)


def duels_of(learner, engine):
    return sum(block.n for step, _ in play(learner, engine) for block in step)


@pytest.mark.parametrize("name", NAMES)
def test_a_single_arm_rests_all_the_time(name):
    learner = made(name, cells=1)
    (block,) = learner.ask()
    assert (block.low, block.reference, block.n) == ((0.5,), (0.5,), 300)
    learner.tell([Tally(300, 150, block.low)])
    assert learner.ask() == ()
    assert learner.progress() == ("cleanup", 0, (0.5,))
    again = LEARNERS[name].from_state(learner.config, learner.state())
    assert again.ask() == ()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("cells", [1, 2, 3])
def test_a_single_duel_can_be_played(name, cells):
    assert duels_of(made(name, cells=cells, horizon=1), CoinFlips()) == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dim", range(1, 9))
def test_one_to_eight_dimensions_can_be_played(name, dim):
    learner = LEARNERS[name].from_inputs({"dim": dim, "horizon": 60})
    assert duels_of(learner, CoinFlips(seed=1)) == 60
    assert len(learner.recommend()) == dim


@pytest.mark.parametrize("name", NAMES)
def test_nothing_but_draws_can_be_played(name):
    assert duels_of(made(name), Draws()) == 300


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("chance", [0.0, 1.0])
def test_extreme_outcomes_can_be_played(name, chance):
    assert duels_of(made(name, horizon=2000), CoinFlips(chance=chance)) == 2000


@pytest.mark.parametrize("name", NAMES)
def test_the_middle_is_recommended_before_the_first_duel(name):
    assert made(name).recommend() == (0.5,)


def wins_of(block, share):
    """Return the wins of the smaller arm, and this share of them of an arm with itself."""
    return block.n * (share if block.low == block.reference else float(block.low < block.reference))


@pytest.mark.parametrize("kind", [DoubleThompsonSampling, Rmed1, Rucb, VersatileDb])
def test_the_outcome_of_an_arm_with_itself_tells_nothing(kind):
    states = []
    for share in (0.0, 1.0):
        learner = kind(dim=1, cells=2, horizon=500)
        for _ in range(60):
            if not (step := learner.ask()):
                break
            learner.tell([Tally(b.n, wins_of(b, share), b.low) for b in step])
        assert learner.duels > 20
        states.append(learner.state())
    assert states[0] == states[1]


@pytest.mark.parametrize("name", NAMES)
def test_the_state_can_be_changed_in_place_but_not_by_those_who_read_it(name):
    learner = made(name)
    state = learner.state()
    for _ in zip(range(5), play(learner, CoinFlips()), strict=False):
        pass
    assert made(name).state() == state != learner.state()


@pytest.mark.parametrize("name", ANYTIME)
def test_a_run_without_a_fixed_schedule_goes_on_to_a_larger_horizon(name):
    learner, longer = made(name, horizon=200), made(name, horizon=400)
    first = [step for step, _ in play(learner, CoinFlips())]
    learner.extend(400)
    assert sum(block.n for step, _ in play(learner, CoinFlips(seed=1)) for block in step) == 200
    assert first[0] == longer.ask()


@pytest.mark.parametrize("name", sorted(set(NAMES) - set(ANYTIME)))
def test_a_run_with_a_fixed_schedule_does_not(name):
    with pytest.raises(ValueError, match="it fixes the schedule of"):
        made(name).extend(400)


@pytest.mark.parametrize("name", NAMES)
def test_a_resumed_learner_takes_the_answers_to_the_step_that_was_asked(name):
    learner, other = (made(name, horizon=3000, seed=2) for _ in range(2))
    for _ in zip(range(3), play(learner, CoinFlips()), strict=False):
        pass
    step = learner.ask()
    again = other.resumed(type(learner).from_state(learner.config, learner.state())._state, step)
    tallies = [CoinFlips(seed=9).play(block).tally for block in step]
    for each in (learner, again):
        each.tell(tallies)
    assert again.state() == learner.state()


@pytest.mark.parametrize("name", NAMES)
def test_finds_the_best_cell_where_it_is_clear(name):
    model = duelli.DuelModel(
        duelli.landscape(lambda xs: -abs(xs[:, 0] - 0.9), 1, best_arm=(0.9,)), "logistic:20"
    )
    found = [
        duelli.simulate(made(name, horizon=3000, cells=4, seed=seed), model, seed=seed).recommended
        for seed in range(5)
    ]
    assert found.count((0.875,)) >= 4


@pytest.mark.parametrize("name", NAMES)
def test_people_can_be_asked(name):
    run = duelli.Run([(0.0, 1.0)], horizon=60, learner=name, inputs={"cells": 3})
    asked = 0
    while pairs := run.ask():
        (pair,) = pairs
        assert pair.x != pair.y
        run.tell(pair.id, "x" if pair.x[0] > pair.y[0] else "y")
        asked += 1
    assert asked >= 5
    assert run.best().arm[0] == pytest.approx(5 / 6)
