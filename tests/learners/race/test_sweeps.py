"""Sweeps: where the neighbours lie, and the shape that is learnt from their drops."""

import math

import numpy as np
import pytest

from duelli._rng import stream
from duelli.learners.race import sweeps
from duelli.learners.race.states import Local

from .samples import memory_of

pytestmark = pytest.mark.usefixtures("own_constants")

DIMS = [1, 2, 3, 4, 5, 8]


def packed(shape):
    return tuple(np.asarray(shape)[np.tril_indices(len(shape))].tolist())


# Frames.


@pytest.mark.parametrize("dim", [*DIMS, 9, 20])
@pytest.mark.parametrize("count", range(12))
def test_every_frame_is_orthonormal(dim, count):
    frame = sweeps._frame(count, dim)
    assert frame.T @ frame == pytest.approx(np.eye(dim))


@pytest.mark.parametrize("dim", DIMS)
def test_even_sweeps_go_along_the_axes(dim):
    for count in (0, 2, 10):
        assert (sweeps._frame(count, dim) == np.eye(dim)).all()


@pytest.mark.parametrize("dim", [2, 3, 4, 5, 8])
def test_odd_sweeps_turn_every_pair_of_axes_once_in_a_cycle(dim):
    turns = dim - 1 + dim % 2
    pairs = []
    for k in range(turns):
        frame = sweeps._frame(2 * k + 1, dim)
        pairs += [(i, j) for i in range(dim) for j in range(i) if frame[i, j] != 0]
    assert sorted(pairs) == [(i, j) for i in range(dim) for j in range(i)]


def test_a_pair_is_turned_by_45_degrees():
    r = math.sqrt(0.5)
    assert np.abs(sweeps._frame(1, 2)) == pytest.approx(np.full((2, 2), r))
    assert np.linalg.det(sweeps._frame(1, 2)) == pytest.approx(-1)  # a mirrored pair is as good


@pytest.mark.parametrize("dim", [1, 9, 20])
def test_on_the_line_and_in_many_dimensions_nothing_is_turned(dim):
    assert (sweeps._frame(1, dim) == np.eye(dim)).all()


# Shapes.


def test_without_a_shape_a_sweep_is_a_ball():
    assert (sweeps.matrix((), 3) == np.eye(3)).all()


def test_a_shape_is_a_symmetric_matrix():
    shape = sweeps.matrix((1.0, 0.2, 0.5, -0.1, 0.3, 0.25), 3)
    assert (shape == [[1.0, 0.2, -0.1], [0.2, 0.5, 0.3], [-0.1, 0.3, 0.25]]).all()


def test_in_many_dimensions_it_is_a_diagonal():
    diagonal = tuple(1 / (k + 1) for k in range(9))
    assert (sweeps.matrix(diagonal, 9) == np.diag(diagonal)).all()


@pytest.mark.parametrize(("dim", "length"), [(1, 1), (2, 3), (3, 6), (8, 36), (9, 9), (200, 200)])
def test_a_shape_has_so_many_numbers(dim, length):
    assert sweeps.shape_length(dim) == length
    assert len(sweeps._packed(np.eye(dim))) == length


@pytest.mark.parametrize("dim", [1, 2, 4, 8, 9, 12])
def test_packing_and_unpacking_leave_a_shape_as_it_was(dim):
    shape = tuple(np.round(stream(dim, "trial").random(sweeps.shape_length(dim)), 6).tolist())
    assert sweeps._packed(sweeps.matrix(shape, dim)) == shape


@pytest.mark.parametrize("dim", [1, 2, 3, 8, 9, 12])
def test_the_axes_of_a_shape_are_the_lengths_along_which_it_stretches(dim):
    assert sweeps.axes_of((), dim) == pytest.approx(np.ones(dim))
    axes = np.linspace(0.1, 1.0, dim)
    turn = np.eye(dim)
    if dim <= 8:
        turn, _ = np.linalg.qr(stream(dim, "trial").normal(size=(dim, dim)))
    shape = sweeps._packed(turn @ np.diag(axes) @ turn.T)
    assert np.sort(sweeps.axes_of(shape, dim)) == pytest.approx(axes, abs=1e-5)


