"""The means over cubes are off by far less than a block's own noise.

The collapsed engine draws the wins of n duels from Binomial(n, p). The largest standard deviation
of a win rate is 1 / (2 √n), and the error of p must stay below a hundredth of it, so that no test
on the wins could ever tell. The reference is a product rule on a grid that is not adapted to
anything: on cubes around the best arm, where the kinks are, its own error is below a tenth of
what is allowed.
"""

import math
from functools import lru_cache

import numpy as np
import pytest

from duelli import cubes
from duelli._arrays import lattice
from duelli.blocks import Block
from duelli.duels import DuelModel
from duelli.engines import Collapsed, _quadrature
from duelli.engines._quadrature import (
    FEW_NODES,
    MOST_NODES,
    NOISE_SHARE,
    Meshes,
    UnsettledError,
    most_nodes,
    tolerance_of,
)
from duelli.errors import DuelliError
from duelli.landscapes import LANDSCAPES, landscape
from duelli.links import LINKS

SHARE = 1 / 100
GRID = {2: (120, 5), 3: (16, 4), 4: (8, 3)}  # cells and nodes an axis
# (levels below the whole box, n); blocks grow as cubes shrink.
CASES = {
    2: [(0, 10**3), (0, 10**6), (2, 10**6), (2, 10**8), (4, 10**10)],
    3: [(0, 10**3), (2, 10**6)],
    4: [(0, 10**3), (2, 10**6)],
}
STEEP = "logistic:10"
PAIRS = [
    *((name, link) for name in LANDSCAPES for link in ("logistic", "linear", STEEP)),
    *(("two_cones", link) for link in ("probit", "arctan", "tanh")),
]


def test_every_link_is_among_the_pairs():
    assert set(LINKS) < {link for _, link in PAIRS}


@lru_cache(maxsize=4)
def product_rule(name, levels):
    """Return the cube around the best arm, and utilities and weights of many nodes in it."""
    chosen = LANDSCAPES[name]
    path = cubes.path_to(chosen.best_arm, levels)
    low, edge = cubes.low(path, chosen.dim), cubes.edge(path)
    cells, nodes = GRID[chosen.dim]
    ticks, weights = np.polynomial.legendre.leggauss(nodes)
    axis = ((np.arange(cells)[:, None] + (ticks + 1) / 2) / cells).ravel()
    arms = lattice(axis, chosen.dim)
    share = np.tile(weights / 2 / cells, cells)
    shares = lattice(share, chosen.dim).prod(axis=1)
    return low, edge, chosen.utility(np.array(low) + edge * arms), shares


@pytest.mark.slow
@pytest.mark.parametrize(("name", "link"), PAIRS)
def test_mean_win_prob_is_exact_to_a_hundredth_of_the_noise(name, link):
    model, chosen = DuelModel(name, link), LANDSCAPES[name]
    meshes, worst = Meshes(model), 0.0
    for levels, n in CASES[chosen.dim]:
        low, edge, utilities, shares = product_rule(name, levels)
        noise = 0.5 / math.sqrt(n)
        mesh = meshes.of(low, edge, NOISE_SHARE * noise)
        for reference in [(0.9,) * chosen.dim, (0.3, 0.45, 0.5, 0.5)[: chosen.dim]]:
            f_reference = chosen.utility_at(reference)
            truth = (model.link(utilities - f_reference) * shares).sum()
            p = mesh.mean_win_prob(f_reference, NOISE_SHARE * noise)
            worst = max(worst, abs(p - truth) / noise)
    assert worst <= SHARE


@pytest.mark.slow
@pytest.mark.parametrize("name", LANDSCAPES)
def test_mean_gap_is_exact_to_a_hundredth_of_the_noise(name):
    model, chosen = DuelModel(name), LANDSCAPES[name]
    meshes, worst = Meshes(model), 0.0
    for levels, n in CASES[chosen.dim]:
        low, edge, utilities, shares = product_rule(name, levels)
        noise = 0.5 / math.sqrt(n)
        truth = ((model.link(chosen.best_utility - utilities) - 0.5) * shares).sum()
        mesh = meshes.of(low, edge, NOISE_SHARE * noise)
        worst = max(worst, abs(mesh.mean_gap - truth) / noise)
    assert worst <= SHARE


