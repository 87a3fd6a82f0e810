"""Empirical divergences: updated pair by pair as if computed anew."""

import math

import numpy as np
import pytest
from paper.naive_duels import divergences, rates_of

from duelli.learners.finite.divergences import Divergences, divergence


@pytest.mark.parametrize(
    ("n", "wins", "value"),
    [(1, 0, math.log(2)), (10, 0, 10 * math.log(2)), (4, 2, 0.0), (4, 3, 0.0), (4, 4, 0.0)],
)
def test_the_divergence_of_a_pair(n, wins, value):
    assert divergence(n, wins) == pytest.approx(value)


def test_updates_give_what_a_fresh_start_finds_bit_for_bit():
    rng = np.random.default_rng(1)
    wins = np.zeros((5, 5))
    found = Divergences(wins)
    for _ in range(400):
        i, j = rng.choice(5, 2, replace=False).tolist()
        n = int(rng.integers(1, 4))
        found.add(i, j, n, float(rng.integers(0, 2 * n + 1)) / 2)
    fresh = Divergences(wins.copy())
    for name in ("n", "rates", "terms", "totals"):
        assert (getattr(found, name) == getattr(fresh, name)).all()
    np.testing.assert_allclose(found.totals, divergences(wins))
    np.testing.assert_allclose(found.rates, rates_of(wins))


def test_counts_the_pairs_that_have_met_too_rarely():
    found = Divergences(np.zeros((3, 3)))
    assert (found.short(0), found.short(2)) == (0, 3)
    found.add(0, 1, 1, 1.0)
    assert found.short(2) == 3
    found.add(1, 0, 1, 0.0)
    assert found.short(2) == 2
    found.add(1, 0, 1, 0.0)
    assert found.short(2) == 2
    assert found.short(1) == 2
    assert found.short(3) == 2
    assert found.short(4) == 3
