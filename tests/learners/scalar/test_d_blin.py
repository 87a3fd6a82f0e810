"""D-BLiN: the batches of a run of 20 000 pulls."""

from duelli.learners.scalar.d_blin import DBlin

from .rewards import cone
from .test_blin import batches


def test_the_batches_of_twenty_thousand_pulls():
    learner = DBlin(dim=1, horizon=20_000)
    assert [learner.batch_size(m) for m in (1, 2, 3, 4)] == [159, 634, 2536, 10_142]
    seen = batches(learner, cone)
    pulls = [sum(n for _, n in seen["batch", m]) for m in (1, 2, 3)]
    assert [sum(pulls[: m + 1]) for m in range(3)] == [159, 1427, 11_571]
    assert ("batch", 4) not in seen


def test_nothing_is_dropped_in_the_first_three_batches():
    # The margin of batch 3 is 4 r = 1, and means lie in [0, 1].
    seen = batches(DBlin(dim=1, horizon=20_000), lambda arm: float(arm[0] > 0.9))
    assert [len(seen["batch", m]) for m in (1, 2, 3)] == [1, 2, 4]
    assert len(seen["cleanup", 3]) == 4


def test_cubes_of_edge_one_eighth_are_the_first_that_can_be_dropped():
    seen = batches(DBlin(dim=1, horizon=10**7), lambda arm: float(arm[0] > 0.9))
    assert [len(seen["batch", m]) for m in (1, 2, 3, 4)] == [1, 2, 4, 8]
    assert len(seen["batch", 5]) == 2


def test_a_larger_constant_pulls_a_cube_more_often():
    assert DBlin(dim=1, horizon=20_000, const=32).batch_size(1) == 317
