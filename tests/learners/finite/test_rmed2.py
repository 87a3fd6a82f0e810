"""RMED2 and RMED2F: which opponents they choose, and how often every pair meets."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from paper.naive_duels import coin_divergence, rates_of

from duelli.learners.finite import Rmed2, Rmed2f
from duelli.learners.finite.rmed2 import LEAST_REGRET, Rmed2Config, log_log

from .matrices import Script, arithmetic, played
from .test_rmed import CASES, both


@settings(max_examples=15, deadline=None, derandomize=True)
@given(**CASES)
def test_rmed2_plays_the_duels_of_the_printed_algorithm(seed, arms, step, horizon, tie):
    """Pairs that lack several duels have them in one block, so that their order differs."""
    learner = Rmed2(dim=1, cells=arms, horizon=horizon, seed=seed)
    ours, naive = both(learner, "2", np.clip(arithmetic(arms, step), 0, 1), seed, tie)
    early = arms * (arms - 1) // 2 * 6  # after which α ln ln t grows by less than 1 at a time
    assert len(ours) == len(naive)
    if horizon > early:
        assert Counter(ours[:early]) == Counter(naive[:early])
        assert ours[early:] == naive[early:]


@settings(max_examples=15, deadline=None, derandomize=True)
@given(**CASES)
def test_rmed2f_plays_the_duels_of_the_printed_algorithm(seed, arms, step, horizon, tie):
    learner = Rmed2f(dim=1, cells=arms, horizon=horizon, seed=seed)
    ours, naive = both(learner, "2f", np.clip(arithmetic(arms, step), 0, 1), seed, tie)
    assert ours == naive


@pytest.mark.parametrize(("horizon", "duels"), [(10**4, 7), (10**5, 8), (10**8, 9)])
def test_rmed2f_begins_with_so_many_duels_of_every_pair(horizon, duels):
    assert {block.n for block in Rmed2f(dim=1, cells=3, horizon=horizon).ask()} == {duels}


@pytest.mark.parametrize("t", [1, 2, 3, 15, 16])
def test_the_double_logarithm_is_positive(t):
    assert log_log(t) > 0
    assert log_log(16) == math.log(math.log(16))


def test_every_pair_of_rmed2_has_met_as_often_as_the_double_logarithm_asks():
    learner = Rmed2(dim=1, cells=4, horizon=3000)
    engine = Script(learner.grid, arithmetic(4, 0.1))
    rule = Rmed2Config(dim=1, cells=4, horizon=3000)
    caught_up = 0
    while step := learner.ask():
        n, due = learner._state.divergences.n, rule.due(learner.duels + 1)
        lacking = {(i, j) for i in range(4) for j in range(i + 1, 4) if n[i, j] < due}
        asked = {(engine.number(block.low), engine.number(block.reference)) for block in step}
        assert asked == lacking or not lacking
        caught_up += bool(lacking)
        learner.tell([engine.play(block).tally for block in step])
    assert caught_up >= 3


def told(kind, wins, horizon=10**4, **more):
    duels = int((wins + wins.T).sum() / 2)
    arms = list(range(len(wins)))
    state = {"phase": "rmed", "duels": duels, "waiting": arms, "chosen": [], "wins": wins.tolist()}
    config = kind(dim=1, cells=len(wins), horizon=horizon).config
    return kind.from_state(config, {**state, **more})


WINS = np.array([[0, 14, 12, 13], [6, 0, 12, 11], [8, 8, 0, 14], [7, 9, 6, 0]], dtype=float)


@pytest.mark.parametrize("first", [1, 2, 3])
def test_the_target_has_the_least_regret_per_information(first):
    learner, rates = told(Rmed2, WINS), rates_of(WINS)
    costs = {
        j: max(rates[0, first] + rates[0, j] - 1, LEAST_REGRET) / coin_divergence(rates[first, j])
        for j in range(4)
        if rates[first, j] < 0.5
    }
    assert learner._target_of(first, 0, 100) == min(costs, key=costs.get)


def test_an_arm_that_beats_all_others_has_no_target():
    assert told(Rmed2, WINS)._target_of(0, 0, 100) == 0


def test_the_target_is_met_unless_the_best_arm_is_behind():
    wins = np.zeros((3, 3))
    wins[0, 1], wins[1, 0] = 60.0, 40.0
    wins[0, 2], wins[2, 0] = 7.0, 3.0
    wins[1, 2], wins[2, 1] = 190.0, 10.0
    learner = told(Rmed2, wins)
    # Arm 2 learns most from arm 1, but it has met the best arm 10 times, fewer than 200 / ln ln t.
    assert learner._target_of(2, 0, 500) == 1
    assert 200 / log_log(500) > 10
    assert learner._opponent(2, 0, 500) == 0
    wins[0, 2], wins[2, 0] = 91.0, 39.0
    learner = told(Rmed2, wins)
    assert 200 / log_log(500) <= 130
    assert learner._opponent(2, 0, 500) == 1


def test_rmed2f_keeps_the_targets_of_the_beginning():
    learner = Rmed2f(dim=1, cells=4, horizon=5000)
    engine = Script(learner.grid, arithmetic(4, 0.1))
    assert learner.state()["targets"] == []
    learner.tell([engine.play(block).tally for block in learner.ask()])
    targets = learner.state()["targets"]
    played(learner, engine)
    assert learner.state()["targets"] == targets
    assert len(targets) == 4


@pytest.mark.parametrize("targets", [[], [0, 1], [0, 1, 2, 4]])
def test_rmed2f_refuses_targets_that_cannot_be(targets):
    wins = WINS * 4  # all pairs have met more than seven times
    with pytest.raises(ValueError, match=r"state\.targets must name 4 arms below 4"):
        told(Rmed2f, wins, targets=targets)


def test_alpha_must_be_positive():
    with pytest.raises(ValueError, match="alpha must be above 0; got 0"):
        Rmed2(dim=1, horizon=10, alpha=0)
