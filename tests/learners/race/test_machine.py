"""The machine of ArcRace: the way from each phase to the next, and the arm that it would name."""

import math
from dataclasses import replace

import pytest

from duelli.blocks import Block, Tally
from duelli.learners.race import machine, polish, scan, survey
from duelli.learners.race.polish import Polished
from duelli.learners.race.scan import Scanned
from duelli.learners.race.states import Commit, Confirm, Local, Polish, Scan, Survey

from .samples import HORIZON, answers, config_of, memory_of

pytestmark = pytest.mark.usefixtures("own_constants")

CONFIG = config_of(1)
PLAIN = config_of(1, without=("local_search",))
FINAL = memory_of((0.5,), final=True)
OPEN = memory_of((0.5,))


def stepped(memory, step, *, drop=0.0, **fields):
    """Return the memory with other fields, and with a local model of this step."""
    return replace(memory, local=Local(step=step, drop=drop), **fields)


# The first state.


def test_a_long_run_begins_with_a_survey_of_the_box():
    state = machine.initial(config_of(2, horizon=10**7))
    assert isinstance(state, Survey)
    memory = state.memory
    assert (memory.reference, memory.duels, memory.horizon_now) == ((0.5, 0.5), 0, 10**7)
    assert (memory.low, memory.high) == ((0.0, 0.0), (1.0, 1.0))
    assert machine.next_step(state, config_of(2, horizon=10**7)) == survey.step(
        state, config_of(2, horizon=10**7)
    )


@pytest.mark.parametrize(
    ("inputs", "reference"), [({"horizon": 1000}, (0.5,)), ({"start": (0.3,)}, (0.3,))]
)
def test_a_short_run_or_one_with_a_start_begins_with_a_polish(inputs, reference):
    state = machine.initial(config_of(1, **inputs))
    assert isinstance(state, Polish)
    assert state.memory.reference == pytest.approx(reference)
    assert (state.memory.local.step, state.start, state.home) == (0.3, 0, state.memory.reference)


def test_a_run_without_a_horizon_pretends_a_short_one():
    assert machine.initial(config_of(1, horizon=None)).memory.horizon_now == 256


def test_without_local_search_a_run_begins_with_a_decision():
    assert isinstance(machine.initial(replace(PLAIN, start=(0.5,))), Scan)
    assert isinstance(machine.initial(replace(PLAIN, start=(0.5,), horizon=100)), Commit)


def test_the_survey_leads_to_a_polish_of_its_best_point():
    config = config_of(1, horizon=10**7)
    state = machine.initial(config)
    step = machine.next_step(state, config)
    after = machine.advance(state, answers(step, [0.9, *[0.5] * 7]), config)
    assert isinstance(after, Polish)
    assert after.memory.reference == after.home == step[0].low
    assert (after.memory.local.step, after.rival_to) == (0.3, None)
    assert after.memory.duels == sum(block.n for block in step)


# What each phase asks.


def confirm(*, rival=False, lead=0.0, memory=FINAL, **fields):
    given = {"deadline": HORIZON, **fields}
    return Confirm(memory=memory, old=(0.25,), rival=rival, lead=lead, **given)


def test_at_the_horizon_nothing_is_asked():
    over, one_left = (replace(FINAL, duels=HORIZON - k) for k in (0, 1))
    for kind in (confirm, lambda memory: Commit(memory=memory)):
        assert machine.next_step(kind(memory=over), CONFIG) == ()
        assert machine.next_step(kind(memory=one_left), CONFIG) != ()


def test_what_remains_is_the_reference_against_itself():
    memory = replace(FINAL, duels=HORIZON - 30)
    rest = (Block.rest((0.5,), 30),)
    assert machine.next_step(Commit(memory=memory), CONFIG) == rest
    assert machine.next_step(Commit(memory=memory), replace(CONFIG, aim="answer")) == ()


