"""The cover of the box by balls: cells, their owners, and new arms."""

import itertools
import math
import random
from fractions import Fraction

import pytest

from duelli import cubes
from duelli.learners.scalar.covering import ActiveArm, Cover, check_cover

from .rewards import distance


def radius(pulls):
    return 0.9 / math.sqrt(pulls + 1)


def begun(dim, radius=radius):
    """Return the arms, the cells that wait, and the cover of a box with one arm in its middle."""
    arms, waiting = [ActiveArm(point=(0.5,) * dim)], [()]
    cover = Cover(arms, waiting, radius, dim)
    cover.settle()
    return arms, waiting, cover


def farthest(cell, point):
    """Return the distance from a point to the farthest corner of a cell."""
    low, edge = cubes.low(cell, len(point)), cubes.edge(cell)
    corners = itertools.product(*((a, a + edge) for a in low))
    return max(distance(corner, point) for corner in corners)


def test_one_large_ball_holds_the_box():
    arms, waiting, _ = begun(2)
    assert (arms[0].cells, waiting) == ([()], [])


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_the_balls_cover_the_box_however_the_arms_are_pulled(dim):
    arms, waiting, cover = begun(dim)
    for turn in range(300):
        i = (turn * 7) % len(arms) if turn % 3 else 0
        arms[i].pulls += 1
        cover.shrink(i)
        cover.settle()
        for arm in arms:
            assert all(farthest(cell, arm.point) <= radius(arm.pulls) for cell in arm.cells)
        cells = [cell for arm in arms for cell in arm.cells] + waiting
        assert sum(Fraction(1, 2 ** (dim * len(cell))) for cell in cells) == 1
        check_cover(arms, waiting, radius)
    assert len(arms) > 3


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_a_new_arm_is_farther_from_all_others_than_half_of_their_balls(dim):
    arms, _, cover = begun(dim)
    for turn in range(300):
        i = turn % len(arms)
        arms[i].pulls += 1
        cover.shrink(i)
        if cover.settle():
            *others, new = arms
            assert all(distance(new.point, u.point) > radius(u.pulls) / 2 for u in others)


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_new_arms_are_packed_wherever_the_others_are_and_however_often_they_were_pulled(dim):
    """Arms on the lattice of the cells hardly ever come near half of a ball; random ones do."""
    rng, closest = random.Random(dim), math.inf
    for _ in range(300):
        arms = [
            ActiveArm(point=tuple(rng.random() for _ in range(dim)), pulls=rng.randrange(1, 40))
            for _ in range(rng.randrange(1, 4))
        ]
        if Cover(arms, [()], radius, dim).settle():
            *others, new = arms
            shares = [distance(new.point, u.point) / radius(u.pulls) for u in others]
            closest = min(closest, *shares, math.inf)
    assert 0.5 < closest < 0.6


def test_a_cell_whose_middle_is_near_an_arm_is_divided():
    # The middle 0.75 of the cell is in the inner half of the ball around 0.625, so that the new arm
    # is the middle of a part of the cell.
    arms, waiting = [ActiveArm(point=(0.625,))], [(1,)]
    assert Cover(arms, waiting, lambda _: 0.26, 1).settle()
    assert [arm.point for arm in arms] == [(0.625,), (0.875,)]
    assert [arm.cells for arm in arms] == [[(1, 0)], [(1, 1)]]


def test_at_most_one_arm_is_added_at_a_time():
    arms, _, cover = begun(2, lambda n: 0.3 / (n + 1))
    for turn in range(100):
        before, i = len(arms), turn % len(arms)
        arms[i].pulls += 1
        cover.shrink(i)
        assert cover.settle() == (len(arms) == before + 1)
        assert len(arms) <= before + 1


def test_cells_wait_only_while_new_balls_are_small():
    assert begun(1)[1] == []
    assert begun(1, lambda _: 0.05)[1] != []


def test_a_cover_can_be_built_again_from_its_arms():
    arms, waiting, cover = begun(2)
    copies = [ActiveArm(point=arm.point, cells=list(arm.cells)) for arm in arms]
    again_waiting = list(waiting)
    again = Cover(copies, again_waiting, radius, 2)
    for turn in range(120):
        i = turn % len(arms)
        for each, c in ((arms, cover), (copies, again)):
            each[i].pulls += 1
            c.shrink(i)
            c.settle()
        if turn == 60:  # as after a restart
            again = Cover(copies, again_waiting, radius, 2)
    assert copies == arms


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([(0,)], "must make up the box"),
        ([(), (0,)], "must make up the box"),
        ([(0,), (0,), (1,)], "must make up the box"),
    ],
)
def test_cells_that_do_not_make_up_the_box_are_refused(cells, message):
    with pytest.raises(ValueError, match=message):
        check_cover([ActiveArm(point=(0.5,), cells=cells)], [], radius)


def test_a_cell_outside_of_its_ball_is_refused():
    arm = ActiveArm(point=(0.1,), pulls=3, cells=[()])
    with pytest.raises(ValueError, match=r"cells of state.arms\[0\] must lie in its ball"):
        check_cover([arm], [], radius)


def test_more_reward_than_pulls_is_refused():
    arm = ActiveArm(point=(0.5,), pulls=1, total=1.5, cells=[()])
    with pytest.raises(ValueError, match=r"state.arms\[0\].total must lie in \[0, 1\]; got 1.5"):
        check_cover([arm], [], radius)
