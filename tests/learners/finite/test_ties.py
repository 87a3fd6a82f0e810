"""Ties are broken uniformly, and by the given word."""

from collections import Counter

import numpy as np
import pytest

from duelli.learners.finite.ties import largest, one_of, smallest


@pytest.mark.parametrize(("choose", "tied"), [(largest, {1, 3}), (smallest, {0, 2, 4})])
def test_only_extreme_values_are_chosen_and_each_equally_often(choose, tied):
    values = np.array([0.0, 2.0, 0.0, 2.0, 0.0])
    found = Counter(choose(values, 7, index) for index in range(3000))
    assert set(found) == tied
    # A deviation of 5 standard deviations has chance < 1e-6.
    assert all(abs(count - 3000 / len(tied)) < 5 * 27.4 for count in found.values())


def test_the_same_word_gives_the_same_choice():
    values = np.zeros(100)
    assert largest(values, 3, 5) == largest(values, 3, 5) == smallest(values, 3, 5)
    assert one_of(np.array([4]), 0, 0) == 4
