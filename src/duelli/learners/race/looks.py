"""Looks: the duels of a sweep, and what they show of slopes and drops."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from duelli._arrays import Array
from duelli.blocks import Block, Step, Tally
from duelli.cubes import Arm
from duelli.learners.race.sweeps import Sweep

# Tuned, and flat about these values (docs/arc_race.md, section 6).
PAIRS = 2  # duels of two opposite neighbours with each other, over those of a neighbour with X
ALONE = 2 + PAIRS  # duels of a neighbour without an opposite: as many as a whole direction has
NEAR = 0.77  # how far from X those two are, over the length of the direction
PRECISION = 8.0 + 16.0 * PAIRS  # one over the variance of a slope, for a duel of a neighbour with X


class Look(NamedTuple):
    """What a sweep has shown along each direction."""

    slopes: Array
    drops: Array
    precision: float  # of a slope: one over its variance
    first: int  # the side that does best against X
    lead: float  # by how much it beats X
    sd: float  # of that


def blocks(sweep: Sweep, x: Arm, n: int) -> Step:
    """Return the neighbours against X, with ``n`` duels each, and against their opposites."""
    around = [(sweep.neighbour(x, side), x) for side in sweep.sides()]
    across = [
        (sweep.neighbour(x, 2 * k, NEAR), sweep.neighbour(x, 2 * k + 1, NEAR))
        for k in sweep.pairs()
    ]
    duels = zip((*around, *across), shares(sweep), strict=True)
    return tuple(Block.pair(arm, other, share * n) for (arm, other), share in duels)


def shares(sweep: Sweep) -> list[int]:
    """Return the duels of each block, over those of a neighbour that has an opposite."""
    around = [ALONE if sweep.pinned[side // 2] else 1 for side in sweep.sides()]
    return around + [PAIRS] * len(sweep.pairs())


def seen(sweep: Sweep, tallies: Sequence[Tally]) -> Look:
    """Return slopes and drops; at a wall only a slope away from it counts."""
    sides, pairs = sweep.sides(), sweep.pairs()
    rates = [tally.wins / tally.n - 0.5 for tally in tallies]
    leads = dict(zip(sides, rates, strict=False))
    across = dict(zip(pairs, rates[len(sides) :], strict=True))
    n = tallies[0].n // shares(sweep)[0]
    sd = 0.5 / math.sqrt(n)
    slopes, drops = [], []
    for k, pin in enumerate(sweep.pinned):
        if pin:
            inward = leads[2 * k + (pin < 0)]
            # One side tells less, and counts for less.
            slopes.append(pin * max(0.0, inward) * 4 * ALONE / PRECISION)
            drops.append(-inward)
        else:
            about = (leads[2 * k] - leads[2 * k + 1]) / 2
            slopes.append((8 * about + 16 * PAIRS * across[k] / 2) / PRECISION)
            drops.append(-(leads[2 * k] + leads[2 * k + 1]) / 2)
    first = max(leads, key=leads.__getitem__)
    return Look(np.array(slopes), np.array(drops), PRECISION * n, first, leads[first], sd)
