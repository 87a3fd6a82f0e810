"""Scan, transition by transition: what a round asks, eliminates, ranks, counts and claims."""

import math
from dataclasses import replace

import pytest

from duelli.blocks import Block, Tally
from duelli.learners.race import scan
from duelli.learners.race.states import Scan

from .samples import HORIZON, answers, config_of, memory_of

pytestmark = pytest.mark.usefixtures("own_constants")

# On the line with Γ L = 1/4 the bias is b_h = 2^-(h + 2); a round of depth 5 tests depths 2 and 3.
LINE = config_of(1)
SHARE = 0.6 * 0.05  # of δ, for eliminations
LEVEL = 0.4 * 0.05 / 2  # of δ, for the certificate of the first round completed


def scan_at(path, *, reference=(1.0,), depth=5, n=0, wins=0.0, memory=None, **fields):
    """Return a round of depth 5 that is about to look at the cube at ``path``."""
    given = {"round": depth, "begun": 1, "tests": 1, "alive": 0, **(memory or {})}
    state = {"deadline": HORIZON, "cost_limit": None, "deeper": 2, "alive_before": 3, **fields}
    return Scan(memory=memory_of(reference, **given), path=path, n=n, wins=wins, **state)


def looked(state, n, wins, config=LINE):
    """Return what follows a look of ``n`` duels of which the cube wins ``wins``."""
    arm = scan.centre(state.path, config.dim)
    return scan.advance(state, Tally(n, wins, arm), config)


# The levels.


@pytest.mark.parametrize(("depth", "count"), [(1, 0), (3, 0), (4, 1), (5, 2), (9, 6)])
def test_neither_the_root_nor_the_last_two_depths_are_tested(depth, count):
    assert scan.tested_depths(depth, LINE) == count


def test_a_depth_at_which_no_win_rate_is_small_enough_is_not_tested():
    # b_h = 4 · 2^-h: nothing can be below 1/2 - b_h at depths 2 and 3.
    assert scan.tested_depths(7, config_of(1, slope_max=4.0)) == 2
    assert scan.tested_depths(7, config_of(1, slope_max=3.9)) == 2
    assert scan.tested_depths(7, config_of(1, slope_max=3.8)) == 3


@pytest.mark.parametrize(("tests", "shares"), [(0, 2), (1, 2), (2, 6), (5, 30)])
def test_the_level_is_shared_among_rounds_and_depths(tests, shares):
    memory = memory_of((0.5,), round=5, tests=tests)
    assert scan.log_threshold(memory, LINE) == pytest.approx(math.log(shares * 2 / SHARE))


def test_the_levels_of_all_rounds_are_the_share_of_delta():
    thresholds = [
        scan.log_threshold(memory_of((0.5,), round=5, tests=i), LINE) for i in range(1, 2000)
    ]
    spent = sum(2 * math.exp(-each) for each in thresholds)
    assert 0.999 * SHARE < spent < SHARE


def test_a_round_without_tested_depths_has_a_threshold_all_the_same():
    memory = memory_of((0.5,), round=2, tests=1)
    assert scan.log_threshold(memory, LINE) == pytest.approx(math.log(2 / SHARE))


def test_caution_scales_the_threshold():
    memory = memory_of((0.5,), round=5, tests=1)
    bold = scan.log_threshold(memory, replace(LINE, caution=0.5))
    assert bold == pytest.approx(scan.log_threshold(memory, LINE) / 2)


def test_without_the_one_chain_the_level_is_that_of_the_paper():
    memory = memory_of((0.5,), round=5, tests=7)
    config = replace(LINE, without=("one_chain",))
    assert scan.log_threshold(memory, config) == pytest.approx(math.log(HORIZON / SHARE))


# How a round begins.


def test_a_round_begins_deeper_with_nothing_counted():
    memory = memory_of((1.0,), round=3, begun=4, alive=6, duels=100)
    state = scan.begin(memory, LINE, deeper=2, cost_limit=7.0)
    assert (state.memory.round, state.memory.begun) == (5, 5)
    assert (state.deeper, state.alive_before, state.cost_limit) == (2, 6, 7.0)
    assert state.deadline == 100 + (HORIZON - 100) // 3
    assert (state.n, state.wins, state.cost, state.best) == (0, 0.0, 0.0, None)


