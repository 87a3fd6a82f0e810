"""Which pairs are asked: what a duel is worth, by conditioning and integrals written out."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from duelli.learners.model import choice
from duelli.learners.model.candidates import opening_signs
from duelli.learners.model.choice import Field, chosen, chosen_with_covariance, opening
from duelli.learners.model.laplace import root_weights
from duelli.learners.model.pool import empty
from duelli.learners.model.posterior import Posterior

from .samples import arms_of, exact_rows, fitted_pool, logistic, pool_of, prior_of

PRIOR = prior_of((0.4, 0.4))


def rng(seed=0):
    return np.random.default_rng(seed)


def believed(n=5, dim=2, m=15):
    """Return the posterior after duels on a quadratic."""
    prior, arms = prior_of([0.4] * dim), arms_of(m, dim)
    rows = exact_rows(-20 * ((arms - 0.4) ** 2).sum(axis=1), n)
    return Posterior(prior, fitted_pool(prior, pool_of(arms, rows)))


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


def test_a_duel_of_equal_points_tells_as_little_as_draws_leave():
    plain = field_of([0.0, 0.0], np.diag([1e-6, 0.0]), (0, 1))
    weights = [worth(plain._replace(share=share))[1] for share in (1.0, 0.3)]
    for weight, ties in zip(weights, (0.0, 2 * 0.7 / 0.3), strict=True):
        assert weight == pytest.approx(root_weights(np.zeros(1), np.ones(1), ties) ** 2, rel=1e-4)


def test_the_share_of_duels_that_tell_is_that_of_the_posterior():
    pool = fitted_pool(PRIOR, pool_of(arms_of(4, 2), [(0, 1, 3, 4), (2, 3, 1, 4)]))
    field = field_about(Posterior(PRIOR, pool, 2.0), np.full(2, 0.4))
    assert field.share == 0.5


def test_a_pair_that_is_known_well_is_worth_less():
    arms, values = np.array([[0.2, 0.2], [0.5, 0.5], [0.8, 0.8]]), []
    for n in (2, 20, 200):
        # Arms 0 and 1 have met n times, and arm 1 and 2 twice; all were ties.
        pool = fitted_pool(PRIOR, pool_of(arms, [(0, 1, n / 2, n), (1, 2, 1, 2)]))
        field = field_of(*Posterior(PRIOR, pool).mean_and_covariance(arms), (0, 1, 2), 1)
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


# The candidates.


def field_about(posterior, centre):
    return choice._field(posterior, centre, centre[None], rng(), ())


def test_the_belief_about_the_candidates_is_that_of_the_posterior():
    posterior = believed()
    field = field_about(posterior, np.full(2, 0.4))
    mean, covariance = posterior.mean_and_covariance(field.points)
    assert field.mean == pytest.approx(mean, abs=1e-12)
    assert field.covariance == pytest.approx(covariance, abs=1e-12)


def test_the_best_points_of_the_pairs_are_candidates_and_the_others_are_not():
    posterior = believed(m=40)
    means = posterior.mean(posterior.points)
    assert len(means) > choice.BEST_POINTS
    there = set(map(tuple, field_about(posterior, np.full(2, 0.4)).points.tolist()))
    are = np.array([point in there for point in map(tuple, posterior.points.tolist())])
    assert are.any()
    assert not are.all()
    assert means[are].min() > means[~are].max()


def test_half_of_the_opposite_pairs_lie_in_the_directions_of_the_best_points():
    # The length scales are equal: other opposite pairs move both axes alike.
    posterior, centre, half = believed(), np.full(2, 0.4), choice.OPPOSITE // 2
    points = field_about(posterior, centre).points
    moves = np.abs(points[:half] - points[choice.OPPOSITE :][:half])
    towards = np.abs(posterior.points - centre)
    cross = moves[:, :1] * towards[:, 1] - moves[:, 1:] * towards[:, 0]
    assert np.abs(cross).min(axis=1) == pytest.approx(0, abs=1e-12)


def test_the_incumbent_is_the_candidate_that_it_is_said_to_be():
    centre = np.array([0.4, 0.3])
    field = field_about(believed(), centre)
    assert field.points[field.incumbent].tolist() == centre.tolist()


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


def reduction(duels):
    """Return the covariance of two points, how it changes with the best pair, and that pair's."""
    posterior, others = believed(), np.array([[0.2, 0.7], [0.6, 0.1]])
    (pair,), later = chosen_with_covariance(posterior, np.full(2, 0.4), others, 1, duels, rng())
    _, covariance = posterior.mean_and_covariance(np.vstack([others, *pair]))
    shared = covariance[:2, 2] - covariance[:2, 3]
    variance = covariance[2, 2] + covariance[3, 3] - 2 * covariance[2, 3]
    return covariance[:2, :2] - later, np.outer(shared, shared), variance


