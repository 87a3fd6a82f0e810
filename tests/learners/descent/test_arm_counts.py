"""The counts of outcomes of a fixed set of points."""

from dataclasses import replace

import pytest

from duelli.learners.descent.arm_counts import check_counts, no_counts


def test_counts_add_up_in_the_order_of_the_points():
    counts = no_counts().after(4, [(7, 3, 1.5), (2, 1, 1.0)]).after(2, [(7, 2, 0.0)])
    assert (counts.duels, counts.steps) == (6, 2)
    assert (counts.arms, counts.n, counts.wins) == ((2, 7), (1, 5), (1.0, 1.5))
    points, n, mean = counts.outcomes()
    assert (points.tolist(), n.tolist(), mean.tolist()) == ([2, 7], [1, 5], [1.0, 0.3])


def test_one_point_can_be_told_twice_in_a_step():
    counts = no_counts().after(2, [(1, 1, 1.0), (1, 1, 0.0)])
    assert (counts.n, counts.wins) == ((2,), (1.0,))


def test_no_outcomes_are_empty_arrays():
    assert [len(each) for each in no_counts().outcomes()] == [0, 0, 0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"arms": (2,)}, "must have one entry for each point"),
        ({"arms": (7, 2)}, r"state.arms must be ascending numbers below 9; got \(7, 2\)"),
        ({"arms": (2, 2)}, "state.arms must be ascending numbers below 9"),
        ({"arms": (2, 9)}, "state.arms must be ascending numbers below 9"),
        ({"n": (0, 5)}, "state.wins must be 0 to n, of n > 0 outcomes; got 1.0 of 0"),
        ({"wins": (1.0, 6.0)}, "state.wins must be 0 to n, of n > 0 outcomes; got 6.0 of 5"),
        ({"n": (50, 5)}, "must fit to 6 duels; got 55 outcomes in 2 steps"),
        ({"steps": 7}, "must fit to 6 duels; got 6 outcomes in 7 steps"),
    ],
)
def test_counts_that_cannot_be_are_refused(change, message):
    counts = no_counts().after(4, [(7, 3, 1.5), (2, 1, 1.0)]).after(2, [(7, 2, 0.0)])
    check_counts(counts, 9, 1)
    with pytest.raises(ValueError, match=message):
        check_counts(replace(counts, **change), 9, 1)