def test_a_round_that_need_not_pay_has_all_the_duels():
    memory = memory_of((1.0,), round=3, duels=100)
    state = scan.begin(memory, replace(LINE, without=("must_pay",)), deeper=2, cost_limit=None)
    assert state.deadline == HORIZON


@pytest.mark.parametrize(
    ("before", "deeper", "tests", "spent"),
    [(1, 2, 3, 0.01), (2, 2, 4, 0.01 + SHARE / 20), (3, 2, 4, 0.01 + SHARE / 20)],
)
def test_level_is_spent_only_where_a_test_can_happen(before, deeper, tests, spent):
    memory = memory_of((1.0,), round=before, tests=3, spent=0.01)
    after = scan.begin(memory, LINE, deeper=deeper, cost_limit=None).memory
    assert (after.tests, after.spent) == (tests, pytest.approx(spent))


def test_boldness_spends_more():
    memory = memory_of((1.0,), round=3, tests=0)
    bold = scan.begin(memory, replace(LINE, caution=0.5), deeper=2, cost_limit=None).memory
    assert bold.spent == pytest.approx(2 * math.sqrt(SHARE / 4))


def test_no_more_than_everything_is_spent():
    memory = memory_of((1.0,), round=3, spent=0.999)
    assert scan.begin(memory, LINE, deeper=2, cost_limit=None).memory.spent == 1.0


def test_the_walk_goes_down_unasked_where_the_reference_is_near():
    # The cells next to the reference are never asked about, and count as alive.
    state = scan.begin(memory_of((1.0,), round=3), LINE, deeper=2, cost_limit=None)
    assert (state.path, state.memory.alive) == ((1, 1, 1, 0), 1)
    assert (state.seen_low, state.seen_high) == ((0.875,), (1.0,))


def test_a_round_whose_cells_are_all_near_ends_at_once():
    ended = scan.begin(memory_of((0.5,), round=1), LINE, deeper=1, cost_limit=None)
    assert (ended.completed, ended.best, ended.memory.alive) == (True, None, 2)
    assert (ended.memory.round, ended.memory.done, ended.memory.duels) == (2, 1, 0)


# What a look asks.


def test_the_first_look_at_a_cube_could_see_it_win_by_its_bias():
    block = scan.block(scan_at((0,)), LINE)
    assert block == Block.pair((0.25,), (1.0,), 16)  # 1 / (4 b_2)²
    assert scan.block(scan_at((0, 0)), LINE) == Block.pair((0.125,), (1.0,), 64)


def test_every_further_look_doubles_the_duels_up_to_the_cap():
    cap = scan.cap(scan_at((0,)).memory, 2, LINE)
    assert scan.block(scan_at((0,), n=64), LINE).n == 64
    assert scan.block(scan_at((0,), n=cap - 100), LINE).n == 100
    assert scan.block(scan_at((0,), n=cap - 3), LINE).n == LINE.min_block


def test_the_cap_of_a_test_is_where_its_width_is_the_bias():
    memory = scan_at((0,)).memory
    for h, bias in ((2, 1 / 16), (3, 1 / 32)):
        expected = (math.log(4 / SHARE) + math.log(5)) / (2 * bias**2)
        assert scan.cap(memory, h, LINE) == int(expected)
    assert scan.cap(memory, 2, replace(LINE, min_block=5000)) == 5000


def test_the_cap_of_the_last_depth_is_where_two_sd_are_half_the_resolution():
    memory = scan_at((0,)).memory
    assert scan.cap(memory, 5, LINE) == (2 * 128) ** 2
    assert scan.cap(memory, 5, replace(LINE, min_block=10**6)) == 10**6
    dear = replace(LINE, without=("cheap_last",))
    assert scan.cap(memory, 5, dear) == int(2 * math.log(4 / SHARE) * 128**2)


