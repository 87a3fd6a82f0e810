"""Multisets: counts instead of copies, and fair draws."""

import pytest

from duelli.learners.scalar.multiset import Multiset

A, B = (0.25,), (0.75,)


def filled():
    arms = Multiset(arms=[], counts=[])
    for arm in (A, B, A, A):
        arms.add(arm)
    return arms


def test_equal_arms_are_counted():
    assert (filled().arms, filled().counts, filled().size) == ([A, B], [3, 1], 4)


def test_each_copy_has_a_number():
    assert [filled()[i] for i in range(4)] == [A, A, A, B]


def test_an_arm_that_is_added_later_can_be_drawn():
    arms = filled()
    assert arms[3] == B
    arms.add((0.5,))
    assert arms[4] == (0.5,)


@pytest.mark.parametrize(
    ("arms", "counts", "size"),
    [([A, A], [1, 1], 2), ([A], [1, 1], 2), ([A, B], [2, 0], 2), ([A, B], [1, 1], 3)],
)
def test_a_multiset_that_cannot_be_is_refused(arms, counts, size):
    with pytest.raises(ValueError, match=f"x must hold different arms .* add up to {size}"):
        Multiset(arms=arms, counts=counts).check("x", size)
    filled().check("x", 4)
