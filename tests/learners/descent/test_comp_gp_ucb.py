"""COMP-GP-UCB with duels only: its bounds, its contenders, and what it finds."""

import math

import numpy as np
import pytest

import duelli
from duelli.blocks import Tally
from duelli.learners.descent import CompGpUcb

from .samples import REFERENCE, told


def test_a_candidate_meets_random_opponents_of_the_whole_box():
    learner = CompGpUcb(dim=3, horizon=100, candidates=9)
    (block,) = learner.ask()
    assert (block.low, block.edge) == ((0.0,) * 3, 1.0)
    assert block.reference in {tuple(row) for row in learner._prior.points.tolist()}


def test_the_wins_of_the_opponents_are_losses_of_the_candidate():
    learner = CompGpUcb(dim=2, horizon=1000, candidates=9, batch=10)
    told(learner, 0.3)
    assert learner.state()["wins"] == [7]
    assert learner.state()["n"] == [10]


def test_the_bounds_are_those_of_gp_ucb():
    learner = CompGpUcb(dim=2, horizon=1000, candidates=9, batch=10, failure_prob=0.1)
    told(learner, 0.3)
    low, high = learner.bounds()
    scale = 2 * math.log(9 * 11**2 * math.pi**2 / (6 * 0.1))
    deviation = learner._posterior().deviation
    assert (high - low) / 2 == pytest.approx(math.sqrt(scale) * deviation)


def test_the_candidate_with_the_largest_upper_bound_plays():
    learner = CompGpUcb(dim=2, horizon=1000, candidates=9, batch=10)
    for share in (0.9, 0.1, 0.5):
        told(learner, share)
        best = learner._prior.points[learner.bounds()[1].argmax()]
        assert learner.ask()[0].reference == tuple(best)


def borda_runs(seeds):
    """Yield learners after runs on the reference problem, with the true win rates."""
    grid = np.stack(np.meshgrid(*[np.linspace(0.005, 0.995, 100)] * 2), -1).reshape(-1, 2)
    for seed in range(seeds):
        learner = CompGpUcb(dim=2, horizon=30_000, candidates=36, seed=seed)
        values = REFERENCE.landscape.values(learner._prior.points)
        differences = values[:, None] - REFERENCE.landscape.values(grid)
        yield learner, seed, (1 / (1 + np.exp(-differences))).mean(axis=1)


def test_the_best_candidate_stays_a_contender_and_is_found():
    # The bounds fail with probability δ = 0.05 by the theory, and far less often in fact.
    for learner, seed, rates in borda_runs(3):
        trace = duelli.simulate(learner, REFERENCE, seed=seed)
        assert int(rates.argmax()) in learner.contenders()
        seen = list(learner._state.arms)
        assert learner._posterior().mean[seen] == pytest.approx(rates[seen], abs=0.12)
        assert trace.final_gap < 0.02  # the middle has 0.05


def test_it_rests_once_one_contender_is_left():
    learner = CompGpUcb(dim=1, horizon=10**9, candidates=2, batch=1000, length=0.01)
    while learner.progress().phase == "model":
        (block,) = learner.ask()
        won = block.n if block.reference == (0.5,) else 0  # of the candidate at the middle
        learner.tell([Tally(block.n, block.n - won, (0.3,))])
    assert learner.contenders().tolist() == [0]
    (block,) = learner.ask()
    assert (block.low, block.reference) == ((0.5,), (0.5,))
    assert block.n == 10**9 - learner.duels


@pytest.mark.parametrize("wrong", [0, 1, -0.5])
def test_wrong_inputs_are_named(wrong):
    with pytest.raises(ValueError, match=r"failure_prob must lie in \(0, 1\)"):
        CompGpUcb(dim=2, horizon=100, failure_prob=wrong)
