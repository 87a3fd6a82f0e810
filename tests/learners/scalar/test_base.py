"""Turns of learners of rewards: pull and update, one or many at once."""

import pytest

from duelli.errors import OutOfTurnError
from duelli.learners.scalar import SCALARS
from duelli.learners.scalar.base import Pulls
from duelli.learners.scalar.hoo import Hoo
from duelli.learners.scalar.ucb1 import Ucb1

from .rewards import cone, pulled


def test_pulls_are_counted():
    learner = Ucb1(dim=1, horizon=10, cells=2)
    learner.pull()
    assert learner.pulls == 0
    learner.update(1)
    assert learner.pulls == 1


@pytest.mark.parametrize("reward", [True, 1, 1.0])
def test_a_reward_may_be_a_bool_or_a_number(reward):
    learner = Ucb1(dim=1, horizon=10, cells=1)
    learner.pull()
    learner.update(reward)
    assert learner.state()["sums"] == [1]


def test_a_fraction_is_a_reward():
    learner = Ucb1(dim=1, horizon=10, cells=1)
    learner.pull()
    learner.update(0.25)
    assert learner.state()["sums"] == [0.25]


def test_an_update_says_what_to_call_first():
    with pytest.raises(OutOfTurnError, match=r"no pull pending; call pull\(\) first"):
        Ucb1(dim=1, horizon=10).update(1)


def test_one_pull_at_a_time_is_the_rule():
    learner = Hoo(dim=1, horizon=10)
    assert learner.pull_many(100) == Pulls(learner.pull(), 0.0, 1)
    learner.update_many(1.0, 1)
    assert learner.pulls == 1


@pytest.mark.parametrize("name", SCALARS)
@pytest.mark.parametrize("dim", [1, 3, 8])
def test_every_learner_works_in_1_to_8_dimensions(name, dim):
    arms = pulled(SCALARS[name](dim=dim, horizon=60, seed=1), lambda _: 0.5)
    assert {len(arm) for arm in arms} == {dim}
    assert len(arms) == 60


@pytest.mark.parametrize("name", SCALARS)
def test_many_best_arms_are_no_problem(name):
    learner = SCALARS[name](dim=2, horizon=500)
    assert len(pulled(learner, lambda _: 1.0)) == 500


@pytest.mark.parametrize("name", [n for n in SCALARS if "lipschitz" in SCALARS[n].Config.__slots__])
@pytest.mark.parametrize("lipschitz", [1e-6, 1e6])
def test_every_lipschitz_constant_can_be_played(name, lipschitz):
    learner = SCALARS[name](dim=2, horizon=100, lipschitz=lipschitz)
    assert len(pulled(learner, cone)) == 100


@pytest.mark.parametrize("name", SCALARS)
def test_another_seed_gives_other_pulls(name):
    steep = {"lipschitz": 4.0} if "lipschitz" in SCALARS[name].Config.__slots__ else {}
    runs = [
        pulled(SCALARS[name](dim=2, horizon=300, seed=seed, **steep), lambda _: 1.0)
        for seed in (1, 2)
    ]
    assert runs[0] != runs[1]


@pytest.mark.parametrize("name", SCALARS)
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"dim": 0}, "dim must be a whole number of at least 1"),
        ({"horizon": 0}, "horizon must be a whole number of at least 1"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
    ],
)
def test_wrong_inputs_are_named(name, wrong, message):
    with pytest.raises(ValueError, match=message):
        SCALARS[name](**{"dim": 1, "horizon": 10, **wrong})


@pytest.mark.parametrize("name", SCALARS)
def test_every_learner_remembers_a_positive_number_of_bits(name):
    learner = SCALARS[name](dim=2, horizon=50)
    assert learner.state_bits() > 0
    pulled(learner)
    assert learner.state_bits() > 0


@pytest.mark.parametrize("name", SCALARS)
def test_a_learner_shows_its_inputs(name):
    assert repr(SCALARS[name](dim=2, horizon=50)).startswith(
        f"{SCALARS[name].__name__}(dim=2, horizon=50"
    )
