"""Log-Li against a recursive transcription of its walk, and its memory."""

import math

import pytest

from duelli.learners.scalar.log_li import LogLi

from .rewards import cone


class NotEnoughError(Exception):
    """The next cube does not fit into the horizon."""


def recursive(dim, horizon, mean, const=16.0, threshold=4.0):
    """Return the blocks of Log-Li without noise, and its rounds, by plain recursion."""
    blocks, left = [], horizon

    def sample(low, edge):
        nonlocal left
        n = max(1, math.ceil(const * math.log(horizon) / edge**2))
        if n > left:
            raise NotEnoughError
        left -= n
        blocks.append((low, edge, n))
        return mean(tuple(a + edge / 2 for a in low))

    def walk(low, edge, levels, last):
        found = sample(low, edge)
        if levels == 0:
            return [(found, low, edge)]
        if last is not None and last[0] - found > threshold * edge:
            return []
        children = [
            tuple(a + edge / 2 * (child >> (dim - 1 - i) & 1) for i, a in enumerate(low))
            for child in range(2**dim)
        ]
        return [best for child in children for best in walk(child, edge / 2, levels - 1, last)]

    last, rounds = None, 0
    try:
        while found := walk((0.0,) * dim, 1.0, rounds, last):
            last, rounds = max(found, key=lambda each: each[0]), rounds + 1
    except NotEnoughError:
        pass
    _, low, edge = last or (0, (0.0,) * dim, 1.0)
    return [*blocks, (low, edge, left)] if left else blocks, rounds


def walked(learner, mean):
    """Return the blocks of a learner without noise."""
    blocks = []
    while (pulls := learner.pull_many(10**18)) is not None:
        blocks.append(tuple(pulls))
        centre = tuple(a + pulls.edge / 2 for a in pulls.low)
        learner.update_many(mean(centre) * pulls.n, pulls.n)
    return blocks


@pytest.mark.parametrize("inputs", [{}, {"const": 0.02, "threshold": 0.77}, {"const": 1e-3}])
@pytest.mark.parametrize(("dim", "horizon"), [(1, 20_000), (2, 20_000), (3, 50_000), (2, 100)])
def test_it_walks_as_a_plain_recursion_does(dim, horizon, inputs):
    blocks, _ = recursive(dim, horizon, cone, **inputs)
    assert walked(LogLi(dim=dim, horizon=horizon, **inputs), cone) == blocks


@pytest.mark.parametrize(("dim", "rounds", "pulls"), [(1, 3, 13_157), (2, 2, 2_854)])
def test_the_rounds_of_twenty_thousand_pulls(dim, rounds, pulls):
    assert recursive(dim, 20_000, cone)[1] == rounds
    learner, done = LogLi(dim=dim, horizon=20_000), 0
    while learner.state()["phase"] == "walk" and learner.state()["round"] <= rounds:
        block = learner.pull_many(10**18)
        learner.update_many(block.n / 2, block.n)
        done = learner.pulls
    assert done == pulls


def test_the_rest_of_the_horizon_goes_to_the_best_cube_of_the_last_round():
    *_, (low, edge, _) = walked(LogLi(dim=1, horizon=20_000), cone)
    assert (low, edge) == ((0.25,), 0.25)


def test_cubes_that_fall_short_are_not_divided():
    visited = {}
    for _, edge, _ in walked(LogLi(dim=1, horizon=10**7, const=0.01, threshold=0.5), cone):
        visited[edge] = visited.get(edge, 0) + 1
    assert visited[2.0**-7] < 2**7


def test_a_round_without_a_best_cube_ends_the_walk():
    # The root's mean is far below that of the last round, so that nothing is divided.
    learner = LogLi(dim=1, horizon=1000, const=0.01, threshold=1e-3)
    means = iter([0.9, 0.5])
    first = learner.pull_many(1000)
    learner.update_many(next(means) * first.n, first.n)
    again = learner.pull_many(1000)
    learner.update_many(next(means) * again.n, again.n)
    assert learner.state()["phase"] == "cleanup"


def test_its_memory_grows_like_the_logarithm_of_the_horizon():
    bits = []
    for exponent in (4, 8, 12, 16):
        learner = LogLi(dim=2, horizon=10**exponent)
        most = 0
        for _ in range(3000):
            if (pulls := learner.pull_many(10**18)) is None:
                break
            learner.update_many(pulls.n / 2, pulls.n)
            most = max(most, learner.state_bits())
        bits.append(most)
    assert bits[-1] < 2 * bits[0]


def test_before_the_first_round_it_recommends_the_middle():
    assert LogLi(dim=2, horizon=100).recommend() == (0.5, 0.5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"path": [0]}, r"state\.round must be above 1, the length of state\.path"),
        ({"round": 9}, r"and at most 1; got 9"),
        ({"last": {"mean": 2, "path": []}}, r"state\.last\.mean must lie in \[0, 1\]; got 2"),
        ({"path": [0] * 9, "round": 10, "pulls": 20}, "a cube whose pulls fit in the horizon"),
    ],
)
def test_a_state_that_cannot_be_is_refused(change, message):
    learner = LogLi(dim=2, horizon=20_000)
    with pytest.raises(ValueError, match=message):
        LogLi.from_state(learner.config, {**learner.state(), **change})