def test_a_polish_that_cannot_ask_all_neighbours_rests():
    memory = replace(FINAL, duels=HORIZON - 1)
    state = polish.begin(memory, CONFIG, step=0.25)
    step = machine.next_step(state, CONFIG)
    assert step == (Block.rest((0.5,), 1),)
    after = machine.advance(state, [Tally(1, 0.5, (0.5,))], CONFIG)
    assert after == replace(state, memory=replace(state.memory, duels=HORIZON))
    assert machine.next_step(state, replace(CONFIG, aim="answer")) == ()


def test_without_a_horizon_a_run_that_has_overrun_rests_for_one_duel():
    memory = replace(FINAL, duels=HORIZON + 5)
    endless = replace(CONFIG, horizon=None)
    assert machine.next_step(Commit(memory=memory), endless) == (Block.rest((0.5,), 1),)


def test_a_scan_asks_about_one_cube_and_a_polish_about_all_neighbours():
    state = machine._decide(replace(OPEN, horizon_now=10**9), replace(CONFIG, horizon=10**9))
    assert machine.next_step(state, CONFIG) == (scan.block(state, CONFIG),)
    around = polish.begin(OPEN, CONFIG, step=0.25)
    assert machine.next_step(around, CONFIG) == polish.step(around, CONFIG)


# The check of an arm against the one that it would replace.


@pytest.mark.parametrize(
    ("rival", "round_", "n", "size"),
    [
        (False, 5, 0, 1024),  # an sd of 1/64, a quarter of what Γ L allows over 1/4
        (False, 5, 500, 500),
        (True, 5, 0, 1024),  # 1 / (4 b_5)² with b_5 = 1/128
        (True, 5, 4000, 4000),
        (True, 1, 0, 8),  # 1 / (4 b_1)² = 4 is below min_block
    ],
)
def test_a_check_begins_with_what_could_show_a_difference_and_doubles(rival, round_, n, size):
    memory = replace(FINAL, round=round_)
    block = machine.next_step(confirm(rival=rival, n=n, memory=memory), CONFIG)
    assert block == (Block.pair((0.5,), (0.25,), size),)


def test_a_check_ends_with_the_horizon():
    memory = replace(FINAL, duels=HORIZON - 5)
    assert machine.next_step(confirm(memory=memory), CONFIG)[0].n == 5
    assert machine.next_step(confirm(memory=memory), replace(CONFIG, horizon=None))[0].n == 8
    far = confirm(memory=memory, deadline=2 * HORIZON)
    assert machine.next_step(far, replace(CONFIG, horizon=None))[0].n == 1024


def test_no_win_rate_differs_by_more_than_one_half():
    steep = replace(CONFIG, slope_max=100.0)
    assert machine.next_step(confirm(), steep)[0].n == 16  # an sd of 1/8


def test_the_check_of_a_polished_arm_ends_with_its_share_of_the_polish():
    soon, memory = {"deadline": 700}, replace(FINAL, duels=100)
    assert machine.next_step(confirm(memory=memory, **soon), CONFIG)[0].n == 600
    assert machine.next_step(confirm(memory=memory, rival=True, **soon), CONFIG)[0].n == 8
    assert machine.next_step(confirm(memory=memory, deadline=100), CONFIG)[0].n == 8  # min_block
    undecided = [Tally(600, 300.0, (0.5,))]
    after = machine.advance(confirm(memory=memory, **soon), undecided, CONFIG)
    assert (type(after), after.memory.reference) == (Commit, (0.5,))
    later = machine.advance(confirm(memory=memory, deadline=701), undecided, CONFIG)
    assert isinstance(later, Confirm)
    rival = machine.advance(confirm(memory=memory, rival=True, **soon), undecided, CONFIG)
    assert isinstance(rival, Confirm)  # which has to win


def test_a_polished_arm_that_has_clearly_lost_is_given_up_at_the_end_of_its_check_too():
    after = machine.advance(confirm(deadline=600), [Tally(600, 200.0, (0.5,))], CONFIG)
    assert (type(after), after.memory.reference) == (Commit, (0.25,))


def confirmed(rival, n, gap, memory=FINAL, old_local=None):
    """Return what follows when the arm at 0.5 has won 1/2 + gap of ``n`` duels against 0.25."""
    state = confirm(rival=rival, memory=memory, old_local=old_local)
    return machine.advance(state, [Tally(n, n * (0.5 + gap), (0.5,))], CONFIG)


