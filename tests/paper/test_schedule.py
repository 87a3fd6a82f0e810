"""The numbers that follow from the printed constants alone, worked out by hand or elsewhere."""

import math
from itertools import pairwise

import pytest

from duelli import theory
from duelli.duels import DuelModel
from duelli.landscapes import LANDSCAPES, landscape
from duelli.learners.arc import ArcConfig, schedule
from duelli.links import LINKS

T = 10**8


def rounded(number, digits):
    """Return ``number`` as a text prints it with so many significant digits."""
    return float(f"{number:.{digits - 1}e}")


def test_edges_halve_from_one():
    assert [schedule.edge(h) for h in range(1, 8)] == [
        1,
        1 / 2,
        1 / 4,
        1 / 8,
        1 / 16,
        1 / 32,
        1 / 64,
    ]


def test_block_sizes_at_the_paper_horizon():
    sizes = [schedule.block_size(h, horizon=T, failure_prob=0.05) for h in range(1, 8)]
    assert sizes == [343, 1371, 5483, 21931, 87722, 350887, 1403547]


@pytest.mark.parametrize(("zooming_dim", "rounds"), [(0, 15), (1, 10), (4 / 3, 9), (2, 8)])
def test_number_of_rounds_of_the_theorem(zooming_dim, rounds):
    assert schedule.num_rounds(horizon=T, zooming_dim=zooming_dim) == rounds


def test_margins_of_the_logistic_link():
    margins = [schedule.elimination_margin(h, slope_max=0.25) for h in range(1, 7)]
    assert margins == [2.5, 1.25, 0.625, 0.3125, 0.15625, 0.078125]


def test_margin_of_the_scaled_box_is_seven_edges():
    assert schedule.elimination_margin(5, slope_max=0.25, lipschitz=10.0) == 7 / 16


def test_rounds_end_at_these_duels_in_two_dimensions():
    costs = theory.cumulative_costs(dim=2, horizon=T, failure_prob=0.05, rounds=5)
    assert costs == [686, 7884, 106922, 1625992, 25667685]


# To as many digits as were printed.
COSTS = {
    1: [686, 5.1e3, 3.6e4, 2.6e5, 1.9e6, 1.5e7, 1.2e8],
    2: [686, 7.9e3, 1.07e5, 1.63e6, 2.57e7, 4.09e8, 6.5e9],
    3: [686, 1.3e4, 3.8e5, 1.20e7, 3.8e8],
    4: [686, 2.4e4, 1.46e6, 9.27e7, 5.9e9],
}
DIGITS = {
    1: [3, 2, 2, 2, 2, 2, 2],
    2: [3, 2, 3, 3, 3, 3, 2],
    3: [3, 2, 2, 3, 2],
    4: [3, 2, 3, 3, 2],
}


@pytest.mark.parametrize("dim", COSTS)
def test_cost_of_completing_rounds(dim):
    costs = theory.cumulative_costs(dim=dim, horizon=T, failure_prob=0.05, rounds=len(COSTS[dim]))
    assert [rounded(c, k) for c, k in zip(costs, DIGITS[dim], strict=True)] == COSTS[dim]


@pytest.mark.parametrize(
    ("dim", "failure_prob", "completed"),
    [(1, 0.05, 6), (2, 0.05, 5), (3, 0.05, 4), (4, 0.05, 4), (4, 0.0094, 4), (4, 0.0092, 3)],
)
def test_rounds_that_complete_at_the_paper_horizon(dim, failure_prob, completed):
    costs = theory.cumulative_costs(
        dim=dim, horizon=T, failure_prob=failure_prob, rounds=completed + 1
    )
    assert costs[completed - 1] <= T < costs[completed]


@pytest.mark.parametrize(
    ("failure_prob", "horizon"), [(0.5, 192), (0.1, 252), (0.05, 276), (0.01, 334)]
)
def test_smallest_horizon_that_completes_a_round(failure_prob, horizon):
    assert theory.smallest_horizon(failure_prob) == horizon


@pytest.mark.parametrize("zooming_dim", [0.0, 1.0, 4 / 3, 2.0])
def test_the_last_round_of_the_theorem_never_completes_without_elimination(zooming_dim):
    last = ArcConfig(dim=2, horizon=T, slope_max=0.25, zooming_dim=zooming_dim).last_round()
    cost = schedule.round_cost(last, dim=2, horizon=T, failure_prob=0.05)
    assert cost > T


