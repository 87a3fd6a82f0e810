"""Pairwise SPSA: its moves by hand, and what it finds."""

import json
import math

import numpy as np
import pytest

import duelli
from duelli.blocks import Tally
from duelli.learners.descent import Spsa
from duelli.testing.coins import CoinFlips


def told(learner, outcome):
    """Answer a step with a share of wins, and return its block."""
    (block,) = learner.ask()
    learner.tell([Tally(block.n, outcome * block.n, block.low)])
    return block


def centre_of(block):
    return tuple((x + y) / 2 for x, y in zip(block.low, block.reference, strict=True))


def signs_of(block):
    """Return the signs of the left arm's perturbation."""
    return [1 if x > y else -1 for x, y in zip(block.low, block.reference, strict=True)]


def theta_of(learner):
    return learner.progress().reference


def test_the_first_pair_lies_about_the_middle():
    (block,) = Spsa(dim=3, horizon=100).ask()
    assert centre_of(block) == pytest.approx((0.5,) * 3)
    assert [abs(x - 0.5) for x in block.low] == pytest.approx([0.1] * 3)
    assert (block.edge, block.n) == (0.0, 1)


def test_the_first_pair_lies_about_the_start():
    (block,) = Spsa(dim=2, horizon=100, start=(0.2, 0.7)).ask()
    assert centre_of(block) == pytest.approx((0.2, 0.7))


def test_a_few_moves_by_hand():
    # K = 10, so A = 1: a_k = a / (1 + k)^0.602, c_k = 0.1 / k^0.101, and a makes the sum of the
    # a_k / (2 c_k) 1.5.
    a_k = [1 / (1 + k) ** 0.602 for k in range(1, 11)]
    c_k = [0.1 / k**0.101 for k in range(1, 11)]
    scale = 1.5 / sum(a / (2 * c) for a, c in zip(a_k, c_k, strict=True))
    learner, theta = Spsa(dim=2, horizon=10, seed=4), [0.5, 0.5]
    for k, outcome in enumerate([1.0, 0.4, 0.5, 0.75]):
        block = told(learner, outcome)
        move = scale * a_k[k] * (2 * outcome - 1) / (2 * c_k[k])
        theta = [x + move * sign for x, sign in zip(theta, signs_of(block), strict=True)]
        assert abs(block.low[0] - block.reference[0]) == pytest.approx(2 * c_k[k], rel=1e-12)
        assert theta_of(learner) == pytest.approx(theta, rel=1e-12)


def test_a_tie_moves_nothing():
    learner = Spsa(dim=2, horizon=100)
    told(learner, 0.5)
    assert theta_of(learner) == (0.5, 0.5)


def test_a_clear_slope_carries_theta_over_one_and_a_half_boxes():
    # Theta may move by 1.5 and starts in one corner: it reaches the other one after two thirds.
    learner = Spsa(dim=1, horizon=1000, start=(0.0,))
    while step := learner.ask():
        learner.tell([Tally(1, float(step[0].low > step[0].reference), step[0].low)])
        if learner.duels == 500:
            half = theta_of(learner)[0]
    assert 0.5 < half < 1.0
    assert theta_of(learner) == (1.0,)


def test_theta_stays_in_the_box_and_so_do_its_pairs():
    learner = Spsa(dim=2, horizon=200, start=(1.0, 0.0), reach=20.0)
    while learner.ask():
        block = told(learner, 1.0)
        assert all(0 <= x <= 1 for arm in (block.low, block.reference) for x in arm)
        assert all(0 <= x <= 1 for x in theta_of(learner))


@pytest.mark.parametrize("corner", [0.0, 1.0])
def test_a_pair_at_a_wall_is_as_far_apart_as_any_other(corner):
    (block,) = Spsa(dim=2, horizon=200, start=(corner, corner)).ask()
    gaps = [abs(x - y) for x, y in zip(block.low, block.reference, strict=True)]
    assert gaps == pytest.approx([0.2, 0.2])


@pytest.mark.parametrize("inputs", [{}, {"gains": "game"}, {"perturbation": 1e-6}])
def test_no_arm_meets_itself(inputs):
    for horizon in (1, 1000, 10**18):
        learner = Spsa(dim=2, horizon=horizon, start=(0.0, 1.0), **inputs)
        for _ in range(min(horizon, 100)):
            block = told(learner, 0.3)
            assert all(x != y for x, y in zip(block.low, block.reference, strict=True))


def test_it_recommends_theta_in_the_first_half_and_its_mean_in_the_second():
    learner, thetas = Spsa(dim=2, horizon=10, seed=1), []
    for outcome in (1, 0, 1, 1, 0, 1, 0, 0, 1, 1):
        told(learner, outcome)
        thetas.append(theta_of(learner))
        second = thetas[5:]
        expected = np.mean(second, axis=0) if second else thetas[-1]
        assert learner.recommend() == pytest.approx(tuple(expected), rel=1e-12)


