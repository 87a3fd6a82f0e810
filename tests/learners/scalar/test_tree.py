"""The trees that HOO keeps, and those that it refuses."""

import pytest

from duelli.learners.scalar.tree import Tree, check_tree, depths_of, link

# The root, its lower half, the upper half of that, and the root's upper half.
SOUND = {"pulls": 3, "links": [0, 3, 1], "counts": [3, 2, 1, 1], "sums": [2.0, 1.0, 1.0, 1.0]}


def test_a_link_names_a_half_of_a_cell():
    assert [link(0, upper=False), link(0, upper=True), link(3, upper=True)] == [0, 1, 7]


def test_the_depths_of_a_tree():
    assert depths_of(Tree(**SOUND)) == [0, 1, 2, 1]


def test_a_sound_tree_is_taken():
    check_tree(Tree(**SOUND), None)
    check_tree(Tree(**SOUND), 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"links": [0, 3]}, "must be of 4 cells"),
        ({"links": [0, 0, 1]}, "each half of an earlier cell once"),
        ({"links": [2, 3, 1]}, "each half of an earlier cell once"),
        ({"counts": [3, 2, 2, 1]}, "cell 1 does not"),
        ({"counts": [4, 2, 1, 1], "pulls": 4}, "cell 0 does not"),
        ({"sums": [2.0, 0.0, 1.0, 1.0]}, "cell 0 does not|cell 1 does not"),
        ({"pulls": 4}, "must begin with 4 pulls"),
    ],
)
def test_a_tree_that_cannot_be_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        check_tree(Tree(**{**SOUND, **change}), None)


def test_a_tree_that_is_too_deep_is_refused():
    with pytest.raises(ValueError, match="must not go below depth 1"):
        check_tree(Tree(**SOUND), 1)


def test_only_the_smallest_cells_may_be_played_twice():
    again = Tree(pulls=4, links=[0, 3, 1], counts=[4, 3, 2, 1], sums=[0.0] * 4)
    check_tree(again, 2)
    with pytest.raises(ValueError, match="cell 2 does not"):
        check_tree(again, None)
