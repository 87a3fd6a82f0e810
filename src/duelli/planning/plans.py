"""Plan: what a plan says, in numbers and in words."""

import math
from dataclasses import dataclass

from duelli.answers import in_duels

LADDER = (200, 1000, 10**5)  # budgets to compare with
MOST_DUELS = 10**15


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a learner can do with its duels; ``print`` it to read it.

    For ARC-DuelLi it is the worst case, that is, eliminating nothing. For the other learners it
    is the median of rehearsals.

    Args:
        learner: Its name.
        dim: d.
        horizon: T.
        gap: Δ(x*, recommendation). For ARC-DuelLi it is the bound that holds with probability
            1 - 2δ, at most what the Lipschitz constant says before any duel.
        prior_gap: The same without any duels: what the Lipschitz constant says for ARC-DuelLi,
            the gap of the middle of the box for the others.
        proven: Whether the gap is a bound; else it is what to expect.
        gaps_by_duels: The gap that other numbers of duels lead to, as (duels, gap).
        rehearsed_duels: The duels of each rehearsal, fewer than ``horizon`` if that would take
            too long; None if there was no rehearsal.
        rounds: The rounds that complete.
        duels_per_round: The duels of each round that completes.
        duels_left: The duels after the last of them.
        resolution: The edge of the cubes of the last of them; in rehearsals, of the part of the
            box that is not ruled out.
        first_elimination: The first depth at which ARC-DuelLi can eliminate a cube; None for the
            others.
        duels_to_eliminate: The duels after which part of the box is ruled out; None if that is
            not known, or takes more than 10^15 duels.
        advice: What a person should know before starting.
    """

    learner: str
    dim: int
    horizon: int
    gap: float
    prior_gap: float
    proven: bool
    gaps_by_duels: tuple[tuple[int, float], ...]
    rehearsed_duels: int | None
    rounds: int
    duels_per_round: tuple[int, ...]
    duels_left: int
    resolution: float
    first_elimination: int | None
    duels_to_eliminate: int | None
    advice: tuple[str, ...]

    def __str__(self) -> str:
        about = "at most" if self.proven else "about"
        parameters = f"{self.dim} parameter{'s' * (self.dim > 1)}"
        ladder = "; ".join(f"{in_duels(n)} {_share(gap)}" for n, gap in self.gaps_by_duels)
        rows = [
            ("answer", f"loses {about} {_share(self.gap)} of its duels against the best point"),
            ("without duels", f"{_share(self.prior_gap)}"),
            ("other budgets", ladder),
            ("rounds", self._rounds_in_words()),
        ]
        if self.duels_to_eliminate is not None:
            depth = f", at depth {self.first_elimination}" * (self.first_elimination is not None)
            rows.append(
                ("eliminates", f"after {count_in_words(self.duels_to_eliminate)} duels{depth}")
            )
        head = f"{self.learner}, {parameters}, {in_duels(self.horizon)}"
        shown = [f"  {name:<15} {value}" for name, value in rows if value]
        return "\n".join([head, *shown, *(f"  ! {line}" for line in self.advice)])

    def _rounds_in_words(self) -> str:
        if self.rehearsed_duels is not None:  # its rounds are a matter of luck
            return ""
        costs = ", ".join(f"{n:,}" for n in self.duels_per_round) or "no"
        return f"{self.rounds} complete ({costs} duels), cubes of edge {self.resolution:g}"


def _share(gap: float) -> str:
    """Return the share of duels that are lost at a gap: "52.3 %"."""
    digits = 1 if gap >= 1e-3 else min(12, math.ceil(-math.log10(gap)) - 1) if gap > 0 else 0
    return f"{100 * (0.5 + gap):.{digits}f} %"


def count_in_words(number: int) -> str:
    """Return a number of duels or cubes, however large."""
    return f"{number:,}" if number <= MOST_DUELS else f"more than {MOST_DUELS:.0e}"
