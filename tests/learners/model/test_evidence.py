"""How the scales of the prior are learnt."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from duelli.learners.model import evidence
from duelli.learners.model.evidence import FIRST_DUELS, SCALES, SPREADS, first_prior, fitted
from duelli.learners.model.laplace import mode
from duelli.learners.model.prior import Prior

from .samples import arms_of, exact_rows, incidence, most_probable, pool_of

# A utility that varies along the first axis only.
ARMS = arms_of(25, 2)
ROWS = exact_rows(4 * np.sin(9 * ARMS[:, 0]), 8)
POOL = pool_of(ARMS, ROWS)


def score(prior):
    """Return the log of evidence times belief: normal laws of the logarithms."""
    assert prior.scales.shape == (2,)
    return mode(prior, POOL).evidence + belief(prior)


def belief(prior):
    """Return the log density of scales that have a part in common, and of the spread."""
    dim, usual = len(prior.scales), first_prior(len(prior.scales))
    own, common = evidence.OWN_DEVIATION**2, evidence.COMMON_DEVIATION**2
    covariance = own * np.eye(dim) + common * np.ones((dim, dim))
    scales = stats.multivariate_normal.logpdf(prior.scales, usual.scales, covariance)
    return scales + stats.norm.logpdf(prior.spread, usual.spread, evidence.SPREAD_DEVIATION)


def course(steps, pool=POOL):
    """Return the priors of some steps, each fitted to the same duels."""
    priors = [first_prior(2)]
    for step in range(steps):
        prior, pool = fitted(priors[-1], pool, step)
        priors.append(prior)
    return priors


def differences(prior):
    """Return the most probable differences, found by a general optimiser."""
    return incidence(len(ARMS), ROWS).T @ most_probable(prior, ARMS, ROWS)


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


@pytest.fixture
def one_try(monkeypatch):
    """Let each step try one move only."""
    monkeypatch.setattr(evidence, "MOST_TRIED", 1)


KINDS = [(1, 1, 0), (0, 0, 1), (1, 1, 1), (1, 0, 0), (0, 1, 0)]  # of moves in two dimensions
MOVES = [tuple(sign * x for x in kind) for kind in KINDS for sign in (1, -1)]


@pytest.mark.usefixtures("one_try")
@pytest.mark.parametrize("step", range(2 * len(MOVES)))
def test_a_step_makes_its_move_if_that_explains_the_duels_better(step):
    before = first_prior(2)
    after, _ = fitted(before, POOL, step)
    move = evidence.FINE_MOVE * np.array(MOVES[step % len(MOVES)])  # there are many duels
    there = Prior(before.scales + move[:2], before.spread + move[2])
    expected = move if score(there) > score(before) else np.zeros(3)
    assert moved(before, after) == pytest.approx(expected)


@pytest.mark.usefixtures("one_try")
def test_some_moves_are_made_and_some_are_not():
    first = first_prior(2)
    made = [fitted(first, POOL, step)[0] is not first for step in range(len(MOVES))]
    assert 0 < sum(made) < len(made)


def test_the_belief_is_that_of_scales_with_a_part_in_common():
    rng, usual = np.random.default_rng(3), first_prior(3)
    priors = [Prior(usual.scales + rng.normal(0, 1, 3), rng.normal()) for _ in range(6)]
    found, expected = (np.array([of(p) for p in priors]) for of in (evidence._log_belief, belief))
    assert found - found[0] == pytest.approx(expected - expected[0])  # up to a constant


@pytest.mark.parametrize(("pairs", "tries"), [(20, 4), (150, 4), (200, 3), (300, 2), (360, 1)])
def test_fewer_moves_are_tried_the_more_pairs_there_are(pairs, tries, monkeypatch):
    turns = []

    def watched(prior, turn, _):
        turns.append(turn)
        return prior

    monkeypatch.setattr(evidence, "_moved", watched)
    fitted(first_prior(2), pool_of(arms_of(20, 2), [(k % 19, 19, 1, 1) for k in range(pairs)]), 7)
    assert turns == list(range(7 * tries, 8 * tries))


def test_where_no_move_is_better_the_prior_stays():
    priors = course(60)
    assert moved(priors[-5], priors[-1]) == (0, 0, 0)


def test_a_few_duels_say_nothing_of_scales():
    pool, first = pool_of(ARMS, [(0, k, 1, 1) for k in range(1, FIRST_DUELS)]), first_prior(2)
    for step in range(4):
        assert fitted(first, pool, step)[0] is first


def test_a_few_more_duels_say_something_of_scales():
    pool, first = pool_of(ARMS, [(0, k, 1, 1) for k in range(1, FIRST_DUELS + 1)]), first_prior(2)
    assert any(fitted(first, pool, step)[0] is not first for step in range(4))


@pytest.mark.usefixtures("one_try")
@pytest.mark.parametrize("duels", [evidence.FINE_AFTER - 1, evidence.FINE_AFTER])
def test_moves_are_finer_once_there_are_many_duels(duels):
    pool = POOL._replace(wins=POOL.wins * duels / POOL.n.sum(), n=POOL.n * duels / POOL.n.sum())
    size = evidence.MOVE if duels < evidence.FINE_AFTER else evidence.FINE_MOVE
    changes = [moved(first_prior(2), fitted(first_prior(2), pool, step)[0]) for step in range(10)]
    sizes = {round(abs(change), 9) for each in changes for change in each}
    assert sizes == {0.0, size}


@pytest.mark.parametrize("step", [0, 1])
def test_the_differences_are_those_of_the_prior_that_it_returns(step):
    before = first_prior(2)
    prior, pool = fitted(before, POOL, step)
    assert prior is not before
    assert pool.differences == pytest.approx(differences(prior), abs=0.02)


def test_where_the_prior_stays_the_differences_are_still_fitted():
    few = [(0, 1, 1, 1), (2, 1, 2, 3)]
    _, pool = fitted(first_prior(2), pool_of(ARMS, few), 0)
    expected = incidence(len(ARMS), few).T @ most_probable(first_prior(2), ARMS, few)
    assert pool.differences == pytest.approx(expected, abs=0.02)


def test_nothing_of_the_pool_but_the_differences_is_changed():
    before = [part.copy() for part in POOL]
    _, pool = fitted(first_prior(2), POOL, 1)
    for one, other, given in zip(pool[:-1], POOL[:-1], before[:-1], strict=True):
        assert (one == given).all()
        assert (other == given).all()
    assert (POOL.differences == 0).all()
    assert not (pool.differences == 0).any()


@pytest.mark.parametrize("bound", ["SCALES", "SPREADS"])
@pytest.mark.parametrize("end", [0, 1])
def test_no_move_leaves_the_bounds(bound, end, monkeypatch):
    # Without a belief, duels that were all ties or all sure pull the prior to its bounds.
    for name in ("COMMON_DEVIATION", "OWN_DEVIATION", "SPREAD_DEVIATION"):
        monkeypatch.setattr(evidence, name, 1e6)
    usual, edge = first_prior(2), getattr(evidence, bound)[end]
    edges = {"SCALES": Prior(np.full(2, edge), usual.spread), "SPREADS": Prior(usual.scales, edge)}
    for rows in (exact_rows(0 * ARMS[:, 0], 50), exact_rows(500 * ARMS[:, 0], 50)):
        for step in range(4):
            tried, _ = fitted(edges[bound], pool_of(ARMS, rows), step)
            assert SCALES[0] <= tried.scales.min() <= tried.scales.max() <= SCALES[1]
            assert SPREADS[0] <= tried.spread <= SPREADS[1]