def test_a_rival_must_win_by_three_sd():
    sd = 0.05
    assert isinstance(confirmed(True, 100, 2.9 * sd), Confirm)
    after = confirmed(True, 100, 3.1 * sd)
    assert isinstance(after, Commit)
    assert after.memory.reference == (0.5,)


def test_a_rival_that_loses_by_three_sd_gives_way_to_a_polish_of_the_old_arm():
    sd = 0.05
    assert isinstance(confirmed(True, 100, -2.9 * sd), Confirm)
    after = confirmed(True, 100, -3.1 * sd, old_local=KNOWN)
    assert isinstance(after, Polish)
    assert after.memory.reference == after.home == (0.25,)
    assert (after.rival_to, after.lead, after.old_local) == (None, 0.0, None)


# What the sweeps about a reference have shown.
KNOWN = Local(step=1 / 64, drop=0.001, shape=(1.0,), trend=(0.5,), sweeps=7)


def test_what_was_known_about_the_old_arm_comes_back_with_it():
    rejected = confirmed(True, 100, -0.2, old_local=KNOWN)
    assert rejected.memory.local == KNOWN
    given_up = confirmed(False, 100, -0.2, old_local=KNOWN)
    assert (given_up.memory.reference, given_up.memory.local) == ((0.25,), KNOWN)


def test_what_was_known_about_the_old_arm_is_forgotten_when_the_new_one_wins():
    for rival in (True, False):
        accepted = confirmed(rival, 100, 0.2, old_local=KNOWN)
        assert accepted == Commit(memory=replace(FINAL, duels=100))


def test_a_polished_arm_that_is_given_up_leaves_its_local_model_to_the_old_one():
    known = Local(step=0.01, drop=0.002)
    after = confirmed(False, 100, -0.2, stepped(FINAL, 0.01, drop=0.002))
    assert (after.memory.reference, after.memory.local) == ((0.25,), known)


@pytest.mark.parametrize("rival", [True, False])
def test_a_check_that_is_not_sure_goes_on(rival):
    state = confirm(rival=rival, n=100, wins=45.0)
    after = machine.advance(state, [Tally(100, 52.0, (0.5,))], CONFIG)
    assert (after.n, after.wins, after.memory.duels) == (200, 97.0, 100)
    assert machine.next_step(after, CONFIG)[0].n == 200


COARSE = replace(FINAL, duels=HORIZON - 10_000)  # a drop of √(2.5 / 10 000) = 0.0158 ends it


@pytest.mark.parametrize("gap", [0.001, -0.001, 0.0])
def test_a_rival_that_ties_as_finely_as_it_matters_is_named_by_its_wins(gap):
    after = confirmed(True, 5000, gap, COARSE)  # 2 sd = 0.0141
    assert after.memory.reference == ((0.5,) if gap > 0 else (0.25,))
    assert isinstance(after, Commit if gap > 0 else Polish)
    assert isinstance(confirmed(True, 2000, gap, COARSE), Confirm)  # 2 sd = 0.0224


def test_a_polished_arm_needs_one_sd_only():
    sd = 0.05
    assert isinstance(confirmed(False, 100, 0.9 * sd), Confirm)
    after = confirmed(False, 100, 1.1 * sd)
    assert (type(after), after.memory.reference) == (Commit, (0.5,))


def test_a_polished_arm_is_given_up_where_it_loses_by_more_than_a_rival_may():
    sd = 0.05
    assert isinstance(confirmed(False, 100, -3.4 * sd), Confirm)
    after = confirmed(False, 100, -3.6 * sd)
    assert (type(after), after.memory.reference) == (Commit, (0.25,))


def test_a_polished_arm_that_ties_is_kept():
    after = confirmed(False, 5000, -0.001, COARSE)
    assert (type(after), after.memory.reference) == (Commit, (0.5,))
    assert isinstance(confirmed(False, 2000, -0.001, COARSE), Confirm)


