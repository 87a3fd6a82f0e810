"""Rows of benchmarks/rivals.py for scalar learners: truncated HOO beside PyXAB's.

PyXAB works out the bounds of its whole tree after each pull, so that its pulls take ever longer.
It is therefore timed on the first pulls only, where it is fastest: the ratio is a lower bound.
PyXAB is in the extra ``dev``; without it the row has no ratio.
"""

import random
import time
from collections.abc import Callable
from typing import Any

from duelli.driver import play_scalar
from duelli.learners.scalar.truncated_hoo import TruncatedHoo

Reward = Callable[[tuple[float, ...]], float]
HORIZON = 10**5
PYXAB_PULLS = 2000
LIMIT = 20.0


def truncated_hoo_speed(horizon: int = HORIZON, pyxab_pulls: int = PYXAB_PULLS) -> dict[str, Any]:
    """Return the pulls per second of truncated HOO here and in PyXAB, and their ratio.

    Args:
        horizon: T, the number of pulls of our run, and the rounds that PyXAB is told.
        pyxab_pulls: How many of them PyXAB plays.
    """
    ours = horizon / _seconds_of_duelli(horizon)
    seconds = _seconds_of_pyxab(horizon, pyxab_pulls)
    theirs = None if seconds is None else pyxab_pulls / seconds
    return {
        "ratio": None if theirs is None else round(ours / theirs, 1),
        "at_least": LIMIT,
        "ours_per_s": round(ours),
        "theirs_per_s": None if theirs is None else round(theirs),
        "horizon": horizon,
        "pyxab_pulls": pyxab_pulls,
    }


def _reward(seed: int = 0) -> Reward:
    """Return Bernoulli rewards with the mean 1 - |x - 0.3|."""
    rng = random.Random(seed)
    return lambda arm: float(rng.random() < 1 - abs(arm[0] - 0.3))


def _seconds_of_duelli(horizon: int) -> float:
    learner, reward = TruncatedHoo(dim=1, horizon=horizon), _reward()
    started = time.perf_counter()
    for _ in play_scalar(learner, reward):
        pass
    return time.perf_counter() - started


def _seconds_of_pyxab(horizon: int, pulls: int) -> float | None:
    try:
        from PyXAB.algos.HOO import T_HOO
    except ModuleNotFoundError:
        return None
    algorithm, reward = T_HOO(nu=2, rho=0.5, rounds=horizon, domain=[[0, 1]]), _reward()
    started = time.perf_counter()
    for t in range(1, pulls + 1):
        algorithm.receive_reward(t, reward(tuple(algorithm.pull(t))))
    return time.perf_counter() - started
