"""Beat-the-Mean: the printed algorithm duel by duel, and its steps of many duels."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paper.naive_duels import beat_the_mean

from duelli import _rng
from duelli.learners.finite import BeatTheMean, BeatTheMeanConfig
from duelli.learners.finite import beat_the_mean as module

from .matrices import Matrix, Script, arithmetic, one_by_one, played, sure


def picks(learner):
    """Return the draws of a learner, for the naive algorithm."""
    order, opponent, worst = learner._keys

    def pick(use, index, options):
        if use == "order":
            level, size = index
            key = _rng.word(order, level * (learner.num_arms + 1) + size)
            return min(options, key=lambda b: _rng.word(key, b))
        key = opponent if use == "opponent" else worst
        return options[_rng.below(key, index, len(options))]

    return pick


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    arms=st.integers(2, 5),
    step=st.sampled_from([0.0, 0.1, 0.25]),
    horizon=st.integers(1, 400),
    coef=st.sampled_from([0.2, 0.4, 1.0]),
    meets_itself=st.booleans(),
    tie=st.sampled_from([0.0, 0.4]),
)
def test_plays_the_duels_of_the_printed_algorithm(
    seed, arms, step, horizon, coef, meets_itself, tie
):
    rule = {"coef": coef, "meets_itself": meets_itself}
    learner = BeatTheMean(dim=1, cells=arms, horizon=horizon, seed=seed, **rule)
    chances = np.clip(arithmetic(arms, step), 0, 1)
    naive = Script(learner.grid, chances, seed, tie).play_out(
        beat_the_mean(arms, horizon, picks(learner), **rule), horizon
    )
    assert one_by_one(played(learner, Script(learner.grid, chances, seed, tie))) == naive


@pytest.mark.parametrize(("coef", "width"), [(3.0, 1.008), (1.0, 0.336)])
def test_the_width_has_the_printed_values(coef, width):
    config = BeatTheMeanConfig(dim=1, cells=4, horizon=10**4, coef=coef)
    assert module.width(config.scale, 100) == pytest.approx(width, abs=5e-4)
    assert module.width(config.scale, 0) == 1.0


def test_a_larger_gamma_widens_the_bounds_by_its_square():
    one, two = (BeatTheMeanConfig(dim=1, cells=4, horizon=100, gamma=g).scale for g in (1, 2))
    assert two == pytest.approx(4 * one)


def test_only_the_arm_that_asks_is_credited():
    learner = BeatTheMean(dim=1, cells=3, horizon=100, meets_itself=False)
    engine = Script(learner.grid, sure(3))
    learner.tell([engine.play(block).tally for block in learner.ask()])
    n = np.array(learner.state()["n"])
    expected = np.zeros((3, 3))
    for i, j, _ in engine.pairs:
        expected[i, j] += 1
    assert (n == expected).all()
    assert n.sum(axis=1).max() - n.sum(axis=1).min() <= 1


def test_the_duels_with_an_arm_that_has_left_are_forgotten():
    learner = BeatTheMean(dim=1, cells=3, horizon=4000, coef=0.5)
    engine = Script(learner.grid, sure(3))
    while len(learner.state()["left"]) == 3:
        learner.tell([engine.play(block).tally for block in learner.ask()])
    state = learner.state()
    assert state["left"] == [0, 1]
    for table in (np.array(state["n"]), np.array(state["wins"])):
        assert not table[2].any()
        assert not table[:, 2].any()
    rates = learner._state.rates
    n = np.array(state["n"])
    assert rates[0] == np.array(state["wins"])[0].sum() / n[0].sum()


def test_commits_to_the_last_arm():
    learner = BeatTheMean(dim=1, cells=3, horizon=5000, coef=0.5)
    pairs = played(learner, Script(learner.grid, sure(3)))
    assert pairs[-1][:2] == (0, 0)
    assert pairs[-1][2] > 3000
    assert learner.progress() == ("cleanup", 2, learner.grid.centre(0))


def test_an_arm_may_meet_itself_unless_told_otherwise():
    for meets_itself in (True, False):
        learner = BeatTheMean(dim=1, cells=3, horizon=200, meets_itself=meets_itself)
        pairs = played(learner, Matrix(learner.grid, arithmetic(3)))
        assert any(i == j for i, j, _ in pairs) == meets_itself


def test_a_step_is_never_a_self_duel_alone_while_others_are_left():
    learner = BeatTheMean(dim=1, cells=2, horizon=3000, coef=0.7)
    engine = Matrix(learner.grid, arithmetic(2, 0.05), seed=1)
    while (step := learner.ask()) and len(learner.state()["left"]) > 1:
        alone = all(block.low == block.reference for block in step)
        learner.tell([engine.play(block).tally for block in step])
        assert not alone or len(learner.state()["left"]) == 1


def test_no_arm_can_leave_before_the_bounds_are_narrow_enough():
    """Which is from n = 4 · 9 · ln(2TK) on."""
    learner = BeatTheMean(dim=1, cells=4, horizon=10**5)
    least = math.ceil(36 * math.log(8 * 10**5))
    engine = Script(learner.grid, sure(4))
    while learner.progress().rounds_done == 0:
        learner.tell([engine.play(block).tally for block in learner.ask()])
    assert least * 4 <= learner.duels <= least * 4 + 8 * least


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"gamma": 0.5}, "gamma must be at least 1; got 0.5"),
        ({"coef": 0}, "coef must be above 0; got 0"),
    ],
)
def test_says_what_is_wrong_with_an_input(inputs, message):
    with pytest.raises(ValueError, match=message):
        BeatTheMean(**{"dim": 1, "horizon": 100, **inputs})
