"""Versatile-DB: the printed algorithm turn by turn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paper.naive_duels import versatile_db

from duelli import _rng
from duelli.learners.finite import VersatileDb, VersatileDbConfig

from .matrices import Script, arithmetic, one_by_one, played, sure


@settings(max_examples=15, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    arms=st.integers(2, 5),
    horizon=st.integers(1, 120),
    reduced=st.booleans(),
    tie=st.sampled_from([0.0, 0.4]),
)
def test_plays_the_duels_of_the_printed_algorithm(seed, arms, horizon, reduced, tie):
    estimator = "reduced_variance" if reduced else "importance_weighted"
    learner = VersatileDb(dim=1, cells=arms, horizon=horizon, estimator=estimator, seed=seed)
    chances = np.clip(arithmetic(arms, 0.2), 0, 1)

    def uniforms(t):
        return [_rng.unit(key, t) for key in learner._keys]

    naive = Script(learner.grid, chances, seed, tie).play_out(
        versatile_db(arms, horizon, uniforms, reduced), horizon
    )
    assert one_by_one(played(learner, Script(learner.grid, chances, seed, tie))) == naive


@pytest.mark.parametrize(
    ("estimator", "rate"), [("importance_weighted", 0.2), ("reduced_variance", 0.4)]
)
def test_the_rates_fall_with_the_root_of_time(estimator, rate):
    config = VersatileDbConfig(dim=1, cells=4, horizon=10**3, estimator=estimator)
    assert config.rate(100) == pytest.approx(rate)


@pytest.mark.parametrize("estimator", ["importance_weighted", "reduced_variance"])
def test_the_estimated_losses_are_unbiased(estimator):
    """Averaged over the arm that is drawn, each estimate is the loss itself."""
    learner = VersatileDb(dim=1, cells=3, horizon=10**4, estimator=estimator)
    t, losses = 400, np.array([[0.0, 3.0, 9.0], [1.0, 0.0, 2.0]])
    learner._pair(losses, t)
    found = learner._weights[t]
    truth = np.array([0.2, 0.5, 0.9])  # of each arm on the first side
    mean = np.zeros(3)
    for arm, loss in enumerate(truth):
        before = losses.copy()
        learner._learn(before, t, arm, 0, 1 - loss)
        mean += found[0, arm] * (before[0] - losses[0])
    np.testing.assert_allclose(mean, truth, rtol=1e-9)


def test_each_side_uses_its_own_weights():
    learner = VersatileDb(dim=1, cells=2, horizon=100)
    losses = np.array([[0.0, 5.0], [5.0, 0.0]])
    learner._pair(losses, 9)
    before = losses.copy()
    learner._learn(losses, 9, 0, 0, 0.25)
    found = learner._weights[9]
    assert found[0, 0] > 0.5 > found[1, 0]
    assert losses[0, 0] - before[0, 0] == pytest.approx(0.75 / found[0, 0])
    assert losses[1, 0] - before[1, 0] == pytest.approx(0.25 / found[1, 0])


def test_finds_a_sure_winner():
    learner = VersatileDb(dim=1, cells=4, horizon=2000)
    pairs = played(learner, Script(learner.grid, sure(4)))
    late = pairs[len(pairs) // 2 :]
    alone = sum(n for i, j, n in late if i == j == 0)
    assert alone > 0.7 * sum(n for _, _, n in late)
    assert learner.recommend() == learner.grid.centre(0)


def test_a_step_ends_with_two_different_arms_or_has_256_turns():
    learner = VersatileDb(dim=1, cells=2, horizon=1500)
    engine = Script(learner.grid, sure(2))
    while step := learner.ask():
        alone, duels = step[-1].low == step[-1].reference, sum(block.n for block in step)
        assert not alone or duels == min(256, 1500 - learner.duels)
        learner.tell([engine.play(block).tally for block in step])


@pytest.mark.parametrize(
    ("losses", "message"),
    [
        ([[0, 0]], r"state\.losses must have the shape \(2, 2\); got \(1, 2\)"),
        ([[0, 1e200], [0, 0]], r"state\.losses must lie in"),
    ],
)
def test_losses_that_cannot_be_are_refused(losses, message):
    config = VersatileDb(dim=1, cells=2, horizon=10).config
    with pytest.raises(ValueError, match=message):
        VersatileDb.from_state(config, {"phase": "versatile", "duels": 1, "losses": losses})


def test_an_unknown_estimator_is_refused():
    with pytest.raises(ValueError, match="estimator must be one of importance_weighted, reduced"):
        VersatileDb(dim=1, horizon=10, estimator="exact")
