"""UCB1 on a grid."""

import math

import pytest
from scipy import stats

from duelli.learners.scalar.ucb1 import Ucb1

from .rewards import bernoulli, cone, pulled


def slow_choice(learner, scale):
    """Return the arms of the largest index, worked out from the state with plain Python."""
    state = learner.state()
    n, counts, sums = state["pulls"], state["counts"], state["sums"]
    if 0 in counts:
        return {i for i, count in enumerate(counts) if count == 0}
    index = [s / c + math.sqrt(scale * math.log(n) / c) for s, c in zip(sums, counts, strict=True)]
    return {i for i, value in enumerate(index) if value > max(index) - 1e-12}


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_it_pulls_an_arm_of_the_largest_index(scale):
    learner, reward = Ucb1(dim=2, horizon=400, cells=3, scale=scale), bernoulli(cone, 0)
    while (arm := learner.pull()) is not None:
        assert learner.grid.index(arm) in slow_choice(learner, scale)
        learner.update(reward(arm))


def test_every_arm_is_pulled_once_at_first():
    arms = pulled(Ucb1(dim=2, horizon=16, cells=4))
    assert len(set(arms)) == 16


def test_arms_that_were_not_pulled_come_in_random_order():
    # Fails a correct build with probability 1e-6: a chi-squared test of the first arm.
    first = [Ucb1(dim=1, horizon=10, cells=5, seed=seed).pull() for seed in range(500)]
    counts = [first.count((x,)) for x in (0.1, 0.3, 0.5, 0.7, 0.9)]
    assert stats.chisquare(counts).pvalue > 1e-6


def test_arms_of_equal_index_come_in_random_order():
    # Fails a correct build with probability 1e-6: an exact binomial test.
    third = [pulled(Ucb1(dim=1, horizon=3, cells=2, seed=s), lambda _: 1.0)[2] for s in range(400)]
    assert stats.binomtest(third.count((0.25,)), 400, 0.5).pvalue > 1e-6


def test_it_recommends_the_arm_that_it_pulled_most():
    learner = Ucb1(dim=1, horizon=2000, cells=5)
    arms = pulled(learner)
    assert learner.recommend() == max(set(arms), key=arms.count) == (0.3,)


def test_a_wide_scale_explores_more():
    spread = [pulled(Ucb1(dim=1, horizon=2000, cells=5, scale=s)).count((0.3,)) for s in (0.1, 20)]
    assert spread[0] > 2 * spread[1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"counts": [1, 1]}, "must have 3 entries, one for each arm"),
        ({"pulls": 3}, r"state\.counts must add up to 3; got 2"),
        ({"sums": [2, 0, 0]}, r"state\.sums must lie between 0 and state\.counts"),
    ],
)
def test_a_state_that_cannot_be_is_refused(change, message):
    learner = Ucb1(dim=1, horizon=10, cells=3)
    state = {"phase": "grid", "pulls": 2, "counts": [1, 1, 0], "sums": [1, 0, 0]}
    assert Ucb1.from_state(learner.config, state).pulls == 2
    with pytest.raises(ValueError, match=message):
        Ucb1.from_state(learner.config, {**state, **change})


def test_the_bits_are_those_of_the_counts():
    learner = Ucb1(dim=1, horizon=100, cells=4)
    pulled(learner)
    counts = learner.state()["counts"]
    assert learner.state_bits() == 1 + 7 + 2 * sum(map(int.bit_length, counts))
