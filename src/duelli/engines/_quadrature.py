"""Means over cubes of a function of the utility, to a given accuracy.

A cube is cut into cells. Each cell has a Gauss rule over the whole of it and one over its halves;
their difference estimates the error, and the cells with large errors are halved until the sum is
small enough. The utilities at the nodes do not depend on the reference, so they are kept. What is
kept never depends on earlier calls: the result of a trial is a function of its seed alone.

A mean that takes more nodes than the block has duels is given up: playing the duels is cheaper.
Whether it is given up depends on the cube, the reference and the tolerance alone, too.
"""

import math
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from duelli._arrays import Array, lattice
from duelli.cubes import Arm
from duelli.duels import DuelModel
from duelli.errors import DuelliError
from duelli.landscapes import Landscape
from duelli.links import Link

NODES = {1: 8, 2: 5, 3: 3, 4: 3}  # Gauss nodes per axis, by dimension; 2 in higher ones
MOST_DIM = 8  # in nine dimensions a single cell has more than 250,000 nodes
# The error of p is at most this share of the largest standard deviation of a win rate, 1/(2 √n).
NOISE_SHARE = 1 / 200
FEW_NODES = 1 << 15  # a mesh may have as many however small the block is, since it may serve again
MOST_NODES = 10_000_000  # and never more than this,
MOST_CELLS = 80_000  # nor more cells, which are slow to refine even if each has few nodes
KEPT_NODES = 1_000_000  # some 16 MB of utilities and gaps, whatever the horizon
UNSETTLED_NODES = 64  # what the note that a mean was given up counts among them
PROBES = 3  # references for which a mesh is made fine enough before it is kept


class UnsettledError(DuelliError):
    """The mean over a cube takes more nodes than it is worth."""

    def __init__(self) -> None:
        super().__init__(
            "the mean over a cube did not settle: the utility is too rough for the collapsed "
            "engine; use per_duel"
        )


def tolerance_of(n: int) -> float:
    """Return the error that the mean win probability of a block of ``n`` duels may have."""
    return NOISE_SHARE * 0.5 / math.sqrt(n)


def most_nodes(tolerance: float) -> int:
    """Return how many nodes a mean is worth: as many as its block has duels, within limits."""
    duels = (NOISE_SHARE * 0.5 / tolerance) ** 2
    return int(min(max(duels, FEW_NODES), MOST_NODES))


class Rule:
    """The two Gauss rules of a cell: nodes in [0, 1]^dim, shape (nodes, dim), and weights."""

    def __init__(self, dim: int) -> None:
        ticks, weights = np.polynomial.legendre.leggauss(NODES.get(dim, 2))
        whole, shares = lattice((ticks + 1) / 2, dim), lattice(weights / 2, dim).prod(axis=1)
        self.corners = lattice([0.0, 0.5], dim)
        halves = (self.corners[:, None, :] + whole / 2).reshape(-1, dim)
        self.nodes = np.concatenate([halves, whole])
        self.fine = len(halves)
        # Column 0 is the rule over the halves, column 1 that rule less the one over the whole.
        self.weights = np.zeros((len(self.nodes), 2))
        self.weights[: self.fine] = (np.tile(shares, 2**dim) / 2**dim)[:, None]
        self.weights[self.fine :, 1] = -shares


class Truth(NamedTuple):
    """What a mesh needs of a model.

    Meshes are kept as long as their model; one that held the model would keep it alive forever.
    """

    landscape: Landscape
    link: Link


