"""Checks that the inputs of all learners of rewards share, and the number of cells of a grid."""

import math
from typing import Any

from duelli import _check, _rng

MOST_ARMS = 1_000_000  # a learner on a grid remembers every arm


def set_checked(config: Any, **checked: object) -> None:
    """Check ``dim``, ``horizon`` and ``seed`` of a frozen record, and set all that is checked."""
    checked |= {
        "dim": _check.whole("dim", config.dim, 1),
        "horizon": _check.horizon(config.horizon),
        "seed": _rng.check_seed(config.seed),
    }
    for name, value in checked.items():
        object.__setattr__(config, name, value)


def rate_cells(horizon: int, dim: int, most_arms: int = MOST_ARMS) -> int:
    """Return ⌈(T / ln T)^(1 / (d + 2))⌉, at least 2: the cells per axis that suit a horizon.

    Coarser grids lose more to the distance from the best arm, finer ones more to the number of
    arms. If they make more than ``most_arms`` arms, there are as many cells as stay below that.
    """
    pulls = max(horizon, 2)
    cells: int = max(2, math.ceil((pulls / math.log(pulls)) ** (1 / (dim + 2))))
    while cells > 1 and cells**dim > most_arms:
        cells -= 1
    return cells


def check_cells(cells: object, dim: int, most_arms: int = MOST_ARMS) -> int:
    """Return ``cells`` as a whole number that makes at most ``most_arms`` arms."""
    count = _check.whole("cells", cells, 1)
    if count**dim > most_arms:
        raise ValueError(f"cells must make at most {most_arms} arms; got {cells}^{dim}")
    return count
