"""Regrets of the scalar learners and reductions beside those of independent implementations.

The reference numbers come from separate implementations of the same algorithms, each the mean
of a few runs. They are soft: a tolerance covers their noise, ours, and what a paper leaves
open, such as which uncovered point zooming activates.
"""

import math

import numpy as np
import pytest
from learners.scalar.duels import duelled
from learners.scalar.rewards import cone, regret

from duelli import DuelModel, simulate
from duelli.learners.scalar import SCALARS, AnchoredDoubler, Doubler, MultiSbm, Sparring

from .coverings import Oracle

pytestmark = pytest.mark.slow

T = 20_000
# By learner: the regret in one and in two dimensions, and the tolerance. A run of CAB1 and of HOO
# deviates by 1 to 3 per cent. Zooming depends on where the uncovered points are: see F45.
SCALAR_REGRETS = {
    "cab1": (1990, 4351, 0.04),
    "zooming": (1370, 1949, 0.35),
    "robust_zooming": (2106, 3624, 0.35),
    "truncated_hoo": (1505, 3692, 0.04),
    "hoo": (1519, 3675, 0.04),
    "d_blin": (5810, 9921, 0.01),
    "log_li": (4687, 7585, 0.01),
}
UNIFORM = {1: 5758, 2: 9937}  # the regret of uniform play


@pytest.mark.parametrize("dim", UNIFORM)
def test_the_regret_of_uniform_play(dim):
    """The deviation of the sum is at most 0.25 √T, which is 35."""
    points = np.random.default_rng(0).random((T, dim))
    assert sum(1 - cone(point) for point in points) == pytest.approx(UNIFORM[dim], abs=4 * 35)


@pytest.mark.parametrize("dim", [1, 2])
@pytest.mark.parametrize("name", SCALAR_REGRETS)
def test_the_regret_of_a_scalar_learner(name, dim):
    inputs = {"corruption": 50} if name == "robust_zooming" else {}
    learners = [SCALARS[name](dim=dim, horizon=T, seed=seed, **inputs) for seed in range(4)]
    found = [regret(learner, seed=learner.config.seed) for learner in learners]
    *expected, tolerance = SCALAR_REGRETS[name]
    assert np.mean(found) == pytest.approx(expected[dim - 1], rel=tolerance)


@pytest.mark.parametrize("dim", [1, 2])
def test_zooming_needs_few_arms(dim):
    learner = SCALARS["zooming"](dim=dim, horizon=T)
    regret(learner)
    assert len(learner._state.arms) == pytest.approx({1: 7, 2: 15}[dim], rel=0.4)


@pytest.mark.parametrize(
    ("name", "dim", "expected"),
    [("d_blin", 1, 5077), ("log_li", 1, 4020), ("d_blin", 2, 9942), ("log_li", 2, 7629)],
)
def test_the_regret_with_smaller_blocks(name, dim, expected):
    """The constant is 1 instead of 16, with which the widths of the theory do not hold."""
    found = regret(SCALARS[name](dim=dim, horizon=T, const=1.0))
    assert found == pytest.approx(expected, rel=0.05)
    assert found < UNIFORM[dim]


def printed(n):
    return math.sqrt(2 * math.log(T) / (n + 1))


def robust(n):
    noise = 4 * math.log(T) + 2 * math.log(2 / 0.05)
    return math.sqrt(noise / n) + 50 / n if n else math.inf


@pytest.mark.parametrize("dim", [1, 2])
@pytest.mark.parametrize(
    ("name", "inputs", "radius"),
    [("zooming", {}, printed), ("robust_zooming", {"corruption": 50}, robust)],
)
def test_cells_cost_as_much_as_a_covering_oracle(name, inputs, radius, dim):
    """Means of 8 runs, each of which deviates by 5 to 15 per cent; cells change constants (F45)."""
    learners = [SCALARS[name](dim=dim, horizon=T, seed=seed, **inputs) for seed in range(8)]
    found = [regret(learner, seed=learner.config.seed) for learner in learners]
    expected = [Oracle(dim, radius, seed).regret for seed in range(8)]
    assert np.mean(found) == pytest.approx(np.mean(expected), rel=0.2)


def arithmetic(x, y):
    """p_ij = 1/2 + (j - i) / 20 for the arms i and j of a grid of 8 cells."""
    return 0.5 + 0.05 * (int(8 * y[0]) - int(8 * x[0]))


def strong_regret(learner, seed):
    return sum(
        0.05 * (int(8 * x[0]) + int(8 * y[0]))
        for x, y, _ in duelled(learner, arithmetic, seed=seed)
    )


@pytest.mark.parametrize(
    ("kind", "inputs", "expected", "deviation"),
    [
        (Sparring, {"scalar": "ucb1"}, 1221, 62),
        (MultiSbm, {}, 3275, 154),
        (Doubler, {"scalar": "ucb1"}, 2900, 108),
        (AnchoredDoubler, {"scalar": "ucb1"}, 2900, 108),  # the same in expectation (F48)
    ],
)
def test_the_regret_of_a_reduction_with_eight_arms(kind, inputs, expected, deviation):
    """The means of six runs differ by four standard errors of their difference at most."""
    learners = [kind(dim=1, horizon=T, cells=8, seed=seed, **inputs) for seed in range(6)]
    found = [strong_regret(learner, seed) for seed, learner in enumerate(learners)]
    spread = math.hypot(deviation, np.std(found, ddof=1)) / math.sqrt(6)
    assert np.mean(found) == pytest.approx(expected, abs=4 * spread)
    assert [learner.recommend() for learner in learners].count((0.0625,)) >= 5


@pytest.mark.parametrize(("cells", "expected"), [(4, 7474), (8, 9812)])
def test_the_regret_of_sparring_on_a_grid(cells, expected):
    learner = Sparring(dim=2, horizon=10**5, scalar="ucb1", cells=cells, slope_max=0.25)
    trace = simulate(learner, DuelModel("two_cones"), seed=1)
    assert trace.cumulative_regret == pytest.approx(expected, rel=0.15)
