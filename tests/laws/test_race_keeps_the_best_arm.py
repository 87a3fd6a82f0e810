"""The guarantee of ArcRace: a cube that holds x* is eliminated with probability at most δ."""

import math

import pytest
from scipy import stats

from duelli import LANDSCAPES, ArcRace, DuelModel
from duelli.cubes import contains
from duelli.landscapes import shifted_copy
from duelli.learners.race import machine, scan
from duelli.testing.watch import eliminations

pytestmark = pytest.mark.slow

PLANE = [name for name, landscape in LANDSCAPES.items() if landscape.dim == 2]
DELTA = 0.05
FREE, HELD = range(4), range(4, 14)  # the seeds of the runs of each kind
RUNS = len(FREE) + len(HELD)
# The largest number of losses that a correct build exceeds with probability below 1e-6: 7 of 14
# runs. The true probability is P(Bin(14, 0.05) > 7) = 9e-8 for each landscape.
MOST_LOST = int(stats.binom.isf(1e-6, RUNS, DELTA))


def race(model, **inputs):
    slopes = {"slope_max": model.link.slope_max, "lipschitz": model.landscape.lipschitz}
    return ArcRace(dim=2, failure_prob=DELTA, **slopes, **inputs)


def free_run(name, seed):
    """Return the best arm and the cubes that a run as it comes has eliminated."""
    model = DuelModel(shifted_copy(LANDSCAPES[name], seed))
    learner = race(model, horizon=10**9)
    return model.landscape.best_arm, list(eliminations(learner, model, seed))


def held_run(name, seed):
    """Return the same of a run whose reference stays at an arm that is 0.4 away from x*.

    The guarantee holds for any reference. With its own, the learner soon stands so close to x*
    that the cubes of x* are not tested at all, and a wrong test would do no harm.
    """
    model = DuelModel(shifted_copy(LANDSCAPES[name], seed))
    best = model.landscape.best_arm
    start = tuple(x + 0.4 if x < 0.5 else x - 0.4 for x in best)
    learner = race(model, horizon=10**8, start=start, without=("local_search",))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(machine, "CHALLENGE", -math.inf)  # no cell is ever a rival
        eliminated = list(eliminations(learner, model, seed))
    return best, eliminated


def check_the_guarantee(name):
    runs = [free_run(name, seed) for seed in FREE] + [held_run(name, seed) for seed in HELD]
    assert sum(len(eliminated) for _, eliminated in runs) > len(FREE)  # there is something to lose
    # Any cube that holds x* counts, not those of one chain only.
    lost = sum(any(contains(path, best) for path in eliminated) for best, eliminated in runs)
    assert lost <= MOST_LOST


@pytest.mark.parametrize("name", PLANE)
def test_the_cube_of_the_best_arm_survives(name):
    check_the_guarantee(name)


@pytest.mark.parametrize("name", ["sharp", "two_cones_linf", "ridge"])
def test_a_learner_that_eliminates_every_tested_cube_breaks_the_guarantee(name, monkeypatch):
    monkeypatch.setattr(scan, "log_evidence", lambda *_: math.inf)
    with pytest.raises(AssertionError, match=f"<= {MOST_LOST}"):
        check_the_guarantee(name)


def test_a_learner_that_eliminates_nothing_has_nothing_to_show(monkeypatch):
    monkeypatch.setattr(scan, "log_evidence", lambda *_: -math.inf)
    with pytest.raises(AssertionError, match="> 4"):
        check_the_guarantee("sharp")