@pytest.mark.parametrize("dim", [1, 2, 8, 9, 200])
def test_the_half_axis_of_a_sweep_is_the_geometric_mean(dim):
    assert sweeps.half_axis(Local(step=0.1), dim) == pytest.approx(0.1)
    axes = np.geomspace(0.25, 1.0, dim) if dim > 1 else np.array([0.5])
    shape = sweeps._packed(np.diag(axes))
    assert sweeps.half_axis(Local(step=0.1, shape=shape), dim) == pytest.approx(0.05, rel=1e-5)


def test_the_half_axis_is_that_of_the_axes_of_a_turned_shape():
    turned = sweeps._frame(1, 2)
    shape = packed(turned @ np.diag([1.0, 0.25]) @ turned.T)
    assert sweeps.half_axis(Local(step=0.1, shape=shape), 2) == pytest.approx(0.05)


def test_in_many_dimensions_short_axes_have_a_half_axis_too():
    local = Local(step=0.1, shape=(1.0, *[1 / 64] * 399))  # their product is below every float
    assert sweeps.half_axis(local, 400) == pytest.approx(0.1 * (1 / 64) ** (399 / 400))


@pytest.mark.parametrize(
    ("shape", "arm", "steps"),
    [
        ((), (0.5, 0.5), 0.0),
        ((), (0.8, 0.9), 5.0),
        ((1.0, 0.0, 0.25), (0.7, 0.5), 2.0),
        ((1.0, 0.0, 0.25), (0.5, 0.3), 8.0),
        ((1.0, 0.0, 0.25), (0.8, 0.6), 5.0),
    ],
)
def test_how_far_an_arm_is_away_is_counted_in_steps_of_the_sweeps(shape, arm, steps):
    local = Local(step=0.1, shape=shape)
    assert sweeps.steps_to(local, (0.5, 0.5), arm) == pytest.approx(steps)


@pytest.mark.parametrize("dim", [2, 3, 8])
def test_a_neighbour_is_one_step_away_whatever_the_shape(dim):
    turn, _ = np.linalg.qr(stream(dim, "trial").normal(size=(dim, dim)))
    shape = packed(turn @ np.diag(np.linspace(0.3, 1.0, dim)) @ turn.T)
    memory = memory_of((0.5,) * dim, step=0.1, shape=shape, sweeps=1)
    sweep = sweeps.sweep_of(memory)
    for side in sweep.sides():
        arm = sweep.neighbour(memory.reference, side)
        away = sweeps.steps_to(memory.local, memory.reference, arm)
        assert away == pytest.approx(1.0, abs=1e-6)


def test_in_many_dimensions_steps_are_counted_along_the_axes():
    local = Local(step=0.1, shape=(1.0, 0.25, *[0.5] * 7))
    arm = (0.8, 0.6, *[0.5] * 7)
    assert sweeps.steps_to(local, (0.5,) * 9, arm) == pytest.approx(5.0)
    assert sweeps.steps_to(Local(step=0.1), (0.5,) * 9, arm) == pytest.approx(math.sqrt(10))


# Where the neighbours lie.


def sweep_of(reference, step=0.1, shape=(), count=0):
    return sweeps.sweep_of(memory_of(reference, step=step, shape=shape, sweeps=count))


def test_the_neighbours_lie_on_both_sides():
    sweep = sweep_of((0.5, 0.5))
    assert sweep.sides() == [0, 1, 2, 3]
    arms = [sweep.neighbour((0.5, 0.5), side) for side in sweep.sides()]
    expected = [(0.6, 0.5), (0.4, 0.5), (0.5, 0.6), (0.5, 0.4)]
    assert np.array(arms) == pytest.approx(np.array(expected))
    assert sweep.pinned == (0, 0)
    assert (sweep.frame == np.eye(2)).all()


def test_a_sweep_goes_along_the_axes_of_its_shape():
    turned = sweeps._frame(1, 2)
    shape = turned @ np.diag([1.0, 0.25]) @ turned.T
    sweep = sweep_of((0.5, 0.5), shape=packed(shape))
    lengths = sorted(np.linalg.norm(sweep.moves, axis=0))
    assert lengths == pytest.approx([0.025, 0.1])
    assert sweep.moves.T @ sweep.moves == pytest.approx(
        np.diag(np.linalg.norm(sweep.moves, axis=0) ** 2)
    )
    assert shape @ sweep.frame * 0.1 == pytest.approx(sweep.moves)


