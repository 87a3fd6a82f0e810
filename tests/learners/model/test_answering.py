"""What the model claims for its point, which parameters matter, and how it says so."""

import math

import numpy as np
import pytest

from duelli.learners.model import answering
from duelli.learners.model.answering import PROBABILITY, Outlook, answer, outlook
from duelli.learners.model.pool import empty
from duelli.learners.model.posterior import Posterior

from .samples import arms_of, exact_rows, fitted_pool, pool_of, prior_of

EVEN = (0.5, 0.5)


def rng(seed=0):
    return np.random.default_rng(seed)


def believed(utility, n=200, dim=2):
    """Return the posterior after n duels of many pairs, won exactly as often as expected."""
    prior, arms = prior_of([0.6] * dim, 3.0), arms_of(60, dim)
    rows = exact_rows(utility(arms), n, pairs=240)
    return Posterior(prior, fitted_pool(prior, pool_of(arms, rows)))


def along(axis):
    """Return a utility that depends on one axis only."""
    return lambda arms: -10 * (arms[:, axis] - 0.4) ** 2


# Which parameters matter.


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_only_parameter_that_matters_has_nearly_all_of_the_share(axis):
    view = outlook(believed(along(axis), dim=3), np.full(3, 0.4), rng())
    assert sum(view.matters) == pytest.approx(1)
    assert view.matters[axis] > 0.8


def test_parameters_that_matter_alike_have_like_shares():
    both = believed(lambda arms: along(0)(arms) + along(1)(arms))
    assert outlook(both, np.full(2, 0.4), rng()).matters == pytest.approx(EVEN, abs=0.1)


@pytest.mark.parametrize("best", [(0.5, 0.5), (1.0, 0.3)])
def test_what_only_the_prior_says_gives_no_parameter_a_larger_share(best):
    nothing = Posterior(prior_of((0.2, 2.0), 3.0), empty(2))
    assert outlook(nothing, np.array(best), rng()).matters == EVEN


def test_a_change_that_may_be_chance_gives_no_parameter_a_larger_share():
    assert outlook(believed(along(0), n=0.02), np.full(2, 0.4), rng()).matters == EVEN


# What is claimed.


@pytest.mark.parametrize("ties", [0.0, 4.7])
def test_a_gap_counts_draws_as_half_a_win(ties):
    gaps = answering._gaps(np.array([0.3, 1.5]), np.zeros((2, 2)), np.zeros((2, 3)), ties)
    up, down = math.exp(answering.WIDER * 0.6), math.exp(-answering.WIDER * 0.6)
    expected = (up + ties / 2) / (up + down + ties) - 0.5
    assert gaps == pytest.approx([expected] * 3, abs=1e-6)


def test_the_claim_counts_the_draws_of_the_posterior():
    pool = pool_of(arms_of(6, 2), [(k, k + 1, 2, 4) for k in range(5)])
    claims = [
        outlook(Posterior(prior_of((0.4, 0.4), 0.1), pool, ties), np.full(2, 0.5), rng()).gap_high
        for ties in (0.0, 20.0)
    ]
    assert claims[1] < claims[0] / 2


@pytest.mark.parametrize("n", [0.1, 1, 100])
def test_more_duels_are_never_said_to_make_the_claim_wider(n):
    view = outlook(believed(along(0), n=n), np.full(2, 0.4), rng())
    assert 0 <= view.later <= view.gap_high <= 0.5
    assert 0 <= view.gap_median <= view.gap_high


def test_a_larger_gap_of_later_draws_is_not_claimed(monkeypatch):
    draws = iter([np.full(answering.DRAWS, gap) for gap in (0.2, 0.3)])
    monkeypatch.setattr(answering, "_gaps", lambda *_: next(draws))
    assert outlook(believed(along(0)), np.full(2, 0.4), rng()).later == pytest.approx(0.203)


def test_the_claim_is_narrower_after_more_duels():
    few, many = (outlook(believed(along(0), n=n), np.full(2, 0.4), rng()) for n in (1, 1000))
    assert many.gap_high < few.gap_high / 2


def test_the_claim_holds_nine_tenths_of_the_draws(monkeypatch):
    gaps = np.linspace(0, 0.4, answering.DRAWS)
    monkeypatch.setattr(answering, "_gaps", lambda *_: gaps)
    view = outlook(believed(along(0)), np.full(2, 0.4), rng())
    assert view.gap_high == pytest.approx(0.36 + answering.RESOLUTION, abs=0.002)
    assert view.gap_median == pytest.approx(0.2, abs=0.002)


@pytest.mark.parametrize(("gap", "claim"), [(0.0, 0.003), (0.1, 0.103), (0.499, 0.5)])
def test_no_claim_is_finer_than_the_resolution_of_the_model(monkeypatch, gap, claim):
    monkeypatch.setattr(answering, "_gaps", lambda *_: np.full(answering.DRAWS, gap))
    view = outlook(believed(along(0)), np.full(2, 0.4), rng())
    assert (view.gap_high, view.later) == pytest.approx((claim, claim))
    assert view.gap_median == gap


# What is said.


def test_the_text_has_the_claim_and_what_more_duels_would_bring():
    said = answer((0.5, 0.5), 200, Outlook(0.1, 0.05, 0.08, EVEN))
    assert "with probability 90 % the best point of the box wins at most 60 %" in said.text
    assert "Another 100 duels are expected to bring that to about 58 %." in said.text
    assert said.confidence == PROBABILITY
    assert said.gap_high == 0.1


def test_more_duels_that_would_bring_nothing_are_said_to_bring_nothing():
    said = answer((0.5, 0.5), 200, Outlook(0.1, 0.05, 0.1, EVEN))
    assert "Another 100 duels are expected to hardly change that." in said.text


@pytest.mark.parametrize("gap", [0.46, 0.4999, 0.5])
def test_a_claim_that_says_nothing_is_not_made_in_words(gap):
    said = answer((0.5, 0.5), 200, Outlook(gap, 0.3, gap, EVEN))
    assert "cannot say yet" in said.text
    assert "%" not in said.text


@pytest.mark.parametrize(("gap", "words"), [(0.468, "96.8 %"), (1e-4, "50.01 %"), (0.0, "50")])
def test_percentages_have_the_digits_that_they_need(gap, words):
    assert answering._percent(gap).startswith(words)
    assert math.isfinite(float(answering._percent(gap).removesuffix(" %")))
