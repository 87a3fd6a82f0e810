"""Polish, transition by transition: what it asks about, and when it moves, shrinks or ends."""

import math
from dataclasses import replace

import numpy as np
import pytest

from duelli.learners.race import checks, looks, polish
from duelli.learners.race.states import Local, Polish
from duelli.learners.race.sweeps import matrix, sweep_of

from .samples import HORIZON, answers, config_of, memory_of

pytestmark = pytest.mark.usefixtures("own_constants")


RIVAL = ("rival_to", "lead", "old_local")  # given to `begun` for `polish.begin`


def begun(reference, *, inputs=None, **fields):
    """Return a polish before a sweep along the axes of the box, and its inputs."""
    config = config_of(len(reference), **(inputs or {}))
    rival = {name: fields.pop(name) for name in RIVAL if name in fields}
    given = {"sweeps": 10, "drop": 1 / 32, **fields}
    return polish.begin(memory_of(reference, **given), config, **rival), config


def answered(state, config, rate, across=None):
    """Return what follows a sweep in which side k wins the share ``rate(k)`` against X.

    The pair k wins the share ``across(k)``; by default as much as the sides say.
    """
    sweep = sweep_of(state.memory)
    across = across or (lambda k: 0.5 + rate(2 * k) - rate(2 * k + 1))
    rates = [rate(k) for k in sweep.sides()] + [across(k) for k in sweep.pairs()]
    return polish.advance(state, answers(polish.step(state, config), rates), config)


def sides(*rates):
    """Return the rates of the sides 0, 1, ..."""
    return rates.__getitem__


def duels_of(state, config):
    """Return the duels of each neighbour that has an opposite; one without has ALONE times that."""
    first = polish.step(state, config)[0].n
    return first // 3 if sweep_of(state.memory).pinned[0] else first


def share_of(state, config):
    """Return what the next sweep adds to the information about the place: n 24 (D / 2)²."""
    return duels_of(state, config) * 24 * (state.memory.local.drop / 2) ** 2


# How a polish begins.


def test_an_arm_that_was_never_polished_begins_with_the_given_step_and_nothing_else():
    known = {"shape": (1.0, 0.1, 0.5), "trend": (0.1, 0.2), "sweeps": 5, "drop": 0.001}
    memory = memory_of((0.5, 0.5), step=0.1, **known)
    state = polish.begin(memory, config_of(), step=0.25)
    # Half of the most that Γ L = 1/4 allows over the step.
    assert state.memory.local == Local(step=0.25, drop=1 / 32)


def test_an_arm_that_was_polished_before_keeps_what_its_sweeps_have_shown():
    known = {"shape": (1.0, 0.1, 0.5), "trend": (0.1, 0.2), "sweeps": 5, "drop": 0.001}
    memory = memory_of((0.5, 0.5), step=0.1, **known)
    assert polish.begin(memory, config_of()).memory.local == memory.local


@pytest.mark.parametrize(("round_", "step"), [(1, 0.3), (3, 0.3), (4, 0.25), (6, 0.0625)])
def test_the_step_is_at_most_two_edges_of_a_cell_and_the_drop_is_in_proportion(round_, step):
    memory = memory_of((0.5,), round=round_)
    assert polish.begin(memory, config_of(1), step=0.5).memory.local.step == step
    assert polish.begin(memory, config_of(1), step=0.01).memory.local.step == 0.01
    longer = replace(memory, local=Local(step=0.5, drop=0.01, shape=(1.0,), sweeps=3))
    went_on = polish.begin(longer, config_of(1)).memory.local
    assert went_on == replace(longer.local, step=step, drop=pytest.approx(0.02 * step))


def test_no_drop_is_larger_than_the_slope_allows_or_too_small_to_be_seen():
    memory = memory_of((0.5,), step=0.1, drop=0.4)
    assert polish.begin(memory, config_of(1)).memory.local.drop == pytest.approx(0.025)
    assert polish.begin(memory, config_of(1, slope_max=50.0)).memory.local.drop == pytest.approx(
        0.4
    )
    tiny = memory_of((0.5,), step=0.1, drop=1e-15)
    assert polish.begin(tiny, config_of(1)).memory.local.drop == 2.0**-40


def test_no_drop_is_larger_than_one_half():
    steep = config_of(1, slope_max=50.0)
    assert polish.begin(memory_of((0.5,)), steep, step=0.25).memory.local.drop == 0.25
    state, config = begun_finely((0.5,), drop=0.45, trend=(4.0,), inputs={"slope_max": 50.0})
    state = replace(state, memory=stepped(state.memory, 0.05))
    assert learnt(state, config, sides(0.9, 0.1), lambda _: 0.9).drop == 0.5


def stepped(memory, step):
    return replace(memory, local=replace(memory.local, step=step))


def test_the_lipschitz_constant_counts_like_the_slope_of_the_link():
    state = polish.begin(memory_of((0.5,)), config_of(1, lipschitz=2.0), step=0.25)
    assert state.memory.local.drop == 1 / 16


def test_it_begins_at_home_and_keeps_who_is_challenged_and_by_how_much():
    old = Local(step=0.01, drop=0.001, sweeps=9)
    state, _ = begun((0.25,), rival_to=(0.5,), lead=0.125, old_local=old, duels=77)
    assert (state.home, state.rival_to, state.lead) == ((0.25,), (0.5,), 0.125)
    assert (state.old_local, state.start) == (old, 77)


