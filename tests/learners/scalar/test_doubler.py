"""Doubler: epochs, the multiset, and what the scalar learner is told."""

import itertools
from collections import Counter

import pytest
from scipy import stats

from duelli.learners.scalar import Doubler
from duelli.learners.scalar.epochs import epoch_at
from duelli.learners.scalar.ucb1 import Ucb1

from .duels import duelled, linear, scripted
from .rewards import cone


def epochs(pairs):
    """Return the pairs of each epoch."""
    numbered = enumerate(pairs)
    grouped = itertools.groupby(numbered, key=lambda each: epoch_at(each[0]).number)
    return [[pair for _, pair in each] for _, each in grouped]


def test_the_opponent_is_constant_within_the_first_epoch():
    pairs = list(duelled(Doubler(dim=1, horizon=6, start=(0.9,)), linear(cone)))
    assert [y for _, y, _ in pairs[:2]] == [(0.9,), (0.9,)]


def test_the_first_opponent_is_drawn_from_the_box():
    first = {Doubler(dim=2, horizon=5, seed=seed).ask()[0].reference for seed in range(20)}
    assert len(first) == 20


@pytest.mark.parametrize("scalar", ["hoo", "ucb1", "zooming"])
def test_opponents_are_arms_of_the_epoch_before(scalar):
    learner = Doubler(dim=1, horizon=500, scalar=scalar, lipschitz=8.0)
    parts = epochs(list(duelled(learner, linear(cone))))
    assert [len(part) for part in parts[:-1]] == [2, 4, 8, 16, 32, 64, 128]
    for before, part in itertools.pairwise(parts):
        assert {y for _, y, _ in part} <= {x for x, _, _ in before}


def test_an_arm_that_was_played_more_often_is_drawn_more_often():
    # Fails a correct build with probability 1e-6: a chi-squared test against the multiset.
    learner = Doubler(dim=1, horizon=2**13 - 2, scalar="ucb1", cells=3)
    *_, before, part = epochs(list(duelled(learner, linear(cone))))
    played, drawn = Counter(x for x, _, _ in before), Counter(y for _, y, _ in part)
    expected = [played[arm] * len(part) / len(before) for arm in sorted(played)]
    assert max(expected) > 1.5 * min(expected)
    found = [drawn[arm] for arm in sorted(played)]
    assert stats.chisquare(found, expected).pvalue > 1e-6


def test_the_multiset_is_stored_as_counts():
    learner = Doubler(dim=1, horizon=2000, scalar="ucb1", cells=2)
    for _ in duelled(learner, linear(cone)):
        pass
    state = learner.state()
    assert len(state["opponents"]["arms"]) == 2
    assert sum(state["opponents"]["counts"]) == epoch_at(2000).length // 2


def test_the_scalar_learner_is_told_the_outcome_of_its_own_arm_only(monkeypatch):
    told = scripted(monkeypatch, Ucb1)
    learner = Doubler(dim=1, horizon=100, scalar="ucb1", cells=3)
    outcomes = [outcome for _, _, outcome in duelled(learner, linear(cone))]
    assert [reward for _, reward in told] == outcomes


def test_each_epoch_has_a_fresh_scalar_learner_with_its_own_horizon(monkeypatch):
    told = scripted(monkeypatch, Ucb1)
    for _ in duelled(Doubler(dim=1, horizon=30, scalar="ucb1", cells=2), linear(cone)):
        pass
    scalars = list(dict.fromkeys(scalar for scalar, _ in told))
    assert [scalar.horizon for scalar in scalars] == [2, 4, 8, 16]
    assert [scalar.pulls for scalar in scalars] == [2, 4, 8, 16]
    assert len({scalar.config.seed for scalar in scalars}) == 4


def test_the_epochs_that_are_over_are_its_rounds():
    learner, rounds = Doubler(dim=1, horizon=20), []
    for _ in duelled(learner, linear(cone)):
        rounds.append(learner.progress().rounds_done)
    assert rounds == [0] * 2 + [1] * 4 + [2] * 8 + [3] * 6


def test_it_recommends_the_answer_of_the_last_epoch_at_first():
    learner = Doubler(dim=1, horizon=400, scalar="ucb1", cells=5)
    for _ in duelled(learner, linear(cone), most=2**8 - 2):
        pass
    assert learner.recommend() == tuple(learner.state()["answer"])
    for _ in duelled(learner, linear(cone), most=130):
        pass
    assert learner.recommend() == learner._state.scalars[0].recommend()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answer": None}, "state.answer must be there after the first epoch"),
        ({"opponents": {"arms": [[0.5]], "counts": [3]}}, "state.opponents must .* up to 2"),
        ({"played": {"arms": [], "counts": []}}, "state.played must .* add up to 2"),
    ],
)
def test_a_state_that_cannot_be_is_refused(change, message):
    learner = Doubler(dim=1, horizon=10)
    for _ in duelled(learner, linear(cone), most=4):
        pass
    with pytest.raises(ValueError, match=message):
        Doubler.from_state(learner.config, {**learner.state(), **change})