def test_at_the_last_depth_no_resolution_is_coarser_than_one_half():
    config = config_of(1, slope_max=64.0)
    assert scan.cap(scan_at((0,)).memory, 5, config) == int((2 / 0.5) ** 2)


@pytest.mark.parametrize(("depth", "n"), [(5, 64), (3, 16), (2, 16)])
def test_the_first_look_at_a_cell_is_a_share_of_its_cap(depth, n):
    state = scan_at((0,) * (depth - 1), depth=depth)  # caps 65536, 4096 and 1024
    assert scan.block(state, LINE).n == n


def test_without_the_cheap_acceptance_the_first_look_is_a_share_of_the_cap():
    config = replace(LINE, without=("cheap_accept",))
    state = scan_at((0, 0))
    assert scan.block(state, config).n == scan.cap(state.memory, 3, config) // 64


def test_no_look_is_longer_than_the_horizon():
    state = scan_at((0, 0), memory={"duels": HORIZON - 10})
    assert scan.block(state, LINE).n == 10
    assert scan.block(state, replace(LINE, horizon=None)).n == 64


def test_without_the_centre_the_cube_is_played_as_a_whole():
    block = scan.block(scan_at((0, 1)), replace(LINE, without=("centre",)))
    assert (block.low, block.edge, block.reference) == ((0.25,), 0.25, (1.0,))


def test_the_centre_of_a_cube_is_its_middle():
    assert scan.centre((), 2) == (0.5, 0.5)
    assert scan.centre((1, 2), 2) == (0.375, 0.625)


# What a look leads to.


def evidence(n, wins, null, gaps):
    """Return the mixed likelihood ratio, by its definition."""
    ratios = [
        ((null - g) / null) ** wins * ((1 - null + g) / (1 - null)) ** (n - wins) for g in gaps
    ]
    return sum(ratios) / len(ratios)


@pytest.mark.parametrize(("path", "bias"), [((0,), 1 / 16), ((0, 0), 1 / 32)])
@pytest.mark.parametrize("tests", [1, 4])
def test_a_cube_is_eliminated_where_the_evidence_exceeds_its_level(path, bias, tests):
    n, null = 200, 0.5 - bias
    gaps = [bias * 2**j for j in range(5) if bias * 2**j < null - 0.01]
    level = SHARE / (tests * (tests + 1) * 2)
    left = []
    for wins in range(100):
        following = looked(scan_at(path, memory={"tests": tests}), n, wins)
        left.append(not isinstance(following, Scan) or following.path[: len(path)] != path)
        assert left[-1] == (evidence(n, wins, null, gaps) >= 1 / level)
    assert any(left)
    assert not all(left)


def test_where_no_alternative_fits_half_of_the_null_is_the_alternative():
    config = config_of(1, slope_max=0.96)  # b_2 = 0.24, null 0.26: no gap below 0.25
    memory = {"tests": 1}
    reached = [looked(scan_at((0,), memory=memory), 40, wins, config) for wins in range(6)]
    expected = [evidence(40, wins, 0.26, (0.24,)) >= 4 / SHARE for wins in range(6)]
    assert [not isinstance(each, Scan) for each in reached] == expected


def test_an_eliminated_cube_is_not_entered_counted_or_boxed():
    state = scan_at((0,), memory={"alive": 4}, seen_low=(0.5,), seen_high=(1.0,))
    ended = looked(state, 200, 0)
    assert ended.completed
    assert (ended.memory.alive, ended.memory.low, ended.memory.high) == (4, (0.5,), (1.0,))


def test_a_cube_at_its_cap_is_entered():
    cap = scan.cap(scan_at((0,)).memory, 2, LINE)
    wins = cap * (0.5 - 1 / 8 + 0.012)  # it would not be accepted at one sd
    assert looked(scan_at((0,), n=cap - 10, wins=wins - 5), 10, 5).path == (0, 1)
    assert looked(scan_at((0,), n=cap - 11, wins=wins - 5), 10, 5).path == (0,)


