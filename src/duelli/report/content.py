"""PageContent: all that the page says, before it is HTML."""

from collections.abc import Sequence
from dataclasses import dataclass

from duelli import _check
from duelli.record.results import Judged
from duelli.report.sections import Section

VERDICTS = ("holds", "fails", "cannot be checked as printed")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContent:
    """All that the page says.

    Args:
        headline: What a reader should take away.
        facts: What was run and with what: names and values.
        claims: What the paper says, with verdicts.
        claims_missing: How many claims lack the trials that would decide them.
        sections: The experiments.
        title: The title.
        lead: A sentence below the title.
    """

    headline: str
    facts: tuple[tuple[str, str], ...]
    claims: Sequence[Judged]
    sections: tuple[Section, ...]
    claims_missing: int = 0
    title: str = "ARC-DuelLi, reproduced"
    lead: str = (
        "Every experiment of the paper, those that it promises and does not show, "
        "and every claim that a computation can check."
    )

    def __post_init__(self) -> None:
        for claim in self.claims:
            _check.one_of(f"the verdict of {claim.id}", claim.verdict, VERDICTS)
