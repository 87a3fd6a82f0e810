"""Ranks: who has less, by how much, and how sure that is."""

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from duelli.record.arena import Entry
from duelli.record.results import overall_gap
from duelli.record.stats import Mean, neat

SURE = 2.0  # standard errors from which on a difference is called clear


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of which less is better.

    Args:
        name: "regret", the mean of R(T), or "gap", the median gap of the answer.
        smallest: Gaps below this count as this, and so do the gaps behind a regret.
    """

    name: str
    smallest: float

    def floor(self, entry: Entry) -> float:
        """Return what smaller numbers count as; a regret is the sum of two gaps per duel."""
        return self.smallest * (1 if self.name == "gap" else 2 * entry.horizon)

    def trials(self, entry: Entry) -> list[float]:
        """Return the number of each trial."""
        values = entry.gaps if self.name == "gap" else entry.regrets
        return [max(self.floor(entry), value) for value in values]

    def value(self, entry: Entry) -> float:
        """Return the number of an entry: the mean of the regrets, or the median of the gaps."""
        average = statistics.median if self.name == "gap" else statistics.fmean
        return float(average(self.trials(entry)))

    def error(self, entry: Entry) -> float | None:
        """Return the standard error of its logarithm; None if one trial is all that there is."""
        logs = [math.log(value) for value in self.trials(entry)]
        return Mean.of(logs).error if len(logs) > 1 else None

    def is_none(self, entry: Entry) -> bool:
        """Tell whether the number is so small that it is as good as none."""
        return self.value(entry) <= self.floor(entry)

    def shown(self, entry: Entry) -> str:
        """Return the number in words: a mean with its standard error if it has one, or a median."""
        if self.name == "gap":
            return neat(entry.score.gap.median, 2)
        mean = entry.score.regret
        return str(mean) if len(entry.regrets) > 1 else neat(mean.value)


@dataclass(frozen=True, slots=True)
class Factor:
    """A geometric mean, with the standard error of its logarithm if that is known."""

    value: float
    error: float | None

    def __str__(self) -> str:
        spread = "" if self.error is None else f" ± {neat(self.value * self.error, 1)}"
        return neat(self.value, 2 if self.value < 1 else 3) + spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one learner stands at one horizon, over all landscapes.

    Args:
        label: What the learner is called.
        place: 1 for the smallest mean rank; None if it did not play on all landscapes.
        rank: The mean over landscapes of its rank among those who played there.
        played: On how many landscapes it played.
        first: On how many of them nobody has less.
        overall: The geometric mean over landscapes.
        times: The geometric mean of its number over the least one on the same landscape.
    """

    label: str
    place: int | None
    rank: float
    played: int
    first: int
    overall: Factor
    times: Factor


@dataclass(frozen=True, slots=True)
class Lead:
    """Who has the least on one landscape at one horizon.

    Args:
        winners: Those who have it, more than one if they are equal.
        second: Who has the least of the others; None if there are no others.
        factor: How many times as much that is.
        clear: Whether the difference is more than two standard errors.
    """

    winners: tuple[Entry, ...]
    second: Entry | None
    factor: float
    clear: bool


def ranks(values: Mapping[str, float]) -> dict[str, float]:
    """Return the rank of each value, 1 for the least; equal values share the mean of their ranks.

    >>> ranks({"a": 3.0, "b": 1.0, "c": 3.0})
    {'a': 2.5, 'b': 1.0, 'c': 2.5}
    """
    every = list(values.values())
    return {
        label: sum(other < value for other in every) + (every.count(value) + 1) / 2
        for label, value in values.items()
    }


def would_be(entry: Entry, rivals: Iterable[Entry], measure: Measure) -> float:
    """Return the rank that an entry would have among rivals of the same landscape and horizon."""
    values = {f"rival {k}": measure.value(rival) for k, rival in enumerate(rivals)}
    return ranks({**values, "own": measure.value(entry)})["own"]


