"""D-TS+ and RMED2F beside those of duelpy: the same parts, and where duelpy departs."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from duelli.learners.finite import DoubleThompsonSampling, Rmed2f

from . import test_against_duelpy as beside
from .matrices import Script, arithmetic

duelpy = beside.duelpy  # the fixture
ARMS = 4


def samples(count):
    """Return samples of all θ, in which arms often tie for the largest score."""
    rng = np.random.default_rng(5)
    upper = np.triu(rng.random((count, ARMS, ARMS)), 1)
    theta = upper + np.tril(1 - np.swapaxes(upper, 1, 2), -1)
    theta[:, range(ARMS), range(ARMS)] = 0.5
    return theta


def firsts_of_duelpy(duelpy, theta, monkeypatch):
    """Return the first arms that D-TS+ of duelpy chooses for these samples."""
    theirs = beside.entered(
        duelpy.DoubleThompsonSamplingPlus(beside.Scripted(ARMS, None), time_horizon=10**5),
        beside.WINS,
    )
    theirs.time_step = beside.DUELS + 1
    theirs._update_confidence_radius()
    kind = type(theirs.preference_estimate.get_mean_estimate_matrix())
    found = []
    for sample in theta:
        monkeypatch.setattr(
            theirs.preference_estimate, "sample_preference_matrix", lambda _, s=sample: kind(s)
        )
        found.append(int(theirs._choose_first_candidate()))
    return np.array(found)


def firsts_of_ours(theta):
    """Return the first arms that our D-TS+ chooses, and the scores of the arms of C."""
    learner = beside.made(DoubleThompsonSampling, "thompson", plus=True)
    beaten = learner._state.bounds.beaten(0.51 * math.log(beside.DUELS + 1))
    likely = np.flatnonzero(beaten == beaten.min())
    learner._state.beliefs = SimpleNamespace(sampled=lambda turns, _: theta[:turns])
    scores = np.full(theta.shape[:2], -1)
    scores[:, likely] = (theta > 0.5).sum(axis=2)[:, likely]
    return likely[learner._cheapest(likely, len(theta), None)], scores


def test_thompson_sampling_plus_takes_the_same_first_arm_where_it_has_the_largest_score(
    duelpy, monkeypatch
):
    theta = samples(2000)
    theirs = firsts_of_duelpy(duelpy, theta, monkeypatch)
    ours, scores = firsts_of_ours(theta)
    tied = (scores == scores.max(axis=1, keepdims=True)).sum(axis=1) > 1
    # The costs are comparable where the largest score of all arms is one of C, as duelpy has it.
    same = scores.max(axis=1) == (theta > 0.5).sum(axis=2).max(axis=1)
    best = scores[np.arange(len(theta)), theirs] == scores.max(axis=1)
    assert (tied & same & best).sum() > 100
    np.testing.assert_array_equal(ours[same & best], theirs[same & best])


def test_duelpys_thompson_sampling_plus_takes_a_cheap_arm_whatever_its_score(duelpy, monkeypatch):
    """The paper breaks ties of the sampled score by the costs, and duelpy ignores the score."""
    theta = samples(2000)
    theirs = firsts_of_duelpy(duelpy, theta, monkeypatch)
    ours, scores = firsts_of_ours(theta)
    turns = np.arange(len(theta))
    assert (scores[turns, ours] == scores.max(axis=1)).all()
    assert (scores[turns, theirs] < scores.max(axis=1)).sum() > 10


@pytest.fixture(params=range(5))
def begun(duelpy, request):
    """RMED2F of both after the duels in which all pairs meet, with the same outcomes."""
    chances = arithmetic(8, 0.06)[::-1, ::-1]  # the last arm is the best
    learner = Rmed2f(dim=1, cells=8, horizon=10**5)
    ours = Script(learner.grid, chances, seed=request.param)
    learner.tell([ours.play(block).tally for block in learner.ask()])
    feedback = beside.Scripted(8, Script(learner.grid, chances, seed=request.param))
    theirs = duelpy.Rmed2FH(feedback, time_horizon=10**5, random_state=beside.First())
    theirs._initial_phase_comparison()
    theirs._fix_candidate_target_arm()
    return learner, theirs, feedback.pairs


def costs_of(theirs, arm, best):
    """Return what duelpy has for the opponents of an arm, turned around, if ``best`` is i*."""
    theirs.best_arm = best
    costs = {j: -theirs.empirical_divergence_plus(arm, j) for j in range(8) if j != arm}
    return {j: cost for j, cost in costs.items() if cost > -1e300}  # else it tells nothing


def test_rmed2f_begins_with_the_same_duels(begun):
    learner, theirs, pairs = begun
    assert learner._state.duels == theirs.time_step == len(pairs) == 28 * 8  # ⌈3 ln ln T⌉ = 8
    assert learner._state.wins.tolist() == theirs.preference_estimate.wins.tolist()


def test_rmed2f_has_the_opponents_of_the_least_costs_once_their_sign_is_turned(begun):
    """duelpy has 1 - p - q where the regret of a pair is p + q - 1, as in RMED2."""
    learner, theirs, _ = begun
    best, turned = int(learner._state.divergences.totals.argmin()), 0
    for arm in range(8):
        costs = costs_of(theirs, arm, best)
        if costs and min(costs.values()) > 0.1:  # so that the least regret of a pair has no part
            target = learner._state.targets[arm]
            assert costs[target] == pytest.approx(min(costs.values()))
            turned += costs[target] < max(costs.values())
    assert turned > 1


def test_duelpys_rmed2f_takes_the_first_arm_for_the_best_when_it_fixes_the_opponents(begun):
    learner, theirs, _ = begun
    assert theirs.best_arm == 0
    assert learner._state.divergences.totals.argmin() != 0
    assert list(theirs.fix_challenger) != list(learner._state.targets)