def test_a_check_that_refutes_the_slope_is_remembered():
    memory = confirmed(True, 10**4, 0.4).memory
    assert memory.steepest == pytest.approx((0.4 - 6 * 0.005) / 0.25)
    assert memory.duels == 10**4


def test_a_check_between_rounds_leads_to_the_next_decision():
    memory = replace(OPEN, horizon_now=10**9)
    after = machine.advance(
        confirm(memory=memory), [Tally(100, 60.0, (0.5,))], replace(CONFIG, horizon=10**9)
    )
    assert isinstance(after, Scan)


# After a polish.


def test_a_polish_that_has_moved_is_checked_against_where_it_began():
    memory = replace(OPEN, duels=5000)
    outcome = Polished(memory, (0.25,), False, 0.125, 3000, None)
    after = machine._after_polish(outcome, CONFIG)
    # It may take a tenth of the duels of the polish.
    assert after == Confirm(memory=memory, old=(0.25,), rival=False, lead=0.125, deadline=5300)
    rival = machine._after_polish(replace(outcome, rival=True, old_local=KNOWN), CONFIG)
    assert rival == replace(after, rival=True, old_local=KNOWN)


def test_a_polish_that_has_not_moved_leads_to_a_decision():
    after = machine._after_polish(Polished(FINAL, (0.5,), False, 0.0, 3000, None), CONFIG)
    assert after == Commit(memory=FINAL)


def test_a_polish_goes_on_until_it_ends():
    state = polish.begin(FINAL, CONFIG, step=0.25)
    step = machine.next_step(state, CONFIG)
    after = machine.advance(state, answers(step, [0.4, 0.4, 0.5]), CONFIG)
    assert after == polish.advance(state, answers(step, [0.4, 0.4, 0.5]), CONFIG)
    assert isinstance(after, Polish)


def test_no_duels_are_left_at_the_horizon_and_after_it():
    assert [memory_of((0.5,), duels=n, horizon_now=9).left for n in (0, 8, 9, 12)] == [9, 1, 0, 0]


# Decisions.

# On the line in round 1 a decision with n duels left may spend 0.003 n 2 b_1 = 0.00075 n. The next
# round is predicted to cost alive (1.2 · 2^deeper + 3) / b_1: 62.4 for two depths, 43.2 for one.


@pytest.mark.parametrize(("left", "depth"), [(84_000, 3), (83_000, 2), (58_000, 2), (57_000, None)])
def test_a_round_begins_if_it_pays_the_deeper_the_better(left, depth):
    config = replace(PLAIN, horizon=left)
    after = machine._decide(replace(OPEN, horizon_now=left), config)
    if depth is None:
        assert after == Commit(memory=replace(OPEN, horizon_now=left, final=True))
    else:
        assert after.memory.round == depth
        assert after.memory.begun == 1


def test_two_depths_in_a_plane_have_sixteen_cells():
    memory = memory_of((0.5, 0.5), round=3, alive=10, cost=70.0)
    # 10 (1.2 · 16 + 3) / b_3, and the cost of the costliest round so far.
    assert machine._predicted(memory, 2, config_of(2)) == pytest.approx(70 + 10 * 22.2 * 32)
    assert machine._predicted(memory, 1, config_of(2)) == pytest.approx(70 + 10 * 7.8 * 32)


def test_a_round_is_given_up_at_three_times_what_it_may_cost():
    memory = replace(OPEN, horizon_now=10**8)
    after = machine._decide(memory, replace(CONFIG, horizon=10**8))
    assert after.cost_limit == pytest.approx(3 * 0.003 * 10**8 * 2 * 0.125)


def test_in_the_plane_a_round_may_cost_half_as_much():
    memory = memory_of((0.5, 0.5), round=1, alive=1, horizon_now=10**8)
    after = machine._decide(memory, config_of(2, horizon=10**8))
    assert after.cost_limit == pytest.approx(3 * 0.003 / 2 * 10**8 * 2 * 0.125)


def test_a_round_that_need_not_pay_has_no_limit():
    config = replace(PLAIN, horizon=1000, without=("must_pay",))
    after = machine._decide(replace(OPEN, horizon_now=1000), config)
    assert (after.memory.round, after.cost_limit) == (3, None)


