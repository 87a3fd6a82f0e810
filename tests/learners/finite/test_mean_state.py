"""The duels of Beat-the-Mean that count."""

from copy import copy

import numpy as np
import pytest

from duelli.learners.finite.mean_state import MeanState


def state(**changes):
    n = np.array([[1.0, 2, 0], [1, 0, 0], [0, 0, 0]])
    wins = np.array([[0.5, 2, 0], [0, 0, 0], [0, 0, 0]])
    return MeanState(**{"duels": 4, "left": (0, 1), "n": n, "wins": wins, **changes})


def test_the_rates_are_wins_by_duels_and_one_half_without_any():
    found = state(left=(0, 1, 2))
    assert found.rates.tolist() == [2.5 / 3, 0.0, 0.5]
    assert found.extremes() == (0.0, 2.5 / 3, 0.0)


def test_only_arms_that_are_left_count_for_the_extremes():
    assert state().extremes() == (0.0, 2.5 / 3, 1.0)


def test_a_copy_does_not_change_with_its_original():
    first = state()
    second = copy(first)
    first.add(0, 1, 1.0)
    assert (first.n[0, 1], second.n[0, 1]) == (3, 2)
    assert (first.totals[0], second.totals[0]) == (4, 3)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n": np.zeros((2, 3))}, "state.n must have as many rows as columns"),
        ({"wins": np.zeros((2, 2))}, "state.wins must be at most state.n"),
        ({"wins": np.full((3, 3), 9.0)}, "state.wins must be at most state.n"),
        ({"left": ()}, "state.left must name different arms below 3 in order"),
        ({"left": (1, 0)}, "state.left must name different arms below 3 in order"),
        ({"left": (0, 3)}, "state.left must name different arms below 3 in order"),
        ({"left": (0,)}, "state.n must be 0 for arms that are not in state.left"),
    ],
)
def test_what_cannot_be_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        state(**changes)
