"""The weights of Tsallis-INF: how likely each arm is, given the losses of all so far.

Zimmert, Seldin (2021), "Tsallis-INF: an optimal algorithm for stochastic and adversarial bandits",
JMLR 22, https://jmlr.org/papers/v22/19-753.html.
"""

import numpy as np

from duelli._arrays import Array

PRECISION = 1e-12  # of the sum of the weights
MOST_ITERATIONS = 60  # there are four or so


def offsets(losses: Array, rate: float) -> Array:
    """Return x < min L for which the weights 4 / (η (L_i - x))² add up to 1, for each row.

    Let h(x) = (Σ_i (L_i - x)^-2)^(-1/2), which is nearly a straight line, falls, and is concave.
    The weights add up to 1 where h(x) = 2/η. Newton's method for h comes from the right and never
    oversteps, beginning at min L - 2/η, where the smallest loss alone has the weight 1.

    Paper: Algorithm 2.
    """
    target = 2 / rate
    x: Array = losses.min(axis=1) - target
    for _ in range(MOST_ITERATIONS):
        inverse = 1 / (losses - x[:, None])
        squares = inverse * inverse
        totals = squares.sum(axis=1)
        if np.abs(totals * target**2 - 1).max() <= PRECISION:
            break
        heights = totals**-0.5  # h(x)
        slopes = (squares * inverse).sum(axis=1) * heights**3  # -h'(x)
        x += (heights - target) / slopes
    return x


def weights(losses: Array, rate: float) -> Array:
    """Return w_i = 4 / (η (L_i - x))², which add up to 1 in each row.

    Args:
        losses: L_i, the estimated losses of all turns so far, in rows.
        rate: η, the learning rate.
    """
    found = (rate / 2 * (losses - offsets(losses, rate)[:, None])) ** -2
    shares: Array = found / found.sum(axis=1, keepdims=True)
    return shares
