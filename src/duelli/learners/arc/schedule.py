"""The constants of Algorithm 1 as functions of the depth: r_h, n_h, B and the margin."""

import math
from functools import lru_cache


def edge(h: int) -> float:
    """Return r_h = 2^(1 - h), the edge of a cube at depth ``h``.

    Paper: Alg. 1, line 2.
    """
    return 2.0 ** (1 - h)


@lru_cache(maxsize=256)  # a walk asks for the same few again and again
def block_size(h: int, *, horizon: int, failure_prob: float) -> int:
    """Return n_h = 16 log(T/δ) / r_h², rounded up: the duels a cube at depth ``h`` gets.

    Paper: Alg. 1, line 3. Departs: F1 (rounding).

    Args:
        h: Depth of the cube, from 1.
        horizon: T, the number of duels in the whole run.
        failure_prob: δ, the probability with which the guarantees may fail.
    """
    return math.ceil(16 * math.log(horizon / failure_prob) / edge(h) ** 2)


def elimination_margin(h: int, *, slope_max: float, lipschitz: float = 1.0) -> float:
    """Return 2 r_h (1 + L Γ): how far below the benchmark a cube at depth ``h`` must fall.

    Paper: Alg. 2, line 12; with L as in Appendix F. Departs: F7 (L in unit coordinates).
    """
    return 2 * edge(h) * (1 + lipschitz * slope_max)


def num_rounds(*, horizon: int, zooming_dim: float) -> int:
    """Return B = ⌈log2 T / (d_z + 2)⌉ + 1, the number of rounds.

    Paper: Theorem 5.4.
    """
    return math.ceil(math.log2(horizon) / (zooming_dim + 2)) + 1


def round_cost(m: int, *, dim: int, horizon: int, failure_prob: float) -> int:
    """Return the duels that round ``m`` takes if it eliminates nothing, its anchor included.

    Paper: Alg. 1, lines 8-15.
    """
    sizes = [block_size(h, horizon=horizon, failure_prob=failure_prob) for h in range(1, m + 1)]
    return sum((1 << dim * h) * n for h, n in enumerate(sizes)) + sizes[-1]