def test_odd_sweeps_turn_between_the_axes_of_the_shape():
    sweep = sweep_of((0.5, 0.5), shape=(1.0, 0.0, 0.25), count=1)
    assert np.abs(sweep.moves) == pytest.approx(
        np.array([[0.1, 0.1], [0.025, 0.025]]) * math.sqrt(0.5)
    )


def test_in_many_dimensions_the_shape_is_along_the_box():
    shape = (1.0, *[0.5] * 8)
    sweep = sweep_of((0.5,) * 9, shape=shape, count=1)
    assert sweep.moves == pytest.approx(0.1 * np.diag(shape))


def test_a_sweep_that_hardly_fits_is_made_to_fit():
    sweep = sweep_of((0.05, 0.5))
    assert sweep.moves == pytest.approx(np.diag([0.05, 0.1]))
    assert (sweep.pinned, sweep.whole) == ((0, 0), False)
    assert (sweep.frame == np.eye(2)).all()


def test_a_sweep_that_just_fits_is_whole():
    assert sweep_of((0.25, 0.5), step=0.25).whole
    assert not sweep_of((0.249, 0.5), step=0.25).whole


def test_two_opposite_neighbours_can_meet_at_a_share_of_their_length():
    sweep = sweep_of((0.5, 0.5))
    assert sweep.pairs() == [0, 1]
    assert sweep.neighbour((0.5, 0.5), 2, 0.5) == pytest.approx((0.5, 0.55))
    assert sweep.neighbour((0.5, 0.5), 3, 0.5) == pytest.approx((0.5, 0.45))


def test_at_a_wall_there_is_no_pair():
    assert sweep_of((0.0, 0.5)).pairs() == [1]
    assert sweep_of((0.0, 1.0)).pairs() == []


@pytest.mark.parametrize(("x", "pin", "side", "arm"), [(0.024, 1, 0, 0.124), (0.976, -1, 1, 0.876)])
def test_at_a_wall_only_the_inner_side_is_asked(x, pin, side, arm):
    sweep = sweep_of((x, 0.5))
    assert (sweep.pinned, sweep.whole) == ((pin, 0), False)
    assert (sweep.frame == np.eye(2)).all()
    assert sweep.sides() == [side, 2, 3]
    assert sweep.neighbour((x, 0.5), side) == pytest.approx((arm, 0.5))


def test_with_a_quarter_of_the_room_both_sides_are_asked():
    assert sweep_of((0.025, 0.5)).pinned == (0, 0)
    assert sweep_of((0.02499, 0.5)).pinned == (1, 0)


def test_at_a_wall_the_sweep_goes_along_the_axes_of_the_box():
    shape = (1.0, 0.25, 0.5)
    sweep = sweep_of((0.0, 0.04), shape=shape, count=1)
    lengths = [0.1 * math.hypot(1.0, 0.25), 0.1 * math.hypot(0.25, 0.5)]
    assert sweep.moves == pytest.approx(np.diag([lengths[0], 0.04]))
    assert lengths[1] > 0.04  # the other coordinate is cut to its room
    assert sweep.pinned == (1, 0)


def test_in_a_corner_every_side_points_inwards():
    sweep = sweep_of((1.0, 0.0))
    assert (sweep.pinned, sweep.sides()) == ((-1, 1), [1, 2])
    assert sweep.neighbour((1.0, 0.0), 1) == pytest.approx((0.9, 0.0))
    assert sweep.neighbour((1.0, 0.0), 2) == pytest.approx((1.0, 0.1))


