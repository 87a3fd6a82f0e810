"""Polish, transition by transition: what it asks about, and when it moves, shrinks or ends."""

from dataclasses import replace

import pytest

from duelli.blocks import Tally
from duelli.learners.race import RaceConfig, polish
from duelli.learners.race.machine import initial
from duelli.learners.race.states import Memory, Polish

HORIZON = 10**6


def config_of(dim=2, **inputs):
    return RaceConfig(**{"dim": dim, "horizon": HORIZON, "slope_max": 0.25, **inputs})


def memory_of(reference, **fields):
    dim = len(reference)
    given = {"duels": 0, "horizon_now": HORIZON, "reference": reference, "step": 0.25}
    return Memory(**{**given, "low": (0.0,) * dim, "high": (1.0,) * dim, **fields})


def answered(state, config, rate):
    """Return what follows a look in which side k wins the share ``rate(k)`` of its duels."""
    blocks = polish.step(state, config)
    around = polish.sides(state.memory, config)
    tallies = [
        Tally(block.n, block.n * rate(k), block.low)
        for k, block in zip(around, blocks, strict=True)
    ]
    return polish.advance(state, tallies, config)


def begun(reference, dim=2, **fields):
    config = config_of(dim)
    return polish.begin(memory_of(reference, **fields), config, step=0.25), config


@pytest.mark.parametrize("dim", [1, 2, 3, 7])
def test_a_step_has_all_neighbours(dim):
    config = config_of(dim)
    state = initial(config)
    lows = [block.low for block in polish.step(state, config)]
    assert lows == [polish.neighbour(state.memory, k) for k in range(2 * dim)]
    assert len(set(lows)) == 2 * dim


@pytest.mark.parametrize("dim", [1, 2, 3, 7])
def test_each_neighbour_differs_from_the_reference_in_one_coordinate_by_the_step(dim):
    config = config_of(dim)
    for block in polish.step(polish.begin(memory_of((0.5,) * dim), config, step=0.25), config):
        apart = [abs(x - y) for x, y in zip(block.low, block.reference, strict=True)]
        assert sorted(apart) == [0.0] * (dim - 1) + [0.25]


@pytest.mark.parametrize("reference", [(0.0, 0.0), (1.0, 0.5), (0.99, 0.01), (0.2, 0.9)])
def test_no_neighbour_equals_the_reference_at_the_walls(reference):
    state, config = begun(reference)
    step = polish.step(state, config)
    assert step
    assert all(block.low != block.reference == reference for block in step)


def test_a_neighbour_beyond_the_wall_is_left_out():
    state, config = begun((1.0, 0.5))
    assert polish.sides(state.memory, config) == [1, 2, 3]


def test_all_neighbours_get_the_same_number_of_duels():
    state, config = begun((0.5, 0.5))
    assert {block.n for block in polish.step(state, config)} == {
        128
    }  # LEAST / (Γ L s)² = 0.5 · 16²


def begun_finely(reference):
    """Return a polish that does not end before it has seen small drops."""
    return begun(reference, done=1, round=6)


def test_a_second_look_doubles_the_duels():
    state, config = begun_finely((0.5, 0.5))
    following = answered(state, config, lambda _: 0.5)
    assert isinstance(following, Polish)
    assert following.n == 128
    assert {block.n for block in polish.step(following, config)} == {128}
    third = answered(following, config, lambda _: 0.5)
    assert (third.n, {block.n for block in polish.step(third, config)}) == (256, {256})


def test_the_wins_of_a_sweep_add_up():
    state, config = begun_finely((0.5, 0.5))
    following = answered(answered(state, config, lambda _: 0.5), config, lambda _: 0.5)
    assert following.wins == (128.0,) * 4
    assert following.memory.duels == 2 * 4 * 128