@pytest.mark.slow
@pytest.mark.parametrize("name", LANDSCAPES)
def test_mean_weak_gap_is_exact_to_1e_4(name):
    # Its minimum has a kink of its own, to which no mesh is adapted; no draw depends on it.
    model, chosen = DuelModel(name), LANDSCAPES[name]
    meshes, worst = Meshes(model), 0.0
    for levels, n in CASES[chosen.dim]:
        low, edge, utilities, shares = product_rule(name, levels)
        gaps = model.link(chosen.best_utility - utilities) - 0.5
        mesh = meshes.of(low, edge, NOISE_SHARE * 0.5 / math.sqrt(n))
        for cap in (0.01, 0.05, 0.1):
            truth = (np.minimum(gaps, cap) * shares).sum()
            worst = max(worst, abs(mesh.mean_weak_gap(cap) - truth))
    assert worst <= 1e-4


def test_a_mean_does_not_depend_on_what_was_asked_before():
    model = DuelModel("two_peaks")
    cube, tolerance = ((0.0, 0.0), 1.0), 1e-6
    fresh = Meshes(model).of(*cube, tolerance).mean_win_prob(0.9, tolerance)
    used = Meshes(model)
    for f_reference in np.linspace(0.5, 1.0, 20):
        used.of(*cube, 1e-9).mean_win_prob(f_reference, 1e-9)
        used.of(*cube, tolerance).mean_win_prob(f_reference, tolerance)
    assert used.of(*cube, tolerance).mean_win_prob(0.9, tolerance) == fresh


def test_a_trial_does_not_depend_on_the_trials_before_it():
    shared = DuelModel("two_peaks")
    blocks = [Block((0.5, 0.5), 0.25, (x, x), 10**9) for x in (0.1, 0.4, 0.9)]
    for seed in range(4):
        engine = Collapsed(shared, seed=seed)
        used = [engine.play(block) for block in blocks]
    engine = Collapsed(DuelModel("two_peaks"), seed=3)
    assert [engine.play(block) for block in blocks] == used


def test_meshes_are_forgotten_beyond_a_fixed_amount_of_memory(monkeypatch):
    monkeypatch.setattr(_quadrature, "KEPT_NODES", 2000)
    meshes = Meshes(DuelModel("sharp"))
    for i in range(64):
        meshes.of((i / 64, 0.0), 1 / 64, 1e-3)
    assert sum(mesh.utilities.size for mesh in meshes._kept.values()) <= 2000


def test_a_mesh_that_is_kept_is_not_made_again():
    meshes = Meshes(DuelModel("sharp"))
    assert meshes.of((0.0, 0.0), 0.5, 1e-4) is meshes.of((0.0, 0.0), 0.5, 1.1e-4)


def test_a_utility_that_is_too_rough_is_refused():
    stripes = landscape(lambda x: np.sign(np.sin(1e5 * x[:, 0])) / 2, 1, best_arm=(1e-6,))
    with pytest.raises(DuelliError, match="too rough for the collapsed engine; use per_duel"):
        Meshes(DuelModel(stripes)).of((0.0,), 1.0, 1e-7)


@pytest.mark.parametrize("dim", [5, 8])
def test_a_mean_that_takes_more_nodes_than_the_block_has_duels_is_given_up(dim):
    kinks = tuple(0.1 + 0.77 * i / dim for i in range(dim))
    model = DuelModel(landscape(lambda x: -abs(x - kinks).sum(axis=1), dim, best_arm=kinks))
    with pytest.raises(UnsettledError):
        Meshes(model).of((0.0,) * dim, 1.0, tolerance_of(1000))


def test_a_mesh_may_have_as_many_nodes_as_its_block_has_duels_within_limits():
    worth = [most_nodes(tolerance_of(n)) for n in (1, 1000, 10**6, 10**12)]
    assert worth == [FEW_NODES, FEW_NODES, pytest.approx(10**6, abs=1), MOST_NODES]


def test_a_mean_that_was_given_up_is_not_tried_again():
    evaluated = []

    def stripes(x):
        evaluated.append(len(x))
        return np.sign(np.sin(1e5 * x[:, 0])) / 2

    meshes = Meshes(DuelModel(landscape(stripes, 1, best_arm=(1e-6,))))
    for _ in range(2):
        with pytest.raises(UnsettledError):
            meshes.of((0.0,), 1.0, tolerance_of(100))
        seen, evaluated[:] = sum(evaluated), []
    assert seen == 0


@pytest.mark.parametrize("name", LANDSCAPES)
def test_the_mean_of_a_small_block_settles_on_every_landscape_of_the_paper(name):
    chosen = LANDSCAPES[name]
    meshes = Meshes(DuelModel(name, STEEP))
    mesh = meshes.of((0.0,) * chosen.dim, 1.0, tolerance_of(300))
    assert 0 < mesh.mean_win_prob(chosen.best_utility, tolerance_of(300)) < 0.5
