"""Answer: the arm that a learner would name now, with what can be claimed for it."""

from dataclasses import dataclass

from duelli.cubes import Arm


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What may be said of the best arm so far.

    Args:
        arm: The arm itself.
        low: The corner of the region that it stands for.
        edge: The edge of that region.
        gap_low: The lower end of the confidence interval on Δ(x*, arm).
        gap_high: The upper end.
        confidence: The probability with which the interval holds.
        tied_within: Regions of this edge whose win rates against the reference differ by less
            than this cannot be told from the arm's: they are statistically tied with it.
        duels: The duels used so far.
        enough: Whether the duels say more than the Lipschitz constant alone does.
        text: All of it in a sentence or two.
    """

    arm: Arm
    low: Arm
    edge: float
    gap_low: float
    gap_high: float
    confidence: float
    tied_within: float
    duels: int
    enough: bool
    text: str
