"""RUCB: the printed algorithm duel by duel, with the self-duels in blocks."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paper.naive_duels import rates_of, rucb

from duelli import _rng
from duelli.blocks import Tally
from duelli.learners.finite import Rucb

from .matrices import Script, arithmetic, one_by_one, played, sure

USES = ("coin", "champion", "challenger")


def learner_of(arms=4, horizon=1000, **inputs):
    return Rucb(dim=1, cells=arms, horizon=horizon, **inputs)


def picks(learner):
    """Return the draws of a learner, for the naive algorithm."""
    keys = dict(zip(USES, learner._keys, strict=True))

    def pick(use, t, options):
        return options[_rng.below(keys[use], t, len(options))] if len(options) > 1 else options[0]

    return pick


@settings(max_examples=15, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    arms=st.integers(2, 6),
    step=st.sampled_from([0.0, 0.05, 0.15]),
    horizon=st.integers(1, 500),
    tie=st.sampled_from([0.0, 0.4]),
)
def test_plays_the_duels_of_the_printed_algorithm(seed, arms, step, horizon, tie):
    learner = learner_of(arms, horizon, seed=seed)
    chances = np.clip(arithmetic(arms, step), 0, 1)
    engine = Script(learner.grid, chances, seed, tie)
    naive = Script(learner.grid, chances, seed, tie).play_out(
        rucb(arms, horizon, picks(learner)), horizon
    )
    assert one_by_one(played(learner, engine)) == naive


def test_at_first_all_arms_may_be_best_and_the_challenger_is_another_one():
    firsts = Counter()
    for seed in range(400):
        learner = learner_of(seed=seed)
        ((c, d, n),) = learner._meetings(1000)
        assert (c != d, n) == (True, 1)
        firsts[c] += 1
    # Binomial(400, 1/4) is off by 43 = 5 standard deviations with chance < 1e-6.
    assert all(abs(firsts[c] - 100) < 43 for c in range(4))


def test_a_sure_winner_meets_itself_almost_always_in_the_end():
    learner = learner_of(horizon=100_000)
    pairs = played(learner, Script(learner.grid, sure(4)))
    alone = sum(n for i, j, n in pairs if i == j == 0)
    assert alone / 100_000 > 0.99
    assert len(pairs) < 1000  # they come in long blocks
    assert learner.recommend() == learner.grid.centre(0)


def told(learner, wins):
    """Give a learner these wins."""
    n = int((wins + wins.T).sum() / 2)
    state = {"phase": "rucb", "duels": n, "best": None, "wins": wins.tolist()}
    return Rucb.from_state(learner.config, state)


def test_the_bounds_are_those_of_the_paper():
    wins = np.array([[0, 3, 7], [2, 0, 0], [1, 0, 0]], dtype=float)
    learner = told(learner_of(arms=3), wins)
    state, t = learner._state, learner.duels + 1
    n = wins + wins.T
    for c in range(3):
        upper = state.rates[c] + math.sqrt(0.51 * math.log(t)) * state.widths[c]
        for j in range(3):
            if j == c:
                assert upper[j] == 0.5
            elif n[j, c] == 0:
                assert upper[j] == 1.0
            else:
                expected = rates_of(wins)[j, c] + math.sqrt(0.51 * math.log(t) / n[j, c])
                assert upper[j] == pytest.approx(expected, rel=1e-12)


def test_the_champion_meets_itself_until_the_bounds_have_widened():
    wins = np.zeros((3, 3))
    wins[0, 1] = wins[0, 2] = 12.0
    ((c, d, n),) = told(learner_of(arms=3), wins)._meetings(10**6)
    assert (c, d) == (0, 0)
    # Twelve losses are ℓ = (12/2)² / 12 = 3, and α ln t reaches that at t = exp(3 / 0.51).
    assert n == math.floor(math.exp(3 / 0.51)) - 25


def test_the_champion_does_not_meet_itself_while_another_arm_may_beat_it():
    wins = np.zeros((3, 3))
    wins[0, 1], wins[0, 2] = 12.0, 1.0
    ((c, d, _),) = told(learner_of(arms=3), wins)._meetings(10**6)
    assert c != d


def test_on_a_tie_the_challenger_is_not_the_champion():
    learner = learner_of(arms=3)
    learner._state.rates[1] = (0.25, 0.5, 0.5)  # U_j1 at t = 1
    assert {learner._pick_challenger(1, 0.0, t) for t in range(20)} == {2}
    learner._state.rates[1] = (0.25, 0.5, 0.25)
    assert learner._pick_challenger(1, 0.0, 1) == 1


def test_no_arm_that_may_be_best_leaves_the_choice_to_all():
    wins = np.zeros((3, 3))  # a circle: each arm surely loses to another one
    wins[0, 1] = wins[1, 2] = wins[2, 0] = 60.0
    firsts = {told(learner_of(arms=3, seed=seed), wins)._meetings(100)[0][0] for seed in range(40)}
    assert firsts == {0, 1, 2}  # one is missing with chance < 3 (2/3)^40 < 3e-7


def test_the_hypothesised_best_arm_is_forgotten_once_it_may_not_be_best():
    learner = learner_of(arms=3, horizon=10**5)
    wins = np.zeros((3, 3))
    wins[1, 0] = 60.0
    state = {"phase": "rucb", "duels": 60, "best": 0, "wins": wins.tolist()}
    learner = Rucb.from_state(learner.config, state)
    ((i, _, n),) = learner._meetings(1000)
    learner.ask()
    learner.tell([Tally(n, 0, learner.arm(i))])
    assert learner.state()["best"] != 0


def test_exact_ties_do_not_stop_it():
    learner = learner_of(arms=3, horizon=300)
    pairs = played(learner, Script(learner.grid, np.full((3, 3), 0.5), tie=1.0))
    assert sum(n for _, _, n in pairs) == 300


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"alpha": 0.5}, "alpha must be above 0.5; got 0.5"),
        ({"alpha": float("nan")}, "alpha must be finite; got nan"),
        ({"cells": 1025}, r"cells must make at most 1024 arms; got 1025\^1"),
    ],
)
def test_says_what_is_wrong_with_an_input(inputs, message):
    with pytest.raises(ValueError, match=message):
        Rucb(**{"dim": 1, "horizon": 100, **inputs})