def test_the_mean_counts_a_block_as_often_as_it_has_duels():
    learner = Spsa(dim=1, horizon=50_001, seed=1)  # blocks of 3, and a last one of 3
    blocks, thetas = [], []
    while learner.ask():
        blocks.append(told(learner, len(blocks) % 7 / 7))
        thetas.append(theta_of(learner)[0])
    ends = np.cumsum([block.n for block in blocks])
    late = ends > 25_000
    weights = np.array([block.n for block in blocks])[late]
    expected = np.average(np.array(thetas)[late], weights=weights)
    assert learner.recommend()[0] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("dim", [1, 64, 65, 130])
def test_the_signs_are_fair_and_independent_coins(dim):
    learner, count = Spsa(dim=dim, horizon=10_000), 4000
    signs = np.array([learner._signs(step) for step in range(count)])
    assert set(signs.ravel().tolist()) == {-1, 1}
    # Fewer than 10^4 sums of 4000 coins: all within 7 standard deviations but for 3e-8.
    products = signs.T @ signs - count * np.eye(dim)
    assert abs(products).max() < 7 * math.sqrt(count)
    assert abs(signs.sum(axis=0)).max() < 7 * math.sqrt(count)


def test_the_signs_depend_on_the_seed():
    asked = {Spsa(dim=40, horizon=10, seed=seed).ask()[0].low for seed in range(5)}
    assert len(asked) == 5


def test_a_long_horizon_is_played_in_20_000_blocks():
    learner, count = Spsa(dim=1, horizon=10**15), 0
    while learner.ask():
        told(learner, 0.5)
        count += 1
    assert (count, learner.duels) == (20_000, 10**15)


def test_the_state_goes_on_bit_for_bit_in_both_halves():
    whole, pieces = Spsa(dim=3, horizon=40, seed=2), Spsa(dim=3, horizon=40, seed=2)
    coins = [CoinFlips(seed=5), CoinFlips(seed=5)]
    for _ in range(40):
        for learner, flips in zip((whole, pieces), coins, strict=True):
            learner.tell([flips.play(block).tally for block in learner.ask()])
        state = json.loads(json.dumps(pieces.state()))
        pieces = Spsa.from_state(pieces.config, state)
        assert pieces.state() == whole.state()
    assert pieces.recommend() == whole.recommend()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"duels": 3}, "state.duels must be a multiple of 5 or the horizon; got 3"),
        ({"average": [0.5]}, "state.average must be there after more than 50000 duels"),
        ({"duels": 50_005}, "state.average must be there after more than 50000 duels"),
        ({"theta": [1.5]}, r"state.theta must lie in \[0, 1\]\^1"),
    ],
)
def test_a_state_that_cannot_be_is_refused(change, message):
    learner = Spsa(dim=1, horizon=10**5)
    with pytest.raises(ValueError, match=message):
        Spsa.from_state(learner.config, {**learner.state(), **change})


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"gains": "boxes"}, "gains must be one of box, game; got 'boxes'"),
        ({"perturbation": 0.6}, r"perturbation must lie in \[1e-06, 0.5\]; got 0.6"),
        ({"perturbation": 0}, r"perturbation must lie in \[1e-06, 0.5\]; got 0"),
        ({"reach": 0.0}, "reach must be above 0; got 0.0"),
        ({"reach": 2, "gains": "game"}, "reach must be None with the gains 'game'"),
        ({"start": (0.5,)}, r"start must have shape \(2,\)"),
        ({"horizon": 0}, "horizon must be a whole number of at least 1; got 0"),
    ],
)
def test_wrong_inputs_are_named(inputs, message):
    with pytest.raises(ValueError, match=message):
        Spsa(**{"dim": 2, "horizon": 100, **inputs})


def test_the_run_cannot_be_extended():
    with pytest.raises(ValueError, match="it fixes the schedule of Spsa"):
        Spsa(dim=2, horizon=100).extend(200)


BEST = (0.31, 0.72)
BOWL = duelli.DuelModel(
    duelli.landscape(lambda x: 1 - ((x - BEST) ** 2).sum(axis=1), 2, best_arm=BEST, lipschitz=2.0),
    "logistic:10",
)


def final_gap(horizon, seed, **inputs):
    return duelli.simulate(
        Spsa(dim=2, horizon=horizon, seed=seed, **inputs), BOWL, seed=seed
    ).final_gap


@pytest.mark.slow
@pytest.mark.parametrize("gains", ["box", "game"])
@pytest.mark.parametrize("seed", range(2))
def test_it_finds_the_top_of_a_bowl(gains, seed):
    # The middle has a gap of 0.2; in 400 other runs that of the answer was below 1e-3.
    assert final_gap(10**5, seed, gains=gains) < 2e-3


@pytest.mark.slow
def test_more_duels_lead_to_a_better_answer():
    gaps = [np.median([final_gap(n, seed) for seed in range(3)]) for n in (100, 1500, 15_000)]
    assert gaps == sorted(gaps, reverse=True)
