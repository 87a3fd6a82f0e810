"""The prior: its mean and its kernel, by formulas that are written out."""

import math

import numpy as np
import pytest

from duelli.learners.model.prior import FALL, LINEAR, QUADRATIC, ROWS, Prior

from .samples import arms_of, prior_of

LENGTHS = [(0.3,), (0.2, 1.5), (0.1, 0.7, 5.0)]
CORNERS = np.array([(0, 0), (0, 1), (1, 0), (1, 1)], dtype=float)


def kernel(x, y, lengths, spread):
    """Return the covariance of two points, axis by axis."""
    r = math.sqrt(sum(((a - b) / length) ** 2 for a, b, length in zip(x, y, lengths, strict=True)))
    matern = (1 + math.sqrt(5) * r + 5 * r**2 / 3) * math.exp(-math.sqrt(5) * r)
    weights = [1 / length**2 for length in lengths]
    products = [(2 * a - 1) * (2 * b - 1) for a, b in zip(x, y, strict=True)]
    trend = sum(w * p for w, p in zip(weights, products, strict=True)) / sum(weights)
    return spread**2 * (matern + LINEAR * trend + QUADRATIC / 2 * trend**2)


@pytest.mark.parametrize("lengths", LENGTHS)
def test_the_covariance_is_the_kernel_written_out(lengths):
    points, others = arms_of(6, len(lengths)), arms_of(4, len(lengths), seed=1)
    expected = [[kernel(x, y, lengths, 2.5) for y in others] for x in points]
    assert prior_of(lengths, 2.5).covariance(points, others) == pytest.approx(
        np.array(expected), rel=1e-9
    )


@pytest.mark.parametrize("lengths", LENGTHS)
def test_the_variance_is_the_covariance_of_a_point_with_itself(lengths):
    points = arms_of(20, len(lengths))
    expected = [kernel(x, x, lengths, 1.5) for x in points]
    assert prior_of(lengths).variance(points) == pytest.approx(np.array(expected), rel=1e-12)


@pytest.mark.parametrize("lengths", LENGTHS)
def test_the_covariance_of_different_points_is_positive_definite(lengths):
    # Points of a lattice are apart, so that the least eigenvalue is far above rounding.
    axes = [np.linspace(0, 1, round(40 ** (1 / len(lengths))))] * len(lengths)
    points = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, len(lengths))
    covariance = prior_of(np.minimum(lengths, 1.0)).covariance(points, points)
    assert np.linalg.eigvalsh(covariance).min() > 1e-9


def test_points_that_differ_along_a_long_axis_are_more_alike():
    prior, middle = prior_of((0.2, 2.0)), np.array([[0.5, 0.5]])
    short, long = prior.covariance(middle, np.array([[0.8, 0.5], [0.5, 0.8]]))[0]
    assert short < long


def test_the_mean_is_largest_in_the_middle():
    prior = prior_of((0.3, 0.3))
    assert prior.mean(np.array([[0.5, 0.5]])) == pytest.approx(0)
    assert (prior.mean(arms_of(50, 2)) < 0).all()


def test_the_mean_falls_equally_to_all_corners():
    assert prior_of((0.3, 2.0), 1.5).mean(CORNERS) == pytest.approx(-FALL * 1.5)


def test_the_trends_of_a_corner_have_the_variances_that_they_are_said_to_have():
    variance = prior_of((0.1, 2.0), 3.0).variance(CORNERS)
    assert variance == pytest.approx(9 * (1 + LINEAR + QUADRATIC / 2))


@pytest.mark.parametrize("n", [0, 1, 2, ROWS, ROWS + 1, 3 * ROWS - 1])
def test_the_covariance_among_points_is_that_of_each_with_each(n):
    prior, points = prior_of((0.3, 0.7), 1.7), np.random.default_rng(n).random((n, 2))
    among = prior.covariance_among(points)
    assert among == pytest.approx(prior.covariance(points, points), abs=1e-12)


def test_a_prior_twice_as_wide_has_four_times_the_covariance():
    points = arms_of(5, 2)
    one, two = (prior_of((0.3, 0.6), spread) for spread in (1.0, 2.0))
    assert two.covariance(points, points) == pytest.approx(4 * one.covariance(points, points))


def test_it_is_not_changed_by_what_is_asked_of_it():
    points, scales = arms_of(5, 2), np.log([0.3, 0.6])
    before = points.copy()
    prior = Prior(scales.copy(), 0.1)
    prior.mean(points), prior.covariance(points, points), prior.variance(points)
    assert (points == before).all()
    assert (prior.scales == scales).all()
