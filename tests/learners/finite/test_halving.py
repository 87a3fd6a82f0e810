"""Successive halving: who meets whom, who stays, and what it finds."""

import json
from itertools import pairwise

import numpy as np
import pytest

import duelli
from duelli.blocks import Tally
from duelli.landscapes import practice_problem
from duelli.learners.finite import SuccessiveHalving
from duelli.testing import LearnerKit
from duelli.testing.coins import CoinFlips


class TestOddNumbers(LearnerKit):
    @pytest.fixture
    def make(self):
        return lambda horizon: SuccessiveHalving(
            dim=3, horizon=horizon, points=min(2**horizon, 37), seed=4
        )


class TestLargeRounds(LearnerKit):
    """Rounds of more blocks than a step has."""

    @pytest.fixture
    def make(self):
        return lambda horizon: SuccessiveHalving(
            dim=1, horizon=horizon, points=min(2**horizon, 600)
        )


def height(arm):
    return -abs(arm[0] - 0.83) - sum(abs(x - 0.2) for x in arm[1:])


def fairly(block):
    """Return the tally of a judge who is never wrong."""
    return Tally(block.n, block.n * (height(block.low) > height(block.reference)), block.low)


def played(learner, judge=fairly):
    """Play a learner to its end and return the steps of each round."""
    rounds = [[] for _ in range(learner.num_rounds)]
    while step := learner.ask():
        rounds[learner.progress().rounds_done].append(step)
        learner.tell([judge(block) for block in step])
    return rounds


def arms_of(steps):
    return {arm for step in steps for block in step for arm in (block.low, block.reference)}


@pytest.mark.parametrize("points", [2, 3, 7, 8, 64, 600])
@pytest.mark.parametrize("seed", range(3))
def test_a_judge_who_is_never_wrong_gets_the_best_of_the_points(points, seed):
    learner = SuccessiveHalving(dim=2, horizon=3000, points=points, seed=seed)
    played(learner)
    assert learner.recommend() == max(learner.points, key=height)


@pytest.mark.parametrize("points", [2, 5, 8, 37])
def test_each_round_has_half_of_the_points_of_the_one_before(points):
    learner = SuccessiveHalving(dim=2, horizon=5000, points=points)
    met = [arms_of(steps) for steps in played(learner)]
    assert met[0] == set(learner.points)
    for before, after in pairwise(met):
        assert len(after) == (len(before) + 1) // 2
        assert after < before


def test_the_better_half_stays_and_the_best_comes_first():
    # 4 points meet each other twice in the first round; the middle of the box is one of them.
    learner = SuccessiveHalving(dim=1, horizon=24, points=4, seed=2)
    (step,) = [learner.ask()]
    assert sorted(block.n for block in step) == [2] * 6
    learner.tell([fairly(block) for block in step])
    best = sorted(learner.points, key=height, reverse=True)
    assert learner.recommend() == best[0]
    assert arms_of([learner.ask()]) == set(best[:2])


def test_the_rate_of_wins_counts_and_not_their_number():
    # 3 duels of 4 points: each meets one, and then two of them meet. Of these, one has won 1.5 of
    # its 2 duels in the end; somebody else has won the only duel, which is fewer wins but better.
    learner = SuccessiveHalving(dim=1, horizon=6, points=4, seed=0)
    *first, last = learner.ask()
    tied = next(block for block in first if last.low in (block.low, block.reference))
    (won,) = [block for block in first if block is not tied]
    once = won.low if won.reference == last.reference else won.reference
    outcomes = {tied: 0.5, won: float(once == won.low), last: 1.0}
    learner.tell([Tally(1, outcomes[block], block.low) for block in (*first, last)])
    assert learner.recommend() == once
    assert arms_of([learner.ask()]) == {once, last.low}


def test_a_tie_is_half_a_win_for_both():
    learner = SuccessiveHalving(dim=1, horizon=24, points=4, seed=2)
    step = learner.ask()
    winner = step[0].low
    outcomes = [
        1.0 if block.low == winner else 0.0 if block.reference == winner else 0.5 for block in step
    ]
    learner.tell([Tally(b.n, b.n * o, b.low) for b, o in zip(step, outcomes, strict=True)])
    state = learner.state()
    assert learner.points[state["left"][0]] == winner
    assert state["wins"] == [0, 0]


def test_ties_are_broken_at_random_and_not_by_the_place_of_a_point():
    stayed = set()
    for seed in range(40):
        learner = SuccessiveHalving(dim=1, horizon=60, points=4, seed=seed)
        played(learner, lambda block: Tally(block.n, block.n / 2, block.low))
        stayed.add(learner.points.index(learner.recommend()))
    assert stayed == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("horizon", "points"),
    [(1, 2), (15, 2), (16, 4), (47, 4), (48, 8), (50, 8), (200, 16), (1000, 64), (10**18, 1024)],
)
def test_there_are_as_many_points_as_the_duels_allow(horizon, points):
    assert len(SuccessiveHalving(dim=2, horizon=horizon).points) == points


@pytest.mark.parametrize("horizon", [1, 2, 3, 50, 999, 10**12 + 1])
def test_the_rounds_have_equal_parts_of_the_duels_and_no_arm_meets_itself(horizon):
    learner, sizes = SuccessiveHalving(dim=2, horizon=horizon, points=2 ** min(horizon, 3)), []
    for steps in played(learner, lambda block: CoinFlips().play(block).tally):
        blocks = [block for step in steps for block in step]
        assert all(block.low != block.reference and block.edge == 0 for block in blocks)
        sizes.append(sum(block.n for block in blocks))
    assert sum(sizes) == horizon
    assert max(sizes) - min(sizes) <= 1


