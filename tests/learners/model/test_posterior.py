"""The posterior, by the dense formulas of a Gaussian process."""

import numpy as np
import pytest

from duelli.learners.model.posterior import PairPosterior, Posterior, mode, posterior_of

from .samples import arms_of, counts_from, dense_covariance, logistic, prior_of

ROWS = [(0, 1, 3, 4), (0, 2, 7, 10), (1, 4, 5, 6), (2, 3, 20, 30), (3, 4, 0.5, 2)]
PRIOR, ARMS, POINTS = prior_of((0.3, 0.8), 2.0), arms_of(6, 2), arms_of(7, 2, seed=1)


@pytest.fixture(params=[Posterior, PairPosterior])
def kind(request):
    """Both ways to compute it."""
    return request.param


def believed(kind, rows=ROWS):
    """Return the posterior after some duels, and the utilities of the arms."""
    counts = counts_from(*rows)
    utilities = mode(PRIOR, ARMS, counts, np.zeros(len(ARMS))).utilities
    return kind(PRIOR, ARMS, counts, utilities), utilities


def dense(kind, points, rows=ROWS):
    """Return mean and covariance of the points, with inverses that are written out."""
    _, utilities = believed(kind, rows)
    arms = dense_covariance(PRIOR, ARMS) if kind is Posterior else PRIOR.covariance(ARMS, ARMS)
    precision = np.linalg.inv(arms)
    weights = np.zeros((len(ARMS), len(ARMS)))
    for i, j, _, n in rows:
        rate = logistic(utilities[i] - utilities[j])
        pair = np.zeros(len(ARMS))
        pair[i], pair[j] = 1, -1
        weights += n * rate * (1 - rate) * np.outer(pair, pair)
    cross = PRIOR.covariance(points, ARMS) @ precision
    mean = PRIOR.mean(points) + cross @ (utilities - PRIOR.mean(ARMS))
    explained = cross @ PRIOR.covariance(ARMS, points)
    left = cross @ np.linalg.inv(precision + weights) @ cross.T
    return mean, PRIOR.covariance(points, points) - explained + left


def test_the_mean_is_that_of_the_dense_formula(kind):
    assert believed(kind)[0].mean(POINTS) == pytest.approx(dense(kind, POINTS)[0], abs=1e-6)


def test_the_covariance_is_that_of_the_dense_formula(kind):
    assert believed(kind)[0].covariance(POINTS) == pytest.approx(dense(kind, POINTS)[1], abs=1e-6)


def test_the_deviation_is_that_of_the_difference(kind):
    covariance = dense(kind, POINTS)[1]
    own = covariance.diagonal()
    expected = np.sqrt(own[:-1] + own[-1] - 2 * covariance[:-1, -1])
    assert believed(kind)[0].deviation(POINTS[:-1], POINTS[-1]) == pytest.approx(expected, abs=1e-6)


def test_a_point_does_not_deviate_from_itself(kind):
    assert believed(kind)[0].deviation(POINTS[:1], POINTS[0]) == pytest.approx(0, abs=1e-6)


def test_the_mean_of_an_arm_is_its_utility(kind):
    posterior, utilities = believed(kind)
    assert posterior.mean(ARMS) == pytest.approx(utilities, abs=1e-3)


def test_without_duels_it_is_the_prior(kind):
    posterior, _ = believed(kind, ())
    assert posterior.mean(POINTS) == pytest.approx(PRIOR.mean(POINTS), abs=1e-9)
    assert posterior.covariance(POINTS) == pytest.approx(PRIOR.covariance(POINTS, POINTS), abs=1e-4)


def test_the_covariance_is_that_of_a_law(kind):
    covariance = believed(kind)[0].covariance(POINTS)
    assert covariance == pytest.approx(covariance.T, abs=1e-9)
    assert np.linalg.eigvalsh(covariance).min() > -1e-9


def test_more_duels_leave_less_deviation(kind):
    deviations = [
        believed(kind, [(0, 1, n / 2, n)])[0].deviation(ARMS[:1], ARMS[1])[0] for n in (2, 20, 200)
    ]
    assert deviations == sorted(deviations, reverse=True)
    # A tie in n duels is known to within 2 / sqrt(n), whatever the prior was.
    assert deviations[-1] == pytest.approx(2 / np.sqrt(200), rel=0.1)


def test_it_is_computed_with_whatever_is_fewer_pairs_or_arms():
    counts = counts_from(*[(i, j, 1, 2) for i in range(6) for j in range(i + 1, 6)])
    for n, kind in [(0, PairPosterior), (6, PairPosterior), (7, Posterior)]:
        few = counts._replace(**{name: getattr(counts, name)[:n] for name in counts._fields})
        assert type(posterior_of(PRIOR, ARMS, few, np.zeros(6))) is kind
