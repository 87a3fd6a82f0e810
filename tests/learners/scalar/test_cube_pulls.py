"""Learners that pull uniform points of cubes: sizes, margins, and many pulls at once."""

import random
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from duelli.learners.scalar import SCALARS
from duelli.learners.scalar.cube_pulls import cube_size, margin
from duelli.learners.scalar.d_blin import DBlin
from duelli.learners.scalar.log_li import LogLi

from .rewards import bernoulli, cone

CUBES = {"a_blin": 0.1, "d_blin": 0.1, "log_li": 0.1}  # with a const that makes small blocks


def test_the_pulls_of_a_cube_are_rounded_up():
    config = DBlin(dim=1, horizon=20_000).config
    assert [cube_size(config, edge) for edge in (1, 0.5, 0.25, 0.125)] == [159, 634, 2536, 10_142]


def test_a_cube_is_pulled_at_least_once():
    assert cube_size(DBlin(dim=1, horizon=1).config, 1.0) == 1


@pytest.mark.parametrize(("lipschitz", "expected"), [(1.0, 1.0), (0.25, 0.625), (3.0, 2.0)])
def test_the_margin_is_4_r_for_the_lipschitz_constant_1(lipschitz, expected):
    config = DBlin(dim=1, horizon=10, lipschitz=lipschitz).config
    assert margin(config, 0.25) == expected


@pytest.mark.parametrize("name", CUBES)
def test_many_pulls_at_once_lead_to_the_same_state_as_one_by_one(name):
    make = SCALARS[name]
    single = make(dim=2, horizon=4000, const=CUBES[name], threshold=0.5)
    many = make(dim=2, horizon=4000, const=CUBES[name], threshold=0.5)
    reward = bernoulli(cone, 1)
    while (pulls := many.pull_many(10**9)) is not None:
        total = 0.0
        for _ in range(pulls.n):
            value = reward(single.pull())
            single.update(value)
            total += value
        many.update_many(total, pulls.n)
        assert many.state() == single.state()
    assert single.pull() is None


@pytest.mark.parametrize("name", CUBES)
def test_parts_of_a_block_are_the_block(name):
    make, rng = SCALARS[name], random.Random(0)
    learner = make(dim=2, horizon=500, const=CUBES[name])
    sizes = []
    while (pulls := learner.pull_many(1 + rng.randrange(5))) is not None:
        sizes.append(pulls.n)
        learner.update_many(pulls.n / 2, pulls.n)
    assert sum(sizes) == 500
    assert max(sizes) <= 5


@pytest.mark.parametrize("name", CUBES)
def test_an_arm_lies_in_the_cube_that_is_pulled(name):
    learner, reward = SCALARS[name](dim=2, horizon=300, const=CUBES[name]), bernoulli(cone, 2)
    while (arm := learner.pull()) is not None:
        low, edge, _ = learner.pull_many(1)
        assert all(a <= x <= a + edge for a, x in zip(low, arm, strict=True))
        learner.update(reward(arm))


def test_the_points_of_a_cube_are_uniform():
    # Fails a correct build with probability 1e-6 a coordinate: a Kolmogorov-Smirnov test.
    learner, points = LogLi(dim=2, horizon=10**6), []
    for _ in range(200):
        points.append(learner.pull())
        learner.update(1.0)
    for column in np.array(points).T:
        assert stats.kstest(column, "uniform").pvalue > 1e-6


def test_no_two_pulls_have_the_same_place_in_their_cubes():
    learner, places = LogLi(dim=1, horizon=1000, const=0.1), []
    while (arm := learner.pull()) is not None:
        low, edge, _ = learner.pull_many(1)
        places.append((arm[0] - low[0]) / edge)
        learner.update(1.0)
    assert all(y - x > 1e-9 for x, y in pairwise(sorted(places)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"total": 4}, r"state\.total must lie in \[0, 3\]"),
        ({"done": 159, "total": 0, "pulls": 159}, r"state\.done must be below 159; got 159"),
    ],
)
def test_a_state_that_cannot_be_is_refused(change, message):
    learner = DBlin(dim=1, horizon=20_000)
    state = {**learner.state(), "pulls": 3, "done": 3, "total": 2}
    assert DBlin.from_state(learner.config, state).pulls == 3
    with pytest.raises(ValueError, match=message):
        DBlin.from_state(learner.config, {**state, **change})


def test_more_pulls_of_a_cube_than_pulls_are_refused():
    learner = DBlin(dim=1, horizon=50)  # its cleanup
    with pytest.raises(ValueError, match=r"state\.done in \[0, 5\]; got 0.0 and 6"):
        DBlin.from_state(learner.config, {**learner.state(), "pulls": 5, "done": 6})
