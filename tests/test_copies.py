"""Copies of a landscape: another place, the same shape."""

import pickle

import numpy as np
import pytest

from duelli import LANDSCAPES, DuelModel
from duelli._rng import stream
from duelli.landscapes import landscape, shifted_copy
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


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_can_be_pickled(name):
    copy = shifted_copy(LANDSCAPES[name], 4)
    arms, again = stream(0, "trial").random((9, copy.dim)), pickle.loads(pickle.dumps(copy))
    assert again.utility(arms).tolist() == copy.utility(arms).tolist()


def test_a_copy_of_a_copy_is_one_of_the_first():
    twice = shifted_copy(shifted_copy(LANDSCAPES["sharp"], 1), 2)
    assert twice.utility_at(twice.best_arm) == pytest.approx(1.0, abs=1e-12)


def test_a_copy_of_a_user_s_function_takes_one_arm_too():
    copy = shifted_copy(landscape(lambda xs: -np.abs(xs - 0.4).max(axis=1), 2), 1)
    arm = (0.3, 0.8)
    assert copy.utility_at(arm) == pytest.approx(copy.utility(np.array([arm]))[0], abs=1e-15)


def test_a_whole_float_is_the_same_seed_as_the_int():
    assert shifted_copy(LANDSCAPES["sharp"], 3.0).name == "sharp, copy 3"
