"""Polish, transition by transition: what it asks about, and when it moves, shrinks or ends."""

import math
from dataclasses import replace

import numpy as np
import pytest

from duelli.learners.race import checks, polish
from duelli.learners.race.states import Local, Polish
from duelli.learners.race.sweeps import sweep_of

from .samples import HORIZON, answers, config_of, memory_of

pytestmark = pytest.mark.usefixtures("own_constants")


RIVAL = ("rival_to", "lead", "old_local")  # given to `begun` for `polish.begin`


def begun(reference, *, inputs=None, **fields):
    """Return a polish before its first look, along the axes of the box, and its inputs."""
    config = config_of(len(reference), **(inputs or {}))
    rival = {name: fields.pop(name) for name in RIVAL if name in fields}
    return polish.begin(memory_of(reference, **{"sweeps": 1, **fields}), config, **rival), config


def answered(state, config, rate):
    """Return what follows a look in which side k wins the share ``rate(k)`` of its duels."""
    rates = [rate(k) for k in sweep_of(state.memory).sides()]
    return polish.advance(state, answers(polish.step(state, config), rates), config)


def sides(*rates):
    """Return the rates of the sides 0, 1, ..."""
    return rates.__getitem__


# How a polish begins.


def test_an_arm_that_was_never_polished_begins_with_the_given_step_and_nothing_else():
    memory = memory_of((0.5, 0.5), step=0.1, shape=(1.0, 0.1, 0.5), sweeps=5, size=7000)
    state = polish.begin(memory, config_of(), step=0.25)
    assert state.memory.local == Local(step=0.25, shape=(), sweeps=1, size=128)
    assert (state.n, state.wins) == (0, (0.0,) * 4)


def test_an_arm_that_was_polished_before_keeps_what_its_sweeps_have_shown():
    memory = memory_of((0.5, 0.5), step=0.1, shape=(1.0, 0.1, 0.5), sweeps=5, size=7000)
    state = polish.begin(memory, config_of())
    assert state.memory.local == Local(step=0.1, shape=(1.0, 0.1, 0.5), sweeps=6, size=7000)
    assert (state.n, state.wins) == (0, (0.0,) * 4)


@pytest.mark.parametrize(("round_", "step"), [(1, 0.3), (3, 0.3), (4, 0.25), (6, 0.0625)])
def test_the_step_is_at_most_two_edges_of_a_cell(round_, step):
    memory = memory_of((0.5,), round=round_)
    assert polish.begin(memory, config_of(1), step=0.5).memory.local.step == step
    assert polish.begin(memory, config_of(1), step=0.01).memory.local.step == 0.01
    longer = replace(memory, local=Local(step=0.5, shape=(1.0,), sweeps=3, size=7000))
    went_on = polish.begin(longer, config_of(1)).memory.local
    assert (went_on.step, went_on.shape, went_on.sweeps) == (step, (1.0,), 4)


def test_it_begins_at_home_and_keeps_who_is_challenged_and_by_how_much():
    old = Local(step=0.01, sweeps=9, size=7000)
    state, _ = begun((0.25,), rival_to=(0.5,), lead=0.125, old_local=old)
    assert (state.home, state.rival_to, state.lead) == ((0.25,), (0.5,), 0.125)
    assert state.old_local == old
    assert (state.hops, state.memory.local.sweeps) == (0, 2)


@pytest.mark.parametrize("dim", [1, 3])
def test_its_patience_is_that_of_its_dimensions_and_its_drop(dim):
    state, config = begun((0.5,) * dim, duels=1000)
    drop = polish.stop_drop(state.memory, config)
    assert state.deadline == 1000 + int(64 * dim / drop**2)


@pytest.mark.parametrize(
    ("step", "size", "slope", "n"),
    [
        (0.25, 0, 0.25, 128),  # LEAST / (Γ L s)² = 0.5 · 16²
        (0.125, 0, 0.25, 512),
        (0.25, 0, 0.5, 32),
        (0.25, 200, 0.25, 200),
        (0.25, 100, 0.25, 128),
        (0.25, 0, 50.0, 8),  # no win rate changes by more than 1/2: LEAST · 4 < min_block
    ],
)
def test_a_first_look_could_see_the_steepest_slope(step, size, slope, n):
    state, config = begun((0.5, 0.5), step=step, size=size, inputs={"slope_max": slope})
    assert {block.n for block in polish.step(state, config)} == {n}


