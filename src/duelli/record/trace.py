"""Trace: one run, as log-spaced checkpoints and one row per round."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from duelli.cubes import Arm


class Checkpoint(NamedTuple):
    """The run so far after ``duels`` duels."""

    duels: int
    cumulative_regret: float
    weak_regret: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRow:
    """A round that was completed.

    Args:
        round: m, from 1.
        duels: t at its end.
        reference: X^m, the arm that it chose.
        gap: Δ(x*, X^m).
        cumulative_regret: R(t) at its end.
        notes: What the learner's own observer noted in this round; empty if it has none.
    """

    round: int
    duels: int
    reference: Arm
    gap: float
    cumulative_regret: float
    notes: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """Return the row as plain values, with the notes beside the other fields."""
        names = ("round", "duels", "reference", "gap", "cumulative_regret")
        return {**{name: getattr(self, name) for name in names}, **self.notes}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One run of a learner.

    Args:
        horizon: T, the duels played.
        cumulative_regret: R(T), the sum of the strong regrets.
        weak_regret: The sum of the weak regrets.
        duels_explored: The duels before the learner committed itself.
        recommended: The arm that the learner recommends at the end.
        final_gap: Δ(x*, recommended).
        middle_gap: Δ(x*, the middle of the box), which takes no duels to recommend.
        state_bits: The most bits that the learner had to remember at any checkpoint.
        state_bytes: The longest that its state was as JSON at any checkpoint.
        rounds: One row for each round that was completed.
        notes: What the learner's own observer noted in the round that was not completed.
        curve: Checkpoints, log-spaced; within a block the regret is spread evenly.
    """

    horizon: int
    cumulative_regret: float
    weak_regret: float
    duels_explored: int
    recommended: Arm
    final_gap: float
    middle_gap: float
    state_bits: int
    state_bytes: int
    rounds: tuple[RoundRow, ...]
    notes: dict[str, Any]
    curve: tuple[Checkpoint, ...]

    @property
    def rounds_done(self) -> int:
        """How many rounds were completed: M."""
        return len(self.rounds)

    def as_dict(self) -> dict[str, Any]:
        """Return the trace without its curve, as the command line prints it.

        ``unfinished`` has the notes of the round that was not completed.
        """
        totals = ("cumulative_regret", "weak_regret", "duels_explored", "rounds_done")
        sizes = ("final_gap", "middle_gap", "state_bits", "state_bytes")
        values = {name: getattr(self, name) for name in (*totals, *sizes)}
        rounds = [row.as_dict() for row in self.rounds]
        return {**values, "best_arm": self.recommended, "unfinished": self.notes, "rounds": rounds}
