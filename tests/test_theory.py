"""The bounds as functions: how they grow, and what they are made of."""

import math

import pytest

from duelli import theory
from duelli.duels import DuelModel
from duelli.landscapes import landscape
from duelli.learners.arc import schedule
from duelli.links import LINKS, parse

LOGISTIC = LINKS["logistic"]


def growth(zooming_dim):
    """Return by which power of T the bound grows between 1e30 and 1e60."""
    bounds = [
        theory.regret_bound(
            theory.BoundInputs(dim=2, horizon=horizon, link=LOGISTIC, zooming_dim=zooming_dim)
        )
        for horizon in (1e30, 1e60)
    ]
    return math.log10(bounds[1] / bounds[0]) / 30


@pytest.mark.parametrize("zooming_dim", [0.0, 1.0, 4 / 3, 2.0])
def test_regret_bound_grows_with_the_rate_of_the_theorem(zooming_dim):
    # The logarithm adds log10(141 / 72) / 30 = 0.01; the ceiling in B at most a factor 2^(d_z + 1).
    slack = 0.01 + (zooming_dim + 1) * math.log10(2) / 30
    assert growth(zooming_dim) == pytest.approx((zooming_dim + 1) / (zooming_dim + 2), abs=slack)


def test_regret_bound_is_the_hand_computed_one():
    # d = 1, d_z = 0, the linear link: K = 9, C = (8 K + 2) = 74, T = 2^10, so B = 6 and q = 2.
    log_term = math.log(1024 / 0.05)
    case_1 = 512 * 9 * 74 * log_term * 2**5 + 4 * 9 * 2**-5 * 1024
    case_2 = (512 * 2**4 + 256 * 2**5) * 9 * 74 * log_term + 128 * 9 * log_term * 2**5
    setting = theory.BoundInputs(dim=1, horizon=1024, link=LINKS["linear"])
    assert theory.regret_bound(setting) == pytest.approx(max(case_1, case_2), rel=1e-12)


def test_regret_bound_is_infinite_where_the_link_is_flat():
    flat = theory.BoundInputs(dim=1, horizon=1024, link=LINKS["linear"].on(2.0))
    assert theory.regret_bound(flat) == math.inf


def test_regret_bound_is_infinite_where_it_is_too_large_for_a_float():
    steep = theory.BoundInputs(dim=10, horizon=1024, link=parse("logistic:200"))
    assert theory.regret_bound(steep) == math.inf


def test_shrink_constant_grows_with_the_lipschitz_constant():
    one, two = (theory.shrink_constant(LOGISTIC, lipschitz=L) for L in (1.0, 2.0))
    assert two / one == pytest.approx(1.5 / 1.25, rel=1e-12)


def test_round_cost_is_the_sum_of_its_blocks():
    n = [schedule.block_size(h, horizon=10**6, failure_prob=0.1) for h in (1, 2, 3)]
    cost = theory.round_cost(3, dim=2, horizon=10**6, failure_prob=0.1)
    assert cost == n[0] + 4 * n[1] + 16 * n[2] + n[2]


def test_cumulative_costs_add_up_round_costs():
    costs = theory.cumulative_costs(dim=3, horizon=10**6, failure_prob=0.1, rounds=3)
    single = [theory.round_cost(m, dim=3, horizon=10**6, failure_prob=0.1) for m in (1, 2, 3)]
    assert costs == [single[0], single[0] + single[1], sum(single)]


def test_smallest_horizon_is_the_smallest():
    horizon = theory.smallest_horizon(0.2)
    sizes = [theory.block_size(1, horizon=t, failure_prob=0.2) for t in (horizon - 1, horizon)]
    assert (2 * sizes[0] <= horizon - 1, 2 * sizes[1] <= horizon) == (False, True)


def test_space_bound_is_linear_in_the_dimension():
    bits = [theory.space_bound_bits(dim=d, horizon=10**8) for d in (1, 2, 3)]
    assert bits[2] - bits[1] == bits[1] - bits[0] > 0


def test_space_bound_is_linear_in_the_digits_of_the_horizon():
    bits = [theory.space_bound_bits(dim=2, horizon=2**k - 1) for k in (60, 120, 180)]
    assert bits[2] - bits[1] == bits[1] - bits[0] > 0


def test_zooming_count_counts_each_cube_once():
    # Δ(x*, x) <= 1/4 holds for abs(x - 1/2) <= 1/2 under the linear link: all four cubes.
    cone = landscape(lambda x: 1 - abs(x[:, 0] - 0.5), 1, best_arm=(0.5,))
    count = theory.zooming_count(DuelModel(cone, "linear"), levels=range(2, 4))
    assert count.cubes == (4, 5)


def test_zooming_count_has_the_edges_of_its_levels():
    count = theory.zooming_count(DuelModel("sharp"), levels=range(2, 5))
    assert count.edges == (1 / 4, 1 / 8, 1 / 16)