def test_the_lipschitz_constant_counts_like_the_slope_of_the_link():
    state, _ = begun((0.5,), inputs={"lipschitz": 2.0})
    assert state.memory.local.size == 32


# The drop at which it ends.


def test_the_last_polish_ends_at_a_drop_that_the_duels_left_can_tell():
    memory = memory_of((0.5, 0.5), final=True, duels=HORIZON - 5000)
    assert polish.stop_drop(memory, config_of()) == pytest.approx(math.sqrt(2.5 * 2 / 5000))
    answer = config_of(aim="answer")
    assert polish.stop_drop(memory, answer) == pytest.approx(math.sqrt(0.1 * 2 / 5000))


def test_with_no_duels_left_any_drop_ends_it():
    memory = memory_of((0.5, 0.5), final=True, duels=HORIZON)
    assert polish.stop_drop(memory, config_of()) == pytest.approx(math.sqrt(5.0))


@pytest.mark.parametrize(("done", "share"), [(0, 0.5), (1, 0.08), (3, 0.08)])
def test_between_scans_it_ends_at_a_share_of_the_resolution(done, share):
    memory = memory_of((0.5,), done=done, round=3)
    assert polish.stop_drop(memory, config_of(1)) == pytest.approx(share * 0.25 * 0.25 / 2)


def test_between_scans_it_is_no_finer_than_the_last_polish():
    memory = memory_of((0.5,), done=1, round=9, duels=HORIZON - 1000)
    assert polish.stop_drop(memory, config_of(1)) == pytest.approx(math.sqrt(2.5 / 1000))


# What it asks.


@pytest.mark.parametrize("dim", [1, 2, 3, 7])
def test_a_step_has_all_neighbours(dim):
    state, config = begun((0.5,) * dim)
    blocks, sweep = polish.step(state, config), sweep_of(state.memory)
    assert [b.low for b in blocks] == [sweep.neighbour((0.5,) * dim, k) for k in range(2 * dim)]
    assert len({b.low for b in blocks}) == 2 * dim
    assert {(b.reference, b.edge) for b in blocks} == {((0.5,) * dim, 0.0)}


@pytest.mark.parametrize("dim", [1, 2, 3, 7])
def test_each_neighbour_differs_from_the_reference_in_one_coordinate_by_the_step(dim):
    state, config = begun((0.5,) * dim)
    for block in polish.step(state, config):
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
    assert [b.low for b in polish.step(state, config)] == [(0.75, 0.5), (1.0, 0.75), (1.0, 0.25)]


@pytest.mark.parametrize(("left", "n"), [(4, 1), (7, 1), (8, 2), (400, 100), (10**5, 128)])
def test_the_duels_that_are_left_are_shared_equally(left, n):
    state, config = begun((0.5, 0.5), duels=HORIZON - left)
    assert [block.n for block in polish.step(state, config)] == [n] * 4


@pytest.mark.parametrize("left", [1, 3])
def test_too_few_duels_for_all_neighbours_make_no_step(left):
    state, config = begun((0.5, 0.5), duels=HORIZON - left)
    assert polish.step(state, config) == ()


def test_without_a_horizon_a_look_is_never_cut_short():
    state, config = begun((0.5, 0.5), duels=HORIZON, inputs={"horizon": None})
    assert [block.n for block in polish.step(state, config)] == [128] * 4


def begun_finely(reference, **fields):
    """Return a polish that does not end before it has seen small drops."""
    return begun(reference, **{"done": 1, "round": 4, **fields})


def test_a_second_look_doubles_the_duels():
    state, config = begun_finely((0.5, 0.5))
    following = answered(state, config, lambda _: 0.5)
    assert isinstance(following, Polish)
    assert (following.n, {block.n for block in polish.step(following, config)}) == (128, {128})
    third = answered(following, config, lambda _: 0.5)
    assert (third.n, {block.n for block in polish.step(third, config)}) == (256, {256})


