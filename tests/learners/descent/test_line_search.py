"""The halving of an interval by two comparisons."""

import pytest

from duelli.learners.descent.line_search import begun, narrowed
from duelli.learners.descent.votes import Votes


def test_a_search_begins_with_the_whole_axis():
    state = begun(5, 2, (0.1, 0.9))
    assert (state.duels, state.searches, state.point) == (5, 2, (0.1, 0.9))
    assert (state.low, state.high, state.left, state.right) == (0.0, 1.0, Votes(), Votes())


@pytest.mark.parametrize(
    ("left", "right", "half"),
    [
        (1.0, None, (0.0, 0.5)),
        (1.0, 1.0, (0.0, 0.5)),
        (None, 1.0, (0.5, 1.0)),
        (0.0, 1.0, (0.5, 1.0)),
        (0.5, 1.0, (0.5, 1.0)),
        (0.0, 0.0, (0.25, 0.75)),
        (0.5, 0.5, (0.25, 0.75)),
        (0.5, 0.0, (0.25, 0.75)),
        (None, 0.0, None),
        (0.5, None, None),
        (None, None, None),
    ],
)
def test_the_verdicts_leave_one_half(left, right, half):
    assert narrowed(0.0, 1.0, left, right) == half