def test_before_it_commits_the_reference_is_polished_once_more():
    memory = stepped(OPEN, 0.02, horizon_now=1000)
    after = machine._decide(memory, replace(CONFIG, horizon=1000))
    assert isinstance(after, Polish)
    assert (after.memory.final, after.memory.local.step) == (True, 0.02)
    assert machine._decide(after.memory, replace(CONFIG, horizon=1000)) == Commit(
        memory=after.memory
    )


def test_the_step_of_the_last_polish_is_not_larger_than_the_first():
    after = machine._finish(stepped(OPEN, 0.5), CONFIG)
    assert after.memory.local.step == 0.3


def test_a_round_whose_cells_are_all_near_is_followed_by_the_next_at_once():
    # A round of depth 2 about the middle asks nothing; its polish begins right away.
    left = 70_000
    after = machine._decide(replace(OPEN, horizon_now=left), replace(CONFIG, horizon=left))
    assert isinstance(after, Polish)
    assert (after.memory.round, after.memory.done, after.memory.final) == (2, 1, False)


# After a round. In round 3 the resolution is 1/32, and half of it makes a rival.

THIRD = stepped(OPEN, 0.01, round=3, alive=2, done=1)


@pytest.mark.parametrize(("gap", "rival"), [(-0.9 / 64, True), (-1.1 / 64, False), (0.2, True)])
def test_the_best_cell_of_a_round_challenges_the_reference_unless_it_is_clearly_worse(gap, rival):
    after = machine._after_scan(Scanned(THIRD, (0.75,), gap, True), CONFIG)
    assert isinstance(after, Polish)
    assert not after.memory.final
    if rival:
        assert (after.memory.reference, after.rival_to) == ((0.75,), (0.5,))
        assert (after.lead, after.memory.local.step) == (gap, 1 / 8)
        assert after.home == (0.75,)
    else:
        assert (after.memory.reference, after.rival_to) == ((0.5,), None)
        assert after.memory.local.step == 0.01


# With Z_EXPECTED = 3 and an sd of a quarter of 1/32 the ranking scatters by 3/128. The sweeps about
# X have shown a drop of D at a step of 1/64, which is a 16th of the way to the cell.
NEWS = 3 / 128


@pytest.mark.parametrize("drop", [1e-9, 1 / 4096, 1 / 1024, 1 / 512])
def test_a_cell_that_the_sweeps_let_one_expect_is_no_rival(drop):
    known, least = stepped(THIRD, 1 / 64, drop=drop), NEWS - 16 * drop
    for gap, rival in ((least - 1e-6, False), (least + 1e-6, True)):
        after = machine._after_scan(Scanned(known, (0.75,), gap, True), CONFIG)
        assert isinstance(after, Polish)
        assert not after.memory.final
        assert after.rival_to == ((0.5,) if rival else None)
        assert after.memory.reference == ((0.75,) if rival else (0.5,))
        if not rival:  # X is polished, with what was known about it
            assert after.memory.local == known.local


def test_a_cell_that_is_clearly_worse_is_no_rival_however_little_one_expects_of_it():
    steep = stepped(THIRD, 1 / 64, drop=1 / 256)  # a loss of 1/16 - 3/128 would be news
    for gap, rival in ((-0.9 / 64, True), (-1.1 / 64, False)):
        after = machine._after_scan(Scanned(steep, (0.75,), gap, True), CONFIG)
        assert (after.rival_to is not None) == rival


def test_what_is_expected_of_a_cell_falls_with_its_distance():
    known = stepped(THIRD, 1 / 64, drop=1 / 1024)
    near, far = (Scanned(known, (x,), 0.0, True) for x in (0.5625, 0.875))
    assert machine._expected(near, CONFIG) == pytest.approx(NEWS - 4 / 1024)
    assert machine._expected(far, CONFIG) == pytest.approx(NEWS - 24 / 1024)


