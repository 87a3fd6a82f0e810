"""CAB1: the grids of its epochs, and fresh starts."""

import pytest

from duelli.learners.scalar.cab1 import Cab1
from duelli.learners.scalar.epochs import epoch_at

from .rewards import pulled


@pytest.mark.parametrize(
    ("dim", "cells"), [(1, [2, 2, 3, 3, 5, 7, 10, 15]), (2, [2, 2, 2, 3, 4, 5, 6, 8])]
)
def test_the_points_per_axis_of_epochs_with_2_to_32768_pulls(dim, cells):
    learner = Cab1(dim=dim, horizon=10)
    assert [learner.grid_of(number).cells for number in range(1, 17, 2)] == cells


def test_each_epoch_pulls_the_arms_of_its_own_grid():
    learner = Cab1(dim=1, horizon=500)
    for count, (x,) in enumerate(pulled(learner)):
        cells = learner.grid_of(epoch_at(count).number).cells
        assert x * cells % 1 == pytest.approx(0.5)


def test_each_epoch_starts_afresh():
    # The first pulls of an epoch are of arms that it has not pulled yet, whatever was learnt.
    arms, start = pulled(Cab1(dim=1, horizon=2000)), epoch_at(600).start
    fresh = arms[start : start + 5]
    assert len(set(fresh)) == 5


def test_it_remembers_one_epoch_only():
    learner = Cab1(dim=1, horizon=510)
    pulled(learner)
    assert sum(learner.state()["epoch"]["counts"]) == 510 - epoch_at(510).start == 0


def test_it_recommends_the_answer_of_the_last_epoch_at_first():
    learner = Cab1(dim=1, horizon=2**9 - 2 + 2)
    arms = pulled(learner)
    last = arms[2**8 - 2 : 2**9 - 2]
    assert learner.recommend() == max(set(last), key=last.count)


def test_it_recommends_the_most_pulled_arm_of_an_epoch_that_is_half_over():
    learner = Cab1(dim=1, horizon=2**9 - 2 + 2**8)
    arms = pulled(learner, lambda arm: float(arm[0] > 0.5))
    this = arms[2**9 - 2 :]
    assert this.count(learner.recommend()) == max(this.count(arm) for arm in this)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pulls": 5}, r"state\.epoch\.pulls must be 3; got 1"),
        ({"answer": None}, r"state\.answer must be there after the first epoch"),
        ({"epoch": {"pulls": 1, "counts": [1], "sums": [0]}}, "must have 2 entries"),
    ],
)
def test_a_state_that_cannot_be_is_refused(change, message):
    learner, epoch = Cab1(dim=1, horizon=10), {"pulls": 1, "counts": [1, 0], "sums": [0, 0]}
    state = {"phase": "epochs", "pulls": 3, "answer": [0.25], "epoch": epoch}
    assert Cab1.from_state(learner.config, state).pulls == 3
    with pytest.raises(ValueError, match=message):
        Cab1.from_state(learner.config, {**state, **change})
