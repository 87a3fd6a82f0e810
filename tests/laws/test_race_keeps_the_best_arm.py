"""The guarantee of ArcRace: a cube that holds x* is eliminated with probability at most δ."""

import math

import pytest
from scipy import stats

from duelli import LANDSCAPES, ArcRace, DuelModel
from duelli.cubes import contains
from duelli.landscapes import shifted_copy
from duelli.learners.race import scan
from duelli.testing.watch import eliminations

from .twins import eliminated_by, twins

DELTA = 0.05


def most_lost(runs, delta):
    """Return the losses that a build which keeps δ exceeds with probability below 1e-6.

    A correct build spends only half of δ on eliminations, so that it fails even more rarely.
    """
    return int(stats.binom.isf(1e-6, runs, delta))


# Twin cones, seen from the second peak. P(Bin(20, 0.05) > 8) = 2e-7 and P(Bin(12, 0.05) > 6) =
# 5e-7 are what the two tests may fail with although all is well; a build that loses x* in every
# run fails surely.
TWINS = [(1, 20), pytest.param(2, 12, marks=pytest.mark.slow)]


def check_the_twins(dim, runs):
    results = [eliminated_by(seed, dim=dim) for seed in range(runs)]
    assert min(count for count, _, _ in results) > 0  # every run eliminates
    assert sum(lost for _, lost, _ in results) <= most_lost(runs, DELTA)


@pytest.mark.parametrize(("dim", "runs"), TWINS)
def test_the_cube_of_the_best_arm_survives_on_twin_cones(dim, runs):
    check_the_twins(dim, runs)


@pytest.mark.parametrize(("dim", "runs"), TWINS)
def test_a_learner_that_eliminates_every_tested_cube_is_caught(dim, runs, monkeypatch):
    monkeypatch.setattr(scan, "log_evidence", lambda *_: math.inf)
    with pytest.raises(AssertionError, match=f"<= {most_lost(runs, DELTA)}"):
        check_the_twins(dim, runs)


@pytest.mark.parametrize(("dim", "runs"), TWINS)
def test_a_learner_that_takes_ties_for_losses_is_caught(dim, runs, monkeypatch):
    # Any cube that does not win is eliminated, as if every centre were as good as the best arm.
    monkeypatch.setattr(scan, "log_evidence", lambda n, wins, *_: math.inf * (n - 2 * wins))
    with pytest.raises(AssertionError, match=f"<= {most_lost(runs, DELTA)}"):
        check_the_twins(dim, runs)


def test_a_learner_that_eliminates_nothing_has_nothing_to_show(monkeypatch):
    monkeypatch.setattr(scan, "log_evidence", lambda *_: -math.inf)
    with pytest.raises(AssertionError, match="> 0"):
        check_the_twins(1, 2)


# The referee: the same at the levels at which a loss is to be expected.

LEVELS = [(0.05, 200), (0.5, 200), (0.95, 200)]


@pytest.mark.slow
@pytest.mark.parametrize("held", [True, False])
@pytest.mark.parametrize(("delta", "runs"), LEVELS)
def test_the_best_arm_is_lost_no_more_often_than_claimed(delta, runs, held):
    # 200 runs each; a build that keeps δ fails with probability below 1e-6.
    lost = wrong = 0
    for seed in range(runs):
        _, gone, learner = eliminated_by(seed, dim=1, delta=delta, held=held)
        model, answer = DuelModel(twins(seed, 1)[0]), learner.best()
        lost += gone
        wrong += float(model.gap_to_best(answer.arm)) > answer.gap_high
        assert answer.confidence == 0 or answer.confidence >= 1 - delta
    assert lost <= most_lost(runs, delta)
    assert wrong <= most_lost(runs, delta)


# The landscapes of the package, as runs come.

PLANE = [name for name, each in LANDSCAPES.items() if each.dim == 2]
FREE = range(4)  # P(Bin(4, 0.05) > 3) = 6e-6, for each landscape


def free_run(name, seed):
    """Return the best arm and the cubes that a run as it comes has eliminated."""
    model = DuelModel(shifted_copy(LANDSCAPES[name], seed))
    slopes = {"slope_max": model.link.slope_max, "lipschitz": model.landscape.lipschitz}
    learner = ArcRace(dim=2, failure_prob=DELTA, **slopes, horizon=10**10)
    return model.landscape.best_arm, list(eliminations(learner, model, seed))


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANE)
def test_the_cube_of_the_best_arm_survives(name):
    runs = [free_run(name, seed) for seed in FREE]
    assert min(len(eliminated) for _, eliminated in runs) > 0
    # Any cube that holds x* counts, not those of one chain only.
    lost = sum(any(contains(path, best) for path in eliminated) for best, eliminated in runs)
    assert lost <= 3