def test_the_wins_of_a_sweep_add_up_side_by_side():
    state, config = begun_finely((0.5, 0.5))
    rates = sides(0.5, 0.49, 0.5, 0.51)
    following = answered(answered(state, config, rates), config, rates)
    assert following.wins == pytest.approx((128.0, 125.44, 128.0, 130.56))
    assert following.memory.duels == 2 * 4 * 128


def test_at_a_wall_the_wins_belong_to_the_sides_that_were_asked():
    state, config = begun_finely((1.0, 0.5))
    following = answered(state, config, {1: 0.51, 2: 0.5, 3: 0.49}.get)
    assert following.wins == pytest.approx((0.0, 65.28, 64.0, 62.72))
    assert following.memory.duels == 3 * 128


def test_a_look_that_refutes_the_slope_is_remembered():
    state, config = begun((0.5,), size=10**5)
    following = answered(state, config, sides(0.9, 0.1))
    assert following.memory.steepest > 1
    assert answered(state, config, sides(0.5, 0.5)).memory.steepest == 0


# Where all neighbours lose: the parabola.


def test_where_all_neighbours_lose_alike_the_step_shrinks_and_the_reference_stays():
    state, config = begun_finely((0.5, 0.5), size=1000)
    following = answered(state, config, lambda _: 0.3)
    assert following.memory.reference == (0.5, 0.5)
    assert (following.memory.local.step, following.memory.local.shape) == (0.125, (1.0, 0.0, 1.0))
    assert (following.lead, following.hops) == (0.0, 0)


def test_the_next_sweep_begins_at_zero_with_a_first_look_like_the_last_one():
    state, config = begun_finely((0.5, 0.5), size=1000)
    following = answered(state, config, lambda _: 0.3)
    assert (following.n, following.wins) == (0, (0.0,) * 4)
    assert following.memory.local.size == 600  # CARRY of 1000
    assert following.memory.local.sweeps == state.memory.local.sweeps + 1
    assert following.memory.duels == 4 * 1000


def test_the_reference_moves_to_the_peak_of_the_parabola():
    state, config = begun_finely((0.5,), size=10**4)
    following = answered(state, config, sides(0.5 + 0.02 - 0.05, 0.5 - 0.02 - 0.05))
    # Slope 0.02 and drop 0.05 a step: the peak is 0.2 steps away, 0.002 higher.
    assert following.memory.reference[0] == pytest.approx(0.5 + 0.2 * 0.25)
    assert following.lead == pytest.approx(0.002)
    assert following.memory.local.step == 0.125


def test_the_peak_is_sought_along_each_direction():
    state, config = begun_finely((0.5, 0.5), size=10**5)
    following = answered(state, config, sides(0.47, 0.43, 0.42, 0.46))
    # Slopes 0.02 and -0.02, drops 0.05 and 0.06.
    x, y = following.memory.reference
    assert x - 0.5 == pytest.approx(0.25 * 0.02 / 0.1)
    assert y - 0.5 == pytest.approx(-0.25 * 0.02 / 0.12)
    assert following.lead == pytest.approx(0.02**2 / 0.2 + 0.02**2 / 0.24)


def test_a_direction_counts_as_curved_by_half_the_mean_drop_at_least():
    state, config = begun_finely((0.5, 0.5), size=10**5)
    # Drops 0.01 and 0.11; slope 0.02 along the first, whose drop counts as 0.03.
    following = answered(state, config, sides(0.51, 0.47, 0.39, 0.39))
    assert following.memory.reference[0] - 0.5 == pytest.approx(0.25 * 0.02 / 0.06)


def stretches(n, *drops):
    """Return the stretch of each direction by a sweep of ``n`` duels a neighbour."""
    mean, variance = np.mean(drops), 0.25 / n / 2  # of a drop, the mean of two leads
    apart = np.array(drops) - mean
    shrunk = mean + (1 - (len(drops) - 1) * variance / (apart @ apart)) * apart
    return np.sqrt(mean / shrunk)