def test_a_round_is_one_step_unless_it_has_very_many_pairs():
    assert [len(steps) for steps in played(SuccessiveHalving(dim=2, horizon=1000))] == [1] * 6
    steps = played(SuccessiveHalving(dim=2, horizon=20_000, points=512))[0]
    assert [len(step) for step in steps] == [256] * 8 + [174]


def test_a_single_point_needs_no_duels():
    learner = SuccessiveHalving(dim=2, horizon=100, points=1)
    assert learner.ask() == ()
    assert learner.recommend() == (0.5, 0.5)
    again = SuccessiveHalving.from_state(learner.config, learner.state())
    assert again.ask() == ()


@pytest.mark.parametrize("dim", [1, 2, 8])
@pytest.mark.parametrize("design", ["latin", "sobol"])
def test_the_points_fill_the_box_evenly_with_the_middle_among_them(dim, design):
    learner = SuccessiveHalving(dim=dim, horizon=1000, seed=3, design=design)
    points = np.array(learner.points)
    assert points[0].tolist() == [0.5] * dim
    strata = np.floor(64 * points[1:]).astype(int)
    for column in strata.T:
        assert len(set(column)) == 63  # one in each part but one
        assert 0 <= column.min() <= column.max() <= 63
    if dim > 1:
        assert abs(np.corrcoef(points[1:].T)[0, 1]) < 0.6


def test_the_start_takes_the_place_of_the_middle():
    learner = SuccessiveHalving(dim=2, horizon=1000, start=(0.1, 0.9))
    assert learner.recommend() == learner.points[0] == (0.1, 0.9)
    assert (0.5, 0.5) not in learner.points


def test_points_and_pairs_depend_on_the_seed():
    asked = {SuccessiveHalving(dim=2, horizon=100, seed=seed).ask() for seed in range(5)}
    assert len(asked) == 5
    order = {
        tuple(learner.points.index(block.low) for block in learner.ask())
        for learner in (SuccessiveHalving(dim=2, horizon=100, seed=seed) for seed in range(5))
    }
    assert len(order) == 5


def test_the_state_is_short_and_goes_on_within_a_round():
    whole, pieces = (SuccessiveHalving(dim=2, horizon=3000, points=600, seed=2) for _ in range(2))
    coins = [CoinFlips(seed=5), CoinFlips(seed=5)]
    while whole.ask():
        for learner, flips in zip((whole, pieces), coins, strict=True):
            learner.tell([flips.play(block).tally for block in learner.ask()])
        pieces = SuccessiveHalving.from_state(pieces.config, json.loads(json.dumps(pieces.state())))
        assert pieces.state() == whole.state()
    assert pieces.recommend() == whole.recommend()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"round": 10**30}, "state.round must be at most 4; got 10"),
        ({"round": 2}, "state.left must be 4 different numbers below 16"),
        ({"left": [0] * 8}, "state.left must be 8 different numbers below 16"),
        ({"left": [*range(7), 16]}, "state.left must be 8 different numbers below 16"),
        ({"pairs": 1}, "state.pairs must be a multiple of 256 below 28; got 1"),
        ({"pairs": 256}, "state.pairs must be a multiple of 256 below 28; got 256"),
        ({"duels": 51}, "state.duels must be 50; got 51"),
        ({"wins": [0] * 7}, "state.wins must be 8 numbers from 0 to 0"),
        ({"wins": [1] * 8}, "state.wins must be 8 numbers from 0 to 0"),
    ],
)
def test_a_state_that_cannot_be_is_refused(change, message):
    learner = SuccessiveHalving(dim=2, horizon=200)
    learner.tell([fairly(block) for block in learner.ask()])
    SuccessiveHalving.from_state(learner.config, learner.state())
    with pytest.raises(ValueError, match=message):
        SuccessiveHalving.from_state(learner.config, {**learner.state(), **change})


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"points": 0}, "points must be a whole number of at least 1; got 0"),
        ({"points": 65_537}, "points must be at most 65536; got 65537"),
        ({"points": 9, "horizon": 3}, "points must be at most 8, so that each round has a duel"),
        ({"start": (0.5,)}, r"start must have shape \(2,\)"),
        ({"design": "grid"}, "design must be one of latin, sobol; got 'grid'"),
        ({"design": "sobol", "dim": 14}, "dim must be at most 13 for Sobol points; got 14"),
        ({"horizon": 0}, "horizon must be a whole number of at least 1; got 0"),
    ],
)
def test_wrong_inputs_are_named(inputs, message):
    with pytest.raises(ValueError, match=message):
        SuccessiveHalving(**{"dim": 2, "horizon": 100, **inputs})


def test_the_run_cannot_be_extended():
    with pytest.raises(ValueError, match="it fixes the schedule of SuccessiveHalving"):
        SuccessiveHalving(dim=2, horizon=100).extend(200)


def test_more_duels_lead_to_a_better_answer():
    # In 40 other runs the medians were 0.45, 0.25 and 0.04.
    gaps = {}
    for horizon in (10, 200, 10_000):
        models = [duelli.DuelModel(practice_problem("cone/2", s, "clear")) for s in range(9)]
        runs = [
            duelli.simulate(SuccessiveHalving(dim=2, horizon=horizon, seed=s), model, seed=s)
            for s, model in enumerate(models)
        ]
        gaps[horizon] = np.median([run.final_gap for run in runs])
    assert gaps[10] > 1.2 * gaps[200]
    assert gaps[200] > 1.5 * gaps[10_000]
    assert gaps[10_000] < 0.1