@pytest.mark.parametrize("dim", [1, 2, 3, 9])
def test_all_neighbours_lie_in_the_box_and_differ_from_the_reference(dim):
    rng = stream(dim, "trial")
    for count in range(100):
        root = rng.normal(size=(dim, dim)) if dim <= 8 else np.diag(rng.random(dim) + 0.1)
        shape = root @ root.T + 0.1 * np.eye(dim)
        shape = sweeps._packed(shape / np.linalg.norm(shape, 2))
        corner = rng.integers(0, 2, size=dim).astype(float)
        x = tuple(np.where(rng.random(dim) < 0.3, corner, rng.random(dim)).tolist())
        sweep = sweep_of(x, 0.3, shape, count)
        # Before the neighbours are put into the box, they are in it.
        both = [(np.array(x) + s * sweep.moves[:, k]) for k in range(dim) for s in (1, -1)]
        for side in sweep.sides():
            assert both[side].min() > -1e-12
            assert both[side].max() < 1 + 1e-12
            assert sweep.neighbour(x, side) != x


# What is learnt.


def learnt(shape, excess, sweeps_so_far=100):
    """Return the shape after a sweep, as a matrix, and the growth of the longest axis."""
    dim = len(excess)
    memory = memory_of((0.5,) * dim, step=0.1, shape=shape, sweeps=sweeps_so_far)
    after, growth = sweeps.reshaped(memory.local, sweeps.sweep_of(memory), np.array(excess))
    return sweeps.matrix(after, dim), growth


def test_a_direction_that_falls_little_is_made_longer():
    shape, growth = learnt((), [-0.6, 0.6])
    # A tenth of the excess, as the log of a squared length.
    assert growth == pytest.approx(math.exp(0.03))
    assert shape == pytest.approx(np.diag([1.0, math.exp(-0.06)]), abs=1e-6)


@pytest.mark.parametrize(("count", "rate"), [(0, 0.4), (2, 0.4 / 3), (4, 0.1), (1000, 0.1)])
def test_the_first_sweeps_teach_more(count, rate):
    assert learnt((), [-0.6, 0.6], count)[1] == pytest.approx(math.exp(0.3 * rate))


def test_no_direction_is_stretched_too_far_by_one_sweep():
    shape, growth = learnt((), [-90.0, 30.0, 30.0, 30.0])
    assert growth == pytest.approx(math.exp(0.25))
    assert np.diag(shape) == pytest.approx([1.0, *[math.exp(-0.5)] * 3], abs=1e-6)


@pytest.mark.parametrize("dim", [2, 3, 9])
@pytest.mark.parametrize("excess", [-0.6, 0.6])
def test_where_all_directions_fall_too_little_or_too_much_all_are_stretched_alike(dim, excess):
    shape, growth = learnt((), [excess] * dim)
    assert growth == pytest.approx(math.exp(-0.05 * excess))
    assert shape == pytest.approx(np.eye(dim), abs=1e-6)


@pytest.mark.parametrize("dim", [2, 9])
def test_a_direction_that_shows_the_drop_keeps_its_length(dim):
    for excess in (-0.6, 0.6):
        shape, growth = learnt((), [excess] + [0.0] * (dim - 1))
        own = math.exp(-0.05 * excess)
        lengths = np.sort(growth * np.diag(shape))
        assert lengths == pytest.approx(np.sort([own] + [1.0] * (dim - 1)), abs=1e-5)


def test_equal_drops_leave_the_shape():
    shape, growth = learnt((1.0, 0.2, 0.5), [0.0, 0.0])
    longest = np.linalg.norm(sweeps.matrix((1.0, 0.2, 0.5), 2), 2)
    assert shape == pytest.approx(sweeps.matrix((1.0, 0.2, 0.5), 2) / longest, abs=1e-6)
    assert growth == pytest.approx(longest)


def quadratic_drops(bowl, moves):
    """Return by how much x -> -x' bowl x falls along each move."""
    return np.einsum("ik,ij,jk->k", moves, bowl, moves)


@pytest.mark.parametrize(("dim", "count"), [(2, 400), (3, 400), (4, 400), (8, 1200)])
def test_on_a_rotated_quadratic_the_drops_become_equal_in_some_sweeps(dim, count):
    turn, _ = np.linalg.qr(stream(dim, "trial").normal(size=(dim, dim)))
    bowl = turn @ np.diag(np.geomspace(1.0, 50.0, dim)) @ turn.T
    shape, ratios = (), []
    for k in range(count):
        memory = memory_of((0.5,) * dim, step=0.01, shape=shape, sweeps=k)
        sweep = sweeps.sweep_of(memory)
        drops = quadratic_drops(bowl, sweep.moves)
        ratios.append(drops.max() / drops.min())
        shape, _ = sweeps.reshaped(memory.local, sweep, drops / drops.mean() - 1)
    assert ratios[0] > 1.5 or ratios[1] > 1.5
    assert max(ratios[-10:]) < 1.01


