"""The gain sequences of SPSA, against their formulas."""

import math
from itertools import pairwise

import pytest

from duelli.learners.descent.gains import (
    MOST_BLOCKS,
    Gains,
    block_size,
    blocks,
    box_gains,
    box_reach,
    game_gains,
    num_blocks,
)


def test_the_perturbation_falls_with_the_power_of_spall():
    gains = Gains(1000, 1.0, 0.1)
    assert gains.perturbation(1) == 0.1
    assert gains.perturbation(1024) == pytest.approx(0.1 / 2**1.01, rel=1e-12)


def test_the_perturbation_is_at_most_half_of_the_box():
    assert Gains(1000, 1.0, 3.0).perturbation(1) == 0.5


def test_the_gain_falls_with_the_power_of_spall():
    gains = Gains(1000, 2.0, 0.1)  # A = 100
    assert gains.gain(1, 1) == pytest.approx(2 / 101**0.602, rel=1e-12)
    assert gains.gain(1000, 1) == pytest.approx(2 / 1100**0.602, rel=1e-12)


@pytest.mark.parametrize(("k", "n"), [(1, 2), (1, 5), (50_001, 5), (99_996, 5)])
def test_the_gain_of_a_block_is_the_sum_of_its_iterations(k, n):
    gains = Gains(100_000, 2.0, 0.1)
    single = math.fsum(gains.gain(i, 1) for i in range(k, k + n))
    assert gains.gain(k, n) == pytest.approx(single, rel=1e-8)


@pytest.mark.parametrize(("horizon", "size"), [(1, 1), (20_000, 1), (20_001, 2), (10**8, 5000)])
def test_each_duel_is_an_iteration_of_its_own_up_to_20_000(horizon, size):
    assert block_size(horizon) == size


@pytest.mark.parametrize("horizon", [1, 7, 19_999, 20_001, 10**5 + 1, 10**18])
def test_the_blocks_make_up_the_horizon(horizon):
    made = list(blocks(horizon))
    assert len(made) <= MOST_BLOCKS
    assert made[0][0] == 1
    assert all(k + n == after for (k, n), (after, _) in pairwise(made))
    assert sum(n for _, n in made) == horizon


@pytest.mark.parametrize("horizon", [1, 10, 1000, 30_001])
@pytest.mark.parametrize("reach", [1.5, 10.0])
def test_box_gains_carry_theta_over_its_reach(horizon, reach):
    gains = box_gains(horizon, 0.1, reach)
    moves = [gains.gain(k, n) / (2 * gains.perturbation(k)) for k, n in blocks(horizon)]
    assert sum(moves) == pytest.approx(reach, rel=1e-9)


def test_game_gains_end_with_the_perturbation_and_the_rate_of_game_tuners():
    gains = game_gains(10_000, 0.05)
    assert gains.perturbation(10_000) == pytest.approx(0.05, rel=1e-12)
    # The last game moves theta by r c = 0.002 · 0.05 if it is won.
    move = gains.gain(10_000, 1) / (2 * gains.perturbation(10_000))
    assert move == pytest.approx(0.002 * 0.05, rel=1e-12)


def test_the_reach_is_one_and_a_half_boxes_at_first_and_grows_with_the_root_of_the_horizon():
    assert [box_reach(n) for n in (1, 1000, 10**5)] == [1.5, 1.5, 15.0]


def test_the_reach_grows_as_spalls_gains_do():
    # With a fixed a the sum of the a_k / c_k grows with K^(1 - 0.602 + 0.101).
    short, long = (box_gains(n, 0.1, box_reach(n)).a for n in (10**4, 10**8))
    assert long == pytest.approx(short, rel=0.02)


@pytest.mark.parametrize("horizon", [1, 19_999, 20_000, 20_001, 10**6 + 1, 10**9])
def test_the_number_of_blocks_is_that_of_the_blocks(horizon):
    assert num_blocks(horizon) == sum(1 for _ in blocks(horizon)) <= MOST_BLOCKS
