"""The trace of a run: checkpoints, rounds, and what was left unfinished."""

import json
import math
from itertools import pairwise

import pytest

import duelli
from duelli import theory
from duelli.blocks import Block, Played, Progress, Tally
from duelli.duels import DuelModel
from duelli.learners.arc import ArcDuelli
from duelli.learners.finite import InterleavedFilter
from duelli.learners.race import ArcRace
from duelli.record import Recorder
from duelli.record.recorder import _next_checkpoint

MODEL = DuelModel("two_cones")
PAIR = Block((0.1, 0.1), 0.0, (0.5, 0.5), 1)


@pytest.fixture(scope="module")
def trace():
    learner = ArcDuelli(dim=2, horizon=10**6, slope_max=0.25, seed=1)
    return duelli.simulate(learner, MODEL, seed=1)


def test_the_curve_ends_with_the_totals(trace):
    assert trace.curve[-1] == (10**6, trace.cumulative_regret, trace.weak_regret)


def test_the_curve_starts_with_the_first_duel(trace):
    assert trace.curve[0].duels == 1


def test_the_curve_has_sixteen_checkpoints_a_decade(trace):
    in_decade = [point for point in trace.curve if 10**4 <= point.duels < 10**5]
    assert len(in_decade) == 16


def test_checkpoints_are_spaced_evenly_in_the_logarithm(trace):
    late = [point.duels for point in trace.curve if point.duels >= 1000]
    steps = [math.log10(b / a) * 16 for a, b in pairwise(late)]
    assert steps == pytest.approx([1.0] * len(steps), abs=0.01)


def test_every_power_of_ten_is_a_checkpoint(trace):
    assert {10**k for k in range(7)} <= {point.duels for point in trace.curve}


def test_checkpoints_strictly_increase(trace):
    assert all(a.duels < b.duels for a, b in pairwise(trace.curve))


def test_regret_never_falls(trace):
    assert all(a.cumulative_regret <= b.cumulative_regret for a, b in pairwise(trace.curve))


def test_weak_regret_is_at_most_half_of_the_regret(trace):
    assert all(point.weak_regret <= point.cumulative_regret / 2 + 1e-9 for point in trace.curve)


def test_the_curve_s_length_grows_with_the_logarithm_of_the_horizon():
    lengths = [
        len(duelli.simulate(ArcDuelli(dim=2, horizon=T, slope_max=0.25), MODEL).curve)
        for T in (10**4, 10**6, 10**8)
    ]
    assert lengths[2] - lengths[1] == lengths[1] - lengths[0] == 32


def test_rounds_are_numbered_from_one(trace):
    assert [row.round for row in trace.rounds] == [1, 2, 3]


def test_rounds_end_where_the_schedule_says(trace):
    expected = theory.cumulative_costs(dim=2, horizon=10**6, failure_prob=0.05, rounds=3)
    assert [row.duels for row in trace.rounds] == expected


def test_a_row_has_the_notes_of_the_learners_observer(trace):
    assert [row.notes for row in trace.rounds] == [
        {"active": {1: 1}, "eliminated": 0},
        {"active": {1: 1, 2: 4}, "eliminated": 0},
        {"active": {1: 1, 2: 4, 3: 16}, "eliminated": 0},
    ]


@pytest.mark.parametrize("kind", [InterleavedFilter, ArcRace])
def test_a_learner_without_an_observer_has_no_notes(kind):
    known = {"slope_max": 0.25} if kind is ArcRace else {"cells": 4, "start": (0.9, 0.9)}
    trace = duelli.simulate(kind(dim=2, horizon=10**6, **known), MODEL)
    assert trace.notes == {}
    assert trace.rounds_done > 0
    assert all(row.notes == {} for row in trace.rounds)


def test_the_gap_of_a_round_is_that_of_its_reference(trace):
    gaps = [MODEL.gap_to_best(row.reference) for row in trace.rounds]
    assert [row.gap for row in trace.rounds] == gaps


def test_the_regret_of_a_round_lies_on_the_curve(trace):
    row = trace.rounds[1]
    before = max(p.cumulative_regret for p in trace.curve if p.duels <= row.duels)
    after = min(p.cumulative_regret for p in trace.curve if p.duels >= row.duels)
    assert before <= row.cumulative_regret <= after


def test_the_unfinished_round_is_kept_apart(trace):
    # Round 4 costs 1 + 4 + 16 + 64 blocks, and the duels run out at the 49th of the last depth.
    assert trace.notes == {"active": {1: 1, 2: 4, 3: 13, 4: 49}, "visited": [[0, 48]]}


