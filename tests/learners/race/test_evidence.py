"""The evidence: a test that holds at every look."""

import math

import numpy as np
import pytest

from duelli._rng import stream
from duelli.blocks import Tally
from duelli.learners.race import evidence
from duelli.learners.race.evidence import log_evidence, noticed

from .samples import memory_of

GAPS = (0.05, 0.1, 0.2)


def test_no_duels_are_no_evidence():
    assert log_evidence(0, 0.0, 0.45, GAPS) == pytest.approx(0.0)


def test_it_is_the_mixed_likelihood_ratio():
    null, n, wins = 0.45, 20, 6
    ratios = [((null - g) / null) ** 6 * ((1 - null + g) / (1 - null)) ** 14 for g in GAPS]
    expected = math.log(sum(ratios) / 3)
    assert log_evidence(n, wins, null, GAPS) == pytest.approx(expected)


@pytest.mark.parametrize("p", [0.45, 0.5, 0.7])
@pytest.mark.parametrize("outcome", ["whole", "half"])
def test_one_duel_does_not_raise_its_mean_where_the_null_holds(p, outcome):
    # Half outcomes: 1/2 with probability 2 min(p, 1 - p) has the same mean p.
    share = 2 * min(p, 1 - p) if outcome == "half" else 0.0
    sure = 1.0 if p > 0.5 else 0.0
    law = {0.5: share, sure: 1 - share} if share else {1.0: p, 0.0: 1 - p}
    assert sum(o * q for o, q in law.items()) == pytest.approx(p)
    mean = sum(q * math.exp(log_evidence(1, o, 0.45, GAPS)) for o, q in law.items())
    assert mean <= 1 + 1e-12


def test_it_grows_with_losses():
    values = [log_evidence(100, wins, 0.45, GAPS) for wins in (50, 40, 30, 20)]
    assert values == sorted(values)


def test_it_survives_huge_blocks():
    assert log_evidence(10**12, 0.3e12, 0.45, GAPS) > 1e9


def steepest(n, wins, arm=(0.75, 0.5), known=0.0):
    """Return the slope that a look at an arm against the middle of the plane has shown."""
    memory = memory_of((0.5, 0.5), steepest=known)
    return noticed(memory, arm, (0.5, 0.5), Tally(n, wins, arm)).steepest


@pytest.mark.parametrize("wins", [900, 100])
def test_a_look_shows_the_least_slope_that_allows_it_whoever_wins(monkeypatch, wins):
    monkeypatch.setattr(evidence, "Z_REFUTE", 5.0)
    noise = 5 * 0.5 / math.sqrt(1000)
    assert steepest(1000, wins) == pytest.approx((0.4 - noise) / 0.25)


@pytest.mark.parametrize(("arm", "away"), [((0.5, 0.0), 0.5), ((0.6, 0.25), 0.25)])
def test_the_distance_is_that_of_the_farthest_coordinate(arm, away):
    noise = evidence.Z_REFUTE * 0.5 / math.sqrt(10**6)
    assert steepest(10**6, 8 * 10**5, arm) == pytest.approx((0.3 - noise) / away)


def test_a_look_within_its_noise_shows_nothing():
    n = 10_000
    wins = n / 2 + evidence.Z_REFUTE * math.sqrt(n) / 2
    assert steepest(n, wins - 1) == 0
    assert steepest(n, wins + 1) > 0
    assert steepest(n, n - wins - 1) > 0


def test_the_largest_slope_is_kept():
    shown = steepest(10**6, 7 * 10**5)
    assert steepest(10**6, 7 * 10**5, known=shown / 2) == shown
    assert steepest(10**6, 7 * 10**5, known=2 * shown) == 2 * shown


def test_an_arm_against_itself_shows_nothing():
    assert steepest(10**6, 10**6, arm=(0.5, 0.5)) == 0


def test_a_right_slope_is_hardly_ever_refuted():
    # Hoeffding: a look at the steepest place allowed exceeds it with probability exp(-18) = 2e-8;
    # 10 000 looks are seen here.
    wins = stream(3, "trial").binomial(1000, 0.5 + 0.25 * 0.25, size=10_000)
    assert max(steepest(1000, float(w)) for w in wins) <= 0.25


@pytest.mark.slow
def test_false_alarms_stay_below_the_level_although_every_duel_is_looked_at():
    # 4000 runs at the null itself, 2000 looks each, level 0.05. If at most 5 % may exceed it, then
    # more than 5 % + 5 sd of the binomial happens with probability below 1e-6.
    runs, level = 4000, 0.05
    outcomes = stream(1, "trial").random((runs, 2000)) < 0.45
    wins = np.cumsum(outcomes, axis=1)
    n = np.arange(1, 2001)
    terms = [
        wins * math.log((0.45 - g) / 0.45) + (n - wins) * math.log((0.55 + g) / 0.55) for g in GAPS
    ]
    peak = np.logaddexp.reduce(terms, axis=0).max(axis=1) - math.log(len(GAPS))
    alarms = (peak >= math.log(1 / level)).sum()
    assert alarms <= runs * level + 5 * math.sqrt(runs * level * (1 - level))
    assert alarms > 0  # the test is not idle
