"""The direction of a gradient by comparisons without noise, and how many of them it takes."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from duelli.learners.descent.gradient_search import (
    after,
    check_estimate,
    complete,
    gradient,
    open_directions,
    opened,
)
from duelli.learners.descent.votes import Votes


def searched(slope, accuracy):
    """Return the direction that answers without mistakes lead to, and the number of tests."""
    dim, count = len(slope), 0
    estimate = opened(dim)
    while not complete(estimate, dim, accuracy):
        directions = open_directions(estimate, dim)
        count += len(directions)
        assert count < 1000, "the search does not end"
        estimate = after(estimate, [np.dot(slope, v) > 0 for v in directions], dim)
        check_estimate("estimate", estimate, dim, 0)
    return gradient(estimate, dim), count


entries = st.lists(st.floats(-1, 1), min_size=1, max_size=8)


@settings(max_examples=200, deadline=None)
@given(entries, st.sampled_from([0.5, 0.1, 0.01]))
def test_the_direction_is_found_with_few_comparisons(slope, accuracy):
    assume(max(map(abs, slope)) > 1e-3)
    n = len(slope)
    direction, count = searched(slope, accuracy)
    true = np.array(slope) / np.linalg.norm(slope)
    assert np.linalg.norm(np.array(direction) - true) <= accuracy
    bisections = max(0, math.ceil(math.log2(2 * math.sqrt(n) / accuracy)))
    assert count <= n + (n - 1) + (n - 1) * bisections


def test_the_tests_are_unit_vectors():
    estimate = after(opened(3), [True, False, True], 3)
    for _ in range(5):
        for v in open_directions(estimate, 3):
            assert np.linalg.norm(v) == pytest.approx(1)
        estimate = after(estimate, [True] * len(open_directions(estimate, 3)), 3)


def test_first_come_the_signs_then_the_largest_then_the_ratios():
    estimate = opened(2)
    assert open_directions(estimate, 2) == [(1.0, 0.0), (0.0, 1.0)]
    estimate = after(estimate, [True, False], 2)
    assert estimate.signs == (1, 0)
    assert open_directions(estimate, 2) == [pytest.approx((math.sqrt(0.5), math.sqrt(0.5)))]
    estimate = after(estimate, [False], 2)  # the second is larger
    assert (estimate.leader, estimate.low, estimate.high) == (1, (0.0,), (1.0,))
    length = math.sqrt(1.25)
    assert open_directions(estimate, 2) == [pytest.approx((-1 / length, -0.5 / length))]
    assert after(estimate, [True], 2).high == (0.5,)
    assert after(estimate, [False], 2).low == (0.5,)


def test_one_dimension_has_a_sign_only():
    estimate = after(opened(1), [False], 1)
    assert complete(estimate, 1, 0.1)
    assert gradient(estimate, 1) == (-1.0,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"signs": (1,)}, r"e.signs must be \(\) or 2 times 0 or 1"),
        ({"signs": (1, 2)}, r"e.signs must be \(\) or 2 times 0 or 1"),
        ({"leader": 2}, "e.leader and .rival must be entries of 2; got 2 and 1"),
        ({"rival": 3}, "e.leader and .rival must be entries of 2; got 0 and 3"),
        ({"rival": 0}, "e.leader and .rival must be entries of 2; got 0 and 0"),
        ({"low": (0.1,)}, r"e.low and .high must be 0 intervals of \[0, 1\]"),
        ({"votes": ()}, "e.votes must be 2 pairs of n and wins"),
        ({"votes": (Votes(n=9), Votes())}, "of at most 8 duels"),
        ({"votes": (Votes(n=2, wins=3.0), Votes())}, "with 0 to n wins"),
    ],
)
def test_an_estimate_that_cannot_be_is_refused(change, message):
    estimate = opened(2)
    broken = type(estimate)(
        **{name: getattr(estimate, name) for name in estimate.__slots__} | change
    )
    with pytest.raises(ValueError, match=message):
        check_estimate("e", broken, 2, 8)