def test_duels_explored_are_those_before_cleanup():
    learner = ArcDuelli(dim=2, horizon=10**8, slope_max=0.25)
    assert duelli.simulate(learner, MODEL).duels_explored == 99838160


def test_a_horizon_without_a_round_explores_nothing():
    trace = duelli.simulate(ArcDuelli(dim=2, horizon=100, slope_max=0.25), MODEL)
    assert (trace.duels_explored, trace.rounds_done) == (0, 0)


def test_final_gap_is_that_of_the_best_arm(trace):
    assert trace.final_gap == MODEL.gap_to_best(trace.recommended)


class Growing:
    """A learner whose state is longest in the middle of the run."""

    dim, horizon = 2, 100
    seen = 0

    def progress(self):
        return Progress("explore", 0, (0.5, 0.5))

    def recommend(self):
        return (0.5, 0.5)

    def state(self):
        return {"text": "x" * (50 if self.seen == 10 else 1)}

    def state_bits(self):
        return 300 if self.seen == 10 else 7


def test_the_size_of_the_state_is_that_of_the_longest_at_any_checkpoint():
    learner = Growing()
    recorder = Recorder(MODEL, learner)
    for learner.seen in range(1, 31):
        recorder.see((PAIR,), [Played(Tally(1, 1, (0.1, 0.1)), 0.0, 0.0)])
    trace = recorder.trace()
    assert trace.state_bytes == len('{"text":""}') + 50
    assert trace.state_bits == 300


def test_as_dict_is_json_with_the_notes_in_each_round(trace):
    read = json.loads(json.dumps(trace.as_dict()))
    assert read["rounds_done"] == 3
    assert read["rounds"][1]["active"] == {"1": 1, "2": 4}
    assert read["rounds"][1]["eliminated"] == 0
    assert read["unfinished"]["visited"] == [[0, 48]]


def test_as_dict_leaves_the_curve_out(trace):
    assert "curve" not in trace.as_dict()


def test_eliminations_are_counted_where_they_happen():
    model = DuelModel("two_cones_scaled")
    learner = ArcDuelli(dim=2, horizon=10**8, slope_max=0.25)
    rows = duelli.simulate(learner, model).rounds
    assert [row.notes["eliminated"] > 0 for row in rows] == [False] * 4 + [True] * 2


def test_checkpoints_from_one_on():
    found, duels = [], 1
    while duels <= 10:
        found.append(duels)
        duels = _next_checkpoint(duels)
    assert found == [1, 2, 3, 4, 5, 6, 7, 9, 10]  # 10^(k/16), rounded, each once


class OneBlock:
    """A learner with a single block of 1000 duels."""

    dim, horizon = 2, 1000

    def progress(self):
        return Progress("explore", 0, (0.5, 0.5))

    def recommend(self):
        return (0.5, 0.5)

    def state(self):
        return {}

    def state_bits(self):
        return 1


def test_within_a_block_the_regret_is_spread_evenly():
    recorder = Recorder(MODEL, OneBlock())
    block = Block((0.0, 0.0), 1.0, (0.5, 0.5), 1000)
    recorder.see((block,), [Played(Tally(1000, 500, (0.1, 0.1)), 50.0, 10.0)])
    point = next(p for p in recorder.trace().curve if p.duels == 100)
    assert point == pytest.approx((100, 5.0, 1.0))


def test_a_trace_can_be_taken_in_the_middle_of_a_run():
    learner = ArcDuelli(dim=2, horizon=10**6, slope_max=0.25, seed=1)
    recorder = Recorder(MODEL, learner)
    engine = duelli.ENGINES["collapsed"](MODEL, seed=1)
    for block, played in duelli.play(learner, engine):
        recorder.see(block, played)
        if len(recorder.rounds) == 2:
            break
    assert recorder.trace().horizon == recorder.rounds[1].duels


def test_taking_a_trace_does_not_disturb_the_notes():
    learner = ArcDuelli(dim=2, horizon=10**6, slope_max=0.25, seed=1)
    recorder = Recorder(MODEL, learner)
    for block, played in duelli.play(learner, duelli.ENGINES["collapsed"](MODEL, seed=1)):
        recorder.see(block, played)
        recorder.trace()
    assert recorder.trace().rounds[2].notes["active"] == {1: 1, 2: 4, 3: 16}
