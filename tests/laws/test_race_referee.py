"""A referee who wants ArcRace to fail: x* is lost, or a claim is wrong, at most as often as δ says.

The shapes are made to mislead. The worst of them are twin cones in one dimension: x* stands in a
corner of its cubes, whose centres lose by all that Lemma 1 of docs/arc_race.md allows, and the
reference is held on the twin, which is as good as x* and far away, so that those cubes are tested.
"""

import math
from typing import NamedTuple

import pytest
from scipy import stats

from duelli import ArcRace, DuelModel
from duelli.cubes import contains
from duelli.landscapes import generated_shape
from duelli.learners.race import machine, scan
from duelli.learners.race.config import CERTIFICATE_SHARE
from duelli.testing.watch import eliminations

pytestmark = pytest.mark.slow

HELD = {0.05: 100, 0.5: 100, 0.95: 250}  # δ -> runs; fewer could not refute 0.95 at all
FREE = (("twin_cones", 1, 12), ("plateau", 1, 12), ("peaks", 2, 6))  # kind, dimensions, runs
HORIZON = 10**8
# A correct build fails with a probability below this in each of two counts for three δ, that is
# below 6e-6 in all; the runs are independent, and each fails with probability δ at most.
ERROR = 1e-6


class Verdict(NamedTuple):
    eliminated: int
    lost: bool  # some cube that holds x* was eliminated
    wrong: bool  # best() claims what is not true


def verdict(model, seed, **inputs):
    best = model.landscape.best_arm
    slopes = {"slope_max": model.link.slope_max, "lipschitz": model.landscape.lipschitz}
    learner = ArcRace(dim=len(best), horizon=HORIZON, **slopes, **inputs)
    paths = list(eliminations(learner, model, seed))
    answer = learner.best()
    gap = model.gap_to_best(answer.arm)
    inside = all(a <= x <= b for a, x, b in zip(answer.low, best, answer.high, strict=True))
    covered = answer.gap_low <= gap <= answer.gap_high
    lost = any(contains(path, best) for path in paths)
    return Verdict(len(paths), lost, not (inside and covered))


def free_run(kind, dim, delta, seed):
    """Judge a run as it comes."""
    model = DuelModel(generated_shape(kind, seed, dim))
    return verdict(model, seed, failure_prob=delta)


def held_run(delta, seed):
    """Judge a run whose reference stays on the twin."""
    model = DuelModel(generated_shape("twin_cones", seed, 1))
    _, twin = model.landscape.values.tops
    inputs = {"start": twin, "without": ("local_search",)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(machine, "CHALLENGE", -math.inf)  # no cell is ever a rival
        return verdict(model, seed, failure_prob=delta, **inputs)


def judge(verdicts, delta):
    """Check the counts; a correct build fails with a probability below 2 ERROR."""
    runs = len(verdicts)
    assert sum(each.eliminated for each in verdicts) > runs / 4  # there is something to lose
    lost = sum(each.lost for each in verdicts)
    assert lost <= int(stats.binom.isf(ERROR, runs, delta * (1 - CERTIFICATE_SHARE)))
    wrong = sum(each.wrong for each in verdicts)
    assert wrong <= int(stats.binom.isf(ERROR, runs, delta))


@pytest.mark.parametrize("delta", HELD)
def test_the_best_arm_is_lost_and_claims_are_wrong_no_more_often_than_delta_allows(delta):
    held = [held_run(delta, seed) for seed in range(HELD[delta])]
    free = [free_run(kind, dim, delta, seed) for kind, dim, runs in FREE for seed in range(runs)]
    judge(held + free, delta)


def test_a_null_hypothesis_that_is_too_small_loses_the_best_arm(monkeypatch):
    monkeypatch.setattr(scan, "_null", lambda h, config: 0.5 - config.bias(h) / 3)
    with pytest.raises(AssertionError, match=r"assert \d+ <= \d+"):
        judge([held_run(0.05, seed) for seed in range(100)], 0.05)


def test_a_certificate_that_is_too_bold_is_found_out(monkeypatch):
    bound = scan.gap_bound
    monkeypatch.setattr(scan, "gap_bound", lambda *words: bound(*words) / 1000)
    with pytest.raises(AssertionError, match=r"assert \d+ <= \d+"):
        judge([held_run(0.05, seed) for seed in range(60)], 0.05)


def test_a_referee_with_nothing_to_judge_says_so(monkeypatch):
    monkeypatch.setattr(scan, "log_evidence", lambda *_: -math.inf)
    with pytest.raises(AssertionError, match=r"assert 0 > \(10 / 4\)"):
        judge([held_run(0.5, seed) for seed in range(10)], 0.5)
