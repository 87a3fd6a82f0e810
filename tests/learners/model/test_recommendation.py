"""The point that the model recommends."""

import math

import numpy as np
import pytest

from duelli.learners.model.pool import empty
from duelli.learners.model.posterior import Posterior
from duelli.learners.model.recommendation import (
    CAUTION,
    DIM_POWER,
    LEAST_DEVIATION,
    LEAST_LEAD,
    VISITED,
    caution,
    incumbent,
)

from .samples import arms_of, exact_rows, fitted_pool, pool_of, prior_of

BESTS = [(0.5, 0.5), (0.3, 0.72), (0.85, 0.2), (1.0, 0.4)]


def believed(best, n, m=60):
    """Return the posterior after n duels of many pairs, won exactly as often as expected."""
    dim = len(best)
    prior, arms = prior_of([0.6] * dim, 4.0), arms_of(m, dim)
    rows = exact_rows(-20 * ((arms - best) ** 2).sum(axis=1), n, pairs=4 * m)
    return Posterior(prior, fitted_pool(prior, pool_of(arms, rows)))


def recommended(posterior, seed=0, before=None, home=None):
    before = np.full(posterior.points.shape[1], 0.5) if before is None else before
    return incumbent(posterior, before, np.random.default_rng(seed), home=home)


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


@pytest.mark.parametrize("home", [(0.5, 0.5), (0.1, 0.9)])
@pytest.mark.parametrize("n", [10, 100])
def test_no_point_of_a_pair_is_better_if_one_is_as_cautious_as_it_is(n, home):
    posterior, home = believed((0.3, 0.7), n), np.array(home)
    before = np.array([0.31, 0.69])
    points = np.vstack([posterior.points, before])
    mean, covariance = posterior.mean_and_covariance(
        np.vstack([points, recommended(posterior, before=before, home=home), home])
    )
    own = covariance.diagonal()
    variance = own + own[-1] - 2 * covariance[-1]
    lead = mean - mean[-1]
    most = (lead[: len(points)] / np.sqrt(variance[: len(points)])).max()
    most = max(most, math.sqrt(2 * max(posterior.evidence, 0)))
    cautious = lead - CAUTION * 2**DIM_POWER / most / 4.0 * variance  # 4 is the spread
    best = cautious[: len(points)].max()
    assert most > LEAST_LEAD
    assert cautious[-2] >= best - 0.01 * abs(best)  # other candidates lead by more


# How cautious it is.


@pytest.mark.parametrize("unit", [0.1, 1.0, 10.0])
def test_it_is_the_less_cautious_the_more_deviations_a_point_leads_by(unit):
    deviation = unit * np.array([1.0, 2.0, 0.5])
    for most in (1.1 * LEAST_LEAD, 1.0, 3.0):
        lead = most * deviation * np.array([0.2, 1.0, -1.0])
        assert caution(1, 0.0, lead, deviation) == pytest.approx(CAUTION / most)


@pytest.mark.parametrize("lead", [0.9 * LEAST_LEAD, 0.0, -3.0])
def test_a_small_lead_counts_as_the_least(lead):
    assert caution(1, 0.0, np.array([lead, -4.0]), np.ones(2)) == pytest.approx(
        CAUTION / LEAST_LEAD
    )


@pytest.mark.parametrize("dim", [2, 5, 8])
def test_it_is_the_more_cautious_the_more_directions_there_are(dim):
    assert caution(dim, 0.0, np.ones(1), np.ones(1)) == pytest.approx(CAUTION * dim**DIM_POWER)
    assert caution(dim, 0.0, np.ones(1), np.ones(1)) > caution(dim - 1, 0.0, np.ones(1), np.ones(1))


def test_home_itself_leads_by_nothing():
    assert caution(1, 0.0, np.zeros(1), np.zeros(1)) == pytest.approx(CAUTION / LEAST_LEAD)


def test_a_deviation_that_may_be_rounding_makes_no_clear_lead():
    # The second point is all but home: both its numbers are nothing but rounding.
    lead, deviation = np.array([1.0, 1e-9]), np.array([1.0, 1e-12])
    assert caution(1, 0.0, lead, deviation) == pytest.approx(CAUTION)