@pytest.mark.parametrize(("wins", "path"), [(29, (0, 1)), (28, (0,)), (27, (0,))])
def test_a_cube_that_will_survive_is_accepted_at_one_sd(wins, path):
    # 64 duels: the sd is 1/16, and the gap must exceed -2 b_2 + sd = -1/16, that is 28 wins.
    following = looked(scan_at((0,)), 64, wins)
    assert following.path == path
    assert (following.n, following.wins) == ((0, 0.0) if len(path) == 2 else (64, wins))


def test_without_the_cheap_acceptance_a_cube_is_asked_up_to_its_cap():
    config = replace(LINE, without=("cheap_accept",))
    assert looked(scan_at((0,)), 64, 60, config).path == (0,)


def test_the_duels_wins_and_costs_of_looks_add_up():
    state = scan_at((0,), n=16, wins=7.0, cost=3.0, memory={"duels": 500})
    following = looked(state, 16, 6)
    assert (following.n, following.wins, following.memory.duels) == (32, 13.0, 516)
    assert following.cost == 3.0 + 8 - 6


def test_against_a_worse_reference_the_null_is_twice_as_far():
    config = replace(LINE, without=("any_reference",))
    n, bias = 200, 1 / 16
    gaps = [g for g in (bias * 2**j for j in range(5)) if g < 0.375 - 0.01]
    for wins in range(0, 80, 4):
        gone = not isinstance(looked(scan_at((0,)), n, wins, config), Scan)
        assert gone == (evidence(n, wins, 0.375, gaps) >= 4 / SHARE)


def test_a_look_that_refutes_the_slope_is_remembered():
    assert looked(scan_at((0,)), 10**5, 0).memory.steepest > 0.6
    assert looked(scan_at((0,)), 64, 30).memory.steepest == 0
    uniform = replace(LINE, without=("centre",))  # the witness is one of many arms
    assert looked(scan_at((0,)), 10**5, 0, uniform).memory.steepest == 0


# Where the walk goes.


def test_children_are_visited_nearest_to_the_reference_first():
    config = config_of(2)
    state = scan_at((), reference=(0.9, 0.4))
    assert list(scan._order(state, (), config)) == [2, 3, 0, 1]
    first = scan._order(state, (), replace(config, without=("nearest",)))
    assert list(first) == [0, 1, 2, 3]


def test_a_cube_is_near_if_the_lipschitz_constant_keeps_it_from_elimination():
    # The win rate of its centre is at least 1/2 - Γ L |centre - X| >= 1/2 - 2 b_h.
    for away, near in ((0.25, True), (0.2501, False)):
        state = scan_at((), reference=(0.375 + away,))
        assert scan._is_near(state, (0, 1)) == near


def test_the_distance_is_that_of_the_farthest_coordinate():
    state = scan_at((), reference=(0.25, 0.9))
    assert not scan._is_near(state, (0,))
    assert scan._is_near(state, (1,))


def test_untested_depths_are_walked_through_unasked():
    # Depth 4 = m - UNTESTED of a round of depth 5: from (0, 0) at depth 3 to depth 5.
    following = looked(scan_at((0, 0)), 64, 64)
    assert following.path == (0, 0, 1, 1)


def test_depths_without_a_test_are_walked_through_unasked():
    config = config_of(1, slope_max=4.0)  # depths 2 and 3 cannot be tested
    state = scan.begin(memory_of((0.0,), round=5), config, deeper=2, cost_limit=None)
    paths = set()
    while isinstance(state, Scan):
        paths.add(len(state.path) + 1)
        state = looked(state, 100, 60, config)
    assert paths == {4, 5, 7}


def test_a_round_that_eliminates_nothing_reaches_every_cell_once():
    config = config_of(2, horizon=10**12)
    memory = memory_of((0.0, 0.0), round=3, horizon_now=10**12)
    state = scan.begin(memory, config, deeper=2, cost_limit=None)
    cells, cubes = [], []
    while isinstance(state, Scan):
        (cells if len(state.path) == 4 else cubes).append(state.path)
        state = looked(state, 10**5, 49_000, config)
    assert len(set(cells)) == len(cells) == 256 - 1  # the cell of the reference is near
    assert len(set(cubes)) == len(cubes)
    assert {len(path) + 1 for path in cubes} == {2, 3}
    assert (state.memory.low, state.memory.high) == ((0.0, 0.0), (1.0, 1.0))


