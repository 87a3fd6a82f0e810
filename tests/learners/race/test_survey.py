"""The survey: a look at points all over the box before the first polish."""

import math

import pytest

from duelli.blocks import Tally
from duelli.learners.race import survey
from duelli.learners.race.states import Survey

from .samples import HORIZON, answers, config_of, memory_of

pytestmark = pytest.mark.usefixtures("own_constants")


def opened(dim=2, horizon=10**7, **inputs):
    config = config_of(dim, horizon=horizon, **inputs)
    return survey.begin(memory_of((0.5,) * dim, horizon_now=horizon), config), config


def test_a_start_of_the_users_is_not_doubted():
    assert opened()[0] is not None
    assert opened(start=(0.25, 0.25))[0] is None


@pytest.mark.parametrize(
    ("horizon", "min_block", "n"),
    [
        (10**7, 8, 400),  # (0.5 / (CLEAR Γ L))² = 20²
        (10**6, 8, 250),  # SHARE T / 16
        (180_000, 8, 45),  # at least (0.5 / (LEAST_CLEAR Γ L))² = 44.4
        (170_000, 8, None),
        (180_000, 46, None),
    ],
)
def test_it_asks_as_often_as_it_pays(horizon, min_block, n):
    state, config = opened(horizon=horizon, min_block=min_block)
    assert (state and {block.n for block in survey.step(state, config)}) == (n and {n})


def test_no_difference_is_larger_than_one_half():
    state, config = opened(slope_max=50.0)
    assert {block.n for block in survey.step(state, config)} == {100}


@pytest.mark.parametrize(("dim", "count"), [(1, 8), (2, 16), (7, 56), (8, 64), (20, 64)])
def test_every_dimension_brings_eight_points_up_to_a_limit(dim, count):
    points = survey.points(dim)
    assert len(set(points)) == len(points) == count
    assert all(len(point) == dim and all(0 <= x <= 1 for x in point) for point in points)


def test_a_step_sends_every_point_against_the_middle():
    state, config = opened()
    step = survey.step(state, config)
    assert [block.low for block in step] == survey.points(2)
    assert {(block.reference, block.edge) for block in step} == {((0.5, 0.5), 0.0)}


def test_the_size_of_a_step_knows_its_number_of_points():
    few, many = (opened(dim, horizon=2 * 10**6) for dim in (2, 8))
    assert {block.n for block in survey.step(*few)} == {400}
    assert {block.n for block in survey.step(*many)} == {125}


def test_the_points_are_multiples_of_powers_of_the_root():
    for dim in (1, 2, 3):
        first, second = survey.points(dim)[:2]
        phi = 1 / ((first[0] - 0.5) % 1)
        assert phi ** (dim + 1) == pytest.approx(phi + 1, abs=1e-7)
        for k in range(dim):
            assert (first[k] - 0.5) % 1 == pytest.approx(phi ** -(k + 1), abs=1e-7)
            assert (second[k] - 0.5) % 1 == pytest.approx(2 * phi ** -(k + 1) % 1, abs=1e-7)


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_no_part_of_the_box_is_left_out(dim):
    # Each half of each coordinate has between a quarter and three quarters of the points.
    points = survey.points(dim)
    for k in range(dim):
        low = sum(point[k] < 0.5 for point in points)
        assert len(points) / 4 <= low <= 3 * len(points) / 4


def surveyed(*rates):
    state, config = opened(horizon=10**7)
    step = survey.step(state, config)
    return survey.advance(state, answers(step, [*rates, *[0.4] * (16 - len(rates))])), step


def test_the_best_point_becomes_the_reference():
    memory, step = surveyed(0.6, 0.7, 0.65)
    assert memory.reference == step[1].low
    assert memory.duels == 16 * 400


@pytest.mark.parametrize(("z", "moves"), [(1.9, False), (2.1, True)])
def test_a_point_must_beat_the_middle_by_two_sd(z, moves):
    memory, step = surveyed(0.5 + z * 0.5 / math.sqrt(400))
    assert memory.reference == (step[0].low if moves else (0.5, 0.5))


def test_where_no_point_is_better_the_middle_stays():
    assert surveyed(0.5)[0].reference == (0.5, 0.5)


def test_a_survey_that_refutes_the_slope_is_remembered():
    memory = memory_of((0.5,))
    tallies = [Tally(10**4, 9_000.0, (0.75,)), Tally(10**4, 5_000.0, (0.25,))]
    after = survey.advance(Survey(memory=memory), tallies)
    assert after.steepest == pytest.approx((0.4 - 6 * 0.005) / 0.25)
    assert (after.reference, after.duels, HORIZON) == ((0.75,), 20_000, memory.horizon_now)
