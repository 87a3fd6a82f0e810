"""What a claim is, what speaks for or against it, and the words for a verdict."""

from collections.abc import Callable
from dataclasses import dataclass

from duelli.experiments.sweep import Results
from duelli.record.stats import Mean
from duelli.record.tables import Row

HOLDS = "holds"
FAILS = "fails"
UNCHECKABLE = "cannot be checked as printed"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was measured, what follows, and why."""

    measured: str
    verdict: str
    why: str


class MissingError(LookupError):
    """A claim asks for trials that were not run, or not in the paper's setting."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Finished trials, by experiment and label."""

    results: Results

    def rows(self, experiment: str, label: str = "ARC-DuelLi", horizon: int = 10**8) -> list[Row]:
        """Return the trials of one run at the paper's horizon."""
        rows = self.results.get(experiment, {}).get(label, [])
        if len(rows) < 2 or rows[0]["horizon"] != horizon:
            raise MissingError(f"{experiment}: {label}")
        return rows

    def regret(self, experiment: str, label: str = "ARC-DuelLi", horizon: int = 10**8) -> Mean:
        """Return the mean regret of one run."""
        rows = self.rows(experiment, label, horizon)
        return Mean.of([row["cumulative_regret"] for row in rows])

    def gaps(self, experiment: str, label: str = "ARC-DuelLi") -> list[Mean]:
        """Return the mean of Δ(x*, X^m) for each round m that every trial completed."""
        rows = self.rows(experiment, label)
        rounds = min(len(row["rounds"]) for row in rows)
        return [Mean.of([row["rounds"][m]["gap"] for row in rows]) for m in range(rounds)]

    def eliminated(self, experiment: str, label: str = "ARC-DuelLi") -> int:
        """Return how many cubes were eliminated in the completed rounds of all trials."""
        rows = self.rows(experiment, label)
        return sum(entry["eliminated"] for row in rows for entry in row["rounds"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What the paper says in some place, and how to check it."""

    id: str
    where: str
    says: str
    check: Callable[[Evidence], Finding]


def verdict(holds: bool) -> str:
    """Return the word for a claim that holds or does not."""
    return HOLDS if holds else FAILS
