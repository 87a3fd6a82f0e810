"""The posterior, by the dense formulas of a Gaussian process over the arms."""

import math

import numpy as np
import pytest

from duelli.learners.model.laplace import mode
from duelli.learners.model.pool import empty
from duelli.learners.model.posterior import Posterior

from .samples import arms_of, incidence, logistic, most_probable, pool_of, prior_of

# Pairs that share arms; one is sure, so that its differences are far from those of the prior.
ROWS = [(0, 1, 3, 4), (0, 2, 7, 10), (1, 4, 5, 6), (2, 3, 20, 30), (3, 4, 0.5, 2), (5, 4, 40, 40)]
PRIOR, ARMS, POINTS = prior_of((0.3, 0.8), 2.0), arms_of(6, 2), arms_of(7, 2, seed=1)


def believed(rows=ROWS, digits=12):
    """Return the posterior after some duels, for the differences rounded to some digits."""
    differences = incidence(len(ARMS), rows).T @ most_probable(PRIOR, ARMS, rows)
    return Posterior(PRIOR, pool_of(ARMS, rows, np.round(differences, digits)))


def dense(points, rows=ROWS):
    """Return mean and covariance of the points, with inverses that are written out."""
    utilities = most_probable(PRIOR, ARMS, rows)
    precision = np.linalg.inv(PRIOR.covariance(ARMS, ARMS))
    weights = np.zeros((len(ARMS), len(ARMS)))
    for (i, j, _, n), pair in zip(rows, incidence(len(ARMS), rows).T, strict=True):
        rate = logistic(utilities[i] - utilities[j])
        weights += n * rate * (1 - rate) * np.outer(pair, pair)
    cross = PRIOR.covariance(points, ARMS) @ precision
    mean = PRIOR.mean(points) + cross @ (utilities - PRIOR.mean(ARMS))
    explained = cross @ PRIOR.covariance(ARMS, points)
    left = cross @ np.linalg.inv(precision + weights) @ cross.T
    return mean, PRIOR.covariance(points, points) - explained + left


def relative(points):
    """Return mean and deviation of the utilities of all points relative to the last."""
    mean, covariance = dense(points)
    own = covariance.diagonal()
    variance = own[:-1] + own[-1] - 2 * covariance[:-1, -1]
    return mean[:-1] - mean[-1], np.sqrt(variance)


def test_the_mean_is_that_of_the_dense_formula():
    assert believed().mean(POINTS) == pytest.approx(dense(POINTS)[0], abs=1e-6)


def test_the_mean_beside_the_covariance_is_that_of_the_dense_formula():
    mean, _ = believed().mean_and_covariance(POINTS)
    assert mean == pytest.approx(dense(POINTS)[0], abs=1e-6)


def test_the_covariance_is_that_of_the_dense_formula():
    _, covariance = believed().mean_and_covariance(POINTS)
    assert covariance == pytest.approx(dense(POINTS)[1], abs=1e-6)


def test_the_lead_is_the_difference_of_the_means():
    lead, _ = believed().lead_and_deviation(POINTS[:-1], POINTS[-1])
    assert lead == pytest.approx(relative(POINTS)[0], abs=1e-6)


def test_the_deviation_is_that_of_the_difference():
    _, deviation = believed().lead_and_deviation(POINTS[:-1], POINTS[-1])
    assert deviation == pytest.approx(relative(POINTS)[1], abs=1e-6)


def test_a_point_neither_leads_nor_deviates_from_itself():
    lead, deviation = believed().lead_and_deviation(POINTS[:1], POINTS[0])
    assert lead == pytest.approx(0, abs=1e-9)
    assert deviation == pytest.approx(0, abs=1e-6)


def test_its_points_are_those_of_the_pairs_the_left_ones_first():
    expected = [ARMS[row[k]].tolist() for k in (0, 1) for row in ROWS]
    assert believed().points.tolist() == expected


def test_it_knows_how_many_duels_there_were():
    assert believed().telling == sum(row[3] for row in ROWS)
    assert Posterior(PRIOR, empty(2)).telling == 0


def test_its_utilities_are_the_most_probable_ones_of_its_points():
    utilities = most_probable(PRIOR, ARMS, ROWS)
    expected = [utilities[row[k]] for k in (0, 1) for row in ROWS]
    assert believed().utilities == pytest.approx(expected, abs=1e-6)