# ρ' at 0 and at ±1, by hand: e/(1+e)², 1/2, φ(1), 1/(2π), sech²(1)/2.
SLOPES = {
    "logistic": (0.25, math.e / (1 + math.e) ** 2),
    "linear": (0.5, 0.5),
    "probit": (1 / math.sqrt(2 * math.pi), math.exp(-0.5) / math.sqrt(2 * math.pi)),
    "arctan": (1 / math.pi, 1 / (2 * math.pi)),
    "tanh": (0.5, 0.5 / math.cosh(1) ** 2),
}
PRINTED_SLOPE_MIN = {
    "logistic": 0.196612,
    "linear": 0.5,
    "probit": 0.241971,
    "arctan": 0.159155,
    "tanh": 0.209987,
}


@pytest.mark.parametrize("name", LINKS)
def test_largest_slope(name):
    assert LINKS[name].slope_max == pytest.approx(SLOPES[name][0], rel=1e-14)


@pytest.mark.parametrize("name", LINKS)
def test_smallest_slope(name):
    assert LINKS[name].slope_min == pytest.approx(SLOPES[name][1], rel=1e-14)


@pytest.mark.parametrize("name", LINKS)
def test_smallest_slope_to_six_digits(name):
    assert LINKS[name].slope_min == pytest.approx(PRINTED_SLOPE_MIN[name], abs=5e-7)


@pytest.mark.parametrize(("name", "ratio"), [("arctan", 2.0), ("tanh", 2.381098)])
def test_slope_ratio_of_the_links_without_a_lemma(name, ratio):
    assert LINKS[name].slope_ratio == pytest.approx(ratio, abs=5e-7)


@pytest.mark.parametrize(
    ("name", "constant"),
    [
        ("logistic", 10.3997),
        ("probit", 16.8313),
        ("linear", 9.0),
        ("arctan", 21.0930),
        ("tanh", 31.2955),
    ],
)
def test_shrink_constant(name, constant):
    assert theory.shrink_constant(LINKS[name]) == pytest.approx(constant, abs=5e-5)


@pytest.mark.parametrize(
    ("name", "depth"), [("logistic", 7), ("linear", 7), ("probit", 8), ("arctan", 8), ("tanh", 8)]
)
def test_the_shrinking_lemma_says_nothing_above_this_depth(name, depth):
    constant = theory.shrink_constant(LINKS[name])
    first = next(h for h in range(1, 20) if constant * schedule.edge(h - 1) < 0.5)
    assert first == depth


def test_slope_ratio_on_the_scaled_box():
    assert LINKS["logistic"].on(6.0).slope_ratio == pytest.approx(101.4, abs=0.1)


def bound_over_trivial(horizon):
    """Theorem 5.4 with d_z = 0, C_z = 1, d = 2 over 2 T Δ, the regret of the worst arm of all."""
    link = LINKS["logistic"]
    bound = theory.regret_bound(theory.BoundInputs(dim=2, horizon=horizon, link=link))
    return bound / (2 * horizon * (link(0.6) - 0.5))


def test_the_regret_bound_is_vacuous_up_to_1e20():
    assert bound_over_trivial(1e20) > 1


def test_the_regret_bound_says_something_from_1e21_on():
    assert bound_over_trivial(1e21) < 1


# Cubes that meet {Δ(x*, x) <= ε} at ε = 2^-7, 2^-8, 2^-9. The strip of width of order ε around the
# plateau's square still counts for a fifth of it there, hence the wider tolerance.
TOLERANCE = {"plateau": 0.25}
FLAT_BOX = [name for name, found in LANDSCAPES.items() if found.dim == 2]


@pytest.mark.parametrize("name", FLAT_BOX)
def test_stated_zooming_dim_is_what_counting_shows(name):
    count = theory.zooming_count(DuelModel(name), levels=range(7, 10))
    stated = LANDSCAPES[name].zooming_dim
    assert count.zooming_dim == pytest.approx(stated, abs=TOLERANCE.get(name, 0.06))


def test_the_plateau_gets_closer_to_two_with_every_level():
    cubes = theory.zooming_count(DuelModel("plateau"), levels=range(6, 10)).cubes
    slopes = [math.log2(b / a) for a, b in pairwise(cubes)]
    assert slopes == sorted(slopes)


def test_zooming_dim_in_three_dimensions_falls_towards_zero():
    cubes = theory.zooming_count(DuelModel("two_cones_3d"), levels=range(4, 7)).cubes
    assert math.log2(cubes[2] / cubes[1]) < 0.2


def test_a_cone_on_a_line_meets_the_same_few_cubes_at_every_level():
    # Δ(x*, x) <= ε within about 4 ε of the best arm: 8 cubes of edge ε, and one more at times.
    cone = landscape(lambda x: 1 - abs(x[:, 0] - 0.3), 1, best_arm=(0.3,))
    assert set(theory.zooming_count(DuelModel(cone)).cubes) <= {8, 9}
