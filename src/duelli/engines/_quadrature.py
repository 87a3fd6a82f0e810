"""Means over cubes of a function of the utility, to an accuracy that is asked for.

A cube is cut into cells; each cell has a Gauss rule over the whole of it and one over its halves.
Their difference estimates the error, and the cells that matter are halved until it is small
enough. The utilities at the nodes do not depend on who the reference is, so they are kept.
"""

from collections import OrderedDict
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from duelli.cubes import Arm
from duelli.duels import DuelModel
from duelli.errors import DuelliError

Array = npt.NDArray[np.float64]

NODES = {1: 8, 2: 5, 3: 3, 4: 3}  # Gauss nodes an axis, by dimension; 2 in higher ones
MOST_DIM = 8
MOST_CELLS = 20_000
KEPT_NODES = 1_000_000  # some 16 MB of utilities and gaps, whatever the horizon


class Rule:
    """The two Gauss rules of a cell: nodes in [0, 1]^dim, shape (nodes, dim), and weights."""

    def __init__(self, dim: int) -> None:
        ticks, weights = np.polynomial.legendre.leggauss(NODES.get(dim, 2))
        whole, shares = _tensor((ticks + 1) / 2, dim), _tensor(weights / 2, dim).prod(axis=1)
        self.corners = _tensor(np.array([0.0, 0.5]), dim)
        halves = (self.corners[:, None, :] + whole / 2).reshape(-1, dim)
        self.nodes = np.concatenate([halves, whole])
        self.fine = len(halves)
        # Column 0 is the rule over the halves, column 1 the rule over the whole.
        self.weights = np.zeros((len(self.nodes), 2))
        self.weights[: self.fine, 0] = np.tile(shares, 2**dim) / 2**dim
        self.weights[self.fine :, 1] = shares


def _tensor(ticks: Array, dim: int) -> Array:
    return np.stack(np.meshgrid(*[ticks] * dim, indexing="ij"), -1).reshape(-1, dim)


class Mesh:
    """One cube's cells, with the utilities and the gaps to the best arm at their nodes."""

    def __init__(self, model: DuelModel, rule: Rule, low: Arm, edge: float) -> None:
        self.model, self.rule, self.edge = model, rule, edge
        self.lows = np.array([low])
        self.edges = np.array([edge])
        self.utilities = np.empty((0, len(rule.nodes)))
        self._extend(self.lows, self.edges)

    def _extend(self, lows: Array, edges: Array) -> None:
        nodes = lows[:, None, :] + edges[:, None, None] * self.rule.nodes
        found = self.model.landscape.utility(nodes.reshape(-1, lows.shape[1]))
        self.utilities = np.concatenate([self.utilities, found.reshape(len(lows), -1)])
        self.shares = (self.edges / self.edge) ** lows.shape[1]
        fine = self.utilities[:, : self.rule.fine]
        self.gaps = self.model.link(self.model.landscape.best_utility - fine) - 0.5
        self.fine_weights = self.shares[:, None] * self.rule.weights[: self.rule.fine, 0]
        self.mean_gap = float((self.gaps * self.fine_weights).sum())

    def mean(self, function: Callable[[Array], Array], tolerance: float) -> float:
        """Return the mean of ``function`` of the utility over the cube, within ``tolerance``."""
        while True:
            means = function(self.utilities) @ self.rule.weights
            errors = np.abs(means[:, 0] - means[:, 1]) * self.shares
            if errors.sum() <= tolerance:
                return float(means[:, 0] @ self.shares)
            self._halve(errors > tolerance / (2 * len(errors)))

    def mean_weak_gap(self, cap: float) -> float:
        """Return the mean of min(Δ(x*, x), cap) over the cube."""
        return float((np.minimum(self.gaps, cap) * self.fine_weights).sum())

    def _halve(self, chosen: npt.NDArray[np.bool_]) -> None:
        """Cut the chosen cells into 2^dim each."""
        if len(self.lows) > MOST_CELLS:
            raise DuelliError(
                "the mean over a cube did not settle: the utility is too rough for the collapsed "
                "engine; use per_duel"
            )
        corners = self.rule.corners
        lows = self.lows[chosen][:, None, :] + self.edges[chosen][:, None, None] * corners
        lows = lows.reshape(-1, corners.shape[1])
        edges = np.repeat(self.edges[chosen] / 2, len(corners))
        self.utilities = self.utilities[~chosen]
        self.lows = np.concatenate([self.lows[~chosen], lows])
        self.edges = np.concatenate([self.edges[~chosen], edges])
        self._extend(lows, edges)


class Meshes:
    """The meshes of a model's cubes, as many as fit in a fixed amount of memory."""

    def __init__(self, model: DuelModel) -> None:
        if model.landscape.dim > MOST_DIM:
            raise ValueError(
                f"the collapsed engine takes at most {MOST_DIM} dimensions; "
                f"got {model.landscape.dim}; use per_duel"
            )
        self._model, self._rule = model, Rule(model.landscape.dim)
        self._kept: OrderedDict[tuple[Arm, float], Mesh] = OrderedDict()
        self._sizes: dict[tuple[Arm, float], int] = {}
        self._total = 0

    def of(self, low: Arm, edge: float) -> Mesh:
        """Return the mesh of the cube, which the caller may go on to refine."""
        key = (low, edge)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        mesh = self._kept[key] = Mesh(self._model, self._rule, low, edge)
        self.account(key)
        return mesh

    def account(self, key: tuple[Arm, float]) -> None:
        """Count the nodes of a mesh that was made or refined; forget the oldest if too many."""
        size = self._kept[key].utilities.size
        self._total += size - self._sizes.get(key, 0)
        self._sizes[key] = size
        while self._total > KEPT_NODES and len(self._kept) > 1:
            oldest, _ = self._kept.popitem(last=False)
            self._total -= self._sizes.pop(oldest)