@pytest.mark.parametrize("dim", [1, 3])
def test_its_patience_is_that_of_its_dimensions_and_its_drop(dim):
    state, config = begun((0.5,) * dim, duels=1000)
    drop = polish.stop_drop(state.memory, config)
    assert state.deadline == 1000 + int(64 * dim / drop**2)


@pytest.mark.parametrize(("rival", "patience"), [(None, 25_600), ((0.25,), 250)])
def test_the_polish_of_a_rival_leaves_duels_for_its_check(rival, patience):
    # A drop of 1/20 ends it, √(2.5 d / 1000); RIVAL_SHARE of 1000 duels is less than its patience.
    state, _ = begun((0.5,), duels=HORIZON - 1000, done=1, rival_to=rival)
    assert state.deadline - state.start == pytest.approx(patience, abs=1)


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
def test_a_sweep_has_all_neighbours_against_the_reference_and_opposite_ones_against_each_other(dim):
    state, config = begun((0.5,) * dim)
    blocks, sweep, x = polish.step(state, config), sweep_of(state.memory), (0.5,) * dim
    around, across = blocks[: 2 * dim], blocks[2 * dim :]
    assert [b.low for b in around] == [sweep.neighbour(x, k) for k in range(2 * dim)]
    assert {(b.reference, b.edge) for b in around} == {(x, 0.0)}
    for k, block in enumerate(across):
        assert block.low == sweep.neighbour(x, 2 * k, 0.5)  # NEAR
        assert block.reference == sweep.neighbour(x, 2 * k + 1, 0.5)
    assert len(across) == dim


@pytest.mark.parametrize("dim", [1, 2, 3, 7])
def test_each_neighbour_differs_from_the_reference_in_one_coordinate_by_the_step(dim):
    state, config = begun((0.5,) * dim)
    for block in polish.step(state, config):
        apart = [abs(x - y) for x, y in zip(block.low, block.reference, strict=True)]
        assert sorted(apart) == [0.0] * (dim - 1) + [0.25]


@pytest.mark.parametrize("reference", [(0.0, 0.0), (1.0, 0.5), (0.99, 0.01), (0.2, 0.9)])
@pytest.mark.parametrize("count", [10, 11])
def test_no_arm_meets_itself_at_the_walls(reference, count):
    state, config = begun(reference, sweeps=count)
    step = polish.step(state, config)
    assert step
    assert all(block.low != block.reference for block in step)


def test_a_neighbour_beyond_the_wall_is_left_out_with_its_pair():
    state, config = begun((1.0, 0.5))
    arms = [(b.low, b.reference) for b in polish.step(state, config)]
    here = (1.0, 0.5)
    around = [((0.75, 0.5), here), ((1.0, 0.75), here), ((1.0, 0.25), here)]
    assert arms == [*around, ((1.0, 0.625), (1.0, 0.375))]


@pytest.mark.parametrize(
    ("drop", "n"),
    [
        (1 / 32, 42),  # a quarter of (2 / D)² / 24: SHARE_NEW, SPREAD, PRECISION
        (1 / 320, 4266),
        (0.5, 8),  # min_block
    ],
)
def test_a_sweep_adds_a_share_to_what_is_known_of_the_place(drop, n):
    fields = {"drop": drop, "final": True, "duels": 10**5}
    state, config = begun((0.5, 0.5), **fields, inputs={"slope_max": 50.0})
    assert {block.n for block in polish.step(state, config)} == {n}


@pytest.mark.parametrize(
    ("duels", "drop", "n"),
    [
        (0, 1 / 1500, 93_750),
        (0, 1 / 1700, 106_666),  # that of half the drop at which it ends: LOUD SHARE b_4 = 1 / 1600
        (600_000, 1 / 1700, 106_666),
        (660_000, 1 / 1700, 110_000),  # six blocks
        (10**6, 1 / 1700, 120_416),  # that of the drop itself
    ],
)
def test_no_sweep_is_larger_than_the_finest_one_or_than_all_duels_before(duels, drop, n):
    fields = {"done": 1, "round": 4, "drop": drop, "duels": duels, "horizon_now": 10**9}
    state, config = begun((0.5, 0.5), **fields, inputs={"horizon": 10**9})
    assert {block.n for block in polish.step(state, config)} == {n}


def test_a_pair_has_so_many_times_the_duels(monkeypatch):
    monkeypatch.setattr(looks, "PAIRS", 3)
    state, config = begun((0.5,))
    assert [block.n for block in polish.step(state, config)] == [42, 42, 126]


def test_a_sweep_has_a_hundredth_of_the_duels_of_the_polish_at_least():
    state, config = begun((0.5, 0.5))
    late = replace(state, memory=replace(state.memory, duels=60_000))
    assert duels_of(late, config) == 100  # six blocks
    assert duels_of(replace(late, start=59_999), config) == 42


@pytest.mark.parametrize(("left", "n"), [(6, 1), (11, 1), (12, 2), (120, 20), (10**5, 42)])
def test_the_duels_that_are_left_are_shared_equally(left, n):
    state, config = begun((0.5, 0.5), duels=HORIZON - left)
    assert [block.n for block in polish.step(state, config)] == [n] * 6


