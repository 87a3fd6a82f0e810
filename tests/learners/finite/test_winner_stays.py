"""Winner Stays: who plays, and when the leader plays itself."""

import numpy as np
import pytest

from duelli.blocks import Tally
from duelli.learners.finite import WinnerStays

from .matrices import Matrix, Script, arithmetic, one_by_one, played, sure


def made(arms=4, horizon=1000, **inputs):
    return WinnerStays(dim=1, cells=arms, horizon=horizon, **inputs)


@pytest.mark.parametrize("seed", range(10))
def test_the_best_arm_never_loses_its_seat(seed):
    learner = made(seed=seed)
    duels = one_by_one(played(learner, Script(learner.grid, sure(4))))
    arrived = next(t for t, pair in enumerate(duels) if 0 in pair)
    assert all(0 in pair for pair in duels[arrived:])
    assert arrived < 10
    assert learner.recommend() == learner.grid.centre(0)


def test_the_winner_gains_and_the_loser_loses_a_point():
    learner = made(arms=2)
    (block,) = learner.ask()
    learner.tell([Tally(1, 1, block.low)])
    i = learner.grid.index(block.low)
    assert learner.state()["scores"] == [1 if k == i else -1 for k in range(2)]


@pytest.mark.parametrize("outcome", [0.5, 0.8])
def test_a_draw_is_decided_by_a_coin(outcome):
    """Off by 0.13 = 5 standard errors of 400 coins with chance < 1e-6."""
    won = 0
    for seed in range(400):
        learner = made(seed=seed)
        (block,) = learner.ask()
        learner.tell([Tally(1, outcome, block.low)])
        won += learner.state()["scores"][learner.grid.index(block.low)] == 1
    assert won / 400 == pytest.approx(outcome, abs=0.13)


def test_arms_that_tie_do_not_meet_for_ever():
    learner = made(arms=5, horizon=2000)
    pairs = played(learner, Script(learner.grid, np.full((5, 5), 0.5), tie=1.0))
    assert len({frozenset(pair[:2]) for pair in pairs}) > 3


def test_the_leader_meets_the_leader_of_the_others():
    learner = made(arms=5)
    engine = Matrix(learner.grid, arithmetic(5, 0.1), seed=3)
    while step := learner.ask():
        scores = np.array(learner.state()["scores"])
        i, j = engine.number(step[0].low), engine.number(step[0].reference)
        assert scores[i] == scores.max()
        assert scores[j] == np.delete(scores, i).max()
        learner.tell([engine.play(block).tally for block in step])


def test_arms_of_the_last_duel_are_preferred_on_ties():
    learner = made(arms=6)
    engine, last = Matrix(learner.grid, arithmetic(6, 0.05), seed=1), None
    while step := learner.ask():
        scores = np.array(learner.state()["scores"])
        i, j = engine.number(step[0].low), engine.number(step[0].reference)
        if last is not None:
            assert i in last
            others = np.delete(np.arange(6), i)
            tied = others[scores[others] == scores[others].max()]
            assert j in last or not set(tied.tolist()) & set(last)
        last = (i, j)
        learner.tell([engine.play(block).tally for block in step])


def test_the_weak_version_never_plays_an_arm_with_itself():
    learner = made()
    assert all(i != j for i, j, _ in played(learner, Matrix(learner.grid, arithmetic(4))))


def test_the_strong_version_exploits_after_each_round():
    """With sure outcomes a round has K - 1 wins of the best arm once it holds the seat."""
    learner = made(beta=2.0, horizon=10_000)
    pairs = played(learner, Script(learner.grid, sure(4)))
    alone = [n for i, j, n in pairs if i == j]
    assert alone[:-1] == [2**k for k in range(1, len(alone))]
    between = [n for i, j, n in pairs if i != j]
    assert len(between) == 3 * len(alone)
    assert all(i == 0 for i, j, n in pairs if i == j)


def test_the_strong_version_may_exploit_after_each_duel():
    learner = made(beta=1.5, horizon=200, period="duel")
    pairs = played(learner, Matrix(learner.grid, arithmetic(4)))
    assert [n for _, _, n in pairs[:8]] == [1, 1, 1, 2, 1, 3, 1, 5]  # ⌊1.5^ℓ⌋
    assert sum(n for _, _, n in pairs) == 200


def test_a_winner_of_a_round_has_beaten_all_others():
    learner = made(beta=1.1, horizon=3000)
    engine = Matrix(learner.grid, arithmetic(4, 0.1), seed=2)
    rounds = 0
    while step := learner.ask():
        learner.tell([engine.play(block).tally for block in step])
        state = learner.state()
        if state["periods"] > rounds:
            rounds = state["periods"]
            assert sorted(state["scores"]) == [-rounds] * 3 + [3 * rounds]
    assert rounds > 5


def test_rests_and_the_next_duel_come_in_one_step():
    learner = made(beta=2.0, horizon=10_000)
    engine, rests = Script(learner.grid, sure(4)), 0
    while step := learner.ask():
        alone = [block.low == block.reference for block in step]
        assert alone in ([False], [True, False]) or learner.duels + step[0].n == 10_000
        rests += alone == [True, False]
        learner.tell([engine.play(block).tally for block in step])
    assert rests > 5


def test_exact_ties_do_not_stop_it():
    learner = made(beta=2.0, horizon=300)
    pairs = played(learner, Script(learner.grid, np.full((4, 4), 0.5), tie=1.0))
    assert sum(n for _, _, n in pairs) == 300


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"beta": 1.0}, "beta must be above 1, or None; got 1.0"),
        ({"period": "sweep"}, "period must be one of duel, round; got 'sweep'"),
    ],
)
def test_says_what_is_wrong_with_an_input(inputs, message):
    with pytest.raises(ValueError, match=message):
        made(**inputs)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scores": [1, 0, 0, 0]}, "state.scores must be 4 whole numbers that add up to 0"),
        ({"scores": [0.5, -0.5, 0, 0]}, "state.scores must be 4 whole numbers that add up to 0"),
        ({"scores": [0, 0]}, "state.scores must be 4 whole numbers that add up to 0"),
        ({"last": [1]}, "state.last must name no arm, or two below 4"),
        ({"last": [1, 1]}, "state.last must name no arm, or two below 4"),
        ({"last": [1, 4]}, "state.last must name no arm, or two below 4"),
    ],
)
def test_a_state_that_cannot_be_is_refused(changes, message):
    learner = made()
    with pytest.raises(ValueError, match=message):
        WinnerStays.from_state(learner.config, {**learner.state(), **changes})
