"""The lattice: every combination of its ticks, once, in lexicographic order."""

from itertools import product

import numpy as np
import pytest

from duelli._arrays import lattice


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_a_lattice_has_every_combination_in_order(dim):
    ticks = [0.0, 0.25, 1.0]
    assert lattice(ticks, dim).tolist() == [list(point) for point in product(ticks, repeat=dim)]


def test_in_no_dimension_there_is_one_point():
    assert lattice(np.linspace(0, 1, 5), 0).shape == (1, 0)