def standings(entries: Sequence[Entry], measure: Measure) -> list[Standing]:
    """Return how the learners stand, the best first; those absent somewhere come last.

    Args:
        entries: Those of one horizon.
        measure: What counts.
    """
    placed, lowest = landscape_ranks(entries, measure), least(entries, measure)
    found = []
    for label in dict.fromkeys(entry.label for entry in entries):
        own = [entry for entry in entries if entry.label == label]
        found.append(
            Standing(
                label=label,
                place=None,
                rank=statistics.fmean(placed[each.landscape][label] for each in own),
                played=len(own),
                first=sum(measure.value(each) <= lowest[each.landscape] for each in own),
                overall=overall(own, measure),
                times=overall(own, measure, lowest),
            )
        )
    return _placed(found, len(lowest))


def standing_among(own: Sequence[Entry], entries: Sequence[Entry], measure: Measure) -> Standing:
    """Return how somebody who does not take part would stand, such as the middle of the box.

    Args:
        own: Its entries, one for each landscape.
        entries: Those of the learners, at the same horizon.
        measure: What counts.
    """
    lowest = least(entries, measure)
    here = [each for each in own if each.landscape in lowest]
    rivals = {each.landscape: [e for e in entries if e.landscape == each.landscape] for each in own}
    return Standing(
        label=here[0].label,
        place=None,
        rank=statistics.fmean(would_be(each, rivals[each.landscape], measure) for each in here),
        played=len(here),
        first=sum(measure.value(each) <= lowest[each.landscape] for each in here),
        overall=overall(here, measure),
        times=overall(here, measure, lowest),
    )


def _placed(found: list[Standing], landscapes: int) -> list[Standing]:
    """Return the standings in order, with places for those who played on all landscapes."""
    complete = [each.rank for each in found if each.played == landscapes]
    ordered = sorted(found, key=lambda each: (each.played < landscapes, each.rank, each.label))
    return [
        replace(each, place=1 + sum(rank < each.rank for rank in complete))
        if each.played == landscapes
        else each
        for each in ordered
    ]


def landscape_ranks(entries: Iterable[Entry], measure: Measure) -> dict[str, dict[str, float]]:
    """Return the ranks on each landscape, by label, among entries of one horizon."""
    values: dict[str, dict[str, float]] = {}
    for entry in entries:
        values.setdefault(entry.landscape, {})[entry.label] = measure.value(entry)
    return {landscape: ranks(each) for landscape, each in values.items()}


def least(entries: Iterable[Entry], measure: Measure) -> dict[str, float]:
    """Return the least number on each landscape."""
    found: dict[str, float] = {}
    for entry in entries:
        value = measure.value(entry)
        found[entry.landscape] = min(value, found.get(entry.landscape, value))
    return found


def overall(
    entries: Sequence[Entry], measure: Measure, units: Mapping[str, float] | None = None
) -> Factor:
    """Return the geometric mean over landscapes, in the given unit of each landscape if any."""
    values = [measure.value(e) / (1.0 if units is None else units[e.landscape]) for e in entries]
    errors = [error for entry in entries if (error := measure.error(entry)) is not None]
    spread = math.hypot(*errors) / len(entries) if len(errors) == len(entries) else None
    return Factor(overall_gap(values, 0.0), spread)


def lead(entries: Sequence[Entry], measure: Measure) -> Lead:
    """Return who has the least among entries of one landscape and one horizon."""
    lowest = min(map(measure.value, entries))
    winners = tuple(entry for entry in entries if measure.value(entry) <= lowest)
    others = [entry for entry in entries if measure.value(entry) > lowest]
    if not others:
        return Lead(winners, None, 1.0, False)
    second = min(others, key=measure.value)
    return Lead(winners, second, measure.value(second) / lowest, clear(winners[0], second, measure))


def clear(less: Entry, more: Entry, measure: Measure) -> bool:
    """Tell whether one number is less than the other by more than two standard errors."""
    errors = measure.error(less), measure.error(more)
    if errors[0] is None or errors[1] is None:
        return False
    difference = math.log(measure.value(more)) - math.log(measure.value(less))
    return difference > SURE * math.hypot(errors[0], errors[1])
