"""Answer: the arm that a learner would name now, with what can be claimed for it."""

from dataclasses import dataclass, replace
from typing import Any

from duelli.cubes import Arm


def in_duels(count: int) -> str:
    """Return a number of duels in words: "1 duel", "1,000 duels"."""
    return f"{count:,} duel{'s' * (count != 1)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What may be said of the best arm so far.

    A learner speaks in unit coordinates. `duelli.Run` and `duelli.optimize` give ``arm``, ``low``
    and ``high`` as points in the user's own units.

    Args:
        arm: The recommended arm.
        low: The lower corner of the region that holds the best arm.
        high: The upper corner of that region.
        edge: The longest side of that region, as a share of the box.
        gap_low: The lower end of the confidence interval on Δ(x*, arm).
        gap_high: The upper end.
        confidence: The probability with which region and interval hold.
        tied_within: Arms whose win rates against the recommended one differ by less than this
            cannot be told from it.
        duels: The duels used so far.
        enough: Whether the duels say more than the Lipschitz constant alone does.
        text: The same in a sentence or two.
        rests_on: What the claims rest on: "constants" if on the link and the Lipschitz constant,
            "model" if on a model that was fitted to the duels.
        matters: The share of each parameter in those changes of the utility that a model is sure
            of; () if that is not known. A share of 0 may mean that too little is known.
    """

    arm: Any
    low: Any
    high: Any
    edge: float
    gap_low: float
    gap_high: float
    confidence: float
    tied_within: float
    duels: int
    enough: bool
    text: str
    rests_on: str = "constants"
    matters: tuple[float, ...] = ()

    def without_claims(self, why: str) -> "Answer":
        """Return the answer with the whole box as its region, and ``why`` as its text."""
        return replace(
            self,
            low=(0.0,) * len(self.arm),
            high=(1.0,) * len(self.arm),
            edge=1.0,
            gap_low=0.0,
            gap_high=0.5,
            confidence=1.0,  # an interval that says nothing always holds
            enough=False,
            text=why,
        )


def unproven(arm: Arm, duels: int, why: str) -> Answer:
    """Return the answer of a learner that claims nothing for its arm."""
    claim = Answer(
        arm=arm,
        low=arm,
        high=arm,
        edge=0.0,
        gap_low=0.0,
        gap_high=0.5,
        confidence=1.0,
        tied_within=0.5,
        duels=duels,
        enough=False,
        text=why,
    )
    return claim.without_claims(why)
