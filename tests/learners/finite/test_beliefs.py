"""What is believed of each pair: the chance to lead, and samples of it."""

import numpy as np
import pytest
from scipy import stats

from duelli.learners.finite import beliefs as module
from duelli.learners.finite.beliefs import Beliefs, chance_to_lead

WINS = np.array([[0, 3, 0.5], [1, 0, 4], [2.5, 2, 0]])


@pytest.fixture(params=["coins", "samples"])
def by(request, monkeypatch):
    """Let three arms count as many or as few."""
    monkeypatch.setattr(module, "FEW", 2 if request.param == "coins" else 24)


@pytest.mark.parametrize(
    ("wins", "losses"),
    [(0, 0), (1, 0), (0, 1), (0.5, 0.5), (3.25, 1.75), (7, 40), (300, 290), (5000, 5100), (0, 900)],
)
def test_the_chance_to_lead_is_a_tail_of_the_beta_law(wins, losses):
    expected = stats.beta.sf(0.5, wins + 1, losses + 1)
    assert chance_to_lead(wins, losses) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_the_chance_to_lead_is_right_for_all_small_counts():
    pairs = [(w, n - w) for n in range(60) for w in range(n + 1)]
    found = [chance_to_lead(*pair) for pair in pairs]
    wins, losses = np.array(pairs).T
    np.testing.assert_allclose(found, stats.beta.sf(0.5, wins + 1, losses + 1), rtol=1e-10)


@pytest.mark.usefixtures("by")
def test_an_update_changes_what_a_fresh_start_would_find():
    wins = WINS.copy()
    beliefs = Beliefs(wins)
    wins[0, 2] += 1
    beliefs.update(0, 2)
    fresh = Beliefs(wins)
    assert (beliefs.shapes == fresh.shapes).all()
    assert (beliefs._leads == fresh._leads).all()


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize("arms", [[0, 1, 2], [0, 2], [1, 2]])
def test_the_scores_have_the_law_of_sampled_preferences(arms):
    """Means of 20 000 scores with a deviation below 1: off by 0.05 with chance < 1e-6."""
    beliefs, turns = Beliefs(WINS.copy()), 20_000
    scores = beliefs.sampled_scores(np.array(arms), turns, np.random.default_rng(0))
    theta = beliefs.sampled(turns, np.random.default_rng(1))
    expected = (theta > 0.5).sum(axis=2)[:, arms]
    assert np.abs(scores.mean(axis=0) - expected.mean(axis=0)).max() < 0.05
    assert np.abs(np.cov(scores.T) - np.cov(expected.T)).max() < 0.05


@pytest.mark.usefixtures("by")
def test_the_scores_of_all_arms_add_up_to_the_number_of_pairs():
    beliefs = Beliefs(WINS.copy())
    scores = beliefs.sampled_scores(np.arange(3), 100, np.random.default_rng(0))
    assert (scores.sum(axis=1) == 3).all()


@pytest.mark.usefixtures("by")
def test_two_arms_are_never_both_ahead_of_each_other():
    beliefs = Beliefs(np.zeros((4, 4)))
    scores = beliefs.sampled_scores(np.array([1, 3]), 4000, np.random.default_rng(0))
    assert set(scores.sum(axis=1).tolist()) == {1, 2, 3, 4, 5}  # the pair itself counts once


def test_samples_against_an_arm_have_the_beta_law():
    """Kolmogorov-Smirnov test of each rival; fails a correct build with chance < 1e-6."""
    beliefs = Beliefs(WINS.copy())
    theta = beliefs.sampled_against(np.full(3000, 2), np.random.default_rng(0))
    assert (theta[:, 2] == 0.5).all()
    for rival in (0, 1):
        law = stats.beta(WINS[rival, 2] + 1, WINS[2, rival] + 1)
        assert stats.kstest(theta[:, rival], law.cdf).pvalue > 5e-7


def test_a_sample_of_all_pairs_is_consistent():
    theta = Beliefs(WINS.copy()).sampled(10, np.random.default_rng(0))
    np.testing.assert_allclose(theta + theta.swapaxes(1, 2), 1.0)
