"""Evidence against a win rate: a test that may be looked at after every duel.

Robbins and Siegmund (1974), "The expected sample size of some tests of power one": a mixture of
likelihood ratios is a nonnegative supermartingale, so by Ville's inequality it exceeds 1/α at any
time with probability at most α (docs/arc_race.md, Lemma 1).
"""

import math


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
