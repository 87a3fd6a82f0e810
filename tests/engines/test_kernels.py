"""The compiled loop against its twin in NumPy, word for word."""

import numpy as np
import pytest

from duelli import _rng
from duelli.engines import _draws, _series
from duelli.links import LINKS

njit = pytest.importorskip("numba").njit
from duelli.engines import _kernels  # noqa: E402 (it imports numba)

KEY = _rng.key(3, "engine")
LOGISTIC = LINKS["logistic"]
F_REFERENCE, F_BEST, GAP_REFERENCE = 0.2, 1.0, 0.002  # a gap that caps some duels


def bowl(x):
    total = 1.0
    for entry in x:
        total -= 0.3 * (entry - 0.4) ** 2
    return total


def run(dim, n, reach=1.0, key=KEY, edge=0.5):
    series = _series.fit(LOGISTIC, reach)
    loop = _kernels.loop(bowl, dim, len(series.terms))
    low = (0.25,) * dim
    return loop(
        np.uint64(key), n, low, edge, F_REFERENCE, GAP_REFERENCE, F_BEST, series.terms, reach
    )


def twin(dim, n, edge=0.5):
    uniforms = _draws.uniforms(KEY, 0, n, dim + 1)
    f = np.array([bowl(tuple(0.25 + edge * row)) for row in uniforms[:, :dim]])
    gaps = LOGISTIC(F_BEST - f) - 0.5
    wins = np.count_nonzero(uniforms[:, dim] < LOGISTIC(f - F_REFERENCE))
    return wins, gaps.sum(), np.minimum(gaps, GAP_REFERENCE).sum()


@pytest.mark.parametrize("dim", [1, 2, 3, 6])
def test_wins_are_those_of_the_twin(dim):
    assert run(dim, 1000)[0] == twin(dim, 1000)[0]


@pytest.mark.parametrize("dim", [1, 2, 3, 6])
def test_regrets_are_those_of_the_twin(dim):
    assert run(dim, 1000)[1:3] == pytest.approx(twin(dim, 1000)[1:], rel=1e-12)


def test_a_single_arm_is_fought_over_too():
    assert run(2, 50, edge=0.0)[0] == twin(2, 50, edge=0.0)[0]


def test_no_duels_are_beyond_a_series_that_is_wide_enough():
    assert run(2, 1000)[3] == 0


def test_all_duels_are_beyond_a_series_that_is_too_narrow():
    # f(x) - f(reference) is 0.6 at the least.
    assert run(2, 1000, reach=0.5)[3] == 1000


def test_two_halves_of_a_block_add_up_to_the_whole():
    shifted = (KEY + 400 * 3 * _rng.GOLDEN) % _rng.WORD
    halves = run(2, 400)[0] + run(2, 600, key=shifted)[0]
    assert halves == run(2, 1000)[0]


def test_a_loop_is_compiled_once():
    assert _kernels.loop(bowl, 2, 5) is _kernels.loop(bowl, 2, 5)


def test_a_compiled_utility_is_taken_as_it_is():
    utility = njit(bowl)
    assert _kernels.compiled(utility) is utility
