"""The guarantee of ArcRace: a cube that holds x* is eliminated with probability at most δ."""

import math

import pytest

from duelli import LANDSCAPES, ArcRace, DuelModel
from duelli.cubes import contains
from duelli.landscapes import shifted_copy
from duelli.testing.watch import eliminations

pytestmark = pytest.mark.slow

PLANE = [name for name, found in LANDSCAPES.items() if found.dim == 2]


@pytest.mark.parametrize("name", PLANE)
def test_the_cube_of_the_best_arm_survives(name):
    # δ = 0.05. If the true rate were 0.05, more than 5 % + 5 sd of 25 runs has probability below
    # 1e-6; far fewer are expected, because the bias is rarely as large as it may be.
    runs, lost = 25, 0
    for seed in range(runs):
        model = DuelModel(shifted_copy(LANDSCAPES[name], seed))
        learner = ArcRace(
            dim=2,
            horizon=10**6,
            slope_max=model.link.slope_max,
            lipschitz=model.landscape.lipschitz,
        )
        best = model.landscape.best_arm
        # Any cube that holds x* counts, not those of one chain only.
        lost += any(contains(path, best) for path in eliminations(learner, model, seed))
    assert lost <= runs * 0.05 + 5 * math.sqrt(runs * 0.05 * 0.95)
