"""The quadratic model of CLOP, against scipy's optimiser, and its weights."""

import math

import numpy as np
import pytest
from scipy import optimize

from duelli.learners.descent.quadratic import (
    CONFIDENCE,
    PRIOR_VARIANCE,
    Matches,
    features,
    fitted,
    weights_at,
)


def matches(count, dim, best, seed=0, steep=6.0, n=50):
    """Return samples against the middle, with the wins that a quadratic utility makes."""
    rng = np.random.default_rng(seed)
    samples, middle = rng.random((count, dim)), np.full((count, dim), 0.5)
    gaps = [-steep * ((x - best) ** 2).sum(axis=1) for x in (samples, middle)]
    wins = rng.binomial(n, 1 / (1 + np.exp(gaps[1] - gaps[0])))
    return Matches(samples, middle, wins.astype(float), np.full(count, float(n)))


def test_the_features_are_coordinates_and_their_products():
    (row,) = features(np.array([[0.75, 0.0]]))
    assert row.tolist() == [0.5, -1.0, 0.25, -0.5, 1.0]
    assert features(np.zeros((3, 8))).shape == (3, 8 + 36)
    assert features(np.zeros((3, 20))).shape == (3, 40)  # without products of two


def test_the_first_fit_is_the_most_probable_one():
    played = matches(40, 2, (0.3, 0.6))
    rows = features(played.samples) - features(played.incumbents)

    def loss(theta):
        strength = rows @ theta
        likelihood = played.wins @ strength - played.n @ np.logaddexp(0, strength)
        return theta @ theta / (2 * PRIOR_VARIANCE) - likelihood

    expected = optimize.minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-6}).x
    fits, _ = fitted(played)
    assert fits[0].coefficients == pytest.approx(expected, abs=5e-3)


def test_mean_and_deviation_are_those_of_the_samples():
    played = matches(40, 2, (0.3, 0.6))
    fit = fitted(played)[0][0]
    strengths = features(played.samples) @ fit.coefficients
    assert fit.mean == pytest.approx(strengths.mean())
    difference = strengths - features(played.incumbents) @ fit.coefficients
    rates = 1 / (1 + np.exp(-difference))
    assert fit.deviation == pytest.approx(1 / math.sqrt(50 * (rates * (1 - rates)).sum()))


def test_the_weights_fall_below_the_mean_of_every_fit():
    played = matches(60, 2, (0.3, 0.6))
    fits, weights = fitted(played)
    expected = np.ones(60)
    for fit in fits:
        below = features(played.samples) @ fit.coefficients - fit.mean
        expected = np.minimum(expected, np.exp(below / (CONFIDENCE * fit.deviation)))
    assert len(fits) > 1
    assert weights == pytest.approx(expected)
    assert 1 < (weights == 1).sum() < 59


def test_each_fit_has_the_weights_of_the_ones_before():
    # A poor sample that its record makes look good would move a fit that counts it.
    played = matches(60, 2, (0.3, 0.6))
    fits, _ = fitted(played)
    means = [fit.mean - fits[-1].coefficients @ features(np.array([[0.5, 0.5]]))[0] for fit in fits]
    assert means == sorted(means)  # the mean of what is left becomes better


def test_the_weights_of_samples_are_those_of_their_places():
    played = matches(60, 3, (0.3, 0.6, 0.5))
    fits, weights = fitted(played)
    assert weights_at(played.samples, fits[:]) == pytest.approx(weights)


def test_points_near_the_best_one_weigh_most():
    fits, _ = fitted(matches(200, 2, (0.3, 0.6)))
    near, far = weights_at(np.array([[0.3, 0.6], [0.9, 0.1]]), fits)
    assert near > 0.5
    assert far < 0.01


@pytest.mark.parametrize("won", [0.0, 1.0, 0.5])
def test_a_judge_who_always_says_the_same_breaks_nothing(won):
    rng = np.random.default_rng(0)
    for count in (1, 2, 30):
        samples = rng.random((count, 2))
        n = np.full(count, 1e9)
        fits, weights = fitted(Matches(samples, np.full((count, 2), 0.5), won * n, n))
        assert all(np.isfinite(fit.coefficients).all() for fit in fits)
        assert np.isfinite(weights).all()
        assert weights.sum() > 0


def test_equal_samples_break_nothing():
    same = np.full((5, 2), 0.25)
    fits, weights = fitted(Matches(same, same, np.full(5, 3.0), np.full(5, 6.0)))
    assert np.isfinite(fits[-1].coefficients).all()
    assert weights == pytest.approx(np.ones(5))
