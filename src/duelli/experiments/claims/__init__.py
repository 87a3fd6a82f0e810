"""Every claim of the paper that a computation can check, with a verdict that is computed.

No verdict is written by hand: each is a function of finished trials or of the formulas
themselves. A claim whose experiment was not run in the paper's setting is left out, and counted.
"""

from duelli.experiments.claims.appendix import APPENDIX
from duelli.experiments.claims.base import Claim, Evidence, MissingError
from duelli.experiments.claims.section3 import SECTION3
from duelli.experiments.claims.section7 import SECTION7
from duelli.experiments.claims.theorems import THEOREMS
from duelli.experiments.sweep import Results
from duelli.record.results import Judged

__all__ = ["CLAIMS", "Claim", "Evidence", "Judged", "MissingError", "judge"]

CLAIMS: dict[str, Claim] = {
    claim.id: claim for claim in (*SECTION7, *APPENDIX, *SECTION3, *THEOREMS)
}


def judge(results: Results) -> tuple[list[Judged], int]:
    """Return the claims that the results can decide, and how many they cannot."""
    judged, missing = [], 0
    for claim in CLAIMS.values():
        try:
            finding = claim.check(Evidence(results))
        except MissingError:
            missing += 1
            continue
        judged.append(
            Judged(
                id=claim.id,
                where=claim.where,
                says=claim.says,
                measured=finding.measured,
                verdict=finding.verdict,
                why=finding.why,
            )
        )
    return judged, missing