def test_a_deviation_that_is_more_than_rounding_counts_as_it_is():
    small = 2 * LEAST_DEVIATION
    lead, deviation = np.array([1.0, 2 * small]), np.array([1.0, small])
    assert caution(1, 0.0, lead, deviation) == pytest.approx(CAUTION / 2)


def test_evidence_counts_as_a_lead_of_so_many_deviations():
    unclear = np.array([0.9]), np.ones(1)
    assert caution(1, 8.0, *unclear) == pytest.approx(CAUTION / 4)
    assert caution(1, 0.1, *unclear) == pytest.approx(CAUTION / 0.9)
    assert caution(1, -5.0, *unclear) == pytest.approx(CAUTION / 0.9)


def one_duel_often(wins, spread=2.0):
    """Return the posterior of 32 duels of 0.9 with 0.5."""
    prior, arms = prior_of((0.5,), spread), np.array([[0.5], [0.9]])
    return Posterior(prior, fitted_pool(prior, pool_of(arms, [(0, 1, 32 - wins, 32)])))


@pytest.mark.parametrize("home", [0.5, 0.3])
@pytest.mark.parametrize("spread", [0.5, 2.0, 5.0])
@pytest.mark.parametrize("wins", [20, 24, 32])
def test_it_is_the_best_point_of_a_line_less_its_variance(wins, spread, home):
    # The dense posterior of a fine grid says where that is.
    posterior = one_duel_often(wins, spread)
    grid = np.append(np.linspace(0, 1, 501), home)[:, None]
    mean, covariance = posterior.mean_and_covariance(grid)
    own = covariance.diagonal()
    lead, variance = mean - mean[-1], np.maximum(own + own[-1] - 2 * covariance[-1], 0)
    apart = np.sqrt(variance) > LEAST_DEVIATION * np.sqrt(variance.max())
    least = max(LEAST_LEAD, math.sqrt(2 * max(posterior.evidence, 0)))
    most = max((lead[apart] / np.sqrt(variance[apart])).max(), least)
    cautious = lead - CAUTION / most / spread * variance
    point = recommended(posterior, home=np.array([home]))
    assert point == pytest.approx(grid[cautious.argmax()], abs=0.01)


def test_a_point_of_a_pair_is_found_wherever_it_lies():
    # One point beats the middle and all others lose. Length scales are so short that only a
    # point next to the winner would show it, and random ones are not.
    dim, pairs = 5, VISITED
    prior, arms = (
        prior_of([0.1] * dim, 3.0),
        np.vstack([np.full((1, dim), 0.5), arms_of(pairs, dim)]),
    )
    rows = [(0, k, 20 * (k != pairs), 20) for k in range(1, pairs + 1)]
    posterior = Posterior(prior, fitted_pool(prior, pool_of(arms, rows)))
    assert recommended(posterior) == pytest.approx(arms[-1], abs=0.05)


def test_a_slight_lead_is_followed_for_a_part_of_the_way():
    ways = []
    for wins in (20, 24, 32):
        ways.append(recommended(one_duel_often(wins))[0] - 0.5)
    assert 0 < ways[0] < ways[1] < ways[2]


def test_a_few_duels_on_a_slope_do_not_recommend_the_far_wall():
    prior, arms = prior_of((0.5,)), np.array([[0.45], [0.55]])
    posterior = Posterior(prior, fitted_pool(prior, pool_of(arms, [(0, 1, 1, 8)])))
    assert 0.5 < recommended(posterior)[0] < 0.95


def test_before_any_duel_the_middle_is_recommended():
    posterior = Posterior(prior_of((0.4, 0.4)), empty(2))
    assert recommended(posterior) == pytest.approx([0.5, 0.5], abs=1e-6)


def test_before_any_duel_home_is_recommended_rather_than_the_middle():
    posterior, home = Posterior(prior_of((0.4, 0.4)), empty(2)), np.array([0.2, 0.8])
    point = recommended(posterior, home=home)
    assert np.abs(point - home).max() < np.abs(point - 0.5).max()


def test_the_same_draws_give_the_same_point():
    posterior = believed((0.3, 0.7), 10)
    assert (recommended(posterior, 4) == recommended(posterior, 4)).all()
