"""The choice of the grid, which all learners for finitely many arms share."""

import pytest

import duelli
from duelli.learners import LEARNERS
from duelli.learners.finite import InterleavedFilter, Rucb, VersatileDb
from duelli.learners.finite.grids import GridConfig, match_arc, pairs_of, theory

ON_A_GRID = [name for name, kind in LEARNERS.items() if issubclass(kind.Config, GridConfig)]


def test_nine_learners_and_the_filter_have_a_grid():
    assert len(ON_A_GRID) == 10


@pytest.mark.parametrize(
    ("horizon", "cells"),
    [(10**4, [11, 6, 5, 4]), (10**6, [42, 17, 10, 7]), (10**8, [176, 49, 23, 14])],
)
def test_the_theory_has_the_printed_values(horizon, cells):
    assert [theory(dim, horizon) for dim in (1, 2, 3, 4)] == cells


@pytest.mark.parametrize("horizon", [1, 2, 3])
def test_the_theory_has_two_cells_at_least(horizon):
    assert theory(1, horizon) == theory(8, horizon) == 2


def test_the_papers_baseline_has_16_cells():
    assert match_arc(2, 10**8) == 16
    assert match_arc(2, 1) == 1


@pytest.mark.parametrize(
    ("dim", "horizon"), [(1, 10**4), (1, 10**6), (2, 10**5), (2, 10**6), (3, 10**6)]
)
def test_it_matches_the_last_round_that_arc_duelli_completes(dim, horizon):
    names = {1: "sharp", 2: "two_cones", 3: "two_cones_3d"}
    model = duelli.DuelModel(
        names[dim] if dim > 1 else duelli.landscape(lambda xs: -xs[:, 0], 1, best_arm=(0.0,))
    )
    learner = duelli.ArcDuelli(dim=dim, horizon=horizon, slope_max=0.25)
    rounds = duelli.simulate(learner, model).rounds_done
    assert match_arc(dim, horizon) == 2 ** (rounds - 1)


@pytest.mark.parametrize("dim", range(1, 9))
@pytest.mark.parametrize("horizon", [1, 10, 1000, 10**5, 10**8])
@pytest.mark.parametrize("cells", ["match_arc", "theory"])
def test_all_pairs_take_a_tenth_of_the_duels_at_most(dim, horizon, cells):
    config = Rucb.Config(dim=dim, horizon=horizon, cells=cells)
    arms = config.grid.num_arms
    assert 10 * pairs_of(arms) <= horizon
    assert arms <= 1024
    wish = {"match_arc": match_arc, "theory": theory}[cells](dim, horizon)
    more = (config.cells + 1) ** dim
    assert config.cells == wish or 10 * pairs_of(more) > horizon or more > 1024


def test_an_explicit_number_is_not_limited_by_the_pairs():
    assert Rucb.Config(dim=2, horizon=10, cells=20).grid.num_arms == 400


def test_a_learner_that_needs_no_pairs_has_as_many_cells_as_the_theory_says():
    assert VersatileDb.Config(dim=4, horizon=10**4).cells == 4
    assert Rucb.Config(dim=4, horizon=10**4).cells == 2


def test_a_named_choice_is_never_refused():
    assert VersatileDb.Config(dim=30, horizon=100).cells == 1


def test_the_choice_is_made_once():
    learner = VersatileDb(dim=2, horizon=1000, cells="theory")
    cells = learner.config.cells
    assert isinstance(cells, int)
    learner.extend(10**8)
    assert learner.config.cells == learner.grid.cells == cells


@pytest.mark.parametrize("name", ON_A_GRID)
def test_every_learner_takes_the_shared_inputs(name):
    learner = LEARNERS[name].from_inputs(
        {"dim": 2, "horizon": 10**5, "cells": "match_arc", "jitter": 0.5, "seed": 3}
    )
    assert learner.grid.cells == match_arc(2, 10**5) == 4
    assert learner.grid.shift != ()


def test_without_jitter_the_arms_are_the_centres():
    assert VersatileDb(dim=1, horizon=10, cells=2).arm(0) == (0.25,)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("cells", [1, 2, 7])
def test_a_shifted_grid_lies_in_the_box_and_every_arm_in_its_cell(seed, cells):
    learner = VersatileDb(dim=3, horizon=10, cells=cells, jitter=0.999, seed=seed)
    for index in range(learner.num_arms):
        arm = learner.arm(index)
        assert all(0 <= x <= 1 for x in arm)
        assert learner.grid.index(arm) == index


def test_the_shift_is_as_large_as_the_jitter_allows():
    shifts = [
        share
        for seed in range(100)
        for share in VersatileDb.Config(
            dim=2, horizon=10, cells=4, jitter=0.4, seed=seed
        ).grid.shift
    ]
    assert -0.2 <= min(shifts) < -0.18  # of 200 none is that low with chance 0.95^200 < 1e-4
    assert 0.18 < max(shifts) <= 0.2


def test_a_shift_separates_arms_that_tie_exactly():
    model = duelli.DuelModel(duelli.landscape(lambda xs: -abs(xs[:, 0] - 0.5), 1, best_arm=(0.5,)))
    centred, shifted = (VersatileDb(dim=1, horizon=10, cells=4, jitter=j) for j in (0.0, 0.5))
    assert float(model.win_prob(centred.arm(1), centred.arm(2))) == 0.5
    assert float(model.win_prob(shifted.arm(1), shifted.arm(2))) != 0.5


def test_the_filter_keeps_its_16_cells_and_its_seed():
    learner = InterleavedFilter(dim=2, horizon=10**6, seed=5)
    assert learner.grid.cells == 16
    assert learner.grid.shift == ()
    assert InterleavedFilter(dim=2, horizon=10**8, cells="match_arc").grid.cells == 16


@pytest.mark.parametrize(("dim", "cells"), [(1, 16), (4, 16), (5, 15), (6, 10), (8, 5)])
def test_the_filter_has_fewer_cells_where_16_make_too_many_arms(dim, cells):
    assert InterleavedFilter.Config(dim=dim, horizon=10**8).cells == cells


@pytest.mark.parametrize(("horizon", "cells"), [(1, 1), (63, 3), (64, 4), (4095, 15), (4096, 16)])
def test_the_filter_has_no_more_arms_than_duels(horizon, cells):
    assert InterleavedFilter.Config(dim=3, horizon=horizon).cells == cells


@pytest.mark.parametrize(
    ("inputs", "error", "message"),
    [
        ({"cells": 0}, ValueError, "cells must be a whole number of at least 1; got 0"),
        (
            {"cells": "many"},
            ValueError,
            "cells must be one of match_arc, paper, theory; got 'many'",
        ),
        ({"cells": None}, TypeError, "cells must be a whole number of at least 1; got None"),
        ({"cells": 1001}, ValueError, r"cells must make at most 1000000 arms; got 1001\^2"),
        ({"jitter": 1.0}, ValueError, r"jitter must lie in \[0, 1\); got 1.0"),
        ({"jitter": -0.1}, ValueError, r"jitter must lie in \[0, 1\); got -0.1"),
        ({"jitter": "x"}, TypeError, "jitter must be a number; got 'x'"),
        ({"dim": 0}, ValueError, "dim must be a whole number of at least 1; got 0"),
        ({"horizon": 0}, ValueError, "horizon must be a whole number of at least 1; got 0"),
        ({"seed": -1}, ValueError, "seed must be a whole number of at least 0; got -1"),
    ],
)
def test_says_what_is_wrong_with_an_input(inputs, error, message):
    with pytest.raises(error, match=message):
        VersatileDb(**{"dim": 2, "horizon": 100, **inputs})