def test_the_distance_is_that_in_the_shape_of_the_sweeps():
    local = Local(step=1 / 64, drop=1 / 1024, shape=(1.0, 0.0, 0.25))
    known = replace(memory_of((0.5, 0.5), round=3), local=local)
    along, across = (Scanned(known, arm, 0.0, True) for arm in ((0.625, 0.5), (0.5, 0.625)))
    assert machine._expected(along, config_of(2)) == pytest.approx(NEWS - 8 / 1024)
    assert machine._expected(across, config_of(2)) == pytest.approx(NEWS - 32 / 1024)


@pytest.mark.parametrize(
    ("module", "name", "value", "scatter"),
    [
        (machine, "Z_EXPECTED", 6.0, 2 * NEWS),
        (scan, "Z_LAST", 1.5, NEWS * 4 / 3),
        (scan, "LAST_WIDTH", 0.25, NEWS / 2),
    ],
)
def test_the_scatter_is_that_of_the_ranking_at_its_cap(monkeypatch, module, name, value, scatter):
    monkeypatch.setattr(module, name, value)
    here = Scanned(stepped(THIRD, 1 / 64, drop=1 / 1024), (0.5,), 0.0, True)
    assert machine._expected(here, CONFIG) == pytest.approx(scatter)
    sd = 0.5 / math.sqrt(scan.cap(THIRD, 3, CONFIG))
    assert scatter == pytest.approx(machine.Z_EXPECTED * sd, rel=1e-3)
    deeper = replace(here, memory=replace(here.memory, round=5))
    assert machine._expected(deeper, CONFIG) == pytest.approx(scatter / 4)


def test_where_no_sweep_has_shown_anything_every_cell_is_news():
    blank = stepped(THIRD, 1 / 64)
    assert machine._expected(Scanned(blank, (0.75,), 0.0, True), CONFIG) == -0.5
    known = stepped(THIRD, 1 / 64, drop=1 / 1024)
    assert machine._expected(Scanned(known, None, -1.0, True), CONFIG) == -0.5


def test_after_a_round_that_was_given_up_a_better_cell_challenges_whether_expected_or_not():
    known = stepped(THIRD, 1 / 64, drop=1e-9)
    after = machine._after_scan(Scanned(known, (0.75,), 1.1 / 64, False), CONFIG)
    assert after.rival_to == (0.5,)
    assert NEWS > 1.1 / 64


def test_a_rival_is_polished_afresh():
    known = stepped(THIRD, 1 / 8, drop=0.001)
    rival = machine._after_scan(Scanned(known, (0.75,), 0.2, True), CONFIG)
    # FIRST_DROP of what Γ L allows over 1/8
    assert (rival.memory.local.drop, rival.old_local.drop) == (1 / 64, 0.001)
    same = machine._after_scan(Scanned(known, None, -1.0, True), CONFIG)
    assert (same.memory.local.drop, same.old_local) == (0.001, None)


@pytest.mark.parametrize("wins", [0.0, 1.0])
def test_from_its_challenge_to_its_check_a_rival_keeps_what_was_known_about_the_reference(wins):
    challenge = machine._after_scan(
        Scanned(replace(THIRD, local=KNOWN), (0.75,), 0.2, True), CONFIG
    )
    state = replace(challenge, deadline=0)  # its polish ends with the first look
    check = machine.advance(state, answers(machine.next_step(state, CONFIG), [0.5] * 3), CONFIG)
    assert isinstance(check, Confirm)
    assert (check.old, check.old_local, check.memory.local.sweeps) == ((0.5,), KNOWN, 1)
    after = machine.advance(check, answers(machine.next_step(check, CONFIG), [wins]), CONFIG)
    if wins:
        assert (after.memory.reference, after.memory.local.sweeps) == ((0.75,), 1)
    else:
        assert (after.memory.reference, after.home) == ((0.5,), (0.5,))
        assert after.memory.local == KNOWN


def test_a_round_without_a_best_cell_leads_to_a_polish():
    after = machine._after_scan(Scanned(THIRD, None, -1.0, True), CONFIG)
    assert (after.memory.reference, after.rival_to) == ((0.5,), None)
    coarse = machine._after_scan(Scanned(stepped(THIRD, 0.5), None, -1.0, True), CONFIG)
    assert coarse.memory.local.step == 0.3