def test_the_reference_moves_towards_the_better_side():
    state, config = begun((0.5, 0.5))
    following = answered(state, config, lambda k: {0: 0.7, 1: 0.3}.get(k, 0.5))
    x, y = following.memory.reference
    assert (x > 0.5, y) == (True, 0.5)


def test_a_whole_step_keeps_the_step_and_begins_a_new_sweep():
    state, config = begun((0.5, 0.5))
    following = answered(state, config, lambda k: {0: 0.7, 1: 0.3}.get(k, 0.5))
    assert following.memory.step == 0.25
    assert (following.n, following.wins, following.hops) == (0, (0.0,) * 4, 1)


def test_where_all_neighbours_lose_the_step_shrinks_and_the_reference_stays():
    state, config = begun((0.5, 0.5))
    following = answered(state, config, lambda _: 0.2)
    assert following.memory.reference == (0.5, 0.5)
    assert following.memory.step == 0.125


def test_a_neighbour_that_leads_from_a_hollow_becomes_the_reference():
    state, config = begun((0.5, 0.5))
    following = answered(state, config, lambda k: 0.9 if k == 2 else 0.8)
    assert following.memory.reference == (0.5, 0.75)


def test_at_the_wall_a_worse_inner_side_does_not_push_outwards():
    state, config = begun((1.0, 0.5))
    following = answered(state, config, lambda k: 0.2 if k == 1 else 0.5)
    assert following.memory.reference == (1.0, 0.5)


@pytest.mark.parametrize("round_", [2, 4])
def test_it_never_moves_further_than_two_edges_from_home(round_):
    config, reach = config_of(1), 2 * 2.0 ** (1 - round_)
    state = polish.begin(memory_of((0.1,), round=round_), config, step=0.25)
    farthest = 0.1
    for _ in range(20):
        following = answered(state, config, lambda k: 0.9 if k == 0 else 0.1)
        farthest = max(farthest, following.memory.reference[0])
        if not isinstance(following, Polish):
            break
        state = following
    assert farthest == pytest.approx(min(1.0, 0.1 + reach), abs=1e-9)


def test_its_patience_ends_it():
    state, config = begun((0.5, 0.5))
    state = replace(state, deadline=100)
    assert answered(state, config, lambda _: 0.5) == polish.Polished(
        replace(state.memory, duels=4 * 128), (0.5, 0.5), False
    )


def test_the_last_polish_has_no_deadline():
    config = config_of()
    state = polish.begin(memory_of((0.5, 0.5), final=True), config, step=0.25)
    assert isinstance(answered(replace(state, deadline=0), config, lambda _: 0.5), Polish)


def test_a_flat_sweep_ends_once_the_drop_is_known_well_enough():
    state, config = begun_finely((0.5, 0.5))
    looks = 0
    while isinstance(state, Polish):
        state = answered(state, config, lambda _: 0.5)
        looks += 1
    assert state.memory.reference == (0.5, 0.5)
    assert 1 < looks < 20


def test_a_rival_that_was_polished_names_the_reference_that_it_challenges():
    config = config_of()
    rival = memory_of((0.25, 0.25))
    state = polish.begin(rival, config, step=0.25, rival_to=(0.5, 0.5))
    ended = answered(replace(state, deadline=0), config, lambda _: 0.5)
    assert (ended.old, ended.rival) == ((0.5, 0.5), True)


@pytest.mark.parametrize(("left", "n"), [(4, 1), (7, 1), (8, 2), (400, 100)])
def test_the_duels_that_are_left_are_shared_equally(left, n):
    config = config_of()
    state = polish.begin(memory_of((0.5, 0.5), duels=HORIZON - left), config, step=0.25)
    assert [block.n for block in polish.step(state, config)] == [n] * 4


@pytest.mark.parametrize("left", [1, 3])
def test_too_few_duels_for_all_neighbours_make_no_step(left):
    config = config_of()
    state = polish.begin(memory_of((0.5, 0.5), duels=HORIZON - left), config, step=0.25)
    assert polish.step(state, config) == ()
