"""The observer of ARC-DuelLi: which cubes each round visited, and how many it eliminated."""

import pytest

from duelli import cubes
from duelli.blocks import Block
from duelli.driver import play
from duelli.duels import DuelModel
from duelli.engines import ENGINES
from duelli.learners.arc import ArcDuelli, observer
from duelli.learners.arc.observer import CubeCounter, eliminated_cubes

MODEL = DuelModel("two_cones")


def block(*path, dim=2):
    return Block(cubes.low(path, dim), cubes.edge(path), (0.5,) * dim, 1)


def seen(*paths, dim=2):
    counter = CubeCounter(dim)
    for path in paths:
        counter.see(block(*path, dim=dim), "explore")
    return counter


@pytest.mark.parametrize(
    ("active", "eliminated"),
    [
        ({}, 0),
        ({1: 1}, 0),
        ({1: 1, 2: 4, 3: 16}, 0),
        ({1: 1, 2: 4, 3: 12}, 1),
        ({1: 1, 2: 4, 3: 8, 4: 4}, 9),
    ],
)
def test_eliminated_cubes_are_those_without_visited_children(active, eliminated):
    assert eliminated_cubes(active, 4) == eliminated


def test_cubes_are_counted_by_depth():
    assert seen((), (0,), (1,)).close() == {"active": {1: 1, 2: 2}, "eliminated": 1}


def test_blocks_of_other_phases_do_not_count():
    counter = seen(())
    counter.see(block(3), "anchor")
    counter.see(block(3), "cleanup")
    assert counter.notes()["active"] == {1: 1}


def test_a_round_begins_with_nothing():
    counter = seen((), (0,))
    counter.close()
    assert counter.notes() == {}


def test_notes_do_not_end_the_round():
    counter = seen((), (0,))
    assert counter.notes() == counter.notes() != {}


@pytest.mark.parametrize(
    ("paths", "visited"),
    [
        ([()], [[0, 0]]),
        ([(), (0,), (1,), (2,)], [[0, 2]]),
        ([(), (3,), (1,), (0,)], [[0, 1], [3, 3]]),
        ([(), (0,), (0, 0), (0, 1), (2,), (2, 3)], [[0, 1], [11, 11]]),
    ],
)
def test_the_deepest_cubes_are_noted_as_ranges_of_their_numbers(paths, visited):
    assert seen(*paths).notes()["visited"] == visited


def test_numbers_have_the_path_as_digits_in_any_dimension():
    assert seen((), (5,), (5, 6), dim=3).notes()["visited"] == [[8 * 5 + 6, 8 * 5 + 6]]


def test_too_many_cubes_are_only_counted(monkeypatch):
    monkeypatch.setattr(observer, "MOST_KEPT", 2)
    notes = seen((), (0,), (1,), (2,)).notes()
    assert notes == {"active": {1: 1, 2: 3}}


@pytest.mark.parametrize("order", ["lexicographic", "random"])
def test_the_ranges_are_the_cubes_that_were_played(order):
    learner = ArcDuelli(dim=2, horizon=10**6, slope_max=0.25, order=order, seed=3)
    counter, lows, before = learner.observer(), set(), learner.progress()
    for (played,), _ in play(learner, ENGINES["collapsed"](MODEL, seed=3)):
        counter.see(played, before.phase)
        if before.phase == "explore" and played.edge == 1 / 8:
            lows.add(played.low)
        after = learner.progress()
        if after.rounds_done > before.rounds_done:
            counter.close()
            lows.clear()
        before = after
    numbers = [n for first, last in counter.notes()["visited"] for n in range(first, last + 1)]
    paths = [(n // 16, n // 4 % 4, n % 4) for n in numbers]
    assert {cubes.low(path, 2) for path in paths} == lows
    assert len(lows) > 30