@pytest.mark.parametrize(("gap", "rival"), [(0.9 / 64, False), (1.1 / 64, True), (-0.01, False)])
def test_after_a_round_that_was_given_up_only_a_better_cell_challenges(gap, rival):
    after = machine._after_scan(Scanned(THIRD, (0.75,), gap, False), CONFIG)
    assert isinstance(after, Polish)
    assert after.memory.final
    assert (after.memory.reference, after.rival_to) == (
        ((0.75,), (0.5,)) if rival else ((0.5,), None)
    )


def test_a_round_that_was_given_up_without_a_best_cell_leads_to_the_last_polish():
    after = machine._after_scan(Scanned(THIRD, None, -1.0, False), CONFIG)
    assert (after.memory.final, after.rival_to) == (True, None)


def test_without_local_search_the_best_cell_is_the_reference_at_once():
    memory = replace(THIRD, horizon_now=1000)
    better = machine._after_scan(Scanned(memory, (0.75,), 0.2, True), PLAIN)
    assert better.memory.reference == (0.75,)
    assert isinstance(better, Commit)
    worse = machine._after_scan(Scanned(memory, (0.75,), -0.2, True), PLAIN)
    assert worse.memory.reference == (0.5,)


def test_a_round_goes_on_until_it_ends():
    config = replace(CONFIG, horizon=10**9)
    state = machine._decide(replace(OPEN, horizon_now=10**9), config)
    step = machine.next_step(state, config)
    after = machine.advance(state, answers(step, [0.5]), config)
    assert after == scan.advance(state, answers(step, [0.5])[0], config)
    assert isinstance(after, Scan)


# Without a horizon.


def test_a_run_with_a_horizon_ends_with_its_commitment():
    state = Commit(memory=replace(FINAL, duels=HORIZON - 30))
    after = machine.advance(state, [Tally(30, 15.0, (0.5,))], CONFIG)
    assert after == Commit(memory=replace(FINAL, duels=HORIZON))


def test_without_a_horizon_it_then_assumes_as_many_duels_again():
    endless = replace(CONFIG, horizon=None)
    state = Commit(memory=replace(FINAL, duels=400, horizon_now=450))
    after = machine.advance(state, [Tally(50, 25.0, (0.5,))], endless)
    assert isinstance(after, Polish)
    assert (after.memory.duels, after.memory.horizon_now) == (450, 900)
    long = replace(FINAL, duels=10**8, horizon_now=10**8)
    assert isinstance(machine._go_on(long, endless), Scan)


def check_that_a_given_up_round_is_tried_again():
    """A round is given up for its cost; when the duels have doubled it begins again, not deeper."""
    endless = replace(PLAIN, horizon=None)
    memory = replace(OPEN, horizon_now=10**7, round=3, alive=2)
    state = machine._decide(memory, endless)
    assert state.memory.round == 5
    state = replace(state, cost=state.cost_limit + 1)
    while isinstance(state, Scan):  # no cell is better
        n = scan.cap(state.memory, len(state.path) + 1, endless)
        state = machine.advance(state, [Tally(n, 0.45 * n, (0.1,))], endless)
    assert isinstance(state, Commit)
    again = machine._go_on(replace(state.memory, duels=10**9), endless)
    assert isinstance(again, Scan)
    assert (again.memory.round, again.alive_before) == (5, 2)


def test_a_given_up_round_is_tried_again():
    check_that_a_given_up_round_is_tried_again()


def test_a_given_up_round_that_is_not_undone_is_caught(monkeypatch):  # R2
    def as_before(state, config, *, completed):
        done = ended(state, config, completed=completed)
        return done if completed else replace(done, memory=state.memory)

    ended = scan._ended
    monkeypatch.setattr(scan, "_ended", as_before)
    with pytest.raises(AssertionError):
        check_that_a_given_up_round_is_tried_again()


# A larger horizon.


