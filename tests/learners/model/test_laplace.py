"""The most probable differences and the evidence, by brute force over the utilities."""

import math

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from duelli.learners.model import laplace
from duelli.learners.model.laplace import (
    believed,
    curved,
    log_partition,
    lower_inverse,
    mode,
    newton,
    root_weights,
    win_rates,
)
from duelli.learners.model.pool import empty

from .samples import arms_of, exact_rows, incidence, logistic, most_probable, pool_of, prior_of

# Pairs that share arms, and that go in a circle.
DUELS = [(0, 1, 3, 4), (0, 2, 7, 10), (1, 2, 5, 6), (1, 3, 1, 9), (2, 3, 2.5, 5)]
PROBLEMS = [
    (prior_of((0.4,)), arms_of(4, 1), DUELS),
    (prior_of((0.3, 1.0), 3.0), arms_of(4, 2), DUELS),
    (prior_of((0.5, 0.5)), arms_of(3, 2, seed=4), [(0, 1, 0, 1)]),  # arm 2 has met nobody
    (prior_of((0.2, 0.2), 5.0), arms_of(3, 2, seed=5), [(0, 1, 200, 200), (1, 2, 200, 200)]),
]
MANY = prior_of((0.4, 0.7, 0.3), 2.0), arms_of(12, 3), np.linspace(-3, 3, 12)


def normaliser(f, ties):
    return np.log(np.exp(f / 2) + np.exp(-f / 2) + ties)


def log_posterior(utilities, prior, arms, rows):
    """Return the log density of the utilities after the duels, up to a constant."""
    away = np.asarray(utilities) - prior.mean(arms)
    value = -away @ np.linalg.solve(prior.covariance(arms, arms), away) / 2
    for i, j, wins, n in rows:
        f = utilities[i] - utilities[j]
        value -= wins * np.logaddexp(0, -f) + (n - wins) * np.logaddexp(0, f)
    return value


def log_evidence(prior, arms, rows):
    """Return Laplace's approximation of the evidence, with the curvature of the utilities."""
    utilities, curvature = most_probable(prior, arms, rows), np.eye(len(arms))
    signs, covariance = incidence(len(arms), rows), prior.covariance(arms, arms)
    for k, (i, j, _, n) in enumerate(rows):
        rate = logistic(utilities[i] - utilities[j])
        curvature += n * rate * (1 - rate) * covariance @ np.outer(signs[:, k], signs[:, k])
    return log_posterior(utilities, prior, arms, rows) - math.log(np.linalg.det(curvature)) / 2


def found(problem, start=None):
    prior, arms, rows = problem
    return mode(prior, pool_of(arms, rows, start))


def utilities_at(problem, differences):
    """Return the most probable utilities of the arms if their differences are known."""
    prior, arms, rows = problem
    signs, covariance = incidence(len(arms), rows), prior.covariance(arms, arms)
    inverse = np.linalg.pinv(signs.T @ covariance @ signs, rcond=1e-9, hermitian=True)
    mean = prior.mean(arms)
    return mean + covariance @ signs @ inverse @ (differences - signs.T @ mean)


@pytest.fixture
def exact(monkeypatch):
    """Let Newton's method go on until nothing changes."""
    monkeypatch.setattr(laplace, "TOLERANCE", 1e-13)
    monkeypatch.setattr(laplace, "CLOSE", 0.0)


# What the prior says of the differences.


def test_win_rates_are_logistic():
    rates = win_rates(np.array([1.5, -3.2]))
    assert rates == pytest.approx([logistic(1.5), logistic(-3.2)], rel=1e-12)


@pytest.mark.parametrize("ties", [0.5, 4.7])
@pytest.mark.parametrize("difference", [-3.2, 0.0, 1.5])
def test_with_draws_a_rate_has_half_of_them(difference, ties):
    up, down = math.exp(difference / 2), math.exp(-difference / 2)
    expected = (up + ties / 2) / (up + down + ties)
    assert win_rates(np.array([difference]), ties) == pytest.approx([expected], rel=1e-12)