@pytest.mark.parametrize("dim", [2, 9])
def test_on_a_quadratic_along_the_box_the_drops_become_equal(dim):
    bowl, shape = np.diag(np.linspace(1.0, 9.0, dim)), ()
    for count in range(0, 400, 2):
        memory = memory_of((0.5,) * dim, step=0.01, shape=shape, sweeps=count)
        sweep = sweeps.sweep_of(memory)
        drops = quadratic_drops(bowl, sweep.moves)
        shape, _ = sweeps.reshaped(memory.local, sweep, drops / drops.mean() - 1)
    assert drops.max() / drops.min() < 1.01


def test_no_axis_is_too_short():
    shape, _ = learnt((1.0, 0.0, 1 / 60), [5.0, -5.0])  # the shortest axis comes first
    assert np.diag(shape) == pytest.approx([1.0, 1 / 64], abs=1e-6)
    long = (1.0, *[1 / 60] * 8)
    many, _ = learnt(long, [-5.0] + [5.0] * 8)
    assert np.diag(many) == pytest.approx([1.0, *[1 / 64] * 8], abs=1e-6)


@pytest.mark.parametrize("dim", [2, 5, 9])
def test_the_longest_axis_of_a_shape_is_one(dim):
    rng = stream(dim, "trial")
    shape = ()
    for count in range(8):
        memory = memory_of((0.5,) * dim, step=0.01, shape=shape, sweeps=count)
        sweep = sweeps.sweep_of(memory)
        shape, _ = sweeps.reshaped(memory.local, sweep, rng.normal(size=dim))
        assert np.linalg.norm(sweeps.matrix(shape, dim), 2) == pytest.approx(1, abs=1e-5)


def test_in_many_dimensions_each_axis_is_stretched_by_itself():
    shape, growth = learnt((1.0, *[0.5] * 8), [-1.0] + [1.0] * 8)
    assert growth == pytest.approx(math.exp(0.05))
    assert np.diag(shape) == pytest.approx([1.0, *[0.5 * math.exp(-0.1)] * 8], abs=1e-6)


@pytest.mark.parametrize("excess", [-0.5, 0.0, 2.0])
def test_on_the_line_nothing_is_stretched(excess):
    line = memory_of((0.5,), step=0.1)
    assert sweeps.reshaped(line.local, sweeps.sweep_of(line), np.array([excess])) == ((), 1.0)


@pytest.mark.parametrize("dim", [2, 9])
@pytest.mark.parametrize(
    ("excess", "stretch"), [(0.0, 1.0), (-1.0, math.exp(0.05)), (1.0, math.exp(-0.05))]
)
def test_at_a_wall_the_mean_drop_stretches_the_step_and_the_shape_stays(dim, excess, stretch):
    shape = (1.0, 0.1, 0.5) if dim == 2 else (1.0, *[0.5] * 8)
    wall = memory_of((0.0, *[0.5] * (dim - 1)), step=0.1, shape=shape, sweeps=100)
    uneven = np.array([excess - 0.5, excess + 0.5, *[excess] * (dim - 2)])
    same, growth = sweeps.reshaped(wall.local, sweeps.sweep_of(wall), uneven)
    assert (same, growth) == (shape, pytest.approx(stretch))


@pytest.mark.parametrize(("count", "rate"), [(0, 0.4), (100, 0.1)])
def test_at_a_wall_the_first_sweeps_teach_more_too_and_none_too_much(count, rate):
    wall = memory_of((0.0, 0.5), step=0.1, sweeps=count)
    sweep = sweeps.sweep_of(wall)
    assert sweeps.reshaped(wall.local, sweep, np.full(2, 0.5))[1] == pytest.approx(
        math.exp(-rate / 4)
    )
    for excess in (-90.0, 90.0):
        most = math.exp(-0.25 * np.sign(excess))
        assert sweeps.reshaped(wall.local, sweep, np.full(2, excess))[1] == pytest.approx(most)
