"""KernelSelfSparring: whose outcome counts, equal draws, and what it finds."""

import numpy as np
import pytest

import duelli
from duelli.blocks import Tally
from duelli.learners.descent import KernelSelfSparring
from duelli.learners.descent.kernel_self_sparring import pairs_of

from .samples import REFERENCE, told


def test_both_points_of_a_pair_get_an_outcome():
    learner = KernelSelfSparring(dim=2, horizon=1000, candidates=50, batch=10)
    step = told(learner, 0.3)
    state = learner.state()
    unequal = sum(block.n for block in step if block.low != block.reference)
    assert sum(state["n"]) == 2 * unequal
    assert sum(state["wins"]) == pytest.approx(unequal)
    points = learner._prior.points.tolist()
    first = next(block for block in step if block.low != block.reference)
    assert points.index(list(first.low)) in state["arms"]
    assert points.index(list(first.reference)) in state["arms"]


def test_the_left_wins_are_those_of_the_left_point():
    learner = KernelSelfSparring(dim=2, horizon=1000, candidates=50, batch=1)
    (block,) = told(learner, 1)
    points = learner._prior.points.tolist()
    wins = dict(zip(learner.state()["arms"], learner.state()["wins"], strict=True))
    assert wins == {points.index(list(block.low)): 1, points.index(list(block.reference)): 0}


def test_the_draws_of_a_step_are_fresh():
    learner = KernelSelfSparring(dim=2, horizon=1000, candidates=200)
    pairs = {(b.low, b.reference) for _ in range(20) for b in told(learner, 0.5)}
    assert len(pairs) > 15


@pytest.mark.parametrize(
    ("tops", "count", "pairs"),
    [
        ([3, 5, 5, 3], 2, [(3, 5), (5, 3)]),
        ([3, 3, 5, 3], 2, [(3, 3), (5, 3)]),
        ([3, 3, 3, 3, 7], 2, [(3, 7), (3, 3)]),
        ([3, 3, 5, 5, 7], 2, [(3, 5), (5, 5)]),
        ([3, 3, 3, 3], 1, [(3, 3)]),
    ],
)
def test_a_step_has_a_pair_of_different_points_if_any_draw_names_another(tops, count, pairs):
    assert pairs_of(np.array(tops), count) == pairs


def test_a_point_that_all_draws_name_meets_itself():
    learner = KernelSelfSparring(dim=1, horizon=10**9, candidates=2, length=0.01, batch=10_000)
    step = learner.ask()
    while any(block.low != block.reference for block in step):
        wins = [b.n * (b.low == (0.5,)) for b in step]
        learner.tell([Tally(b.n, w, b.low) for b, w in zip(step, wins, strict=True)])
        step = learner.ask()
    (block,) = step
    assert block.low == (0.5,)
    before = learner.state()
    told(learner, 0.5)
    assert learner.state()["wins"] == before["wins"]  # nothing is learnt from that
    assert learner.duels == before["duels"] + block.n


def test_it_draws_towards_the_better_points():
    # Random play costs 3500 on this problem; 800 ± 30 in other runs.
    learner = KernelSelfSparring(dim=2, horizon=20_000, candidates=100)
    trace = duelli.simulate(learner, REFERENCE)
    assert trace.cumulative_regret < 1800
    assert trace.final_gap < 0.02  # the middle has 0.05