@pytest.mark.parametrize("left", [1, 5])
def test_too_few_duels_for_all_neighbours_make_no_step(left):
    state, config = begun((0.5, 0.5), duels=HORIZON - left)
    assert polish.step(state, config) == ()


def test_without_a_horizon_a_sweep_is_never_cut_short():
    state, config = begun((0.5, 0.5), duels=HORIZON, inputs={"horizon": None})
    assert [block.n for block in polish.step(state, config)] == [42] * 6


def begun_finely(reference, **fields):
    """Return a polish that does not end before it has seen small drops."""
    return begun(reference, **{"done": 1, "round": 4, **fields})


def test_the_duels_add_up_and_the_sweeps_are_counted():
    state, config = begun_finely((0.5, 0.5), duels=7)
    following = answered(state, config, lambda _: 0.45)
    assert following.memory.duels == 7 + 6 * 42
    assert (following.start, following.memory.local.sweeps) == (7, 11)


def test_a_look_that_refutes_the_slope_is_remembered():
    state, config = begun((0.5,), drop=1 / 100, final=True)
    assert answered(state, config, sides(0.9, 0.1), lambda _: 0.5).memory.steepest > 1
    assert answered(state, config, lambda _: 0.5, lambda _: 0.9).memory.steepest > 1  # of a pair
    assert answered(state, config, sides(0.5, 0.5)).memory.steepest == 0


# Where it goes.


@pytest.mark.parametrize(("slope", "drop"), [(0.01, 1 / 32), (-0.02, 1 / 32), (0.004, 1 / 100)])
def test_the_reference_goes_a_part_of_the_way_to_the_peak(slope, drop):
    state, config = begun_finely((0.5,), drop=drop)
    part = share_of(state, config) / (1 + share_of(state, config))
    assert part == pytest.approx(0.2, rel=0.05)
    following = answered(state, config, sides(0.5 + slope - drop, 0.5 - slope - drop))
    shift = part * slope / drop
    assert following.memory.reference[0] == pytest.approx(0.5 + 0.25 * shift)
    assert following.lead == pytest.approx(drop * shift**2)


def test_the_peak_is_sought_along_each_direction():
    state, config = begun_finely((0.5, 0.5))
    part = share_of(state, config) / (1 + share_of(state, config))
    rates = sides(*[0.5 - 1 / 32 + slope for slope in (0.01, -0.01, -0.02, 0.02)])
    x, y = answered(state, config, rates).memory.reference
    assert x - 0.5 == pytest.approx(0.25 * part * 0.32)
    assert y - 0.5 == pytest.approx(-0.25 * part * 0.64)


def test_a_duel_of_a_pair_tells_four_times_as_much_of_the_slope():
    state, config = begun_finely((0.5,))
    flat = 0.5 - 1 / 32
    for_pairs = answered(state, config, lambda _: flat, lambda _: 0.5 + 0.03)
    alone = answered(state, config, sides(flat + 0.015, flat - 0.015), lambda _: 0.5)
    moved = [each.memory.reference[0] - 0.5 for each in (for_pairs, alone)]
    assert moved[0] / moved[1] == pytest.approx(16 / 8)  # one duel, against two with X


def test_it_goes_no_further_than_one_step():
    state, config = begun_finely((0.5,), step=0.125, inputs={"slope_max": 50.0})
    # Were the slope not clear, its drop would be half of 1/32.
    following = answered(state, config, sides(1.0, 0.0), lambda _: 1.0)
    assert following.memory.reference[0] <= 0.625


def test_where_all_neighbours_lose_alike_the_reference_stays():
    state, config = begun_finely((0.5, 0.5))
    following = answered(state, config, lambda _: 0.5 - 1 / 32)
    assert (following.memory.reference, following.lead) == ((0.5, 0.5), 0.0)


@pytest.mark.parametrize("lead", [0.3, 0.12])
def test_from_a_hollow_it_hops_to_the_neighbour_that_leads(lead):
    state, config = begun_finely((0.5, 0.5))
    assert 0.5 / math.sqrt(42) < lead / 1.5
    following = answered(state, config, sides(0.5, 0.5, 0.5 + lead, 0.5 + lead))
    hops = lead > 2 * 0.5 / math.sqrt(42)  # Z_LEAD
    assert following.memory.reference == ((0.5, 0.75) if hops else (0.5, 0.5))
    assert following.lead == pytest.approx(lead if hops else 0.0)


def test_a_neighbour_that_leads_alone_is_left_to_the_slope():
    state, config = begun_finely((0.5, 0.5))
    sd = 0.5 / math.sqrt(42)
    rates = sides(0.5, 0.5, 0.5 + 2.5 * sd, 0.5 - 1.5 * sd)  # together ahead by sd / 2 only
    following = answered(state, config, rates, lambda _: 0.5)
    assert 0.5 < following.memory.reference[1] < 0.75


def test_a_slope_that_explains_the_lead_is_followed_instead():
    state, config = begun_finely((0.5, 0.5))
    rates = sides(0.5, 0.5, 0.75, 0.6)  # a lead of 1/4
    assert answered(state, config, rates, lambda _: 0.5).memory.reference == (0.5, 0.75)
    followed = answered(state, config, rates, lambda k: 0.5 + 0.45 * k)  # a slope of 0.175
    assert 0.5 < followed.memory.reference[1] < 0.75


