"""Dyadic cubes by path: where they lie, and the order of a depth-first walk."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duelli import cubes

repeatable = settings(derandomize=True, deadline=None)
dims = st.integers(1, 4)
entries = st.floats(0, 1)


@st.composite
def paths(draw, dim, most=12):
    return tuple(draw(st.lists(st.integers(0, 2**dim - 1), max_size=most)))


@st.composite
def dims_and_paths(draw):
    dim = draw(dims)
    return dim, draw(paths(dim))


def test_the_root_is_the_whole_box():
    assert (cubes.edge(()), cubes.low((), 3)) == (1.0, (0.0, 0.0, 0.0))


def test_the_first_coordinate_is_the_slowest():
    lows = [cubes.low((child,), 2) for child in range(4)]
    assert lows == [(0.0, 0.0), (0.0, 0.5), (0.5, 0.0), (0.5, 0.5)]


def test_a_child_lies_where_its_bits_say():
    assert cubes.low((3, 0, 2), 2) == (0.625, 0.5)


@repeatable
@given(dims_and_paths())
def test_a_child_has_half_the_edge(case):
    _, path = case
    assert cubes.edge((*path, 0)) == cubes.edge(path) / 2


@repeatable
@given(dims_and_paths())
def test_the_children_tile_their_parent(case):
    dim, path = case
    low, half = cubes.low(path, dim), cubes.edge(path) / 2
    children = [cubes.low((*path, child), dim) for child in range(2**dim)]
    assert children == list(product(*[(a, a + half) for a in low]))


@repeatable
@given(dims_and_paths())
def test_the_path_to_the_centre_of_a_cube_is_its_own(case):
    dim, path = case
    centre = tuple(a + cubes.edge(path) / 2 for a in cubes.low(path, dim))
    assert cubes.path_to(centre, len(path)) == path


@repeatable
@given(st.lists(entries, min_size=1, max_size=4), st.integers(0, 60))
def test_the_path_to_an_arm_leads_to_a_cube_that_holds_it(arm, levels):
    path = cubes.path_to(tuple(arm), levels)
    assert len(path) == levels
    assert cubes.contains(path, tuple(arm))


@repeatable
@given(st.lists(entries, min_size=1, max_size=4), st.integers(0, 20))
def test_a_longer_path_to_an_arm_goes_on_from_a_shorter_one(arm, levels):
    longer = cubes.path_to(tuple(arm), levels + 1)
    assert longer[:levels] == cubes.path_to(tuple(arm), levels)


def test_on_a_shared_face_the_path_leads_to_the_upper_cube():
    assert cubes.path_to((0.5, 0.25), 2) == (2, 1)


def test_at_one_the_path_leads_to_the_last_cube():
    assert cubes.path_to((1.0, 1.0), 3) == (3, 3, 3)


@repeatable
@given(dims_and_paths(), st.data())
def test_a_cube_holds_just_the_arms_between_its_faces(case, data):
    dim, path = case
    arm = tuple(data.draw(st.lists(entries, min_size=dim, max_size=dim)))
    low, edge = cubes.low(path, dim), cubes.edge(path)
    inside = all(0 <= x - a <= edge for a, x in zip(low, arm, strict=True))
    assert cubes.contains(path, arm) == inside


@repeatable
@given(dims_and_paths())
def test_the_depth_of_an_edge_is_one_more_than_the_length_of_the_path(case):
    _, path = case
    assert cubes.depth(cubes.edge(path)) == len(path) + 1


def test_a_cube_of_edge_0_holds_its_corner_alone():
    assert cubes.within((0.5, 0.25), 0.0, (0.5, 0.25))
    assert not cubes.within((0.5, 0.25), 0.0, (0.5, 0.2500001))


def test_a_cube_holds_its_faces():
    assert cubes.contains((3,), (0.5, 1.0))


def counting_up(children):
    return lambda _, child: child + 1 if child + 1 < children else None


def walk(dim, levels):
    """Return the cubes of a depth-first walk that goes down ``levels`` levels everywhere."""
    path, visited = (), []
    while path is not None:
        visited.append(path)
        below = len(path) < levels
        path = (*path, 0) if below else cubes.successor(path, counting_up(2**dim))
    return visited


@pytest.mark.parametrize(("dim", "levels"), [(1, 0), (1, 6), (2, 4), (3, 3), (4, 2)])
def test_a_walk_visits_every_cube_exactly_once(dim, levels):
    every = [path for h in range(levels + 1) for path in product(range(2**dim), repeat=h)]
    assert sorted(walk(dim, levels)) == sorted(every)


@pytest.mark.parametrize(("dim", "levels"), [(1, 6), (2, 4), (3, 3)])
def test_a_walk_is_depth_first(dim, levels):
    visited = walk(dim, levels)
    assert visited == sorted(visited)  # a prefix comes before what it begins


@repeatable
@given(dims_and_paths())
def test_the_successor_is_the_next_cube_that_is_not_below(case):
    dim, path = case
    following = cubes.successor(path, counting_up(2**dim))
    last = 2**dim - 1
    if set(path) <= {last}:
        assert following is None
    else:
        turn = max(i for i, child in enumerate(path) if child != last)
        assert following == (*path[:turn], path[turn] + 1)


def test_the_successor_follows_the_order_that_it_is_given():
    order = [2, 0, 3, 1]

    def next_child(_, child):
        place = order.index(child) + 1
        return order[place] if place < len(order) else None

    visited, path = [], (order[0],)
    while path is not None:
        visited.append(path[0])
        path = cubes.successor(path, next_child)
    assert visited == order


def test_the_order_may_depend_on_the_parent():
    asked = []
    cubes.successor((1, 2, 3), lambda parent, child: asked.append((parent, child)))
    assert asked == [((1, 2), 3), ((1,), 2), ((), 1)]
