"""Which pairs are asked: what a duel is worth, by conditioning and integrals written out."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from duelli.learners.model import choice
from duelli.learners.model.choice import Field, chosen, opening
from duelli.learners.model.posterior import Posterior, mode

from .samples import arms_of, counts_from, exact_counts, logistic, prior_of

PRIOR = prior_of((0.4, 0.4))


def rng(seed=0):
    return np.random.default_rng(seed)


def believed(n=5, dim=2, m=15):
    """Return the posterior after duels on a quadratic."""
    prior, arms = prior_of([0.4] * dim), arms_of(m, dim)
    counts = exact_counts(-20 * ((arms - 0.4) ** 2).sum(axis=1), n)
    return Posterior(prior, arms, counts, mode(prior, arms, counts, np.zeros(m)).utilities)


def field_of(mean, covariance, tops=(0, 1, 2), incumbent=0):
    """Return candidates of which every two may be asked."""
    left, right = np.triu_indices(len(mean), 1)
    points = np.linspace(0, 1, len(mean))[:, None]
    given = np.array(mean, dtype=float), np.array(covariance, dtype=float)
    return Field(points, *given, incumbent, np.array(tops), left, right)


def worth(field):
    return choice._worth(field, field.covariance, field.left, field.right)


def random_covariance(m, seed=0):
    root = rng(seed).standard_normal((m, m))
    return root @ root.T / m


# The worth of a pair.

FIELD = field_of([0.0, 0.5, -1.0, 2.0], random_covariance(4))


def test_the_worth_of_a_pair_is_the_variance_that_its_duel_takes():
    # A duel of weight w is a measurement of the difference with variance 1 / w.
    values, weights, _ = worth(FIELD)

    def doubt(covariance):
        own = covariance.diagonal()
        return sum(own[t] + own[0] - 2 * covariance[t, 0] for t in FIELD.tops)

    for k, (i, j) in enumerate(zip(FIELD.left, FIELD.right, strict=True)):
        pair = np.eye(4)[i] - np.eye(4)[j]
        told = np.linalg.inv(FIELD.covariance) + weights[k] * np.outer(pair, pair)
        expected = doubt(FIELD.covariance) - doubt(np.linalg.inv(told))
        assert values[k] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("gap", [0.0, 1.0, -3.0])
@pytest.mark.parametrize("variance", [0.01, 1.0, 10.0])
def test_the_weight_of_a_duel_is_its_expected_information(gap, variance):
    # MacKay's formula is within a tenth of the integral, but for far tails.
    law = stats.norm(gap, math.sqrt(variance))
    expected, _ = integrate.quad(
        lambda d: logistic(d) * logistic(-d) * law.pdf(d), -30, 30, points=[0, gap]
    )
    _, weights, variances = worth(field_of([gap, 0.0], np.diag([variance, 0.0]), (0, 1)))
    assert variances == pytest.approx([variance])
    assert weights == pytest.approx([expected], rel=0.15)


def test_a_pair_that_is_known_well_is_worth_less():
    arms, values = np.array([[0.2, 0.2], [0.5, 0.5], [0.8, 0.8]]), []
    for n in (2, 20, 200):
        # Arms 0 and 1 have met n times, and arm 1 and 2 twice; all were ties.
        counts = counts_from((0, 1, n / 2, n), (1, 2, 1, 2))
        utilities = mode(PRIOR, arms, counts, np.zeros(3)).utilities
        posterior = Posterior(PRIOR, arms, counts, utilities)
        field = field_of(posterior.mean(arms), posterior.covariance(arms), (0, 1, 2), 1)
        known, _, unknown = worth(field)[0]
        values.append(known / unknown)
    assert values == sorted(values, reverse=True)
    assert values[-1] < 0.05


def test_a_pair_whose_winner_is_sure_is_worth_less():
    covariance = np.eye(3)
    doubtful, _, sure = (worth(field_of([0, gap, 0], covariance))[0][0] for gap in (0, 2, 8))
    assert sure < 0.1 * doubtful


def test_a_pair_without_bearing_on_the_best_is_worth_nothing():
    # Candidates 2 and 3 say nothing of 0 and 1, which alone may be best.
    values, _, _ = worth(field_of([0.0] * 4, np.eye(4), (0, 1), 0))
    assert values[-1] == pytest.approx(0)
    assert values[0] > 0


def test_draws_are_largest_as_often_as_a_point_is_the_best():
    covariance = np.array([[4.0, 1.2], [1.2, 2.0]])
    chance = stats.norm.cdf(1.5 / math.sqrt(6 - 2.4))
    draws, repeats = rng(), 200
    maxima = [choice._maxima(np.array([1.5, 0.0]), covariance, draws) for _ in range(repeats)]
    first = int((np.concatenate(maxima) == 0).sum())
    # A correct build fails with probability below 1e-6.
    low, high = stats.binom.interval(1 - 1e-6, repeats * choice.DRAWS, chance)
    assert low <= first <= high


# The pairs of a step.


def keys(pairs):
    return {frozenset((tuple(x.tolist()), tuple(y.tolist()))) for x, y in pairs}


@pytest.mark.parametrize("dim", [1, 2, 5])
def test_the_points_of_a_pair_differ(dim):
    for x, y in chosen(believed(dim=dim), np.full(dim, 0.4), 20, rng()):
        assert np.abs(x - y).max() > choice.APART


@pytest.mark.parametrize("place", [0.4, 0.0])
def test_no_pair_that_may_be_asked_has_its_points_close(place, monkeypatch):
    gaps, weigh = [], choice._worth

    def watched(field, covariance, left, right):
        gaps.append(np.abs(field.points[left] - field.points[right]).max(axis=1).min())
        return weigh(field, covariance, left, right)

    monkeypatch.setattr(choice, "_worth", watched)
    chosen(believed(dim=1), np.full(1, place), 3, rng())
    assert len(gaps) == 3
    assert min(gaps) > choice.APART


@pytest.mark.parametrize("n", [1, 16, 32])
@pytest.mark.parametrize("dim", [1, 2])
def test_the_pairs_of_a_step_are_distinct(n, dim):
    assert len(keys(chosen(believed(dim=dim), np.full(dim, 0.4), n, rng()))) == n


@pytest.mark.parametrize("place", [(0.4, 0.4), (0.0, 1.0)])
def test_the_pairs_of_a_step_stay_in_the_box(place):
    for pair in chosen(believed(), np.array(place), 20, rng()):
        assert all(((p >= 0) & (p <= 1)).all() for p in pair)


def test_a_batch_looks_at_more_than_one_rivalry(monkeypatch):
    # Two candidates that are nearly one, and a third: the second pair must not be the twin's.
    same = np.array(
        [[1.0, 0.999, 0.0, 0.0], [0.999, 1.0, 0.0, 0.0], [0, 0, 0.0, 0.0], [0, 0, 0, 0.9]]
    )
    field = field_of([0.0] * 4, 50 * same, (0, 1, 3), 2)
    asked = np.array([1, 3, 5])  # the pairs (0, 2), (1, 2) and (2, 3)
    field = field._replace(left=field.left[asked], right=field.right[asked])
    monkeypatch.setattr(choice, "_field", lambda *_: field)
    pairs = chosen(believed(), np.full(2, 0.5), 2, rng())
    points = field.points[:, 0]
    assert {points[3]} & {float(p[0]) for p in pairs[1]}


def test_the_same_draws_give_the_same_pairs():
    one, two = (chosen(believed(), np.full(2, 0.4), 5, rng(3)) for _ in range(2))
    assert all(
        (x == y).all() for p, q in zip(one, two, strict=True) for x, y in zip(p, q, strict=True)
    )


def test_the_opening_asks_as_many_pairs_as_it_should_about_the_incumbent():
    centre = np.array([0.3, 0.6])
    pairs = opening(centre, 10, math.log(1.5), 7, rng())
    assert len(pairs) == 7
    assert all((x + y) / 2 == pytest.approx(centre) for x, y in pairs)


def test_draws_are_the_wider_the_less_sure_the_judge_is():
    widths = [choice.width(math.log(spread)) for spread in (0.01, 0.25, 0.5, 1.0, 1.25, 10.0)]
    assert widths == pytest.approx([1.0, 1.0, 0.5, 0.25, 0.2, 0.2])
