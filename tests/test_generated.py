"""Generated shapes: drawn by a seed, with an exact best arm and a Lipschitz constant of 1."""

import pickle

import numpy as np
import pytest

from duelli import DuelModel, simulate
from duelli._rng import stream
from duelli.landscapes import SHAPES, generated_shape
from duelli.learners import LEARNERS
from duelli.testing import LandscapeKit

SEEDS = range(40)
CASES = [
    (kind, dim) for kind in SHAPES for dim in (1, 2, 3, 5) if dim > 1 or kind != "banana"
]  # a banana has no first dimension to bend in


class TestGeneratedShapes(LandscapeKit):
    @pytest.fixture(params=CASES, ids=lambda case: f"{case[0]}-{case[1]}")
    def landscape(self, request):
        kind, dim = request.param
        return generated_shape(kind, 3, dim)


def steep_pairs(shape, rng, count=2000):
    """Return pairs of arms, most of them close together and near the best arm or a corner."""
    arms, signs = rng.random((count, shape.dim)), rng.choice([-1.0, 1.0], (count, shape.dim))
    near = np.array(shape.best_arm) + 10.0 ** rng.uniform(-3, 0, (count, 1)) * (arms - 0.5)
    x = np.clip(np.where(rng.random((count, 1)) < 0.5, near, np.round(arms)), 0, 1)
    some = np.where(rng.random((count, shape.dim)) < 0.8, signs, rng.uniform(-1, 1, arms.shape))
    y = np.clip(x + 10.0 ** rng.uniform(-5, -1, (count, 1)) * some, 0, 1)
    apart = np.abs(x - y).max(axis=1) > 1e-6
    return x[apart], y[apart]


def quotients(kind, dim):
    """Return the largest difference quotient in the maximum norm of many members of a kind."""
    largest = []
    for seed in SEEDS:
        shape = generated_shape(kind, seed, dim)
        x, y = steep_pairs(shape, stream(seed, "arms"))
        change = np.abs(shape.utility(x) - shape.utility(y))
        largest.append((change / np.abs(x - y).max(axis=1)).max())
    return np.array(largest)


@pytest.mark.parametrize(("kind", "dim"), CASES)
def test_no_pair_of_arms_is_steeper_than_the_lipschitz_constant(kind, dim):
    assert quotients(kind, dim).max() <= 1 + 1e-9


@pytest.mark.parametrize("kind", SHAPES)
def test_the_lipschitz_constant_is_no_larger_than_it_has_to_be(kind):
    assert quotients(kind, 2).max() > 0.95


@pytest.mark.parametrize(("kind", "dim"), CASES)
def test_no_arm_is_better_than_the_best_one(kind, dim):
    for seed in SEEDS:
        shape = generated_shape(kind, seed, dim)
        rng = stream(seed, "arms")
        arms = rng.random((2000, dim))
        nearby = np.array(shape.best_arm) + 10.0 ** rng.uniform(-9, 0, (2000, 1)) * (arms - 0.5)
        found = shape.utility(np.concatenate([arms, np.clip(nearby, 0, 1)]))
        assert found.max() <= shape.best_utility


@pytest.mark.parametrize("kind", SHAPES)
def test_every_shape_can_be_pickled(kind):
    shape = generated_shape(kind, 5)
    arms, again = stream(0, "arms").random((9, 2)), pickle.loads(pickle.dumps(shape))
    assert again.utility(arms).tolist() == shape.utility(arms).tolist()
    assert again.utility_at((0.2, 0.7)) == shape.utility_at((0.2, 0.7))


@pytest.mark.parametrize("kind", SHAPES)
def test_a_seed_is_one_shape(kind):
    arms = stream(0, "arms").random((50, 2))
    first, again, other = (generated_shape(kind, seed).utility(arms) for seed in (1, 1.0, 2))
    assert (first == again).all()
    assert kind == "corner" or (first != other).any()


@pytest.mark.parametrize("kind", SHAPES)
def test_learners_can_be_run_on_it(kind):
    model = DuelModel(generated_shape(kind, 2))
    learner = LEARNERS["arc_race"](dim=2, horizon=1000, slope_max=model.link.slope_max)
    assert simulate(learner, model).horizon == 1000


def second_differences(shape, step=1e-3):
    """Return how much the utility falls in each direction of the plane, at one distance."""
    angles = np.linspace(0, np.pi, 720)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    arms = np.array(shape.best_arm) + step * directions
    return shape.best_utility - shape.utility(arms)


@pytest.mark.parametrize(("kind", "ratio"), [("valley", 12), ("bowl", 10)])
def test_valleys_and_bowls_are_as_narrow_as_they_say(kind, ratio):
    falls = [second_differences(generated_shape(kind, seed)) for seed in SEEDS]
    assert [fall.max() / fall.min() for fall in falls] == pytest.approx([ratio] * 40, rel=0.01)
    assert len({int(fall.argmin()) // 90 for fall in falls}) == 8  # they lie in all directions


def test_a_twin_is_almost_as_good_and_far_away():
    for seed in SEEDS:
        shape = generated_shape("twin_cones", seed, dim=1)
        grid = np.linspace(0, 1, 20_001)[:, None]
        away = np.abs(grid[:, 0] - shape.best_arm[0]) > 0.2
        assert 0 < shape.best_utility - shape.utility(grid[away]).max() < 0.0101


def test_the_best_of_twins_lies_just_above_a_dyadic_point():
    for seed in SEEDS:
        (x,) = generated_shape("twin_cones", seed, dim=1).best_arm
        assert 0 < x * 4 % 1 < 1e-4


@pytest.mark.parametrize(
    ("kind", "dim", "message"),
    [
        ("vally", 2, "kind must be one of .*; got 'vally'; did you mean 'valley'?"),
        ("banana", 1, "dim must be a whole number of at least 2; got 1"),
        ("bowl", 0, "dim must be a whole number of at least 1; got 0"),
        ("bowl", 9, "dim must be at most 8; got 9"),
    ],
)
def test_what_cannot_be_drawn_is_refused(kind, dim, message):
    with pytest.raises(ValueError, match=message):
        generated_shape(kind, 0, dim)
