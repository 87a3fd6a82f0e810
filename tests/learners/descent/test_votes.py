"""Comparisons by vote: the stages, their widths, and how often they are wrong."""

import math

import numpy as np
import pytest

from duelli.blocks import Tally
from duelli.learners.descent.votes import Stages, Votes, power_of_two

STAGES = Stages(0.05, 2**13)


def test_votes_add_up():
    assert Votes(n=2, wins=1.5).plus(Tally(3, 1, (0.5,))) == Votes(n=5, wins=2.5)


@pytest.mark.parametrize("k", [1, 6, 13])
def test_the_width_of_a_stage(k):
    expected = math.sqrt((k + 1) * math.log(2 / 0.05) / 2 ** (k + 1))
    assert STAGES.width(2**k) == pytest.approx(expected, rel=1e-12)


def test_the_first_stage_is_the_first_in_which_a_decision_can_fall():
    assert STAGES.first == 64
    assert STAGES.width(32) > 0.5 > STAGES.width(64)
    assert Stages(0.05, 16).first == 16  # the cap, if that is less


def test_the_number_of_duels_doubles_up_to_the_cap():
    votes, sizes = Votes(), []
    while n := STAGES.wanted(votes):
        votes = votes.plus(Tally(n, n / 2, (0.5,)))
        sizes.append(votes.n)
    assert sizes == [64, 128, 256, 512, 1024, 2048, 4096, 8192]
    assert STAGES.verdict(votes) == 0.5


@pytest.mark.parametrize(("share", "verdict"), [(1, 1.0), (0, 0.0)])
def test_a_clear_vote_is_decided_at_once(share, verdict):
    votes = Votes(n=64, wins=64.0 * share)
    assert STAGES.verdict(votes) == verdict
    assert STAGES.wanted(votes) == 0


def test_an_open_vote_has_no_verdict():
    assert STAGES.verdict(Votes()) is None
    assert STAGES.verdict(Votes(n=64, wins=40.0)) is None


def verdicts(p, count, stages, seed):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        votes = Votes()
        while n := stages.wanted(votes):
            votes = votes.plus(Tally(n, int(rng.binomial(n, p)), (0.5,)))
        yield stages.verdict(votes)


def test_a_fair_coin_is_hardly_ever_decided():
    # By the bound at most δ of them: of 400 with δ = 0.3, 120 are expected at most; 180 or more
    # have probability below 1e-9.
    found = list(verdicts(0.5, 400, Stages(0.3, 2**10), seed=1))
    assert sum(each != 0.5 for each in found) < 180


def test_the_better_one_is_found():
    assert list(verdicts(0.7, 100, STAGES, seed=2)) == [1.0] * 100  # 20 widths at the cap


@pytest.mark.parametrize(
    ("n", "power"), [(0, 1), (1, 1), (2, 2), (3, 2), (1000.9, 512), (1024, 1024)]
)
def test_the_power_of_two_below(n, power):
    assert power_of_two(n) == power
