"""The model computed with pairs is the model computed with arms."""

import numpy as np
import pytest

from duelli.learners.model import differences
from duelli.learners.model.differences import mode_of_pairs, newton, pairs_of
from duelli.learners.model.laplace import mode_of_arms

from .samples import arms_of, counts_from, exact_counts, prior_of

PRIOR, ARMS = prior_of((0.4, 0.7, 0.3), 2.0), arms_of(12, 3)
UTILITIES = np.linspace(-3, 3, 12)
CLOSE = {"rel": 1e-3, "abs": 2e-3}  # both stop once a step brings less than 1e-3


def both(counts, start=None):
    start = np.zeros(len(ARMS)) if start is None else start
    return [way(PRIOR, ARMS, counts, start) for way in (mode_of_pairs, mode_of_arms)]


@pytest.mark.parametrize("n", [1, 10, 1000])
@pytest.mark.parametrize("seed", range(3))
def test_the_mode_and_the_evidence_are_those_of_the_arms(n, seed):
    pairs, arms = both(exact_counts(UTILITIES, n, seed=seed, pairs=20))
    assert pairs.evidence == pytest.approx(arms.evidence, abs=1e-3)
    differences = [np.subtract.outer(each.utilities, each.utilities) for each in (pairs, arms)]
    assert differences[0] == pytest.approx(differences[1], abs=0.02)


def test_without_duels_it_is_the_prior():
    pairs, arms = both(counts_from())
    assert pairs.utilities == pytest.approx(PRIOR.mean(ARMS), abs=1e-9)
    assert pairs.evidence == pytest.approx(arms.evidence, abs=1e-9) == 0


@pytest.mark.parametrize("scale", [1.0, 1e3])
def test_the_start_does_not_matter(scale):
    counts = exact_counts(UTILITIES, 20)
    far = scale * np.random.default_rng(0).standard_normal(len(ARMS))
    near, away = (both(counts, start)[0] for start in (UTILITIES, far))
    assert away.evidence == pytest.approx(near.evidence, abs=2e-3)
    assert away.utilities == pytest.approx(near.utilities, abs=0.05)


def test_pairs_that_are_judged_without_exception_have_a_mode():
    counts = counts_from(*[(i, i + 1, 50, 50) for i in range(11)])
    pairs, arms = both(counts)
    assert np.isfinite(pairs.utilities).all()
    assert pairs.evidence == pytest.approx(arms.evidence, rel=1e-3)


def test_the_mode_is_where_a_step_of_newton_stays(monkeypatch):
    monkeypatch.setattr(differences, "TOLERANCE", 1e-12)
    counts = exact_counts(UTILITIES, 5)
    pairs, _ = pairs_of(PRIOR, ARMS, counts)
    found = mode_of_pairs(PRIOR, ARMS, counts, np.zeros(len(ARMS))).utilities
    f = found[counts.left] - found[counts.right]
    assert newton(pairs, f).differences == pytest.approx(f, abs=1e-6)
    # Eq. (3.17): the weights are the slope of the log likelihood there.
    slope = counts.wins - counts.n / (1 + np.exp(-f))
    assert newton(pairs, f).weights == pytest.approx(slope, abs=1e-6)