# The drop that it expects.


def learnt(state, config, rate, across=None):
    return answered(state, config, rate, across).memory.local


def per_step(local):
    """Return the drop over the step, which does not change when the step does."""
    return local.drop / local.step


@pytest.mark.parametrize("count", [0, 10, 30])
@pytest.mark.parametrize("seen", [-0.02, 0.0, 0.01, 0.02, 0.03, 0.3])
def test_what_a_sweep_shows_does_not_change_the_drop_that_is_aimed_at(count, seen):
    state, config = begun_finely((0.5,), sweeps=count, drop=0.02)
    after = learnt(state, config, lambda _: 0.5 - seen)
    assert per_step(after) == pytest.approx(0.02 / 0.25)  # on the line nothing is stretched


def test_a_clear_slope_shows_that_the_drop_is_no_measure():
    state, config = begun_finely((0.5,), drop=0.01)
    sd = 1 / math.sqrt(24 * duels_of(state, config))
    for slope, clear in ((2.9 * sd, False), (3.1 * sd, True)):  # one, and Z_STEEP
        after = learnt(state, config, sides(0.49 + slope, 0.49 - slope))
        assert per_step(after) == pytest.approx((slope / 2 if clear else 0.01) / 0.25)


def test_a_clear_lead_shows_that_the_drop_is_no_measure():
    state, config = begun_finely((0.5,), drop=0.01)
    sd = 0.5 / math.sqrt(duels_of(state, config))
    for z, clear in ((3.9, False), (4.1, True)):
        after = learnt(state, config, lambda _, z=z: 0.5 + z * sd)
        floor = 0.01 if not clear else min(z * sd / 2, 0.25 * 0.25)
        assert per_step(after) == pytest.approx(floor / 0.25)


# The step.


def test_a_sweep_with_the_expected_drop_and_no_slope_shrinks_the_step():
    state, config = begun_finely((0.5,), step=0.1, drop=0.01)
    share = share_of(state, config)
    after = learnt(state, config, lambda _: 0.49)
    # RATE, and slopes smaller than expected: 1 - SURPRISE.
    square = 0.9 / (1 + share) ** 0.5
    assert after.step == pytest.approx(0.1 * math.sqrt(square))
    assert after.drop == pytest.approx(0.01 * math.sqrt(square))


def slope_sd(state, config):
    """Return the sd of a slope, from noise and because the peak is not at X."""
    return math.sqrt(1 / (24 * duels_of(state, config)) + (state.memory.local.drop / 2) ** 2)


@pytest.mark.parametrize(
    ("ratio", "told"),
    [(1.0, 1.0), (0.0, 0.5), (0.5, 0.75), (2.0, 1.5), (-1.0, 0.0), (9.0, 3.0), (-7.0, -2.0)],
)
def test_half_of_what_a_sweep_tells_depends_on_its_own_drop(ratio, told):
    state, config = begun_finely((0.5,), step=0.1, drop=0.01)
    share, sd = share_of(state, config), slope_sd(state, config)
    drop = ratio * 0.01
    after = learnt(state, config, sides(0.5 - drop + sd, 0.5 - drop - sd))  # as expected
    # OWN_DROP, MOST_RATIO and RATE.
    assert after.step == pytest.approx(0.1 * (1 + share) ** (-0.25 * told))


def test_slopes_larger_than_expected_let_the_step_grow():
    state, config = begun_finely((0.5,), step=0.1, drop=0.01)
    share, sd = share_of(state, config), slope_sd(state, config)
    after = learnt(state, config, sides(0.49 + 2 * sd, 0.49 - 2 * sd))
    assert after.step == pytest.approx(0.1 * math.sqrt((1 + 0.1 * 3) / (1 + share) ** 0.5))


@pytest.mark.parametrize("trend", [1.0, -1.0])
def test_slopes_that_keep_their_direction_let_the_step_grow(trend):
    state, config = begun_finely((0.5,), step=0.1, drop=0.01, trend=(trend,))
    share, sd = share_of(state, config), slope_sd(state, config)
    after = learnt(state, config, sides(0.49 + sd, 0.49 - sd))
    assert after.step == pytest.approx(0.1 * math.sqrt((1 + 0.5 * trend) / (1 + share) ** 0.5))
    assert after.trend == pytest.approx((0.5 + 0.5 * trend,), abs=1e-4)


def test_one_sweep_changes_the_step_by_so_much_at_most():
    state, config = begun_finely((0.5,), step=0.01, drop=0.001, trend=(4.0,))
    assert learnt(state, config, sides(0.6, 0.4)).step == pytest.approx(0.015)
    assert learnt(state, config, sides(0.4, 0.6)).step == pytest.approx(0.005)


def test_a_trend_has_no_larger_entry_than_a_saved_state_may_have():
    assert polish.MOST_NORMAL <= checks.MAX_TREND
    state, config = begun_finely((0.5,), trend=(4.0,), inputs={"slope_max": 50.0})
    assert learnt(state, config, sides(1.0, 0.0), lambda _: 1.0).trend == (4.0,)


