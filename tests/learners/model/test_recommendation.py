"""The point that the model recommends."""

import numpy as np
import pytest

from duelli.learners.model.posterior import Posterior, mode
from duelli.learners.model.recommendation import (
    CAUTION,
    LEAD_POWER,
    LEAST_LEAD,
    caution,
    incumbent,
)

from .samples import arms_of, counts_from, exact_counts, prior_of

BESTS = [(0.5, 0.5), (0.3, 0.72), (0.85, 0.2), (1.0, 0.4)]


def believed(best, n, m=60):
    """Return the posterior after n duels of many pairs, won exactly as often as expected."""
    dim = len(best)
    prior, arms = prior_of([0.6] * dim, 4.0), arms_of(m, dim)
    counts = exact_counts(-20 * ((arms - best) ** 2).sum(axis=1), n, pairs=4 * m)
    return Posterior(prior, arms, counts, mode(prior, arms, counts, np.zeros(m)).utilities)


def recommended(posterior, seed=0, before=None):
    before = np.full(posterior.arms.shape[1], 0.5) if before is None else before
    return incumbent(posterior, before, np.random.default_rng(seed))


@pytest.mark.parametrize("best", BESTS)
@pytest.mark.parametrize("seed", range(3))
def test_after_many_duels_without_noise_it_is_close_to_the_best_point(best, seed):
    # At a wall the prior draws it inwards a little.
    assert recommended(believed(best, 1000), seed) == pytest.approx(np.array(best), abs=0.06)


@pytest.mark.parametrize("best", [(0.0, 0.0), (1.0, 0.5)])
def test_it_lies_in_the_box(best):
    for n in (1, 1000):
        point = recommended(believed(best, n), before=np.array(best))
        assert ((point >= 0) & (point <= 1)).all()


@pytest.mark.parametrize("n", [10, 100])
def test_no_arm_is_better_if_one_is_as_cautious_as_it_is(n):
    posterior, middle = believed((0.3, 0.7), n), np.full(2, 0.5)
    penalty = caution(posterior, posterior.arms, middle)

    def cautious(points):
        return posterior.mean(points) - penalty * posterior.deviation(points, middle) ** 2

    before = np.array([0.31, 0.69])
    point = recommended(posterior, before=before)
    best = cautious(np.vstack([posterior.arms, before])).max()
    assert cautious(point[None])[0] >= best - 0.01 * abs(best)  # other candidates lead by more


def one_duel_often(wins, spread=2.0):
    """Return the posterior of 32 duels of 0.9 with 0.5, and these two points."""
    prior, arms = prior_of((0.5,), spread), np.array([[0.5], [0.9]])
    counts = counts_from((0, 1, 32 - wins, 32))
    utilities = mode(prior, arms, counts, np.zeros(2)).utilities
    return Posterior(prior, arms, counts, utilities), arms


@pytest.mark.parametrize("spread", [0.5, 2.0])
@pytest.mark.parametrize("wins", [8, 20, 24, 32])
def test_it_is_the_less_cautious_the_clearer_a_point_leads(wins, spread):
    posterior, arms = one_duel_often(wins, spread)
    mean, deviation = posterior.mean_and_deviation(arms[1:], arms[0])
    lead = max((mean[0] - posterior.mean(arms[:1])[0]) / deviation[0], LEAST_LEAD)
    expected = CAUTION * lead**-LEAD_POWER / spread
    assert caution(posterior, arms, arms[0]) == pytest.approx(expected, rel=1e-3)


def test_home_itself_leads_by_nothing():
    posterior = believed((0.3, 0.7), 10)
    most = CAUTION * LEAST_LEAD**-LEAD_POWER / 4.0  # the spread
    assert caution(posterior, np.full((1, 2), 0.5), np.full(2, 0.5)) == pytest.approx(most)


def test_a_slight_lead_is_followed_for_a_part_of_the_way():
    ways = []
    for wins in (20, 24, 32):
        posterior, _ = one_duel_often(wins)
        ways.append(recommended(posterior)[0] - 0.5)
    assert 0 < ways[0] < ways[1] < ways[2]


def test_a_few_duels_on_a_slope_do_not_recommend_the_far_wall():
    prior, arms = prior_of((0.5,)), np.array([[0.45], [0.55]])
    counts = counts_from((0, 1, 1, 8))
    posterior = Posterior(prior, arms, counts, mode(prior, arms, counts, np.zeros(2)).utilities)
    assert 0.5 < recommended(posterior)[0] < 0.95


def test_before_any_duel_the_middle_is_recommended():
    prior, arms = prior_of((0.4, 0.4)), np.full((1, 2), 0.5)
    posterior = Posterior(prior, arms, counts_from(), prior.mean(arms))
    assert recommended(posterior) == pytest.approx([0.5, 0.5], abs=1e-6)


def test_the_same_draws_give_the_same_point():
    posterior = believed((0.3, 0.7), 10)
    assert (recommended(posterior, 4) == recommended(posterior, 4)).all()