# The cells of the last depth.

CELL = (0, 0, 1, 1)  # [3/16, 1/4], whose centre is 7/32; b_5 = 1/128
CAP = 65536


def ranked(gap, n=CAP, **fields):
    """Return what follows when the cell wins 1/2 + gap of n duels; another cell comes after it."""
    return looked(scan_at(CELL, **fields), n, n * (0.5 + gap))


def test_a_cell_at_its_cap_that_beats_all_before_is_the_best():
    following = ranked(0.01, best=(0.75,), best_gap=0.005)
    assert (following.best, following.best_gap) == ((7 / 32,), pytest.approx(0.01))
    assert following.path == (0, 0, 1, 0)


def test_a_cell_that_does_not_beat_the_best_leaves_it():
    following = ranked(0.01, best=(0.75,), best_gap=0.0101)
    assert (following.best, following.best_gap) == ((0.75,), 0.0101)
    assert following.path == (0, 0, 1, 0)


def test_a_cell_below_its_cap_is_asked_again():
    following = ranked(0.0, n=1000)
    assert (following.path, following.n, following.best) == (CELL, 1000, None)


@pytest.mark.parametrize(("best_gap", "least"), [(-1.0, 0.0), (-0.3, 0.0), (0.02, 0.02)])
def test_a_cell_is_passed_over_at_two_sd_below_the_best_or_the_reference(best_gap, least):
    n, sd = 10_000, 0.005
    asked = ranked(least - 1.9 * sd, n=n, best_gap=best_gap)
    passed = ranked(least - 2.1 * sd, n=n, best_gap=best_gap)
    assert asked.path == CELL
    assert (passed.path, passed.best, passed.best_gap) == ((0, 0, 1, 0), None, best_gap)


@pytest.mark.parametrize(("gap", "alive"), [(-1.9 / 128, 1), (-2.1 / 128, 0)])
def test_a_cell_passed_over_is_alive_if_the_next_round_must_enter_it(gap, alive):
    assert ranked(gap).memory.alive == alive


def test_a_cell_that_was_not_passed_over_is_alive():
    assert ranked(0.0, memory={"alive": 5}).memory.alive == 6


@pytest.mark.parametrize(
    ("n", "gap", "best_gap", "leads"),
    [
        (20_000, 0.0085, -1.0, True),  # sd 0.0035: above 2 sd, and finer than b_5 / 2 = 0.0039
        (20_000, 0.0065, -1.0, False),  # not above 2 sd
        (20_000, 0.0085, 0.0051, False),  # not one sd above the best
        (20_000, 0.0085, 0.0049, True),
        (14_000, 0.0125, -1.0, False),  # sd 0.0042: too coarse
    ],
)
def test_a_cell_that_clearly_leads_is_not_asked_up_to_its_cap(n, gap, best_gap, leads):
    following = ranked(gap, n=n, best=(0.75,), best_gap=best_gap)
    assert (following.path != CELL) == leads
    assert (following.best == (7 / 32,)) == leads


def test_the_last_depth_is_never_eliminated():
    following = ranked(-0.4)
    assert (following.memory.low, following.seen_low) == ((0.0,), (0.125,))


def test_every_cell_that_is_reached_widens_the_box():
    following = ranked(0.0, seen_low=(0.5,), seen_high=(0.75,))
    assert (following.seen_low, following.seen_high) == ((0.125,), (0.75,))


def test_the_box_of_cells_is_that_of_each_coordinate():
    state = scan_at((), reference=(0.5, 0.5), seen_low=(0.25, 0.5), seen_high=(0.5, 0.75))
    reached = scan._reached(state, (0, 1))  # the cube from (0, 0.25)
    assert (reached.seen_low, reached.seen_high) == ((0.0, 0.25), (0.5, 0.75))


# Giving up.


