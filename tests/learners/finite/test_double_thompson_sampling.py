"""Double Thompson Sampling: its sets, the law of its choices, and its self-duels."""

import math
from collections import Counter

import numpy as np
import pytest
from paper.naive_duels import likely_winners, thompson_pair
from scipy import stats

from duelli.learners.finite import DoubleThompsonSampling, beliefs

from .matrices import Matrix, Script, arithmetic, played, sure


def told(wins, horizon=10**6, duels=None, **inputs):
    duels = int((wins + wins.T).sum() / 2) if duels is None else duels
    learner = DoubleThompsonSampling(dim=1, cells=len(wins), horizon=horizon, **inputs)
    state = {"phase": "thompson", "duels": duels, "wins": wins.tolist()}
    return DoubleThompsonSampling.from_state(learner.config, state)


def histories(count, arms=4, most=40):
    rng = np.random.default_rng(5)
    for _ in range(count):
        wins = rng.integers(0, most, (arms, arms)) * rng.integers(0, 2, (arms, arms))
        np.fill_diagonal(wins, 0)
        yield wins.astype(float)


def test_the_likely_winners_and_challengers_are_those_of_the_paper():
    for wins in histories(50):
        learner = told(wins)
        t = learner.duels + 1
        likely, lower = likely_winners(wins, t)
        bounds, level = learner._state.bounds, 0.51 * math.log(t)
        beaten = bounds.beaten(level)
        assert np.flatnonzero(beaten == beaten.min()).tolist() == likely.tolist()
        for a in range(4):
            assert ((bounds.lost[a] <= level) == (lower[:, a] <= 0.5)).all()


@pytest.mark.parametrize("plus", [False, True])
def test_only_likely_winners_come_first_and_only_possible_challengers_second(plus):
    for wins in histories(20):
        learner = told(wins, plus=plus)
        t = learner.duels + 1
        likely, lower = likely_winners(wins, t)
        draws = learner._turns.at(t)
        firsts, seconds = learner._pairs(t, 16, draws)
        assert set(firsts.tolist()) <= set(likely.tolist())
        assert all(lower[b, a] <= 0.5 for a, b in zip(firsts, seconds, strict=True))


def test_an_arm_that_is_surely_better_is_not_met():
    """In a circle every arm may be a Copeland winner, and is surely beaten by one other."""
    wins = np.zeros((3, 3))
    wins[0, 1] = wins[1, 2] = wins[2, 0] = 40.0
    learner = told(wins)
    firsts, seconds = learner._pairs(121, 200, learner._turns.at(1))
    assert set(firsts.tolist()) == {0, 1, 2}
    assert all(wins[b, a] == 0 for a, b in zip(firsts, seconds, strict=True))


WINS = np.array([[0, 3, 2, 4], [2, 0, 3, 1], [3, 2, 0, 2], [1, 3, 3, 0]], dtype=float)


def pair_counts(pairs):
    return np.array([Counter(pairs)[a, b] for a in range(4) for b in range(4)])


@pytest.mark.parametrize("few", [3, 24])
def test_the_pairs_have_the_law_of_beta_samples(few, monkeypatch):
    """Chi-squared test of 16 pairs; fails a correct build with chance < 1e-6."""
    monkeypatch.setattr(beliefs, "FEW", few)  # four arms count as many, or as few
    learner, rng, turns = told(WINS), np.random.default_rng(1), 4000
    t = learner.duels + 1
    batches = [learner._pairs(t, 10, rng) for _ in range(turns // 10)]
    ours = [pair for batch in batches for pair in zip(*map(np.ndarray.tolist, batch), strict=True)]
    naive = [thompson_pair(WINS, t, rng) for _ in range(turns)]
    table = np.array([pair_counts(ours), pair_counts(naive)])
    table = table[:, table.sum(axis=0) >= 20]
    assert table.shape[1] >= 10
    assert stats.chi2_contingency(table).pvalue > 1e-6


def test_a_sure_winner_meets_itself_almost_always():
    """A loser of n duels is drawn above 1/2 with chance 2^-(n+1), and loses one more if it is."""
    learner = DoubleThompsonSampling(dim=1, cells=4, horizon=5000)
    pairs = played(learner, Script(learner.grid, sure(4)))
    alone = sum(n for i, j, n in pairs if i == j == 0)
    assert alone > 4850
    last = [pair for pair in pairs if pair[0] != pair[1]][-1]
    assert pairs.index(last) < len(pairs) - 5
    assert learner.recommend() == learner.grid.centre(0)


def test_a_step_ends_with_two_different_arms_or_says_that_it_is_sure():
    learner = DoubleThompsonSampling(dim=1, cells=3, horizon=10_000)
    engine = Matrix(learner.grid, arithmetic(3, 0.2))
    while step := learner.ask():
        duels = sum(block.n for block in step)
        pairs = [block.low == block.reference for block in step]
        assert not any(pairs[i] is False for i in range(len(pairs) - 1))
        assert pairs[-1] is False or duels == min(256, 10_000 - learner.duels)
        learner.tell([engine.play(block).tally for block in step])


def test_the_draws_of_a_step_do_not_depend_on_what_was_drawn_before():
    learner, again = told(WINS), told(WINS)
    again._turns.at(7).random(13)
    again._turns.at(9).standard_gamma(2.0, 5)
    assert learner.ask() == again.ask()


def test_plus_takes_the_cheapest_of_the_best():
    learner = told(WINS, plus=True)
    likely = np.arange(4)
    places = learner._cheapest(likely, 50, learner._turns.at(1))
    theta = learner._state.beliefs.sampled(50, learner._turns.at(1))
    for sample, place in zip(theta, places.tolist(), strict=True):
        scores = (sample > 0.5).sum(axis=1)
        tied = [i for i in range(4) if scores[i] == scores.max()]
        costs = {
            i: sum(
                (2 * scores.max() - scores[i] - scores[j])
                / stats.entropy([sample[i, j], 1 - sample[i, j]], [0.5, 0.5])
                for j in range(4)
                if j != i
            )
            for i in tied
        }
        assert place == min(costs, key=costs.get)


def test_exact_ties_do_not_stop_it():
    learner = DoubleThompsonSampling(dim=1, cells=3, horizon=300)
    pairs = played(learner, Script(learner.grid, np.full((3, 3), 0.5), tie=1.0))
    assert sum(n for _, _, n in pairs) == 300


@pytest.mark.parametrize(
    ("inputs", "error", "message"),
    [
        ({"alpha": 0.3}, ValueError, "alpha must be above 0.5; got 0.3"),
        ({"plus": 1}, TypeError, "plus must be True or False; got 1"),
    ],
)
def test_says_what_is_wrong_with_an_input(inputs, error, message):
    with pytest.raises(error, match=message):
        DoubleThompsonSampling(**{"dim": 1, "horizon": 100, **inputs})