def test_after_endless_duels_of_a_pair_its_difference_is_known():
    less, shared, variance = reduction(1e12)
    assert less == pytest.approx(shared / variance, rel=1e-6)


def test_each_duel_of_a_pair_says_as_much_as_the_first():
    weights = []
    for duels in (1.0, 4.0, 20.0):
        less, shared, variance = reduction(duels)
        assert less == pytest.approx(shared * less[0, 0] / shared[0, 0], abs=1e-12)
        known = less[0, 0] / shared[0, 0]
        weights.append(known / (1 - known * variance) / duels)
    assert weights == pytest.approx([weights[0]] * 3, rel=1e-6)
    assert 0 < weights[0] <= 0.25


@pytest.mark.parametrize("dim", [1, 3])
def test_without_any_pair_in_the_model_there_are_pairs_to_ask(dim):
    posterior = Posterior(prior_of([0.4] * dim), empty(dim))
    assert len(keys(chosen(posterior, np.full(dim, 0.5), 8, rng()))) == 8


def test_the_same_draws_give_the_same_pairs():
    one, two = (chosen(believed(), np.full(2, 0.4), 5, rng(3)) for _ in range(2))
    assert all(
        (x == y).all() for p, q in zip(one, two, strict=True) for x, y in zip(p, q, strict=True)
    )


def test_the_opening_asks_as_many_pairs_as_it_should_about_the_incumbent():
    centre = np.array([0.3, 0.6])
    pairs = opening(centre, 10, math.log(1.5), 7, 3, rng())
    assert len(pairs) == 7
    # The pairs of a step go on where those of the step before have ended.
    signs = [np.sign(x - y).tolist() for x, y in pairs]
    assert signs == [opening_signs(2, 10 + k, 3).tolist() for k in range(7)]
    assert all((x + y) / 2 == pytest.approx(centre) for x, y in pairs)


# How wide the draws are.


def test_draws_are_the_wider_the_less_sure_the_judge_is():
    fog, least = choice.FOG, choice.LEAST_WIDTH
    spreads = (fog / 100, fog, 2 * fog, fog / least, 10 * fog / least)
    widths = [choice.width(math.log(spread), choice.FEW) for spread in spreads]
    assert widths == pytest.approx([1.0, 1.0, 0.5, least, least])


def test_draws_are_the_wider_the_more_duels_there_were_beyond_a_few():
    widths = [choice.width(math.log(100.0), factor * choice.FEW) for factor in (0, 1, 2, 3)]
    assert widths == pytest.approx(
        [choice.LEAST_WIDTH * factor**choice.GROWING for factor in (1, 1, 2, 3)]
    )


def test_all_of_the_posterior_counts_after_a_thousand_duels():
    """Draws that stayed narrow found the higher of two peaks in fewer runs of 5000 duels."""
    assert choice.width(math.log(100.0), 600) < 1
    assert choice.width(math.log(100.0), 1000) == pytest.approx(1)


def test_draws_are_never_wider_than_the_posterior():
    assert choice.width(math.log(100.0), 10**9) == 1


def test_draws_are_as_wide_as_the_duels_of_the_posterior_say(monkeypatch):
    shares, maxima = [], choice._maxima

    def watched(mean, covariance, draws):
        shares.append(covariance)
        return maxima(mean, covariance, draws)

    monkeypatch.setattr(choice, "_maxima", watched)
    for n in (5, choice.FEW):
        posterior = believed(n=n)
        field = field_about(posterior, np.full(2, 0.4))
        share = choice.width(posterior.prior.spread, posterior.telling)
        assert shares[-1] == pytest.approx(share**2 * field.covariance, abs=1e-12)
    assert shares[0].trace() != pytest.approx(shares[1].trace(), rel=0.1)
