"""LandscapeKit: what every landscape must hold to."""

from typing import Any

import numpy as np
import pytest

from duelli import _rng
from duelli._arrays import lattice
from duelli.landscapes import Landscape

ROUNDING = 1e-9


class LandscapeKit:
    """Subclass it and give it a ``landscape`` fixture.

    class TestMyLandscape(LandscapeKit):
        @pytest.fixture
        def landscape(self):
            return duelli.landscape(my_utility, dim=2, lipschitz=1.5)
    """

    def test_its_utility_is_finite(self, landscape: Landscape) -> None:
        assert np.isfinite(landscape.utility(_arms(landscape.dim))).all()

    def test_its_best_arm_lies_in_the_box(self, landscape: Landscape) -> None:
        assert len(landscape.best_arm) == landscape.dim
        assert all(0 <= entry <= 1 for entry in landscape.best_arm)

    def test_no_arm_is_better_than_its_best_arm(self, landscape: Landscape) -> None:
        best = landscape.utility(_arms(landscape.dim)).max()
        assert best <= landscape.utility_at(landscape.best_arm) + ROUNDING

    def test_its_best_utility_is_that_of_its_best_arm(self, landscape: Landscape) -> None:
        assert landscape.best_utility == pytest.approx(landscape.utility_at(landscape.best_arm))

    def test_its_lipschitz_constant_bounds_all_difference_quotients(
        self, landscape: Landscape
    ) -> None:
        assert _quotients(landscape).max() <= landscape.lipschitz + ROUNDING

    def test_one_arm_and_many_agree(self, landscape: Landscape) -> None:
        arms = _arms(landscape.dim)[::17]
        one_by_one = [landscape.utility_at(tuple(arm)) for arm in arms.tolist()]
        assert one_by_one == pytest.approx(landscape.utility(arms).tolist(), abs=1e-12)

    def test_the_utility_of_one_arm_is_a_float(self, landscape: Landscape) -> None:
        assert type(landscape.utility_at(landscape.best_arm)) is float

    def test_its_box_has_its_dimension(self, landscape: Landscape) -> None:
        assert landscape.box.dim == landscape.dim

    def test_its_zooming_dimension_is_at_most_its_dimension(self, landscape: Landscape) -> None:
        assert 0 <= landscape.zooming_dim <= landscape.dim


def _arms(dim: int) -> Any:
    """Return a grid with the corners and the centre on it, and as many random arms."""
    rng = _rng.stream(0, "arms")
    side = max(3, 2 * int(5000 ** (1 / dim) / 2) + 1)
    grid = lattice(np.linspace(0, 1, side), dim)
    return np.concatenate([grid, rng.random(grid.shape)])


def _quotients(landscape: Landscape) -> Any:
    """Return abs(f(x) - f(y)) / max_i abs(x_i - y_i) for pairs far apart, near, and diagonal."""
    rng = _rng.stream(1, "arms")
    count, dim = 20_000, landscape.dim
    x = rng.random((count, dim))
    signs = rng.choice([-1.0, 1.0], (count, dim))  # a diagonal step is the steepest for many
    steps = np.where(rng.random((count, 1)) < 0.5, signs, rng.uniform(-1, 1, (count, dim)))
    y = np.clip(x + 10 ** rng.uniform(-4, 0, (count, 1)) * steps, 0.0, 1.0)
    distance = np.abs(x - y).max(axis=1)
    apart = distance > 1e-6  # nearer ones would show rounding, not slope
    difference = np.abs(landscape.utility(x) - landscape.utility(y))
    return difference[apart] / distance[apart]
