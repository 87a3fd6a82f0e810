"""Copies of a landscape: another place, the same shape."""

import numpy as np
import pytest

from duelli import LANDSCAPES, DuelModel
from duelli._rng import stream
from duelli.landscapes import shifted_copy
from duelli.testing import LandscapeKit

NAMES = sorted(LANDSCAPES)


class TestCopies(LandscapeKit):
    @pytest.fixture(params=NAMES)
    def landscape(self, request):
        return shifted_copy(LANDSCAPES[request.param], seed=3)


def test_the_same_seed_makes_the_same_copy():
    arms = stream(0, "trial").random((50, 2))
    first, second = (shifted_copy(LANDSCAPES["flat"], 5).utility(arms) for _ in range(2))
    assert (first == second).all()


def test_other_seeds_put_the_best_arm_elsewhere_on_both_sides():
    best = np.array([shifted_copy(LANDSCAPES["two_cones"], seed).best_arm for seed in range(40)])
    assert len(np.unique(best, axis=0)) == 40
    assert (best.min(axis=0) < 0.4).all()
    assert (best.max(axis=0) > 0.6).all()


def test_the_best_utility_stays_the_same():
    for name in NAMES:
        copy = shifted_copy(LANDSCAPES[name], 1)
        assert copy.best_utility == pytest.approx(LANDSCAPES[name].best_utility)
        assert DuelModel(copy).gap_to_best(copy.best_arm) == 0
