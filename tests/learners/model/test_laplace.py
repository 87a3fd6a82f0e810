"""The most probable utilities and the evidence, by brute force."""

import math

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from duelli.learners.model import laplace
from duelli.learners.model.laplace import factor, hessian, mode_of_arms, win_rates

from .samples import arms_of, counts_from, dense_covariance, logistic, prior_of

DUELS = [(0, 1, 3, 4), (0, 2, 7, 10), (1, 2, 5, 6), (1, 3, 1, 9), (2, 3, 2.5, 5)]
PROBLEMS = [
    (prior_of((0.4,)), arms_of(4, 1), DUELS),
    (prior_of((0.3, 1.0), 3.0), arms_of(4, 2), DUELS),
    (prior_of((0.5, 0.5)), arms_of(3, 2, seed=4), [(0, 1, 0, 1)]),  # arm 2 has met nobody
    (prior_of((0.2, 0.2), 5.0), arms_of(3, 2, seed=5), [(0, 1, 200, 200), (1, 2, 200, 200)]),
]


def log_posterior(utilities, prior, arms, rows):
    """Return the log density of the utilities after the duels, up to a constant."""
    away = np.asarray(utilities) - prior.mean(arms)
    value = -away @ np.linalg.solve(dense_covariance(prior, arms), away) / 2
    for i, j, wins, n in rows:
        rate = logistic(utilities[i] - utilities[j])
        value += wins * math.log(rate) + (n - wins) * math.log1p(-rate)
    return value


def found(problem, start=None):
    prior, arms, rows = problem
    start = np.zeros(len(arms)) if start is None else np.array(start)
    return mode_of_arms(prior, arms, counts_from(*rows), start)


@pytest.fixture
def exact(monkeypatch):
    """Let Newton's method go on until nothing changes."""
    monkeypatch.setattr(laplace, "TOLERANCE", 1e-13)


def test_win_rates_are_logistic():
    utilities = np.array([0.3, -1.2, 2.0])
    rates = win_rates(utilities, counts_from((0, 1, 0, 1), (1, 2, 0, 1)))
    assert rates == pytest.approx([logistic(1.5), logistic(-3.2)], rel=1e-12)


def test_win_rates_of_far_utilities_are_sure_and_not_overflows():
    rates = win_rates(np.array([0.0, 1e4]), counts_from((0, 1, 0, 1)))
    assert rates.tolist() == [0.0]


def test_the_factor_is_a_root_of_the_covariance():
    prior, arms = prior_of((0.3, 1.0)), arms_of(8, 2)
    root = factor(prior, arms)
    assert root @ root.T == pytest.approx(dense_covariance(prior, arms), rel=1e-12)
    assert (np.triu(root, 1) == 0).all()


def test_arms_that_are_the_same_point_have_a_factor():
    prior, arms = prior_of((0.5,)), np.full((30, 1), 0.25)
    root = factor(prior, arms)
    assert root @ root.T == pytest.approx(dense_covariance(prior, arms), rel=1e-4)


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_mode_is_a_stationary_point(problem):
    utilities, h = found(problem).utilities, 1e-4
    for axis in np.eye(len(utilities)):
        up, down = (log_posterior(utilities + s * h * axis, *problem) for s in (1, -1))
        assert (up - down) / (2 * h) == pytest.approx(0, abs=1e-5)


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_mode_is_what_brute_force_finds(problem):
    options = {"xatol": 1e-9, "fatol": 1e-13, "maxiter": 10**4, "maxfev": 10**4}
    brute = optimize.minimize(
        lambda u: -log_posterior(u, *problem),
        problem[0].mean(problem[1]),
        method="Nelder-Mead",
        options=options,
    )
    assert found(problem).utilities == pytest.approx(brute.x, abs=1e-3)


@pytest.mark.parametrize("start", [0.0, 40.0, -40.0])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_it_is_as_probable_as_the_mode_wherever_it_starts(problem, start, monkeypatch):
    utilities = found(problem, start * np.arange(len(problem[1]))).utilities
    monkeypatch.setattr(laplace, "TOLERANCE", 1e-13)
    best = log_posterior(found(problem).utilities, *problem)
    assert log_posterior(utilities, *problem) > best - 1e-3


def test_a_million_duels_on_one_side_have_a_mode():
    problem = (prior_of((0.3,), 50.0), np.array([[0.2], [0.8]]), [(0, 1, 10**6, 10**6)])
    utilities = found(problem).utilities
    assert 5 < utilities[0] - utilities[1] < 50


def test_without_duels_the_mode_is_the_prior_mean():
    prior, arms = prior_of((0.3, 0.3)), arms_of(5, 2)
    result = mode_of_arms(prior, arms, counts_from(), np.arange(5.0))
    assert result.utilities == pytest.approx(prior.mean(arms), abs=1e-9)
    assert result.evidence == pytest.approx(0, abs=1e-9)


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_side_of_an_arm_does_not_matter(problem):
    prior, arms, rows = problem
    swapped = found((prior, arms, [(j, i, n - wins, n) for i, j, wins, n in rows]))
    assert swapped.utilities == pytest.approx(found(problem).utilities, abs=1e-6)
    assert swapped.evidence == pytest.approx(found(problem).evidence, abs=1e-9)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_hessian_is_that_of_the_log_posterior_of_z(problem):
    prior, arms, rows = problem
    root, mean, h = factor(prior, arms), prior.mean(arms), 1e-3
    z = np.linspace(-0.5, 0.7, len(arms))
    axes = np.eye(len(arms))

    def at(z):
        return log_posterior(mean + root @ z, *problem)

    expected = [
        [
            sum(s * t * at(z + h * (s * a + t * b)) for s in (1, -1) for t in (1, -1))
            / (-4 * h * h)
            for a in axes
        ]
        for b in axes
    ]
    assert hessian(root, mean + root @ z, counts_from(*rows)) == pytest.approx(
        np.array(expected), rel=1e-3, abs=1e-3
    )


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize(
    ("wins", "n", "within"), [(2, 3, 0.06), (6, 10, 0.03), (60, 100, 0.02), (900, 1000, 0.01)]
)
@pytest.mark.parametrize("spread", [0.5, 1.5])
def test_the_evidence_of_two_arms_is_the_integral(wins, n, within, spread):
    # Only the difference of two utilities counts. Laplace's approximation is off by less the
    # closer the posterior is to a normal law.
    prior, arms = prior_of((0.4,), spread), np.array([[0.3], [0.6]])
    gap = float(np.subtract(*prior.mean(arms)))
    covariance = dense_covariance(prior, arms)
    law = stats.norm(gap, math.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]))
    peak = math.log(wins / (n - wins))
    likelihood = wins * math.log(wins / n) + (n - wins) * math.log(1 - wins / n)

    def relative(d):
        value = wins * d - n * np.logaddexp(0, d) - likelihood
        return math.exp(value) * law.pdf(d)

    integral, _ = integrate.quad(relative, -12, 12, points=[peak, gap], limit=500)
    result = found((prior, arms, [(0, 1, wins, n)]))
    assert result.evidence == pytest.approx(math.log(integral) + likelihood, abs=within)
