"""How the scales of the prior are learnt."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from duelli.learners.model import evidence
from duelli.learners.model.evidence import FIRST_DUELS, SCALES, SPREADS, first_prior, fitted
from duelli.learners.model.posterior import mode
from duelli.learners.model.prior import Prior

from .samples import arms_of, counts_from, exact_counts

# A utility that varies along the first axis only.
ARMS = arms_of(25, 2)
COUNTS = exact_counts(4 * np.sin(9 * ARMS[:, 0]), 8)


def score(prior, arms=ARMS, counts=COUNTS):
    """Return the log of evidence times belief: normal laws of the logarithms."""
    usual, dim = first_prior(arms.shape[1]), arms.shape[1]
    belief = stats.norm.logpdf(prior.scales, usual.scales, evidence.SCALE_DEVIATION).sum()
    belief += stats.norm.logpdf(prior.spread, usual.spread, evidence.SPREAD_DEVIATION)
    assert prior.scales.shape == (dim,)
    return mode(prior, arms, counts, np.zeros(len(arms))).evidence + belief


def course(steps, arms=ARMS, counts=COUNTS):
    """Return the priors of some steps, each fitted to the same duels."""
    priors, utilities = [first_prior(arms.shape[1])], np.zeros(len(arms))
    for step in range(steps):
        prior, utilities = fitted(priors[-1], arms, counts, utilities, step)
        priors.append(prior)
    return priors


def moved(before, after):
    return (*(after.scales - before.scales).tolist(), after.spread - before.spread)


def test_the_first_prior_lies_inside_its_bounds():
    for dim in (1, 2, 10, 50):
        prior = first_prior(dim)
        assert prior.scales.shape == (dim,)
        assert SCALES[0] < prior.scales.min() <= prior.scales.max() < SCALES[1]
        assert SPREADS[0] < prior.spread < SPREADS[1]


def test_more_dimensions_have_longer_scales_at_first():
    scales = [first_prior(dim).scales[0] for dim in (1, 4, 16)]
    assert scales == sorted(scales)


def test_no_step_makes_the_prior_explain_the_duels_less():
    scores = [score(prior) for prior in course(12)]
    # The mode is found to within a tolerance, and so is its evidence.
    assert all(after > before - 1e-2 for before, after in pairwise(scores))
    assert scores[-1] > scores[0] + 1


def test_an_axis_without_effect_gets_a_longer_scale():
    scales = course(24)[-1].scales
    assert scales[1] > scales[0] + 1


def test_the_steps_move_all_scales_or_the_spread_or_one_axis_in_turns():
    priors = course(12)
    for step in range(12):
        change = moved(priors[step], priors[step + 1])
        still = {0: [2], 1: [0, 1], 2: [1, 2], 3: [0, 2]}[step % 4]
        assert [change[k] for k in still] == [0] * len(still)
        if step % 4 == 0:
            assert change[0] == pytest.approx(change[1])


def test_where_no_move_is_better_the_prior_stays():
    priors = course(60)
    assert moved(priors[-5], priors[-1]) == (0, 0, 0)


def test_a_few_duels_say_nothing_of_scales():
    counts = counts_from(*((0, k, k % 2, 1) for k in range(1, FIRST_DUELS)))
    first = first_prior(2)
    for step in range(4):
        assert fitted(first, ARMS, counts, np.zeros(len(ARMS)), step)[0] is first


def test_the_utilities_are_those_of_the_prior_that_it_returns():
    prior, utilities = fitted(first_prior(2), ARMS, COUNTS, np.zeros(len(ARMS)), 1)
    expected = mode(prior, ARMS, COUNTS, np.zeros(len(ARMS))).utilities
    assert utilities == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("bound", ["SCALES", "SPREADS"])
@pytest.mark.parametrize("end", [0, 1])
def test_no_move_leaves_the_bounds(bound, end, monkeypatch):
    # Without a belief, duels that were all ties or all sure pull the prior to its bounds.
    monkeypatch.setattr(evidence, "SCALE_DEVIATION", 1e6)
    monkeypatch.setattr(evidence, "SPREAD_DEVIATION", 1e6)
    usual, edge = first_prior(2), getattr(evidence, bound)[end]
    edges = {"SCALES": Prior(np.full(2, edge), usual.spread), "SPREADS": Prior(usual.scales, edge)}
    for counts in (exact_counts(0 * ARMS[:, 0], 50), exact_counts(500 * ARMS[:, 0], 50)):
        for step in range(4):
            tried, _ = fitted(edges[bound], ARMS, counts, np.zeros(len(ARMS)), step)
            assert SCALES[0] <= tried.scales.min() <= tried.scales.max() <= SCALES[1]
            assert SPREADS[0] <= tried.spread <= SPREADS[1]
