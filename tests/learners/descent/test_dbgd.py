"""DBGD: its moves by hand. Its regret is in tests/laws."""

import math

import pytest

from duelli.learners.descent import Dbgd
from duelli.learners.descent.dbgd import theory_gains

from .samples import bowl, judged, told


def point_of(learner):
    return learner.progress().reference


def test_the_probe_is_0_2_away_and_meets_the_point():
    (block,) = Dbgd(dim=3, horizon=10_000).ask()
    assert block.reference == (0.5,) * 3
    assert math.dist(block.low, block.reference) == pytest.approx(0.2)


def test_a_win_moves_the_point_by_the_step_towards_the_probe():
    learner = Dbgd(dim=3, horizon=10_000)
    (block,) = told(learner, 1)
    along = [(x - 0.5) / 0.2 for x in block.low]
    assert point_of(learner) == pytest.approx([0.5 + 0.01 * u for u in along], rel=1e-12)


@pytest.mark.parametrize(("share", "moved"), [(0, 0.0), (0.5, 0.005), (1, 0.01)])
def test_only_wins_move_it_and_a_tie_is_half_a_win(share, moved):
    learner = Dbgd(dim=2, horizon=10_000)
    told(learner, share)
    assert math.dist(point_of(learner), (0.5, 0.5)) == pytest.approx(moved, abs=1e-12)


def test_a_block_moves_it_by_the_mean_of_its_outcomes():
    learner = Dbgd(dim=2, horizon=10**6)
    told(learner, 0.3)
    assert math.dist(point_of(learner), (0.5, 0.5)) == pytest.approx(0.003)


def test_the_probe_is_projected_onto_the_box():
    learner = Dbgd(dim=2, horizon=1000, start=(1.0, 0.5), probe=0.3)
    beyond = [
        learner._pair(k, (1.0, 0.5))[0]
        for k in range(40)
        if learner._direction(k, (1.0, 0.5))[0] > 0
    ]
    assert len(beyond) > 5
    assert {arm[0] for arm in beyond} == {1.0}


def test_a_probe_that_leads_nowhere_is_turned_round():
    learner = Dbgd(dim=2, horizon=1000)
    for k in range(60):
        probe, point = learner._pair(k, (1.0, 1.0))
        assert probe != point


@pytest.mark.parametrize("seed", range(3))
def test_without_noise_it_never_comes_farther_from_the_best_point(seed):
    # Away from the walls, a probe w + δu that lies nearer to the best point c has
    # (w - c)·u <= -δ/2, so that a smaller step along u leads nearer too. Within δ/2 none wins.
    best, learner = (0.3, 0.6), Dbgd(dim=2, horizon=3000, start=(0.75, 0.75), seed=seed)
    distance = math.dist(point_of(learner), best)
    while learner.ask():
        judged(learner, bowl(best))
        now = math.dist(point_of(learner), best)
        assert now <= distance + 1e-12
        distance = now
    assert 0.09 < distance < 0.12


def test_the_gains_of_the_theory():
    # d = 4: R = 1; T = 10^4: γ = 1/100; δ = √(8 / 13) / 10.
    assert theory_gains(4, 10_000, 1.0) == pytest.approx((math.sqrt(8 / 13) / 10, 0.01))
    learner = Dbgd(dim=4, horizon=10_000, gains="theory")
    assert (learner.probe, learner.step) == pytest.approx((math.sqrt(8 / 13) / 10, 0.01))


def test_the_theory_counts_blocks_as_iterations():
    learner = Dbgd(dim=4, horizon=10**8, gains="theory")
    assert learner.step == pytest.approx(1 / math.sqrt(20_000))


def test_given_distances_win_over_the_gains():
    learner = Dbgd(dim=4, horizon=10_000, gains="theory", probe=0.3, step=0.05)
    assert (learner.probe, learner.step) == (0.3, 0.05)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"gains": "box"}, "gains must be one of practical, theory; got 'box'"),
        ({"probe": 0.6}, r"probe must lie in \[1e-06, 0.5\]; got 0.6"),
        ({"step": 0}, "step must be above 0; got 0"),
        ({"lipschitz": -1}, "lipschitz must be above 0; got -1"),
    ],
)
def test_wrong_inputs_are_named(inputs, message):
    with pytest.raises(ValueError, match=message):
        Dbgd(dim=2, horizon=100, **inputs)