def test_the_trend_does_not_turn_with_the_sweeps():
    flat = 0.5 - 1 / 32
    trends = []
    for count in (10, 11):  # along the axes, then between them
        state, config = begun_finely((0.5, 0.5), sweeps=count, step=0.05)
        up = sweep_of(state.memory).moves[0] / 0.05  # the slope is along the first coordinate
        rates = [flat + sign * 0.01 * u for u in up for sign in (1, -1)]
        trends.append(learnt(state, config, sides(*rates)).trend)
    assert trends[0] == pytest.approx(trends[1], abs=1e-3)
    assert trends[0][0] > 0.1 > abs(trends[0][1])


def test_the_step_never_grows_beyond_two_edges_of_a_cell():
    state, config = begun((0.5,), step=0.12, round=5, done=1, drop=0.005, trend=(2.0,))
    assert learnt(state, config, sides(0.55, 0.45)).step == 0.125


# The length that shows the drop.


def known_by(state, config, ratio):
    """Return by how much the drop falls with no slope and so many times the drop D."""
    return math.sqrt(0.9 * (1 + share_of(state, config)) ** (-0.25 * (1 + ratio)))


@pytest.mark.parametrize("ratio", [0.0, 0.5, 1.0, 1.5, 2.0])
def test_a_sweep_that_shows_too_small_a_drop_makes_the_step_longer_and_leaves_the_drop(ratio):
    state, config = begun_finely((0.5, 0.5), step=0.1, drop=0.02)
    after = learnt(state, config, lambda _: 0.5 - 0.02 * ratio)
    smaller = known_by(state, config, ratio)
    assert after.drop == pytest.approx(0.02 * smaller)
    # A tenth of what is too much, as the log of a squared length.
    stretch = math.exp(-0.05 * (ratio - 1))
    assert after.step == pytest.approx(0.1 * smaller * stretch)
    assert (after.shape, (stretch > 1) - (stretch < 1)) == ((1.0, 0.0, 1.0), np.sign(1 - ratio))


def test_each_direction_is_stretched_by_what_it_has_shown_itself():
    state, config = begun_finely((0.5, 0.5), step=0.1, drop=0.02)
    after = learnt(state, config, sides(0.49, 0.49, 0.48, 0.48))
    # The first shows half a drop; the second shows the drop, and keeps its length.
    assert after.shape == pytest.approx((1.0, 0.0, math.exp(-0.025)), abs=1e-6)
    smaller = known_by(state, config, 0.75)
    assert after.step == pytest.approx(0.1 * smaller * math.exp(0.025))
    assert after.drop == pytest.approx(0.02 * smaller)


def test_the_shape_is_learnt_from_the_drops():
    state, config = begun_finely((0.5, 0.5), step=0.1, drop=0.02)
    after = learnt(state, config, sides(0.49, 0.49, 0.47, 0.47))
    # Half a drop less and half a drop more: a tenth of that, as the log of a squared length.
    assert after.shape == pytest.approx((1.0, 0.0, math.exp(-0.05)), abs=1e-6)
    even = learnt(state, config, lambda _: 0.48)
    assert after.step / even.step == pytest.approx(math.exp(0.025))
    assert after.drop == pytest.approx(even.drop)


def test_a_clear_slope_stretches_by_what_the_drop_was_before():
    state, config = begun_finely((0.5, 0.5), step=0.1, drop=0.01, sweeps=100)
    slope = 6 / math.sqrt(24 * duels_of(state, config))  # clear, so that D is half of its norm
    assert slope / 2 > 0.02
    rates = sides(0.49 + slope, 0.49 - slope, 0.49, 0.49)
    after = learnt(state, config, rates)
    assert after.shape == (1.0, 0.0, 1.0)  # the drop is the expected one
    more = learnt(state, config, sides(0.48 + slope, 0.48 - slope, 0.48, 0.48))
    # One old D too much in the place of one new D.
    growth = (1 + share_of(state, config)) ** (-0.25 * 0.5)
    assert more.step / after.step == pytest.approx(growth * math.exp(-0.05 * 0.01 / (slope / 2)))