@pytest.mark.parametrize("n", [400, 10**5])
def test_the_shape_is_learnt_from_the_drops_as_far_as_they_differ_by_more_than_noise(n):
    state, config = begun_finely((0.5, 0.5), size=n)
    following = answered(state, config, sides(0.48, 0.48, 0.42, 0.42)).memory.local
    longer, shorter = stretches(n, 0.02, 0.08)
    assert following.shape == pytest.approx((1.0, 0.0, shorter / longer), abs=1e-6)
    assert following.step == pytest.approx(0.25 * 0.5)  # two edges at most, then halved


def test_drops_that_differ_by_noise_only_leave_the_ball():
    state, config = begun_finely((0.5, 0.5), size=128)
    following = answered(state, config, sides(0.46, 0.46, 0.44, 0.44)).memory.local
    assert (following.step, following.shape) == (0.125, (1.0, 0.0, 1.0))


def test_a_step_that_is_stretched_grows():
    state, config = begun_finely((0.5, 0.5), step=0.1, size=1000)
    following = answered(state, config, sides(0.48, 0.48, 0.42, 0.42))
    assert following.memory.local.step == pytest.approx(0.1 * stretches(1000, 0.02, 0.08)[0] * 0.5)


def test_a_peak_far_away_is_a_whole_step_and_the_step_does_not_shrink():
    state, config = begun_finely((0.5,), size=10**4)
    following = answered(state, config, sides(0.55, 0.35))
    # Slope 0.1 and drop 0.05: the peak would be a whole step away.
    assert following.memory.reference == (0.75,)
    assert (following.memory.local.step, following.hops, following.n) == (0.25, 1, 0)
    assert following.memory.local.size == 4000  # CARRY_MOVE
    assert following.lead == pytest.approx(0.05)


def test_it_goes_no_further_than_one_step():
    state, config = begun_finely((0.5,), size=10**4, step=0.125)
    following = answered(state, config, sides(0.7, 0.1))
    assert following.memory.reference == (0.625,)


@pytest.mark.parametrize(("size", "kind"), [(100, Polish), (10_000, polish.Polished)])
def test_it_ends_at_a_drop_that_is_small_enough(size, kind):
    state, config = begun((0.5,), size=size, round=2)
    stop = polish.stop_drop(state.memory, config)
    assert stop == 0.5 * 0.0625
    assert isinstance(answered(state, config, lambda _: 0.5 - 0.9 * stop), kind)
    assert isinstance(answered(state, config, lambda _: 0.5 - 1.1 * stop), Polish)


def test_in_the_end_it_has_moved_and_says_what_the_sweep_is_worth():
    state, config = begun((0.5,), size=10**4, round=2)
    ended = answered(state, config, sides(0.485, 0.475))
    # Slope 0.005 and drop 0.02: a peak 0.125 steps away.
    assert ended.memory.reference[0] == pytest.approx(0.5 + 0.125 * 0.25)
    assert (ended.old, ended.rival) == ((0.5,), False)
    assert ended.lead == pytest.approx(0.005**2 / 0.08)
    assert ended.memory.local == replace(state.memory.local, size=6000)  # CARRY


def test_in_the_end_it_leaves_the_shape_of_its_last_sweep():
    state, config = begun((0.5, 0.5), size=10**4, round=2)
    ended = answered(state, config, sides(0.49, 0.49, 0.48, 0.48))
    assert isinstance(ended, polish.Polished)
    longer, shorter = stretches(10**4, 0.01, 0.02)
    assert ended.memory.local.shape == pytest.approx((1.0, 0.0, shorter / longer), abs=1e-6)
    assert ended.memory.local.step == pytest.approx(0.25 * longer)


@pytest.mark.parametrize(("steps", "kind"), [(1.5, polish.Polished), (2.5, Polish)])
def test_it_ends_when_the_step_cannot_shrink(steps, kind):
    steep, step = {"slope_max": 1e6}, steps * polish.MIN_STEP
    state, config = begun_finely((0.5,), step=step, size=10**4, inputs=steep)
    assert isinstance(answered(state, config, lambda _: 0.3), kind)


def test_no_step_is_smaller_than_a_saved_state_may_have():
    assert polish.MIN_STEP >= checks.MIN_STEP


# When a drop is known.


def shrinks(state, config, rate):
    return answered(state, config, rate).memory.local.step < state.memory.local.step