def test_a_commitment_is_taken_back_for_a_larger_horizon():
    larger = replace(PLAIN, horizon=10**8)
    after = machine.extended(Commit(memory=replace(FINAL, duels=HORIZON)), larger)
    assert isinstance(after, Scan)
    assert (after.memory.horizon_now, after.memory.final) == (10**8, False)


def test_a_commitment_with_nothing_left_stands():
    state = Commit(memory=replace(FINAL, duels=HORIZON))
    assert machine.extended(state, CONFIG) == state


@pytest.mark.parametrize("kind", [confirm, lambda: Commit(memory=FINAL)])
def test_other_phases_go_on_with_the_larger_horizon(kind):
    larger = replace(CONFIG, horizon=2 * HORIZON)
    assert machine.extended(kind(), larger).memory.horizon_now == 2 * HORIZON
    assert isinstance(machine.extended(confirm(), larger), Confirm)


def test_the_last_polish_of_a_run_that_is_extended_is_not_the_last():
    larger = replace(CONFIG, horizon=2 * HORIZON)
    state = confirm()
    last = replace(state, memory=replace(state.memory, final=True))
    assert machine.extended(last, CONFIG) == last
    assert not machine.extended(last, larger).memory.final


# The arm that it would name.


def named(state):
    return machine.recommended(state, CONFIG)[0]


def test_the_reference_is_named_where_no_other_arm_is_in_hand():
    state = machine.initial(config_of(1, horizon=10**7))
    assert isinstance(state, Survey)
    assert named(state) == named(Commit(memory=OPEN)) == 0.5
    assert named(polish.begin(OPEN, CONFIG, step=0.25, lead=-0.3)) == 0.5


@pytest.mark.parametrize(("lead", "arm"), [(0.01, 0.5), (0.0, 0.25), (-0.01, 0.25)])
def test_a_rival_in_its_polish_is_named_if_it_leads(lead, arm):
    assert named(polish.begin(OPEN, CONFIG, step=0.1, rival_to=(0.25,), lead=lead)) == arm


# A polished arm brings 16 duels along; a rival in round 3 brings 1 / b_3² = 1024.
THIRD_FINAL = replace(FINAL, round=3)


@pytest.mark.parametrize(
    ("rival", "lead", "n", "wins", "arm"),
    [
        (False, 0.1, 0, 0.0, 0.5),
        (False, 0.0, 0, 0.0, 0.5),
        (False, 0.0, 100, 51.0, 0.5),
        (False, 0.0, 100, 49.0, 0.25),
        (False, 0.1, 100, 49.0, 0.5),  # 16 · 0.1 = 1.6 outweighs one duel lost
        (False, 0.1, 100, 48.0, 0.25),  # but not two
        (True, 0.01, 100, 40.0, 0.5),  # 1024 · 0.01 = 10.24
        (True, 0.01, 100, 39.0, 0.25),
        (True, -0.01, 100, 60.0, 0.25),
        (True, -0.01, 100, 61.0, 0.5),
    ],
)
def test_in_a_check_the_arm_is_named_that_all_duels_speak_for(rival, lead, n, wins, arm):
    assert named(confirm(rival=rival, lead=lead, n=n, wins=wins, memory=THIRD_FINAL)) == arm


@pytest.mark.parametrize(
    ("best", "gap", "arm"),
    [((0.75,), 1.1 / 64, 0.75), ((0.75,), 0.9 / 64, 0.5), (None, 0.3, 0.5)],
)
def test_in_a_round_the_best_cell_is_named_if_it_clearly_leads(best, gap, arm):
    memory = replace(OPEN, round=3)
    state = Scan(
        memory=memory,
        deadline=1,
        cost_limit=None,
        deeper=2,
        alive_before=1,
        best=best,
        best_gap=gap,
    )
    assert named(state) == arm


def test_the_resolution_is_that_of_one_half_at_most():
    steep = config_of(1, slope_max=100.0)
    state = confirm(rival=True, lead=0.1, n=10, wins=4.7)
    assert machine.recommended(state, steep) == (0.5,)  # 1 / 0.5² = 4 duels
    assert machine.recommended(replace(state, wins=4.5), steep) == (0.25,)
    assert math.isclose(steep.resolution(1), 0.5)