def left_with(**fields):
    """Return what follows when a cell is passed over."""
    return ranked(-0.4, n=1000, best=(0.75,), best_gap=0.25, cost=10.0, **fields)


def check_that_a_given_up_round_is_undone():
    ended = left_with(cost_limit=100.0, memory={"alive": 9, "done": 2, "cost": 5.0})
    assert not ended.completed
    assert (ended.memory.round, ended.memory.alive) == (3, 3)
    assert ended.memory.cost == pytest.approx(10 + 400)
    assert (ended.best, ended.best_gap, ended.memory.done) == ((0.75,), 0.25, 2)


def test_a_given_up_round_is_undone_but_for_its_cost():
    check_that_a_given_up_round_is_undone()


def test_a_given_up_round_that_is_not_undone_is_caught(monkeypatch):  # R2
    def as_before(state, config, *, completed):
        done = scan_ended(state, config, completed=completed)
        return done if completed else replace(done, memory=state.memory)

    scan_ended = scan._ended
    monkeypatch.setattr(scan, "_ended", as_before)
    with pytest.raises(AssertionError):
        check_that_a_given_up_round_is_undone()


def test_the_cost_of_a_given_up_round_is_at_least_that_of_those_before():
    assert left_with(cost_limit=100.0, memory={"cost": 5000.0}).memory.cost == 5000.0


@pytest.mark.parametrize(("limit", "given_up"), [(409.0, True), (411.0, False), (None, False)])
def test_a_round_is_given_up_beyond_its_cost_limit(limit, given_up):
    following = left_with(cost_limit=limit)
    assert isinstance(following, Scan) != given_up


@pytest.mark.parametrize(("deadline", "given_up"), [(999, True), (1000, False)])
def test_a_round_is_given_up_beyond_its_deadline(deadline, given_up):
    following = left_with(deadline=deadline)
    assert isinstance(following, Scan) != given_up


def test_a_given_up_round_claims_nothing():
    ended = left_with(cost_limit=100.0, seen_low=(0.5,), seen_high=(1.0,), memory={"spent": 0.01})
    assert (ended.memory.low, ended.memory.high) == ((0.0,), (1.0,))
    assert (ended.memory.anchor, ended.memory.spent) == (None, 0.01)


# What a completed round claims.


def completed(**fields):
    """Return a round that ends with the elimination of its last cube."""
    return looked(scan_at((0,), **fields), 1000, 0).memory


def test_a_completed_round_is_counted_with_its_cost():
    memory = completed(cost=50.0, memory={"cost": 300.0, "done": 2, "alive": 7})
    assert (memory.done, memory.cost, memory.round, memory.alive) == (3, 550.0, 5, 7)
    assert completed(memory={"cost": 3000.0}).cost == 3000.0


def test_the_boxes_of_all_rounds_are_intersected():
    memory = completed(seen_low=(0.25,), seen_high=(0.75,), memory={"low": (0.5,), "high": (1.0,)})
    assert (memory.low, memory.high, memory.refuted) == ((0.5,), (0.75,), False)


def test_boxes_that_touch_meet():
    memory = completed(seen_low=(0.25,), seen_high=(0.5,), memory={"low": (0.5,), "high": (1.0,)})
    assert (memory.low, memory.high, memory.refuted) == ((0.5,), (0.5,), False)


def test_boxes_that_do_not_meet_refute_the_inputs():  # R3
    memory = completed(seen_low=(0.0,), seen_high=(0.25,), memory={"low": (0.5,), "high": (1.0,)})
    assert memory.refuted
    assert (memory.low, memory.high) == ((0.5,), (1.0,))


def test_a_round_that_reached_no_cell_leaves_the_box():
    memory = completed(memory={"low": (0.5,), "high": (1.0,)})
    assert (memory.low, memory.high, memory.refuted) == ((0.5,), (1.0,), False)


@pytest.mark.parametrize(("done", "shares"), [(0, 2), (1, 6), (4, 30)])
def test_the_certificate_spends_its_own_share_of_delta(done, shares):
    memory = completed(memory={"done": done, "spent": 0.01})
    assert memory.spent == pytest.approx(0.01 + 0.4 * 0.05 / shares)


