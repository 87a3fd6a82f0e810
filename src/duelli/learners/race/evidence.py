"""Evidence of duels: against a win rate, and against the slope that the user has given.

The test of a win rate may be looked at after every duel.

Robbins and Siegmund (1974), "The expected sample size of some tests of power one": a mixture of
likelihood ratios is a nonnegative supermartingale, so by Ville's inequality it exceeds 1/α at any
time with probability at most α (docs/arc_race.md, Lemma 1).
"""

import math
from dataclasses import replace

from duelli.blocks import Tally
from duelli.cubes import Arm
from duelli.learners.race.states import Memory

Z_REFUTE = 6.0  # Hoeffding: a look exceeds it with probability at most 2 exp(-Z²/2) = 3e-8


def log_evidence(n: int, wins: float, null: float, gaps: tuple[float, ...]) -> float:
    """Return the log of the mixed likelihood ratio of the win rates ``null - g`` against ``null``.

    It is a supermartingale for every win rate of at least ``null``, also for outcomes anywhere in
    [0, 1], because a^o b^(1-o) <= o a + (1 - o) b. The paper uses Hoeffding's inequality instead.

    Args:
        n: The duels so far.
        wins: The wins among them.
        null: The win rate that a cube which holds x* has at least.
        gaps: How far below it the alternatives lie, mixed with equal weights.
    """
    terms = [
        wins * math.log((null - g) / null) + (n - wins) * math.log((1 - null + g) / (1 - null))
        for g in gaps
    ]
    top = max(terms)
    return top + math.log(sum(math.exp(t - top) for t in terms) / len(terms))


def noticed(memory: Memory, arm: Arm, reference: Arm, tally: Tally) -> Memory:
    """Return the memory with the least Γ L that this look allows, if it is the largest so far.

    Δ(x, y) is at most Γ L times the distance (Assumption 3.1). A look that shows more than that,
    by Z_REFUTE standard deviations, refutes Γ or L.
    """
    away = max(abs(a - b) for a, b in zip(arm, reference, strict=True))
    surely = abs(tally.wins / tally.n - 0.5) - Z_REFUTE * 0.5 / math.sqrt(tally.n)
    if away == 0 or surely <= memory.steepest * away:
        return memory
    return replace(memory, steepest=surely / away)
