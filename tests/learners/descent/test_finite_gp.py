"""The Gaussian process on a fixed set of points, against formulas of another form."""

import math

import numpy as np
import pytest

from duelli import _rng
from duelli.learners.descent.finite_gp import (
    MEAN,
    NOISE,
    NUGGET,
    SPREAD,
    FiniteGp,
    Outcomes,
    default_length,
    spread_points,
)


def outcomes(points, n, mean):
    return Outcomes(
        np.array(points, dtype=np.intp), np.array(n, dtype=float), np.array(mean, dtype=float)
    )


def grid_gp(count=30, length=0.3):
    return FiniteGp(np.linspace(0, 1, count)[:, None], length)


def test_the_prior_is_a_matern_kernel():
    gp, r = grid_gp(), math.sqrt(5) * (3 / 29) / 0.3
    expected = SPREAD**2 * (1 + r + r**2 / 3) * math.exp(-r)
    assert gp.covariance[5, 8] == pytest.approx(expected)
    assert gp.covariance[5, 5] == pytest.approx(SPREAD**2 * (1 + NUGGET))
    assert gp.root @ gp.root.T == pytest.approx(gp.covariance)


def test_nothing_is_known_before_the_first_outcome():
    posterior = grid_gp().posterior(outcomes([], [], []))
    assert posterior.mean == pytest.approx(np.full(30, MEAN))
    assert posterior.deviation == pytest.approx(np.full(30, SPREAD), rel=1e-6)


def test_the_posterior_is_that_of_the_information_form():
    # (K^-1 + N / σ²)^-1, and its product with N (y - m) / σ².
    gp, seen = grid_gp(12, 0.4), outcomes([2, 3, 9], [4, 100, 7], [0.2, 0.6, 0.9])
    precision = np.linalg.inv(gp.covariance)
    weights, sums = np.zeros(12), np.zeros(12)
    weights[seen.points] = seen.n / NOISE
    sums[seen.points] = seen.n / NOISE * (seen.mean - MEAN)
    covariance = np.linalg.inv(precision + np.diag(weights))
    posterior = gp.posterior(seen)
    assert posterior.mean == pytest.approx(MEAN + covariance @ sums, rel=1e-5)
    assert posterior.deviation == pytest.approx(np.sqrt(covariance.diagonal()), rel=1e-4)


def test_many_outcomes_count_as_much_as_they_are():
    once = grid_gp().posterior(outcomes([4], [1], [1.0]))
    often = grid_gp().posterior(outcomes([4], [10_000], [1.0]))
    assert once.mean[4] == pytest.approx(MEAN + 0.5 * SPREAD**2 / (SPREAD**2 + NOISE), rel=1e-4)
    assert often.mean[4] == pytest.approx(1.0, abs=1e-3)


def test_the_mean_interpolates_values_without_noise():
    gp, best = grid_gp(40, 0.35), 0.37
    rates = 0.5 + 0.3 * np.exp(-8 * (gp.points[:, 0] - best) ** 2)
    seen = np.arange(0, 40, 5)
    posterior = gp.posterior(outcomes(seen, [10**12] * 8, rates[seen]))
    assert posterior.mean[seen] == pytest.approx(rates[seen], abs=1e-5)
    assert posterior.mean[2:36] == pytest.approx(rates[2:36], abs=0.01)


def test_draws_have_the_mean_and_the_covariance_of_the_posterior():
    gp, seen = grid_gp(6, 0.4), outcomes([1, 4], [3, 50], [0.9, 0.3])
    posterior, count = gp.posterior(seen), 20_000
    drawn = posterior.draws(count, _rng.stream(3, "learner"))
    assert drawn.shape == (6, count)
    # 12 normal statistics within 6 standard deviations: fails with probability below 1e-7.
    tolerance = 6 * posterior.deviation / math.sqrt(count)
    assert (abs(drawn.mean(axis=1) - posterior.mean) < tolerance).all()
    assert drawn.std(axis=1) == pytest.approx(posterior.deviation, rel=6 / math.sqrt(2 * count))
    known = gp.covariance[:, seen.points]
    inner = gp.covariance[np.ix_(seen.points, seen.points)] + np.diag(NOISE / seen.n)
    covariance = gp.covariance - known @ np.linalg.inv(inner) @ known.T
    assert np.cov(drawn) == pytest.approx(covariance, abs=6 * SPREAD**2 / math.sqrt(count))


@pytest.mark.parametrize("dim", [1, 2, 5, 8])
def test_the_points_are_all_over_the_box(dim):
    start = (0.25,) * dim
    points = spread_points(256, dim, start, key=7)
    assert points.shape == (256, dim)
    assert tuple(points[0]) == start
    assert (points >= 0).all()
    assert (points <= 1).all()
    assert len(np.unique(points, axis=0)) == 256
    # In each half of each axis there are about as many points.
    assert abs((points < 0.5).sum(axis=0) - 128).max() <= 12


def test_the_points_depend_on_the_key():
    assert not (
        spread_points(9, 2, (0.5, 0.5), 7)[1:] == spread_points(9, 2, (0.5, 0.5), 8)[1:]
    ).any()


def test_the_length_grows_as_distances_do():
    assert default_length(4) == 2 * default_length(1) == 0.5