def test_win_rates_of_far_utilities_are_sure_and_not_overflows():
    assert win_rates(np.array([-1e4, 1e4])).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_prior_of_the_differences_is_that_of_the_utilities(problem):
    prior, arms, rows = problem
    signs, pairs = incidence(len(arms), rows), believed(prior, pool_of(arms, rows))
    covariance = signs.T @ prior.covariance(arms, arms) @ signs
    assert pairs.covariance == pytest.approx(covariance, rel=1e-9, abs=1e-12)
    assert pairs.mean == pytest.approx(signs.T @ prior.mean(arms), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_covariance_of_points_and_differences_has_the_left_points_first(problem):
    prior, arms, rows = problem
    order = [row[0] for row in rows] + [row[1] for row in rows]
    expected = prior.covariance(arms, arms)[order] @ incidence(len(arms), rows)
    cross = believed(prior, pool_of(arms, rows)).cross
    assert cross == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("ties", [0.0, 0.5, 4.7])
def test_the_weight_of_duels_is_the_curvature_of_their_log_likelihood(ties):
    differences, n, h = np.array([-2.0, 0.0, 0.7]), np.array([1.0, 4.0, 30.0]), 1e-3
    up, here, down = (n * normaliser(differences + s * h, ties) for s in (1, 0, -1))
    expected = (up + down - 2 * here) / h**2
    assert root_weights(differences, n, ties) ** 2 == pytest.approx(expected, rel=1e-5)


def test_far_utilities_have_no_weight_and_no_overflow():
    assert root_weights(np.array([-1e4, 1e4]), np.ones(2), 3.0).tolist() == [0.0, 0.0]
    assert log_partition(np.array([-1e4, 1e4]), 3.0).tolist() == [5e3, 5e3]


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("ties", [0.5, 4.7])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_with_draws_the_mode_is_what_brute_force_finds(problem, ties):
    prior, arms, rows = problem
    signs, root = incidence(len(arms), rows), np.linalg.cholesky(prior.covariance(arms, arms))
    lead = np.array([wins - n / 2 for _, _, wins, n in rows])
    n, mean = np.array([row[3] for row in rows], float), prior.mean(arms)

    def loss(z):
        f = signs.T @ (mean + root @ z)
        return z @ z / 2 - lead @ f + n @ normaliser(f, ties)

    brute = optimize.minimize(loss, np.zeros(len(arms)), method="BFGS", options={"gtol": 1e-8})
    expected = signs.T @ (mean + root @ brute.x)
    assert mode(prior, pool_of(arms, rows), ties).differences == pytest.approx(expected, abs=1e-4)


@pytest.mark.slow
def test_draws_whatever_the_points_leave_the_differences_as_they_are():
    """Fails a correct build with a probability below 1e-6: 400 000 duels, five deviations."""
    rng, true, n = np.random.default_rng(8), 0.8, 400_000
    prior, arms = prior_of((0.3,), 30.0), np.array([[0.2], [0.9]])
    share = 0.3
    wins = rng.binomial(n, share * logistic(true)) + (1 - share) * n / 2
    found = mode(prior, pool_of(arms, [(0, 1, wins, n)]), 2 * (1 - share) / share).differences[0]
    rate = 0.5 + share * (logistic(true) - 0.5)
    f = optimize.brentq(lambda f: win_rates(np.array([f]), 14 / 3)[0] - rate, 0, 5)
    assert found == pytest.approx(f, abs=0.05)
    # Davidson's draws are fewer between unequal points, which makes a small difference.
    assert found == pytest.approx(true, rel=0.1)


@pytest.mark.parametrize("n", [0, 1, laplace.SMALL, laplace.SMALL + 1, 150])
def test_the_inverse_of_a_triangular_matrix_by_halves(n):
    root = np.tril(np.random.default_rng(n).random((n, n))) + n * np.eye(n)
    inverse = lower_inverse(root)
    assert inverse @ root == pytest.approx(np.eye(n), abs=1e-9)
    assert (np.triu(inverse, 1) == 0).all()


# The mode.


@pytest.mark.parametrize("away", [0.5, 2.0])
def test_a_start_that_is_close_is_as_good_as_its_square(away, monkeypatch):
    prior, arms, utilities = MANY
    rows = exact_rows(utilities, 20)
    with monkeypatch.context() as exactly:
        exactly.setattr(laplace, "TOLERANCE", 1e-13)
        exactly.setattr(laplace, "CLOSE", 0.0)
        exact = mode(prior, pool_of(arms, rows))
    signs = np.where(np.arange(len(rows)) % 2 == 0, 1, -1)
    start = exact.differences + away * laplace.CLOSE * signs
    found = mode(prior, pool_of(arms, rows, start))
    assert found.differences == pytest.approx(exact.differences, abs=2 * laplace.CLOSE**2)
    assert found.evidence == pytest.approx(exact.evidence, abs=laplace.TOLERANCE)


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_mode_is_a_stationary_point(problem):
    utilities, h = utilities_at(problem, found(problem).differences), 1e-4
    for axis in np.eye(len(utilities)):
        up, down = (log_posterior(utilities + s * h * axis, *problem) for s in (1, -1))
        assert (up - down) / (2 * h) == pytest.approx(0, abs=1e-5)


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_mode_is_what_brute_force_finds(problem):
    prior, arms, rows = problem
    options = {"xatol": 1e-9, "fatol": 1e-13, "maxiter": 10**4, "maxfev": 10**4}
    brute = optimize.minimize(
        lambda u: -log_posterior(u, *problem),
        prior.mean(arms),
        method="Nelder-Mead",
        options=options,
    )
    expected = incidence(len(arms), rows).T @ brute.x
    assert found(problem).differences == pytest.approx(expected, abs=1e-3)


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("n", [1, 10, 1000])
@pytest.mark.parametrize("seed", range(3))
def test_the_mode_of_many_pairs_is_that_of_the_utilities(n, seed):
    prior, arms, utilities = MANY
    rows = exact_rows(utilities, n, seed=seed, pairs=20)
    expected = incidence(len(arms), rows).T @ most_probable(prior, arms, rows)
    assert found((prior, arms, rows)).differences == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("start", [0.0, 10.0, -10.0, 1e3])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_it_is_as_probable_as_the_mode_wherever_it_starts(problem, start):
    prior, arms, rows = problem
    signs = (-1.0) ** np.arange(len(rows))
    utilities = utilities_at(problem, found(problem, start * signs).differences)
    best = log_posterior(most_probable(prior, arms, rows), *problem)
    assert log_posterior(utilities, *problem) > best - 2e-3


def test_a_step_that_would_overshoot_is_shortened():
    # The prior expects a difference of 10, where a duel says little: a whole step ends at -2000.
    prior, arms = prior_of((0.3,), 30.0), np.array([[0.5], [1.0]])
    start = float(np.subtract(*prior.mean(arms)))
    problem = prior, arms, [(0, 1, 5, 10)]
    pairs = believed(prior, pool_of(*problem[1:]))
    assert newton(pairs, np.array([start])).differences[0] < -1000
    expected = np.subtract(*most_probable(*problem))
    assert found(problem, [start]).differences == pytest.approx([expected], abs=0.05)


@pytest.mark.parametrize("start", [40.0, -40.0])
def test_a_start_that_leads_astray_is_given_up(start):
    # Where it starts, a duel says nothing: a step from there ends thousands away.
    problem = prior_of((0.3,), 30.0), np.array([[0.2], [0.8]]), [(0, 1, 5, 10)]
    pairs = believed(problem[0], pool_of(*problem[1:]))
    assert abs(newton(pairs, np.array([start])).differences[0]) > 1000
    assert found(problem, [start]).differences == pytest.approx([0], abs=0.05)


def test_a_million_duels_on_one_side_have_a_mode():
    problem = (prior_of((0.3,), 50.0), np.array([[0.2], [0.8]]), [(0, 1, 10**6, 10**6)])
    assert 5 < found(problem).differences[0] < 50


def test_pairs_that_are_judged_without_exception_have_a_mode():
    prior, arms, _ = MANY
    rows = [(i, i + 1, 50, 50) for i in range(11)]
    expected = incidence(12, rows).T @ most_probable(prior, arms, rows)
    assert found((prior, arms, rows)).differences == pytest.approx(expected, abs=0.02)


def test_a_mode_that_the_pool_has_already_stays():
    prior, arms, utilities = MANY
    rows = exact_rows(utilities, 10)
    differences = incidence(12, rows).T @ most_probable(prior, arms, rows)
    again = found((prior, arms, rows), differences).differences
    assert again == pytest.approx(differences, abs=1e-6)


def test_without_duels_there_is_nothing_to_find():
    result = mode(prior_of((0.3, 0.3)), empty(2))
    assert result.differences.shape == (0,)
    assert result.evidence == 0


def test_pairs_without_weight_have_the_differences_of_the_prior():
    prior, arms = prior_of((0.3, 0.3)), arms_of(5, 2)
    result = found((prior, arms, [(0, 1, 0, 0), (2, 4, 0, 0)]), [3.0, -3.0])
    mean = prior.mean(arms)
    assert result.differences == pytest.approx([mean[0] - mean[1], mean[2] - mean[4]], abs=1e-9)
    assert result.evidence == pytest.approx(0, abs=1e-9)


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_side_of_an_arm_does_not_matter(problem):
    prior, arms, rows = problem
    swapped = found((prior, arms, [(j, i, n - wins, n) for i, j, wins, n in rows]))
    assert swapped.differences == pytest.approx(-found(problem).differences, abs=1e-6)
    assert swapped.evidence == pytest.approx(found(problem).evidence, abs=1e-6)


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("problem", PROBLEMS)
def test_duels_of_a_pair_may_be_told_in_parts(problem):
    prior, arms, rows = problem
    parts = [*rows[1:], *[(*rows[0][:2], rows[0][2] / 2, rows[0][3] / 2)] * 2]
    halves = found((prior, arms, parts))
    expected = found(problem)
    assert halves.differences[-2:] == pytest.approx(expected.differences[[0, 0]], abs=1e-6)
    assert halves.evidence == pytest.approx(expected.evidence, abs=1e-6)


# One step of Newton's method.


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_step_of_newton_is_that_of_the_utilities(problem):
    prior, arms, rows = problem
    precision = np.linalg.inv(prior.covariance(arms, arms))
    here = np.linspace(-0.5, 0.7, len(arms))
    slope, curvature = -precision @ (here - prior.mean(arms)), precision.copy()
    signs = incidence(len(arms), rows)
    for k, (i, j, wins, n) in enumerate(rows):
        rate = logistic(here[i] - here[j])
        slope += (wins - n * rate) * signs[:, k]
        curvature += n * rate * (1 - rate) * np.outer(signs[:, k], signs[:, k])
    expected = signs.T @ (here + np.linalg.solve(curvature, slope))
    fit = newton(believed(prior, pool_of(arms, rows)), signs.T @ here)
    assert fit.differences == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_mode_is_where_a_step_of_newton_stays(problem):
    prior, arms, rows = problem
    f, pool = found(problem).differences, pool_of(arms, rows)
    fit = newton(believed(prior, pool), f)
    assert fit.differences == pytest.approx(f, abs=1e-6)
    # Eq. (3.17): the weights are the slope of the log likelihood there.
    assert fit.weights == pytest.approx(pool.wins - pool.n / (1 + np.exp(-f)), abs=1e-5)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_value_of_a_step_is_its_log_posterior(problem):
    prior, arms, rows = problem
    fit = newton(believed(prior, pool_of(arms, rows)), np.linspace(-1, 1, len(rows)))
    utilities = utilities_at(problem, fit.differences)
    assert fit.value == pytest.approx(log_posterior(utilities, *problem), rel=1e-6)


def test_the_curvature_has_the_determinant_of_the_utilities():
    prior, arms, rows = PROBLEMS[1]
    f, n = np.array([0.3, -1.0, 0.8, 0.0, 2.0]), np.array([row[3] for row in rows], dtype=float)
    rates = np.array([logistic(x) for x in f])
    roots = np.sqrt(n * rates * (1 - rates))
    signs = incidence(len(arms), rows)
    dense = np.eye(4) + prior.covariance(arms, arms) @ signs * roots**2 @ signs.T
    small = curved(believed(prior, pool_of(arms, rows)), roots)
    assert np.linalg.det(small) == pytest.approx(np.linalg.det(dense), rel=1e-9)


# The evidence.


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_evidence_is_that_of_the_utilities(problem):
    assert found(problem).evidence == pytest.approx(log_evidence(*problem), abs=1e-6)


@pytest.mark.parametrize("n", [1, 10, 1000])
@pytest.mark.parametrize("seed", range(3))
def test_the_evidence_of_many_pairs_is_that_of_the_utilities(n, seed):
    prior, arms, utilities = MANY
    problem = prior, arms, exact_rows(utilities, n, seed=seed, pairs=20)
    assert found(problem).evidence == pytest.approx(log_evidence(*problem), abs=2e-3)


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
    covariance = prior.covariance(arms, arms)
    law = stats.norm(gap, math.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]))
    peak = math.log(wins / (n - wins))
    likelihood = wins * math.log(wins / n) + (n - wins) * math.log(1 - wins / n)

    def relative(d):
        value = wins * d - n * np.logaddexp(0, d) - likelihood
        return math.exp(value) * law.pdf(d)

    integral, _ = integrate.quad(relative, -12, 12, points=[peak, gap], limit=500)
    result = found((prior, arms, [(0, 1, wins, n)]))
    assert result.evidence == pytest.approx(math.log(integral) + likelihood, abs=within)
