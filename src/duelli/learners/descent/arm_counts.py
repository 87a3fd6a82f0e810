"""ArmCounts: the state of learners that count the wins of a fixed set of points."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from duelli.learners.descent.finite_gp import Outcomes


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmCounts:
    """The duels and the steps so far, and the record of each point that has played.

    Args:
        duels: The duels so far.
        steps: The steps so far.
        arms: The numbers of the points that have played, in ascending order.
        n: The outcomes that each has had.
        wins: Their sums.
    """

    duels: int
    steps: int
    arms: tuple[int, ...]
    n: tuple[int, ...]
    wins: tuple[float, ...]

    def outcomes(self) -> Outcomes:
        """Return the mean outcome of each point that has played."""
        n = np.array(self.n, dtype=np.float64)
        return Outcomes(np.array(self.arms, dtype=np.intp), n, np.array(self.wins) / n)

    def after(self, duels: int, told: Iterable[tuple[int, int, float]]) -> "ArmCounts":
        """Return the counts after a step of so many duels.

        Args:
            duels: The duels of the step.
            told: Points with their new outcomes: how many, and their sum.
        """
        counts = {arm: (n, won) for arm, n, won in zip(self.arms, self.n, self.wins, strict=True)}
        for arm, n, won in told:
            before = counts.get(arm, (0, 0.0))
            counts[arm] = before[0] + n, before[1] + won
        arms = tuple(sorted(counts))
        return ArmCounts(
            duels=self.duels + duels,
            steps=self.steps + 1,
            arms=arms,
            n=tuple(counts[arm][0] for arm in arms),
            wins=tuple(counts[arm][1] for arm in arms),
        )


def no_counts() -> ArmCounts:
    """Return the counts before the first duel."""
    return ArmCounts(duels=0, steps=0, arms=(), n=(), wins=())


def check_counts(counts: ArmCounts, points: int, per_duel: int) -> None:
    """Raise ValueError if no run can have these counts.

    Args:
        counts: The counts.
        points: The number of points.
        per_duel: How many outcomes a duel gives at most.
    """
    if not len(counts.arms) == len(counts.n) == len(counts.wins):
        raise ValueError("state.arms, state.n and state.wins must have one entry for each point")
    ascending = list(counts.arms) == sorted(set(counts.arms))
    if not ascending or any(arm >= points for arm in counts.arms):
        raise ValueError(f"state.arms must be ascending numbers below {points}; got {counts.arms}")
    for n, won in zip(counts.n, counts.wins, strict=True):
        if n < 1 or not 0 <= won <= n:
            raise ValueError(f"state.wins must be 0 to n, of n > 0 outcomes; got {won} of {n}")
    if sum(counts.n) > per_duel * counts.duels or counts.steps > counts.duels:
        raise ValueError(
            f"state.n and state.steps must fit to {counts.duels} duels; "
            f"got {sum(counts.n)} outcomes in {counts.steps} steps"
        )
