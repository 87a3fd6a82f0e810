"""per_duel: which way it plays, and what it does when its series does not suffice."""

import math

import numpy as np
import pytest
from numba import njit

from duelli.blocks import Block
from duelli.duels import DuelModel
from duelli.engines import PerDuel, per_duel
from duelli.landscapes import LANDSCAPES, landscape

BOX = Block((0.0,), 1.0, (0.5,), 20_000)


def by_numpy(model, seed=0):
    engine = PerDuel(model, seed=seed)
    engine._series = None
    return engine


@pytest.mark.parametrize("name", sorted(set(LANDSCAPES) - {"two_cones_scaled"}))
def test_the_paper_s_landscapes_are_compiled(name):
    assert PerDuel(DuelModel(name))._series is not None


def test_the_scaled_box_is_left_to_numpy():
    # Its differences reach 6, too far out for a short polynomial.
    assert PerDuel(DuelModel("two_cones_scaled"))._series is None


def test_a_vectorised_utility_is_left_to_numpy():
    assert PerDuel(DuelModel(landscape(lambda x: x[:, 0], 1, best_arm=(1.0,))))._series is None


def test_a_steep_link_is_left_to_numpy():
    assert PerDuel(DuelModel("two_cones", "logistic:100"))._series is None


def test_a_flat_utility_is_left_to_numpy():
    level = landscape(njit(lambda x: 0.0 * x[0]), 1, best_arm=(0.5,))
    assert PerDuel(DuelModel(level))._series is None


def test_a_steep_link_is_played():
    block = Block((0.75, 0.75), 0.25, (0.3, 0.1), 1000)
    assert PerDuel(DuelModel("two_cones", "logistic:100")).play(block).tally.wins == 0


@njit
def trench(x):
    """Deep between the points of the coarse grid that the reach is taken from."""
    return -1.0 if abs(x[0] - 0.50200) < 2e-4 else -((x[0] - 0.3) ** 2)


TRENCH = DuelModel(landscape(trench, 1, best_arm=(0.3,), lipschitz=2.0))


def test_a_reach_that_was_too_short_grows():
    engine = PerDuel(TRENCH)
    before = engine._series.reach
    engine.play(BOX)
    assert engine._series.reach > before


def test_the_duels_are_the_same_after_the_reach_has_grown():
    one, two = PerDuel(TRENCH, seed=1), by_numpy(TRENCH, seed=1)
    assert one.play(BOX).tally == two.play(BOX).tally


def test_the_regret_is_the_same_after_the_reach_has_grown():
    one, two = PerDuel(TRENCH, seed=1), by_numpy(TRENCH, seed=1)
    assert one.play(BOX).regret == pytest.approx(two.play(BOX).regret, rel=1e-12)


def test_a_reach_beyond_every_series_is_left_to_numpy():
    @njit
    def chasm(x):
        return -500.0 if abs(x[0] - 0.50200) < 2e-4 else 2.0 * x[0]

    model = DuelModel(landscape(chasm, 1, best_arm=(1.0,), lipschitz=500.0))
    engine = PerDuel(model, seed=1)
    assert (engine.play(BOX).tally, engine._series) == (by_numpy(model, 1).play(BOX).tally, None)


@pytest.mark.parametrize("value", [math.nan, -math.inf])
def test_a_utility_that_is_not_finite_is_named(value):
    @njit
    def broken(x):
        return value if abs(x[0] - 0.50200) < 2e-4 else 2.0 * x[0]

    engine = PerDuel(DuelModel(landscape(broken, 1, best_arm=(1.0,))))
    with pytest.raises(ValueError, match=rf"utility must be finite; got {value} at \(0\.50[12]"):
        engine.play(BOX)


def test_the_duels_go_on_where_the_last_block_ended():
    model = DuelModel("sharp")
    one, two = PerDuel(model, seed=2), PerDuel(model, seed=2)
    halves = [one.play(Block((0.0, 0.0), 1.0, (0.9, 0.9), 500)) for _ in range(2)]
    whole = two.play(Block((0.0, 0.0), 1.0, (0.9, 0.9), 1000))
    assert sum(half.tally.wins for half in halves) == whole.tally.wins


def test_chunks_do_not_change_the_duels(monkeypatch):
    model = DuelModel("sharp")
    block = Block((0.0, 0.0), 1.0, (0.9, 0.9), 1000)
    whole = by_numpy(model).play(block)
    monkeypatch.setattr(per_duel, "CHUNK", 64)
    assert by_numpy(model).play(block).tally == whole.tally


def test_the_witness_is_one_of_the_arms():
    model = DuelModel("sharp")
    engine = PerDuel(model)
    block = Block((0.5, 0.25), 0.25, (0.9, 0.9), 100)
    arms = engine._arms(block, 0, 100)[0]
    assert list(engine.play(block).tally.witness) in arms.tolist()


def test_each_place_of_a_block_may_be_the_witness_s():
    engine = PerDuel(DuelModel("sharp"))
    block, places = Block((0.0, 0.0), 1.0, (0.9, 0.9), 4), set()
    for _ in range(100):
        arms = engine._arms(block, engine.duels, 4)[0].tolist()
        places.add(arms.index(list(engine.play(block).tally.witness)))
    assert places == {0, 1, 2, 3}


def test_the_first_reach_covers_what_a_grid_shows():
    model = DuelModel("two_cones")
    corners = np.array([(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)])
    spread = model.landscape.best_utility - model.landscape.utility(corners).min()
    assert PerDuel(model)._series.reach >= spread
