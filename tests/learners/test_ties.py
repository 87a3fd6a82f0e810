"""No learner of the registry needs a unique best arm, a clear judge, a long run or few dimensions.

The inputs are the defaults, so that the numbers of arms and points are those of a user who says
nothing. Every judge here makes arms tie exactly, all of them or many.
"""

import pytest
from registered import learner_names

from duelli.blocks import Tally
from duelli.learners import LEARNERS
from duelli.learners.scalar import SCALARS, AnchoredDoubler, Doubler, Sparring
from duelli.testing import CoinFlips

REQUIRED = {"arc_duelli": {"slope_max": 0.25}, "arc_race": {"slope_max": 0.25}}


def by_plateaus(block):
    """Judge by the rounded distance to the middle: without mistakes, and with many best arms."""
    ours, theirs = (
        max(round(abs(x - 0.5), 1) for x in arm) for arm in (block.low, block.reference)
    )
    return 0.5 if ours == theirs else float(ours < theirs)


JUDGES = {
    "draws": lambda _: 0.5,
    "plateaus": by_plateaus,
    "first coordinate": lambda block: float(block.low[0] < block.reference[0]),
}


def answers(judge, coins, block):
    """Return the tally of a block by a judge of `JUDGES`, or by fair coins."""
    if judge == "coins":
        return coins.play(block).tally
    return Tally(block.n, JUDGES[judge](block) * block.n, block.low)


def check_run(learner, judge):
    """Play a whole run: it has as many duels as it should, and at most one step for each."""
    coins, duels, steps = CoinFlips(), 0, 0
    while step := learner.ask():
        duels, steps = duels + sum(block.n for block in step), steps + 1
        assert steps <= learner.horizon, "the run does not end"
        learner.tell([answers(judge, coins, block) for block in step])
    assert duels == learner.horizon
    assert len(learner.best().arm) == learner.dim
    assert all(0 <= x <= 1 for x in learner.best().arm)


@pytest.mark.parametrize("judge", ["coins", *JUDGES])
@pytest.mark.parametrize("name", learner_names())
def test_a_run_ends_whatever_ties(name, judge):
    for dim in range(1, 9):
        for horizon in (1, 2, 10, 300):
            inputs = REQUIRED.get(name, {})
            check_run(LEARNERS[name](dim=dim, horizon=horizon, **inputs), judge)


@pytest.mark.parametrize("judge", ["coins", *JUDGES])
@pytest.mark.parametrize("kind", [AnchoredDoubler, Doubler, Sparring])
@pytest.mark.parametrize("scalar", SCALARS)
def test_a_reduction_ends_whatever_ties(kind, scalar, judge):
    for dim, horizon in [(1, 1), (1, 300), (2, 2), (2, 300), (4, 60), (8, 60)]:
        check_run(kind(dim=dim, horizon=horizon, scalar=scalar), judge)