@pytest.mark.parametrize("ratio", [0.0, 1.0, 3.0])
def test_at_a_wall_the_mean_drop_makes_the_step_longer_or_shorter(ratio):
    shape = (1.0, 0.125, 0.5)
    state, config = begun_finely((0.0, 0.5), step=0.1, drop=0.02, shape=shape)
    seen = [0.02 * (ratio - 1 / 2), 0.02 * (ratio + 1 / 2)]
    after = learnt(state, config, {k: 0.5 - seen[k // 2] for k in range(4)}.get)
    smaller = known_by(state, config, ratio)
    assert after.shape == shape
    assert after.drop == pytest.approx(0.02 * smaller)
    assert after.step == pytest.approx(0.1 * smaller * math.exp(-0.05 * (ratio - 1)))


# The power with which the drop falls when the step does.


def settled(lower, shorter, **fields):
    """Return what is known where D was e^lower, and the half-axis e^shorter times as large."""
    drop, step = 2.0**-20, 2.0**-10
    before = (step * math.exp(shorter), drop * math.exp(lower))
    return Local(**{"step": step, "drop": drop, "settled": before, **fields})


def test_before_the_shape_fits_the_drop_is_in_proportion_to_the_step():
    assert polish._power(Local(step=0.1, drop=0.01, sweeps=99), 2) == 1.0


@pytest.mark.parametrize(
    ("lower", "shorter", "power"),
    [
        (2.0, 2.0, 1.0),  # a cone
        (2.0, 1.0, 4 / 3),  # a bowl; the cone of AS_CONE counts as much as what was seen
        (8.0, 4.0, 10 / 6),
        (4.0, 3.0, 6 / 5),
        (2.0, 4.0, 1.0),  # no less than 1
        (8.0, 1.0, 2.2),  # and no more than MOST_POWER
        (8.0, -9.0, 2.2),
        (0.49, -9.0, 1.0),  # LEAST_LOWER: too little is known
        (0.51, -9.0, 2.2),
        (-5.0, -5.0, 1.0),
    ],
)
def test_the_power_is_that_of_the_drops_and_the_half_axes_since_the_first_sweeps(
    lower, shorter, power
):
    assert polish._power(settled(lower, shorter), 2) == pytest.approx(power)


def test_a_drop_that_falls_like_the_square_of_the_half_axes_comes_near_the_power_two():
    powers = [polish._power(settled(2 * shorter, shorter), 3) for shorter in (0.1, 1, 3, 8)]
    assert powers == pytest.approx([1, 4 / 3, 8 / 5, 9 / 5])


def test_the_half_axis_is_that_of_all_directions():
    flat = settled(4.0, 0.0, shape=(1.0, 0.0, math.exp(-2.0)))  # the mean one has shrunk by e
    assert polish._power(flat, 2) == pytest.approx(6 / 3)


def test_no_state_that_is_taken_has_another_power_than_from_one_to_the_most():
    config = config_of(2)
    least = (checks.MIN_AXIS * 1.001, 0.0, checks.MIN_AXIS * 1.001)
    for step in (checks.MIN_STEP, checks.MAX_STEP):
        for drop in (checks.MIN_DROP, 0.5):
            for before in ((5e-324, checks.MIN_DROP), (5e-324, 0.5), (0.5, 0.5), (0.5, 2.0**-40)):
                for shape in ((), least):
                    local = Local(step=step, drop=drop, settled=before, shape=shape)
                    checks._check_local("local", local, config)
                    assert 1.0 <= polish._power(local, 2) <= 2.2


def test_a_step_that_must_be_shorter_takes_the_drop_along_with_the_power():
    local = settled(8.0, 4.0)
    local = replace(local, step=0.25, drop=0.01, settled=(0.25 * math.exp(4), 0.01 * math.exp(8)))
    state = polish.begin(replace(memory_of((0.5, 0.5), round=6), local=local), config_of(2))
    assert state.memory.local.step == 1 / 16
    assert state.memory.local.drop == pytest.approx(0.01 * 0.25 ** (10 / 6))


@pytest.mark.parametrize("ratio", [1.0, 0.5])
def test_a_sweep_lets_the_drop_fall_with_the_power_but_for_what_is_stretched(ratio):
    known = {"settled": (0.1 * math.exp(0.5), 0.01 * math.exp(2)), "sweeps": 20}
    state, config = begun_finely((0.5, 0.5), step=0.1, drop=0.01, **known)
    after = learnt(state, config, lambda _: 0.5 - 0.01 * ratio)
    growth = known_by(state, config, ratio)
    assert after.drop == pytest.approx(0.01 * growth ** (4 / 2.5))
    assert after.step == pytest.approx(0.1 * growth * math.exp(0.05 * (1 - ratio)))
    assert after.settled == state.memory.local.settled


@pytest.mark.parametrize("count", [0, 10, 11, 12, 13])
def test_the_half_axis_and_the_drop_are_kept_when_the_shape_fits(count):
    state, config = begun_finely((0.5, 0.5), step=0.1, drop=0.02, sweeps=count)
    after = learnt(state, config, lambda _: 0.48)
    if count != 11:  # SETTLED
        assert after.settled == ()
    else:
        assert after.settled == pytest.approx((after.step, after.drop))
        uneven = learnt(state, config, sides(0.48, 0.48, 0.46, 0.46))
        size = uneven.step * math.sqrt(np.linalg.det(matrix(uneven.shape, 2)))
        assert uneven.settled == pytest.approx((size, uneven.drop))
        assert size < uneven.step


def test_the_half_axis_that_is_kept_is_no_longer_than_a_step_may_be():
    state, config = begun_finely((0.5, 0.5), step=0.25, drop=0.01, sweeps=11, trend=(2.0, 2.0))
    after = learnt(state, config, lambda k: 0.5 + 0.02 * (-1) ** k)
    assert after.step == 0.25
    assert after.settled == pytest.approx((0.25, after.drop))


# Walls.


def test_at_the_wall_a_worse_inner_side_does_not_push_outwards():
    state, config = begun_finely((1.0, 0.5))
    following = answered(state, config, lambda k: 0.2 if k == 1 else 0.5)
    assert following.memory.reference == (1.0, 0.5)


@pytest.mark.parametrize(("x", "wall"), [(0.99, 1.0), (0.02, 0.0)])
@pytest.mark.parametrize("inner", [0.3, 0.499, 0.5])
def test_near_the_wall_it_goes_there_unless_the_inner_side_leads(x, wall, inner):
    state, config = begun_finely((x, 0.5))
    following = answered(state, config, lambda k: inner if k < 2 else 0.47)
    assert following.memory.reference == (wall, 0.5)


@pytest.mark.parametrize(("left", "sizes"), [(23, [9, 3, 3, 3]), (5, [])])
def test_at_a_wall_a_sweep_has_no_more_duels_than_are_left(left, sizes):
    state, config = begun_finely((1.0, 0.5), duels=HORIZON - left)
    assert [block.n for block in polish.step(state, config)] == sizes


@pytest.mark.parametrize(("x", "inwards"), [(0.99, -1), (0.02, 1)])
def test_near_the_wall_it_comes_away_from_it_if_the_inner_side_leads_at_all(x, inwards):
    state, config = begun_finely((x, 0.5))
    after = answered(state, config, lambda k: 0.501 if k < 2 else 0.47).memory.reference
    assert inwards * (after[0] - x) > 0


def test_a_neighbour_without_an_opposite_is_asked_as_often_as_a_whole_direction():
    state, config = begun_finely((1.0, 0.5))
    assert [block.n for block in polish.step(state, config)] == [3 * 42, 42, 42, 42]
    state, config = begun_finely((0.5, 1.0))
    assert [block.n for block in polish.step(state, config)] == [42, 42, 3 * 42, 42]


@pytest.mark.parametrize(("x", "inwards"), [(1.0, -1), (0.0, 1)])
def test_at_the_wall_an_inner_side_that_leads_counts_for_what_it_tells(x, inwards):
    state, config = begun_finely((x,))
    sd, share = 0.5 / math.sqrt(42), share_of(state, config)
    following = answered(state, config, lambda _: 0.5 + 1.5 * sd)
    shift = share / (1 + share) * 1.5 * sd * 3 * 4 / 24 * 32
    assert following.memory.reference[0] == pytest.approx(x + inwards * 0.25 * shift)


@pytest.mark.parametrize(("x", "target"), [(1.0, 0.75), (0.0, 0.25)])
def test_at_the_wall_a_clearly_better_inner_side_becomes_the_reference(x, target):
    state, config = begun_finely((x,))
    assert answered(state, config, lambda _: 0.7).memory.reference == (target,)


def test_a_slope_along_the_wall_does_not_leave_it():
    state, config = begun_finely((1.0, 0.5))
    x, y = answered(state, config, {1: 0.5, 2: 0.6, 3: 0.4}.get).memory.reference
    assert (x, y > 0.5) == (1.0, True)


def test_at_a_wall_slopes_do_not_change_the_trend():
    state, config = begun_finely((1.0, 0.5), trend=(0.5, 0.5))
    after = learnt(state, config, {1: 0.6, 2: 0.5, 3: 0.5}.get)
    assert after.trend == (0.25, 0.25)


# Its reach, its patience and its end.


def uphill(k):
    return 0.5 + 0.2 * (-1) ** k


@pytest.mark.parametrize(("x", "round_", "end"), [(0.1, 2, 1.0), (0.1, 4, 0.35), (0.6, 5, 0.725)])
def test_it_never_moves_further_than_two_edges_from_home(x, round_, end):
    state, config = begun((x,), round=round_, done=1, step=0.05)
    places = []
    for _ in range(40):
        state = answered(replace(state, deadline=HORIZON), config, uphill)
        places.append(state.memory.reference[0])
        if not isinstance(state, Polish):
            break
    assert max(places) == pytest.approx(end, abs=1e-9)


def test_it_never_moves_further_than_two_edges_downwards_either():
    state, config = begun_finely((0.9,), step=0.2)
    for _ in range(12):
        state = answered(state, config, lambda k: uphill(k + 1))
    assert state.memory.reference[0] == pytest.approx(0.9 - 0.25, abs=1e-9)


def test_at_the_end_of_its_reach_slopes_are_no_news_and_the_step_shrinks():
    state, config = begun_finely((0.5,), step=0.1, drop=0.01, trend=(2.0,))
    held = replace(state, home=(0.25,))  # X is two edges from there
    free = learnt(state, config, sides(0.55, 0.43))
    after = learnt(held, config, sides(0.55, 0.43))
    assert free.step > 0.1 > after.step
    assert after.trend == (1.0,)
    assert per_step(after) == pytest.approx(0.01 / 0.1)
    assert per_step(free) > per_step(after)


def test_no_lead_is_larger_than_always():
    state, config = begun((0.5,), lead=0.45)
    assert answered(state, config, lambda _: 0.7, lambda _: 0.5).lead == 0.5


@pytest.mark.parametrize(("late", "kind"), [(0, polish.Polished), (1, Polish)])
def test_its_patience_ends_it_after_it_has_learnt(late, kind):
    state, config = begun_finely((0.5, 0.5))
    following = answered(replace(state, deadline=6 * 42 + late), config, lambda _: 0.47)
    assert isinstance(following, kind)
    assert (following.memory.duels, following.memory.local.sweeps) == (6 * 42, 11)


def test_the_last_polish_has_no_deadline():
    state, config = begun((0.5, 0.5), final=True)
    assert isinstance(answered(replace(state, deadline=0), config, lambda _: 0.47), Polish)


@pytest.mark.parametrize(
    ("start", "trend", "seen", "kind"),
    [
        (0.9, 0.0, 1.0, polish.Polished),
        (1.3, 0.0, 1.0, Polish),
        (0.9, 2.0, 1.0, Polish),  # the slopes have a direction
        (0.9, 0.0, -0.1, Polish),  # X does not look like a peak
        (0.4, 2.0, 1.0, polish.Polished),  # LOUD
        (0.4, 0.0, -0.1, polish.Polished),
    ],
)
def test_it_ends_at_a_small_drop_less_soon_where_the_peak_is_elsewhere(start, trend, seen, kind):
    state, config = begun_finely((0.5,), step=0.01, trend=(trend,))
    drop = start * polish.stop_drop(state.memory, config)
    local = replace(state.memory.local, drop=drop)
    state = replace(state, memory=replace(state.memory, local=local))
    assert isinstance(answered(state, config, lambda _: 0.5 - seen * drop), kind)


def test_on_a_plain_it_comes_to_an_end():
    state, config = begun_finely((0.5, 0.5))
    while isinstance(state, Polish):
        state = answered(state, config, lambda _: 0.5)
    assert (state.memory.reference, state.lead) == ((0.5, 0.5), 0.0)
    assert 13 < state.memory.local.sweeps < 70


@pytest.mark.parametrize(("steps", "kind"), [(1.01, polish.Polished), (2.5, Polish)])
def test_it_ends_when_the_step_cannot_shrink(steps, kind):
    steep, step = {"slope_max": 1e6}, steps * polish.MIN_STEP
    state, config = begun_finely((0.5,), step=step, drop=0.1, inputs=steep)
    following = answered(state, config, lambda _: 0.4)
    assert isinstance(following, kind)
    assert following.memory.local.step >= polish.MIN_STEP


def test_no_step_and_no_drop_is_smaller_than_a_saved_state_may_have():
    assert polish.MIN_STEP >= checks.MIN_STEP
    assert polish.MIN_DROP >= checks.MIN_DROP


def test_a_polish_that_ends_names_where_it_began_and_what_it_took():
    state, config = begun_finely((0.5,), duels=1000, drop=0.01)
    state = replace(state, deadline=0)
    ended = answered(state, config, sides(0.495, 0.485))
    spent = 3 * duels_of(state, config)
    assert ended == polish.Polished(ended.memory, (0.5,), False, ended.lead, spent, None)
    assert ended.memory.reference[0] > 0.5
    assert ended.lead > 0


def test_a_rival_that_was_polished_names_the_reference_that_it_challenges():
    old = Local(step=0.01, drop=0.001, shape=(1.0, 0.1, 0.5), sweeps=9)
    state, config = begun((0.25, 0.25), rival_to=(0.5, 0.5), lead=0.125, old_local=old)
    ended = answered(replace(state, deadline=0), config, lambda _: 0.47)
    assert (ended.old, ended.rival, ended.lead) == ((0.5, 0.5), True, 0.125)
    assert ended.old_local == old


@pytest.mark.parametrize(
    "rates", [(0.3, 0.3), (0.7, 0.3), (0.7, 0.7)], ids=["drop", "slope", "hollow"]
)
def test_what_was_known_about_the_reference_is_kept_whatever_a_look_shows(rates):
    old = Local(step=0.01, drop=0.001, sweeps=9)
    state, config = begun_finely((0.25,), rival_to=(0.5,), old_local=old)
    following = answered(state, config, sides(*rates))
    assert isinstance(following, Polish)
    assert (following.rival_to, following.old_local) == ((0.5,), old)


# A whole polish, without noise.


def climbed(best, height, config, **fields):
    """Return where a polish ends, and what it knows, if arms win exactly as ``height`` says."""
    state = polish.begin(memory_of((0.5,) * len(best), final=True, **fields), config, step=0.25)
    while isinstance(state, Polish):
        step = polish.step(state, config)
        rates = [
            0.5 + height(np.array(b.low) - best) - height(np.array(b.reference) - best)
            for b in step
        ]
        state = polish.advance(state, answers(step, rates), config)
    return np.array(state.memory.reference), state.memory.local


def cone(x):
    return -0.2 * np.linalg.norm(x)


def bowl(x):
    return -0.2 * (x @ x)


@pytest.mark.parametrize("dim", [1, 2, 3, 9])
def test_without_noise_it_comes_to_the_top_of_a_cone_and_of_a_bowl(dim):
    best = np.linspace(0.42, 0.61, dim)
    config = config_of(dim, horizon=10**9)
    for height in (cone, bowl):
        found, local = climbed(best, height, config, horizon_now=10**9)
        assert height(found - best) > -1e-3
        assert local.sweeps < 400


@pytest.mark.parametrize("dim", [2, 3, 9])
def test_a_bowl_is_told_from_a_cone_and_searched_with_longer_steps(dim):
    best, config = np.linspace(0.42, 0.61, dim), config_of(dim, horizon=10**10)
    _, steep = climbed(best, cone, config, horizon_now=10**10)
    _, flat = climbed(best, bowl, config, horizon_now=10**10)
    assert polish._power(steep, dim) == 1.0
    assert 1.5 < polish._power(flat, dim) < 2.0
    assert flat.step > 30 * steep.step
    for height, local in ((cone, steep), (bowl, flat)):
        shown = -height(np.array([local.step] + [0.0] * (dim - 1)))
        assert 0.4 * local.drop < shown < 1.25 * local.drop
