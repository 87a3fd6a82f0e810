"""The paper's bounds and constants as functions, and the zooming dimension by counting cubes."""

import math
from dataclasses import dataclass

import numpy as np

from duelli import _check
from duelli._arrays import lattice
from duelli.duels import DuelModel
from duelli.learners.arc import schedule
from duelli.links import Link

edge = schedule.edge
block_size = schedule.block_size
elimination_margin = schedule.elimination_margin
num_rounds = schedule.num_rounds
round_cost = schedule.round_cost


def shrink_constant(link: Link, *, lipschitz: float = 1.0) -> float:
    """Return K = κ (2κ + 4) (1 + L Γ): surviving arms at depth h have a gap of at most K r_(h-1).

    Paper: Lemma 5.3.
    """
    ratio = link.slope_ratio
    return ratio * (2 * ratio + 4) * (1 + lipschitz * link.slope_max)


def cumulative_costs(*, dim: int, horizon: int, failure_prob: float, rounds: int) -> list[int]:
    """Return the duels after rounds 1..m for each m up to ``rounds``, if nothing is eliminated.

    Paper: Alg. 1, lines 5-19.
    """
    costs = [
        round_cost(m, dim=dim, horizon=horizon, failure_prob=failure_prob)
        for m in range(1, rounds + 1)
    ]
    return [sum(costs[:m]) for m in range(1, rounds + 1)]


def smallest_horizon(failure_prob: float) -> int:
    """Return the smallest T for which round 1 completes: 2 n_1 <= T.

    Paper: Alg. 1, lines 1-3 and 11.
    """
    horizon = 1
    while 2 * block_size(1, horizon=horizon, failure_prob=failure_prob) > horizon:
        horizon += 1
    return horizon


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundInputs:
    """What the explicit bound of Theorem 5.4 depends on.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of duels.
        link: ρ, with its slopes.
        lipschitz: L, the Lipschitz constant of the utility in the maximum norm.
        zooming_dim: d_z, the zooming dimension.
        covering: C_z, the constant of the zooming dimension.
        failure_prob: δ, the probability with which the bound may fail.
    """

    dim: int
    horizon: float
    link: Link
    lipschitz: float = 1.0
    zooming_dim: float = 0.0
    covering: float = 1.0
    failure_prob: float = 0.05


def regret_bound(inputs: BoundInputs) -> float:
    """Return Theorem 5.4's bound on R(T) with every constant of its proof written out.

    It is infinite where the link is flat, and where it is too large for a float.

    Paper: Appendix B, Case 1 (M = B) and Case 2 (M = B - 1); the larger of the two.
    """
    try:
        return _finite_regret_bound(inputs)
    except OverflowError:
        return math.inf


def _finite_regret_bound(inputs: BoundInputs) -> float:
    big_k = shrink_constant(inputs.link, lipschitz=inputs.lipschitz)
    log_term = math.log(inputs.horizon / inputs.failure_prob)  # L_T
    dz = inputs.zooming_dim
    packing = max(1.0, inputs.covering * math.pow(2 * big_k, -dz) * (8 * big_k + 2) ** inputs.dim)
    last = math.ceil(math.log2(inputs.horizon) / (dz + 2)) + 1  # B
    q = math.pow(2.0, dz + 1)
    completed = (96 * 4 + 128) * big_k * packing * log_term  # Σ_m R_m <= this · q^(M-1)
    partial = (96 * 2 + 64) * big_k * packing * log_term  # R_(M+1)^part <= this · q^M
    all_done = completed * q ** (last - 1) + 4 * big_k * 2.0 ** (1 - last) * inputs.horizon
    stopped = last - 1
    cut_short = completed * q ** (stopped - 1) + partial * q**stopped
    cut_short += 128 * big_k * log_term * 2.0**stopped
    return max(all_done, cut_short)


def space_bound_bits(*, dim: int, horizon: int) -> int:
    """Return an explicit form of O(d log T): the quantities of the proof, counted in bits.

    Three cubes and three arms at d log2 T bits each, and eight counters and tallies at log2 T.

    Paper: Lemma 5.5.
    """
    word = max(1, math.ceil(math.log2(horizon + 1)))
    return 3 * dim * word + 3 * dim * max(53, word) + 8 * word


@dataclass(frozen=True, slots=True)
class ZoomingCount:
    """Cubes of edge ε that meet {x: Δ(x*, x) <= ε}, for several ε, and the slope they show."""

    edges: tuple[float, ...]
    cubes: tuple[int, ...]
    zooming_dim: float


def zooming_count(model: DuelModel, *, levels: range = range(7, 10)) -> ZoomingCount:
    """Return how many cubes the near-optimal set meets, and the zooming dimension it shows.

    A cube counts if any of some points spread over it is near-optimal. The dimension is the slope
    of log count against log 1/ε between the two finest levels, because coarse levels are dominated
    by the size of the box.

    Paper: Section 3.1, the definition of d_z.

    Args:
        model: The truth.
        levels: ε = 2^-level for each level.
    """
    dim = _check.whole("dim", model.landscape.dim, 1)
    edges = tuple(2.0**-level for level in levels)
    cubes = tuple(_near_optimal_cubes(model, dim, level) for level in levels)
    slope = math.log(cubes[-1] / cubes[-2]) / math.log(edges[-2] / edges[-1])
    return ZoomingCount(edges, cubes, slope)


def _near_optimal_cubes(model: DuelModel, dim: int, level: int) -> int:
    points_per_edge = 4
    ticks = np.linspace(0.0, 1.0, points_per_edge * 2**level + 1)
    near_optimal: set[tuple[int, ...]] = set()
    rest = lattice(ticks, dim - 1)
    for first in ticks:  # one slab at a time keeps the memory at len(ticks)^(dim - 1)
        arms = np.concatenate([np.full((len(rest), 1), first), rest], axis=1)
        near = arms[model.gap_to_best(arms) <= 2.0**-level]
        index = np.minimum((near * 2**level).astype(int), 2**level - 1)
        near_optimal.update(map(tuple, np.unique(index, axis=0).tolist()))
    return len(near_optimal)