@pytest.mark.parametrize("dim", [1, 2, 5])
def test_a_drop_is_known_at_two_sd_of_the_mean_of_all_neighbours(dim):
    state, config = begun_finely((0.5,) * dim, size=400)
    noise = 0.5 / math.sqrt(400 * 2 * dim)
    assert not shrinks(state, config, lambda _: 0.5 - 1.9 * noise)
    assert shrinks(state, config, lambda _: 0.5 - 2.1 * noise)


def test_only_the_mean_drop_counts_and_one_direction_may_rise():
    state, config = begun_finely((0.5, 0.5), size=10_000)
    noise = 0.0025

    def rates(first, second):
        return sides(*[0.5 - first * noise] * 2, *[0.5 - second * noise] * 2)

    assert shrinks(state, config, rates(-2.0, 6.2))
    assert not shrinks(state, config, rates(-2.0, 5.8))


def test_a_known_drop_goes_before_a_neighbour_that_leads():
    state, config = begun_finely((0.5, 0.5), size=10_000)
    rates = sides(0.52, 0.52, 0.4, 0.4)  # a lead of 4 sd in a saddle
    assert shrinks(state, config, rates)
    assert answered(state, config, rates).memory.reference == (0.5, 0.5)


def last_look(rate):
    """Return what follows a look after which only one duel remains."""
    state, config = begun((0.5,), size=400, final=True, duels=HORIZON - 801)
    return answered(state, config, rate)


def test_the_last_word_needs_less_for_a_drop():
    noise = 0.5 / math.sqrt(800)  # a drop is known at 0.4 of 2 sd, and then CARRY counts
    assert last_look(lambda _: 0.5 - 0.9 * noise).memory.local.size == 240
    assert last_look(lambda _: 0.5 - 0.7 * noise).memory.local.size == 400


def test_the_last_word_needs_less_for_a_slope():
    sd = 0.5 / math.sqrt(400)
    least = 0.4 * 2 * math.sqrt(2 / 4) * sd
    moved = last_look(sides(0.5 + 1.1 * least, 0.5 - 1.1 * least)).memory.reference
    assert moved == (0.75,)
    assert last_look(sides(0.5 + 0.9 * least, 0.5 - 0.9 * least)).memory.reference == (0.5,)


def test_with_duels_for_another_look_the_full_evidence_is_asked_for():
    state, config = begun((0.5,), size=400, final=True, duels=HORIZON - 802)
    noise = 0.5 / math.sqrt(800)
    assert answered(state, config, lambda _: 0.5 - 1.9 * noise).memory.local.size == 400
    assert answered(state, config, lambda _: 0.5 - 2.1 * noise).memory.local.size == 240


# Where the drop is not known: the slope, or a neighbour that leads.


def test_the_reference_moves_up_a_slope_by_a_whole_step():
    state, config = begun((0.5, 0.5))
    following = answered(state, config, sides(0.7, 0.3, 0.5, 0.5))
    assert following.memory.reference == (0.75, 0.5)
    assert following.memory.local.step == 0.25
    assert (following.n, following.wins, following.hops) == (0, (0.0,) * 4, 1)
    assert following.lead == pytest.approx(0.2)


def test_the_way_up_is_that_of_the_slopes():
    state, config = begun((0.5, 0.5), size=5000)
    following = answered(state, config, sides(0.56, 0.44, 0.42, 0.58))
    assert following.memory.reference == pytest.approx((0.5 + 0.25 * 0.6, 0.5 - 0.25 * 0.8))
    assert following.lead == pytest.approx(0.1)


def test_what_the_neighbours_lose_on_the_mean_is_taken_off_the_gain():
    state, config = begun((0.5,), size=100)
    following = answered(state, config, sides(0.68, 0.28))  # slope 0.2, drop 0.02
    assert following.lead == pytest.approx(0.2 - 0.02)


@pytest.mark.parametrize("dim", [1, 3])
def test_a_slope_is_known_at_two_sd(dim):
    state, config = begun_finely((0.5,) * dim, size=400)
    least = 2 * 0.5 / math.sqrt(400) * math.sqrt((dim + 1) / 4)

    def moves(slope):
        rates = sides(0.5 + slope, 0.5 - slope, *[0.5] * (2 * dim - 2))
        return answered(state, config, rates).memory.reference[0] > 0.5

    assert moves(1.05 * least)
    assert not moves(0.95 * least)


