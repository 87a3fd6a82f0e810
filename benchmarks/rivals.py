"""How many duels a second learners of duelli and of other libraries take: one JSON line per row.

Run ``python benchmarks/rivals.py [ROW ...]``. Both sides of a row play the same number of duels of
64 arms from the start, one right after the other and several times, so that a busy machine slows
both alike; the ratio is the median. Each duel is decided by a coin. duelli asks for several duels
at once where its algorithm allows that, and a block of n duels is decided by one binomial draw, as
its engines do it. The rows need duelpy and PyXAB, which are in the extra ``dev``.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from _duelpy import algorithms, coin_feedback
from _rivals_scalar import truncated_hoo_speed

from duelli.blocks import Block, Played, Tally
from duelli.driver import play
from duelli.learners import LEARNERS

REPEATS = 3
CELLS = 8  # along each of two axes, so that there are 64 arms
HORIZON = 20_000
SECONDS = 4.0  # after which the other library may stop early; duelli then stops there too
LIMIT = 10.0

Finding = dict[str, Any]
Player = Callable[[int], tuple[int, float]]  # seed -> duels, seconds


class Coins:
    """An engine that decides every duel by a coin, and knows no regret."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def play(self, block: Block) -> Played:
        """Return the outcome of a block."""
        wins = self._rng.random() < 0.5 if block.n == 1 else self._rng.binomial(block.n, 0.5)
        return Played(Tally(block.n, int(wins), block.low), 0.0, 0.0)


def ours(name: str, inputs: Finding, duels: int, seed: int) -> float:
    """Return the seconds that one of duelli's learners takes for so many duels."""
    shared = {"dim": 2, "cells": CELLS, "horizon": HORIZON, "seed": seed}
    learner = LEARNERS[name].from_inputs({**shared, **inputs})
    started = time.perf_counter()
    for _ in play(learner, Coins(seed)):
        if learner.duels >= duels:
            break
    return (time.perf_counter() - started) * duels / learner.duels


def duelpys(kind: str, seed: int) -> tuple[int, float]:
    """Return the duels and the seconds of one of duelpy's algorithms."""
    feedback = coin_feedback(CELLS**2, seed)
    random = {} if kind == "Savage" else {"random_state": np.random.RandomState(seed)}
    algorithm = getattr(algorithms(), kind)(feedback, time_horizon=HORIZON, **random)
    budget = algorithm.wrapped_feedback
    started = time.perf_counter()
    took = 0.0
    while took < SECONDS and not budget.duels_exhausted():
        try:
            algorithm.step()
        except budget.exception_class:
            break
        took = time.perf_counter() - started
    return budget.duels_conducted, time.perf_counter() - started


def against(name: str, theirs: Player, **inputs: Any) -> Finding:
    """Return how one of duelli's learners compares with another library's."""
    ratios, own, other = [], [], []
    for seed in range(REPEATS):
        duels, seconds = theirs(seed)
        own.append(duels / ours(name, inputs, duels, seed))
        other.append(duels / seconds)
        ratios.append(own[-1] / other[-1])
    return {
        "ratio": round(statistics.median(ratios), 1),
        "at_least": LIMIT,
        "ours_per_s": round(statistics.median(own)),
        "theirs_per_s": round(statistics.median(other)),
    }


ROWS: dict[str, Callable[[], Finding]] = {
    "beat_the_mean / duelpy": partial(
        against, "beat_the_mean", partial(duelpys, "BeatTheMeanBandit"), meets_itself=False
    ),
    "double_thompson_sampling / duelpy": partial(
        against, "double_thompson_sampling", partial(duelpys, "DoubleThompsonSampling")
    ),
    "double_thompson_sampling plus / duelpy": partial(
        against,
        "double_thompson_sampling",
        partial(duelpys, "DoubleThompsonSamplingPlus"),
        plus=True,
    ),
    "interleaved_filter / duelpy": partial(
        against, "interleaved_filter", partial(duelpys, "InterleavedFiltering")
    ),
    "rmed1 / duelpy": partial(against, "rmed1", partial(duelpys, "Rmed1")),
    "rmed2 / duelpy": partial(against, "rmed2", partial(duelpys, "Rmed2")),
    "rmed2f / duelpy": partial(against, "rmed2f", partial(duelpys, "Rmed2FH")),
    "rucb / duelpy": partial(against, "rucb", partial(duelpys, "RelativeUCB")),
    "savage / duelpy": partial(against, "savage", partial(duelpys, "Savage"), winner="copeland"),
    "winner_stays / duelpy": partial(
        against, "winner_stays", partial(duelpys, "WinnerStaysWeakRegret")
    ),
    "winner_stays strong / duelpy": partial(
        against,
        "winner_stays",
        partial(duelpys, "WinnerStaysStrongRegret"),
        beta=2.0,
        period="duel",
    ),
    "truncated_hoo / PyXAB": truncated_hoo_speed,
}


def main() -> None:
    chosen = sys.argv[1:] or list(ROWS)
    if unknown := [row for row in chosen if row not in ROWS]:
        raise SystemExit(f"ROW must be one of {', '.join(ROWS)}; got {', '.join(unknown)}")
    for row in chosen:
        print(json.dumps({"row": row, **ROWS[row]()}), flush=True)


if __name__ == "__main__":
    main()
