"""Practice problems: as clear as they say, best where they say, and other ones for each seed."""

import pickle

import numpy as np
import pytest

from duelli import DuelModel
from duelli._rng import stream
from duelli.landscapes import CLARITIES, PROBLEMS, practice_problem
from duelli.landscapes.practice import GROUPS
from duelli.testing import LandscapeKit


class TestPracticeProblems(LandscapeKit):
    @pytest.fixture(params=PROBLEMS)
    def landscape(self, request):
        return practice_problem(request.param, 3)


def random_arms(dim):
    return stream(7, "coins").random((2000, dim))


@pytest.mark.parametrize("clarity", CLARITIES)
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_best_arm_beats_random_ones_as_often_as_the_clarity_says(name, clarity):
    problem = practice_problem(name, 5, clarity)
    model, arms = DuelModel(problem, "logistic"), random_arms(problem.dim)
    gaps = model.gap_to_best(arms)
    assert gaps.min() >= 0
    assert gaps.mean() + 0.5 == pytest.approx(CLARITIES[clarity], abs=0.01)


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_best_arm_is_off_the_middle(name):
    for seed in range(5):
        best = np.array(practice_problem(name, seed).best_arm)
        assert np.abs(best - 0.5).max() >= 0.1


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_dimensions_are_those_of_the_name(name):
    problem = practice_problem(name, 0)
    assert problem.dim == len(problem.best_arm) == int(name.split("/")[1])
    assert problem.zooming_dim == 0
    assert problem.name == f"{name}, medium, seed 0"


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_seed_makes_one_problem_and_another_seed_another(name):
    arms = random_arms(practice_problem(name, 0).dim)
    first, again, *others = (practice_problem(name, s).utility(arms) for s in (1, 1, 2, 3, 4))
    assert (first == again).all()
    assert any((first != other).any() for other in others)


def test_the_axes_of_a_fixed_function_are_mirrored_and_permuted():
    # Branin's three best arms lie at these coordinates, in any order of the axes.
    tops = np.array([(0.1239, 0.8183), (0.5428, 0.1517), (0.9617, 0.1650)])
    every = np.vstack(
        [
            np.abs(side - tops[:, order])
            for side in (np.zeros(2), np.ones(2), [0, 1], [1, 0])
            for order in ([0, 1], [1, 0])
        ]
    )
    places = [practice_problem("branin/2", seed).best_arm for seed in range(12)]
    assert all(np.abs(every - place).max(axis=1).min() < 1e-3 for place in places)
    assert len({tuple(np.round(place, 3)) for place in places}) > 3


def test_the_same_shape_is_drawn_whatever_the_clarity():
    arms = random_arms(2)
    clear, fog = (practice_problem("bumpy/2", 1, c) for c in ("clear", "fog"))
    factors = clear.utility(arms) / fog.utility(arms)
    assert factors == pytest.approx(factors[0])
    assert factors[0] > 5
    assert clear.lipschitz / fog.lipschitz == pytest.approx(factors[0])


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_lipschitz_constant_is_not_much_too_large(name):
    # The steepest of 20 000 random short and diagonal steps is within a factor of it, but for the
    # corner, whose slope has no bound.
    problem, rng = practice_problem(name, 3), stream(1, "coins")
    arms = rng.random((20_000, problem.dim))
    moved = np.clip(arms + 1e-3 * rng.choice([-1.0, 1.0], arms.shape), 0, 1)
    change = np.abs(problem.utility(arms) - problem.utility(moved))
    slope = (change / np.abs(arms - moved).max(axis=1)).max()
    assert slope <= problem.lipschitz
    assert name.startswith("corner") or slope > problem.lipschitz / 3


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_problem_can_be_pickled(name):
    problem = practice_problem(name, 2)
    arms = random_arms(problem.dim)[:9]
    again = pickle.loads(pickle.dumps(problem))
    assert again.utility(arms).tolist() == problem.utility(arms).tolist()
    assert again.best_utility == problem.best_utility


def test_every_problem_is_in_one_group():
    assert sorted(name for group in GROUPS.values() for name in group) == sorted(set(PROBLEMS))


@pytest.mark.parametrize(
    ("name", "clarity", "message"),
    [
        ("bumpi/2", "fog", "problem must be one of .*; got 'bumpi/2'; did you mean 'bumpy/2'?"),
        ("bumpy", "fog", "problem must be one of .*; got 'bumpy'"),
        ("bumpy/2", "fogg", "clarity must be one of .*; got 'fogg'; did you mean 'fog'?"),
    ],
)
def test_what_there_is_not_is_refused(name, clarity, message):
    with pytest.raises(ValueError, match=message):
        practice_problem(name, 0, clarity)


@pytest.mark.parametrize("seed", range(4))
def test_the_steepest_place_of_a_curved_valley_is_found(seed):
    # Without climbing from its first arms the search would miss it here.
    problem, step = practice_problem("rosenbrock/4", seed), 1e-5
    arms = 0.999 * stream(1, "coins").random((20_000, 4))
    changes = [problem.utility(arms + step * axis) - problem.utility(arms) for axis in np.eye(4)]
    assert np.abs(changes).sum(axis=0).max() / step <= problem.lipschitz