def test_no_more_than_everything_is_spent_by_certificates():
    assert completed(memory={"spent": 0.999}).spent == 1.0


def test_the_upper_bound_of_a_cell_is_hoeffdings():
    width = math.sqrt(math.log(12 / LEVEL) / (2 * CAP))
    assert ranked(0.01).upper == pytest.approx(0.01 + width)
    assert ranked(-0.4).upper == pytest.approx(-0.4 + width)


def test_the_upper_bound_of_a_later_round_is_wider():
    later = ranked(0.01, memory={"done": 2}).upper
    assert later == pytest.approx(0.01 + math.sqrt(math.log(12 * 6 / LEVEL) / (2 * CAP)))


def test_the_largest_upper_bound_is_kept():
    assert ranked(0.01, upper=0.3).upper == 0.3
    assert ranked(-0.4, upper=0.3).upper == 0.3


def test_a_look_without_a_verdict_is_no_bound():
    assert ranked(0.0, n=1000).upper == -0.5


@pytest.mark.parametrize(
    ("upper", "bound"),
    [(-0.5, 3 / 128), (0.01, 3 / 128), (0.05, 0.05 + 1 / 128), (0.2, 0.2 + 1 / 128)],
)
def test_a_completed_round_bounds_the_gap_of_its_reference(upper, bound):
    memory = completed(upper=upper)
    assert (memory.anchor, memory.certified) == ((1.0,), pytest.approx(bound))


def test_a_bound_that_says_nothing_is_not_kept():
    memory = completed(upper=0.3)  # the hull says 1/4
    assert (memory.anchor, memory.certified) == (None, 0.5)


def test_a_bound_is_kept_only_if_it_is_the_better_one():
    known = {"anchor": (0.9,), "certified": 0.01}  # 0.035 at 1
    assert completed(upper=0.05, memory=known).anchor == (0.9,)
    assert completed(upper=0.02, memory=known).anchor == (1.0,)


def test_no_gap_exceeds_one_half():
    config = config_of(1, slope_max=4.0)
    state = scan_at((0, 0, 0), upper=0.45, memory={"tests": 1})
    ended = scan._ended(state, config, completed=True)
    assert ended.memory.certified == 0.5


def test_the_gap_of_an_arm_is_bounded_by_the_box():
    memory = memory_of((0.5, 0.5), low=(0.25, 0.5), high=(0.75, 1.0))
    assert scan.gap_bound(memory, (0.5, 0.75), config_of()) == 0.25 * 0.25
    assert scan.gap_bound(memory, (0.75, 0.75), config_of()) == 0.25 * 0.5
    assert scan.gap_bound(memory, (0.5, 0.5), config_of()) == 0.25 * 0.5
    assert scan.gap_bound(memory, (0.5, 0.5), config_of(slope_max=100.0)) == 0.5


def test_the_gap_of_an_arm_is_bounded_by_the_certificate_and_the_distance_to_its_anchor():
    memory = memory_of((0.5, 0.5), anchor=(0.25, 0.5), certified=0.01)
    assert scan.gap_bound(memory, (0.25, 0.5), config_of()) == 0.01
    assert scan.gap_bound(memory, (0.375, 0.75), config_of()) == 0.01 + 0.25 * 0.25
    assert scan.gap_bound(memory, (0.5, 0.5), config_of(slope_max=100.0)) == 0.5


def test_a_whole_round_in_which_all_tie_certifies_its_reference():
    config = config_of(1, horizon=10**12)
    memory = memory_of((0.5,), round=3, horizon_now=10**12)
    state = scan.begin(memory, config, deeper=2, cost_limit=None)
    while isinstance(state, Scan):
        block = scan.block(state, config)
        state = scan.advance(state, answers([block], [0.5])[0], config)
    width = math.sqrt(math.log(12 / LEVEL) / (2 * CAP))
    assert state.memory.certified == pytest.approx(max(3 / 128, 1 / 128 + width))
    assert state.memory.anchor == (0.5,)
    assert (state.memory.alive, state.memory.done) == (16, 1)