def test_a_known_slope_goes_before_the_end_of_a_flat_sweep():
    state, config = begun((0.5,), size=4000)
    assert state.deadline > 2 * 4000
    assert isinstance(answered(state, config, lambda _: 0.5), polish.Polished)
    following = answered(state, config, sides(0.52, 0.48))
    assert isinstance(following, Polish)
    assert following.memory.reference == (0.75,)


def test_after_some_whole_steps_in_a_row_the_step_grows():
    state, config = begun((0.5,), step=0.05, size=400)
    rate = sides(0.7, 0.3)
    steps = []
    for _ in range(4):
        state = answered(
            replace(state, home=state.memory.reference, deadline=HORIZON), config, rate
        )
        steps.append((state.hops, state.memory.local.step))
    assert steps == [(1, 0.05), (2, 0.05), (0, 0.1), (1, 0.1)]


def test_a_shrunk_step_ends_the_row_of_whole_steps():
    state, config = begun_finely((0.5,), size=10**4)
    assert answered(replace(state, hops=2), config, lambda _: 0.3).hops == 0


def test_the_step_never_grows_beyond_two_edges_of_a_cell():
    state, config = begun((0.5,), step=0.1, round=5, size=400)
    following = answered(replace(state, hops=2), config, sides(0.7, 0.3))
    assert following.memory.local.step == 0.125


def test_a_neighbour_that_leads_from_a_hollow_becomes_the_reference():
    state, config = begun((0.5, 0.5), size=1000)
    following = answered(replace(state, hops=2), config, lambda k: 0.9 if k == 2 else 0.8)
    assert following.memory.reference == (0.5, 0.75)
    assert following.lead == pytest.approx(0.4)
    assert (following.hops, following.memory.local.step) == (2, 0.25)
    assert (following.n, following.memory.local.size) == (0, 400)  # CARRY_MOVE


def test_a_neighbour_leads_only_if_it_is_sure_and_the_slope_does_not_explain_it():
    state, config = begun_finely((0.5, 0.5), size=400)
    sd = 0.5 / math.sqrt(400)
    flat = [0.5] * 3
    assert answered(state, config, sides(0.5 + 2.1 * sd, 0.5 + 2.1 * sd, 0.5, 0.5)).n == 0
    assert answered(state, config, sides(0.5 + 1.9 * sd, 0.5 + 1.9 * sd, 0.5, 0.5)).n == 400
    # A lead that is 1.5 slopes or less is the slope's: the way up, not the neighbour.
    alone = answered(state, config, sides(0.5 + 8 * sd, *flat))
    assert alone.hops == 0  # a lead of 8 sd, two slopes
    both = answered(state, config, sides(0.5 + 8 * sd, 0.5 - 3 * sd, 0.5, 0.5))
    assert both.hops == 1  # a lead of 8 sd, a slope of 5.5


def test_nothing_is_decided_on_a_look_that_shows_nothing():
    state, config = begun_finely((0.5, 0.5))
    following = answered(state, config, lambda _: 0.5)
    assert following.memory.reference == (0.5, 0.5)
    assert (following.memory.local.step, following.n) == (0.25, 128)


def test_a_flat_sweep_ends_once_the_drop_is_known_well_enough():
    state, config = begun_finely((0.5, 0.5), size=400)
    stop, local = polish.stop_drop(state.memory, config), state.memory.local
    looks = 1
    while isinstance(state := answered(state, config, lambda _: 0.5), Polish):
        assert 2 * 0.5 / math.sqrt(4 * state.n) >= stop
        looks += 1
    assert 2 * 0.5 / math.sqrt(4 * 400 * 2 ** (looks - 1)) < stop
    assert (state.memory.reference, state.lead, looks > 3) == ((0.5, 0.5), 0.0, True)
    assert state.memory.local == local  # it has shown nothing that would be worth keeping


# Walls.


def test_at_the_wall_a_worse_inner_side_does_not_push_outwards():
    state, config = begun((1.0, 0.5))
    following = answered(state, config, lambda k: 0.2 if k == 1 else 0.5)
    assert following.memory.reference == (1.0, 0.5)


