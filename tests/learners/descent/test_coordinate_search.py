"""CoordinateSearch: its searches without noise, and its end."""

import json
import math

import pytest

from duelli.blocks import Tally
from duelli.learners.descent import CoordinateSearch

from .samples import STUBBORN, arms_of, bowl, in_box, judged, stubborn_run, told

BEST = (0.31, 0.87, 0.05)


@pytest.mark.parametrize("accuracy", [0.3, 0.05, 1e-4])
def test_without_noise_every_search_finds_the_place_of_its_axis(accuracy):
    learner = CoordinateSearch(dim=3, horizon=10**6, accuracy=accuracy, searches=12, seed=4)
    before, comparisons, searched = learner.recommend(), 0, 0
    while learner.progress().phase == "search":
        done = learner.progress().rounds_done
        comparisons += len(judged(learner, bowl(BEST)))
        if learner.progress().rounds_done == done:
            assert learner.recommend() == before
            continue
        now = learner.recommend()
        changed = [i for i in range(3) if now[i] != before[i]]
        assert len(changed) <= 1
        assert all(abs(now[i] - BEST[i]) <= accuracy for i in changed)
        assert comparisons <= 2 * math.ceil(math.log2(1 / accuracy))
        before, comparisons, searched = now, 0, searched + 1
    assert searched == 12
    assert max(abs(x - b) for x, b in zip(before, BEST, strict=True)) <= accuracy


def test_both_sides_are_compared_at_once():
    learner = CoordinateSearch(dim=2, horizon=10_000, start=(0.9, 0.9))
    left, right = learner.ask()
    (axis,) = [i for i in range(2) if left.low[i] != left.reference[i]]
    assert (left.low[axis], left.reference[axis], right.low[axis]) == (0.25, 0.5, 0.75)
    assert left.reference == right.reference
    assert left.reference[1 - axis] == 0.9


def test_only_the_open_side_goes_on():
    learner = CoordinateSearch(dim=1, horizon=10_000)
    left, right = learner.ask()
    learner.tell([Tally(64, 0, left.low), Tally(64, 32, right.low)])
    (block,) = learner.ask()
    assert (block.low, block.reference, block.n) == (right.low, right.reference, 64)


def test_a_tie_at_the_cap_keeps_the_middle():
    learner = CoordinateSearch(dim=1, horizon=10**6, cap=128, accuracy=0.5)
    told(learner, 0.5)
    told(learner, 0.5)
    assert learner.progress().rounds_done == 1
    assert learner.recommend() == (0.5,)


def test_a_search_that_the_horizon_ends_leaves_the_point_where_it_was():
    learner = CoordinateSearch(dim=2, horizon=500, start=(0.9, 0.8))
    while learner.ask():
        judged(learner, bowl((0.1, 0.1)))  # 128 duels each time: not enough for a whole search
    assert learner.progress().rounds_done == 0
    assert learner.recommend() == (0.9, 0.8)


def test_after_the_last_search_it_rests_at_its_point():
    learner = CoordinateSearch(dim=1, horizon=10_000, searches=1, accuracy=0.4)
    while learner.progress().phase == "search":
        judged(learner, bowl((0.3,)))
    ((block,), point) = learner.ask(), learner.recommend()
    assert (block.low, block.reference, block.n) == (point, point, 10_000 - learner.duels)


def test_every_axis_is_searched():
    learner, axes = CoordinateSearch(dim=4, horizon=10**6, accuracy=0.5, searches=99), set()
    for _ in range(40):
        left = judged(learner, bowl((0.3,) * 4))[0]
        axes |= {i for i in range(4) if left.low[i] != left.reference[i]}
    assert axes == {0, 1, 2, 3}  # 4 (3/4)^40 = 4e-5 is the probability to miss one


def test_the_number_of_searches_is_that_of_the_theory():
    # L = τ: 4 d ln(2 / η²), as the first gap is at most d L / 2 and ε = d L² η² / (4 τ).
    learner = CoordinateSearch(dim=2, horizon=100)
    assert (learner.accuracy, learner.searches) == (0.05, math.ceil(8 * math.log(800)))


def test_the_accuracy_of_the_theory():
    inputs = {"gains": "theory", "target": 0.08, "convexity": 0.5, "smoothness": 2.0}
    learner = CoordinateSearch(dim=2, horizon=100, **inputs)
    accuracy = math.sqrt(4 * 0.5 * 0.08 / (2 * 4))
    assert learner.accuracy == pytest.approx(accuracy)
    # (4 d L / τ) ln(gap / ε) with a gap of d L / 2.
    assert learner.searches == math.ceil(4 * 2 * 4 * math.log(2 / 0.08))


def test_a_long_run_has_a_larger_cap():
    assert CoordinateSearch(dim=2, horizon=10**6).stages.cap == 2**13
    assert CoordinateSearch(dim=2, horizon=2**28).stages.cap == 2**21
    assert CoordinateSearch(dim=2, horizon=2**28, cap=300).stages.cap == 256


@pytest.mark.parametrize("dim", [1, 3, 8])
@pytest.mark.parametrize("judge", STUBBORN)
def test_it_ends_whatever_the_judge_says(dim, judge):
    learner = CoordinateSearch(dim=dim, horizon=10**9, start=(1.0,) * dim)
    steps = stubborn_run(learner, judge, most=20_000)
    assert all(in_box(arm) for step in steps for arm in arms_of(step))
    assert learner.duels == 10**9


def test_the_state_goes_on_bit_for_bit_within_a_search():
    whole, pieces = (CoordinateSearch(dim=3, horizon=10**5, seed=2) for _ in range(2))
    for _ in range(40):
        judged(whole, bowl(BEST))
        judged(pieces, bowl(BEST))
        state = json.loads(json.dumps(pieces.state()))
        pieces = CoordinateSearch.from_state(pieces.config, state)
        assert pieces.state() == whole.state()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"searches": 10**6}, "state.searches must be at most 54; got 1000000"),
        ({"low": 0.8, "high": 0.2}, "state.low and state.high must be an interval"),
        ({"low": 0.5, "high": 0.51}, "longer than 0.05; got 0.5 and 0.51"),
        ({"left": {"n": 64, "wins": 65}}, "0 to n wins of n duels, at most 128; got 65.0 of 64"),
        ({"right": {"n": 500, "wins": 1}}, "at most 128; got 1.0 of 500"),
    ],
)
def test_a_state_that_cannot_be_is_refused(change, message):
    learner = CoordinateSearch(dim=2, horizon=1000)
    told(learner, 0.5)
    with pytest.raises(ValueError, match=message):
        CoordinateSearch.from_state(learner.config, {**learner.state(), **change})


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"cap": 32}, "cap must be at least 64, so that a comparison can be decided; got 32"),
        ({"accuracy": 0.6}, r"accuracy must lie in \[1e-06, 0.5\]; got 0.6"),
        ({"searches": 0}, "searches must be a whole number of at least 1; got 0"),
        ({"failure_prob": 1}, r"failure_prob must lie in \(0, 1\); got 1"),
        ({"convexity": 0}, "convexity must be above 0; got 0"),
        ({"gains": "box"}, "gains must be one of practical, theory; got 'box'"),
    ],
)
def test_wrong_inputs_are_named(inputs, message):
    with pytest.raises(ValueError, match=message):
        CoordinateSearch(dim=2, horizon=100, **inputs)