def test_differences_that_were_rounded_are_made_exact():
    rough, points = believed(digits=2), np.vstack([ARMS, POINTS])
    mean, covariance = rough.mean_and_covariance(points)
    assert mean == pytest.approx(dense(points)[0], abs=1e-5)
    assert covariance == pytest.approx(dense(points)[1], abs=1e-5)


def test_it_is_about_the_differences_that_it_is_given():
    # Where the duels say more than the prior, one step from elsewhere ends elsewhere.
    there = Posterior(PRIOR, pool_of(ARMS, ROWS, np.zeros(len(ROWS)))).mean(POINTS)
    assert np.abs(there - dense(POINTS)[0]).max() > 0.1


def test_without_duels_it_is_the_prior():
    posterior = Posterior(PRIOR, empty(2))
    mean, covariance = posterior.mean_and_covariance(POINTS)
    assert mean == pytest.approx(PRIOR.mean(POINTS), abs=1e-12)
    assert posterior.mean(POINTS) == pytest.approx(PRIOR.mean(POINTS), abs=1e-12)
    assert covariance == pytest.approx(PRIOR.covariance(POINTS, POINTS), abs=1e-12)


def test_without_duels_the_lead_is_that_of_the_prior():
    lead, deviation = Posterior(PRIOR, empty(2)).lead_and_deviation(POINTS[:-1], POINTS[-1])
    mean, covariance = PRIOR.mean(POINTS), PRIOR.covariance(POINTS, POINTS)
    own = covariance.diagonal()
    assert lead == pytest.approx(mean[:-1] - mean[-1], abs=1e-12)
    assert deviation**2 == pytest.approx(own[:-1] + own[-1] - 2 * covariance[:-1, -1], abs=1e-9)


def test_without_duels_it_has_no_points():
    posterior = Posterior(PRIOR, empty(2))
    assert (posterior.points.shape, posterior.utilities.shape) == ((0, 2), (0,))


def test_the_covariance_is_that_of_a_law():
    _, covariance = believed().mean_and_covariance(POINTS)
    assert covariance == pytest.approx(covariance.T, abs=1e-9)
    assert np.linalg.eigvalsh(covariance).min() > -1e-9


def test_more_duels_leave_less_deviation():
    deviations = [
        believed([(0, 1, n / 2, n)]).lead_and_deviation(ARMS[:1], ARMS[1])[1][0]
        for n in (2, 20, 200)
    ]
    assert deviations == sorted(deviations, reverse=True)
    # A tie in n duels is known to within 2 / sqrt(n), whatever the prior was.
    assert deviations[-1] == pytest.approx(2 / np.sqrt(200), rel=0.1)


def test_a_pair_may_be_there_twice_and_turned_round():
    # The first pair has 3 of 4 wins: 1 of 2 as it is, and 0 of 2 turned round.
    twice = believed([(0, 1, 1, 2), (1, 0, 0, 2), *ROWS[1:]])
    mean, covariance = twice.mean_and_covariance(POINTS)
    assert mean == pytest.approx(dense(POINTS)[0], abs=1e-6)
    assert covariance == pytest.approx(dense(POINTS)[1], abs=1e-6)


def test_it_does_not_change_what_it_is_asked_for():
    posterior, points = believed(), POINTS.copy()
    posterior.mean(points)
    posterior.mean_and_covariance(points)
    posterior.lead_and_deviation(points[:-1], points[-1])
    assert (points == POINTS).all()


def test_the_evidence_is_that_of_the_mode_over_that_of_coins():
    pool = pool_of(ARMS, ROWS, incidence(len(ARMS), ROWS).T @ most_probable(PRIOR, ARMS, ROWS))
    coins = sum(n for *_, n in ROWS) * math.log(2)
    assert believed().evidence == pytest.approx(mode(PRIOR, pool).evidence + coins, abs=1e-6)


def test_without_duels_there_is_no_evidence():
    assert Posterior(PRIOR, empty(2)).evidence == 0


def test_draws_of_equal_points_tell_nothing():
    duels = sum(n for *_, n in ROWS)
    assert Posterior(PRIOR, pool_of(ARMS, ROWS), 6.0).telling == pytest.approx(duels / 4)


@pytest.mark.parametrize("ties", [0.5, 6.0])
def test_the_evidence_with_draws_is_relative_to_points_that_are_all_equal(ties):
    pool = pool_of(ARMS, ROWS)
    best = mode(PRIOR, pool, ties)
    found = Posterior(PRIOR, pool._replace(differences=best.differences), ties)
    equal = sum(n for *_, n in ROWS) * math.log(2 + ties)
    assert found.evidence == pytest.approx(best.evidence + equal, abs=1e-4)