@pytest.mark.parametrize(("x", "wall"), [(0.99, 1.0), (0.02, 0.0)])
def test_near_the_wall_a_worse_inner_side_lets_it_go_to_the_wall(x, wall):
    state, config = begun_finely((x, 0.5), size=10**4)
    following = answered(state, config, lambda _: 0.3)
    assert following.memory.reference == (wall, 0.5)


@pytest.mark.parametrize(("x", "target"), [(1.0, 0.75), (0.0, 0.25)])
def test_at_the_wall_a_better_inner_side_lets_it_go_inwards(x, target):
    state, config = begun_finely((x,), size=10**4)
    following = answered(state, config, lambda _: 0.7)
    assert following.memory.reference == (target,)


def test_a_slope_along_the_wall_does_not_leave_it():
    state, config = begun_finely((1.0, 0.5), size=400)
    following = answered(state, config, {1: 0.5, 2: 0.6, 3: 0.4}.get)
    assert following.memory.reference == (1.0, 0.75)


# Its reach, its patience and its end.


@pytest.mark.parametrize("round_", [2, 4])
def test_it_never_moves_further_than_two_edges_from_home(round_):
    reach = 2 * 2.0 ** (1 - round_)
    state, config = begun((0.1,), round=round_)
    farthest = 0.1
    for _ in range(20):
        following = answered(state, config, lambda k: 0.9 if k == 0 else 0.1)
        farthest = max(farthest, following.memory.reference[0])
        if not isinstance(following, Polish):
            break
        state = following
    assert farthest == pytest.approx(min(1.0, 0.1 + reach), abs=1e-9)


def test_it_never_moves_further_than_two_edges_downwards_either():
    state, config = begun((0.9,), round=4, size=400)
    for _ in range(3):
        state = answered(state, config, sides(0.3, 0.7))
    assert state.memory.reference[0] == pytest.approx(0.9 - 0.25, abs=1e-9)


def test_no_lead_is_larger_than_always():
    state, config = begun((0.5,), lead=0.45)
    assert answered(state, config, sides(0.7, 0.3)).lead == 0.5


@pytest.mark.parametrize(("late", "kind"), [(0, polish.Polished), (1, Polish)])
def test_its_patience_ends_it(late, kind):
    state, config = begun_finely((0.5, 0.5))
    following = answered(replace(state, deadline=4 * 128 + late), config, lambda _: 0.5)
    assert isinstance(following, kind)
    assert following.memory == replace(state.memory, duels=4 * 128)


def test_the_last_polish_has_no_deadline():
    state, config = begun((0.5, 0.5), final=True)
    assert isinstance(answered(replace(state, deadline=0), config, lambda _: 0.5), Polish)


def test_a_polish_that_ends_names_where_it_began():
    state, config = begun_finely((0.5,), size=400)
    state = replace(answered(state, config, sides(0.7, 0.3)), deadline=0)
    ended = answered(state, config, lambda _: 0.5)
    assert ended == polish.Polished(ended.memory, (0.5,), False, pytest.approx(0.2), None)
    assert ended.memory.reference == (0.75,)


def test_a_rival_that_was_polished_names_the_reference_that_it_challenges():
    old = Local(step=0.01, shape=(1.0, 0.1, 0.5), sweeps=9, size=7000)
    state, config = begun((0.25, 0.25), rival_to=(0.5, 0.5), lead=0.125, old_local=old)
    ended = answered(replace(state, deadline=0), config, lambda _: 0.5)
    assert (ended.old, ended.rival, ended.lead) == ((0.5, 0.5), True, 0.125)
    assert ended.old_local == old


@pytest.mark.parametrize(
    "rates", [(0.3, 0.3), (0.7, 0.3), (0.7, 0.7), (0.5, 0.5)], ids=["drop", "slope", "hop", "none"]
)
def test_what_was_known_about_the_reference_is_kept_whatever_a_look_shows(rates):
    old = Local(step=0.01, sweeps=9, size=7000)
    state, config = begun_finely((0.25,), rival_to=(0.5,), old_local=old)
    following = answered(state, config, sides(*rates))
    assert isinstance(following, Polish)
    assert (following.rival_to, following.old_local) == ((0.5,), old)