class Mesh:
    """Cells of one cube, with the utilities and the gaps to the best arm at their nodes.

    Args:
        truth: What is known of the model.
        rule: The nodes of a cell.
        lows: The cells' corners nearest to the origin, shape (cells, dim).
        edges: The cells' edges, shape (cells,).
        utilities: The utilities at the nodes, shape (cells, nodes).
        budget: The number of nodes up to which it may be refined.
    """

    def __init__(
        self, truth: Truth, rule: Rule, lows: Array, edges: Array, utilities: Array, budget: int
    ) -> None:
        self.truth, self.rule, self.budget = truth, rule, budget
        self.lows, self.edges, self.utilities = lows, edges, utilities
        volumes = edges ** lows.shape[1]
        self.shares = volumes / volumes.sum()

    @classmethod
    def of_cube(cls, truth: Truth, rule: Rule, low: Arm, edge: float, budget: int) -> "Mesh":
        """Return the mesh with the cube as its one cell."""
        if len(rule.nodes) > budget:
            raise UnsettledError
        lows, edges = np.array([low]), np.array([edge])
        return cls(truth, rule, lows, edges, _utilities(truth, rule, lows, edges), budget)

    @cached_property
    def fine_weights(self) -> Array:
        """The weights of the rule over the halves, for all nodes of all cells."""
        weights: Array = self.shares[:, None] * self.rule.weights[: self.rule.fine, 0]
        return weights.ravel()

    @cached_property
    def gaps(self) -> Array:
        """Δ(x*, x) at the nodes of the rule over the halves, for all cells."""
        fine = self.utilities[:, : self.rule.fine].ravel()
        gaps: Array = self.truth.link(self.truth.landscape.best_utility - fine) - 0.5
        return gaps

    @cached_property
    def mean_gap(self) -> float:
        """The mean of Δ(x*, x) over the cube."""
        return float(self.gaps @ self.fine_weights)

    @cached_property
    def gap_range(self) -> tuple[float, float]:
        """The smallest and the largest gap at the nodes."""
        return float(self.gaps.min()), float(self.gaps.max())

    def mean_weak_gap(self, cap: float) -> float:
        """Return the mean of min(Δ(x*, x), cap) over the cube."""
        least, most = self.gap_range
        if cap <= least or cap >= most:  # so for most cubes, and no sum is needed
            return cap if cap <= least else self.mean_gap
        return float(np.minimum(self.gaps, cap) @ self.fine_weights)

    def mean_win_prob(self, f_reference: float, tolerance: float) -> float:
        """Return the mean of ρ(f(x) - f_reference) over the cube, within ``tolerance``.

        Raises:
            UnsettledError: If that takes more nodes than the mesh may have.
        """
        mesh = self
        while True:
            means, errors = mesh._win_probs(f_reference)
            if errors @ mesh.shares <= tolerance:
                return float(means @ mesh.shares)
            mesh = mesh._halved(errors, tolerance)

    def settled(self, references: Sequence[float], tolerance: float) -> "Mesh":
        """Return a mesh that is fine enough for each of the ``references``' utilities."""
        mesh = self
        for f_reference in references:
            while (errors := mesh._win_probs(f_reference)[1]) @ mesh.shares > tolerance:
                mesh = mesh._halved(errors, tolerance)
        return mesh

    def _win_probs(self, f_reference: float) -> tuple[Array, Array]:
        """Return the mean win probability of each cell, and its error."""
        means, errors = (self.truth.link(self.utilities - f_reference) @ self.rule.weights).T
        return means, np.abs(errors)

    def _halved(self, errors: Array, tolerance: float) -> "Mesh":
        """Return a mesh whose cells of large error are cut into 2^dim each."""
        chosen = errors * self.shares > tolerance / (2 * len(errors))
        corners = self.rule.corners
        cells = len(errors) + int(np.count_nonzero(chosen)) * (len(corners) - 1)
        if cells * len(self.rule.nodes) > self.budget:
            raise UnsettledError
        lows = self.lows[chosen][:, None, :] + self.edges[chosen][:, None, None] * corners
        lows = lows.reshape(-1, corners.shape[1])
        edges = np.repeat(self.edges[chosen] / 2, len(corners))
        utilities = _utilities(self.truth, self.rule, lows, edges)
        return Mesh(
            self.truth,
            self.rule,
            np.concatenate([self.lows[~chosen], lows]),
            np.concatenate([self.edges[~chosen], edges]),
            np.concatenate([self.utilities[~chosen], utilities]),
            self.budget,
        )


def _utilities(truth: Truth, rule: Rule, lows: Array, edges: Array) -> Array:
    """Return the utilities at the nodes of each cell, shape (cells, nodes)."""
    nodes = lows[:, None, :] + edges[:, None, None] * rule.nodes
    return truth.landscape.utility(nodes.reshape(-1, lows.shape[1])).reshape(len(lows), -1)


class Meshes:
    """The meshes of a model's cubes, as many as fit in a fixed amount of memory.

    Args:
        model: The truth, in at most `MOST_DIM` dimensions.
    """

    def __init__(self, model: DuelModel) -> None:
        dim, best = model.landscape.dim, model.landscape.best_utility
        self._truth, self._rule = Truth(model.landscape, model.link), Rule(dim)
        whole = Mesh.of_cube(self._truth, self._rule, (0.0,) * dim, 1.0, MOST_NODES)
        self._probes = np.linspace(best, min(best, whole.utilities.min()), PROBES).tolist()
        self._kept: OrderedDict[tuple[Arm, float, int], Mesh | None] = OrderedDict()
        self._total = 0

    def of(self, low: Arm, edge: float, tolerance: float) -> Mesh:
        """Return the mesh of the cube for errors of about ``tolerance``.

        Raises:
            UnsettledError: If that takes more nodes than `most_nodes`.
        """
        level = math.floor(math.log2(tolerance))  # a few meshes per cube, whatever n is
        key = (low, edge, level)
        if key in self._kept:
            self._kept.move_to_end(key)
        else:
            self._keep(key, self._settled(low, edge, 2.0**level))
        if (mesh := self._kept[key]) is None:
            raise UnsettledError
        return mesh

    def _settled(self, low: Arm, edge: float, tolerance: float) -> Mesh | None:
        """Return a mesh that is fine enough for every probe; None if it takes too many nodes."""
        budget = min(most_nodes(tolerance), MOST_CELLS * len(self._rule.nodes))
        try:
            root = Mesh.of_cube(self._truth, self._rule, low, edge, budget)
            return root.settled(self._probes, tolerance)
        except UnsettledError:
            return None

    def _keep(self, key: tuple[Arm, float, int], mesh: Mesh | None) -> None:
        """Keep a mesh, and forget those that were not asked for in the longest time."""
        self._kept[key] = mesh
        self._total += _size(mesh)
        while self._total > KEPT_NODES and len(self._kept) > 1:
            self._total -= _size(self._kept.popitem(last=False)[1])


def _size(mesh: Mesh | None) -> int:
    return UNSETTLED_NODES if mesh is None else mesh.utilities.size
