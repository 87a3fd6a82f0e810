"""Why a learner that should lead does not: its habits, and what the numbers of the table show."""

import statistics
from collections import Counter
from collections.abc import Sequence

from duelli.record.arena import ArenaTable, Entry
from duelli.record.ranking import Lead, Measure, clear
from duelli.record.results import MIDDLE
from duelli.record.stats import neat
from duelli.report.winners import FEW, beaten, factor_text, listed, measure_of

NO_MORE = {"regret": "has no more regret than", "gap": "has no larger gap than that of"}

Beaten = Sequence[tuple[Entry, Lead]]


def reasons(table: ArenaTable, measures: Sequence[str]) -> list[str]:
    """Return why those that should lead do not, one text for each learner and measure."""
    champions = dict.fromkeys(table.champions.values())
    found = [why_not(table, label, name) for label in champions for name in measures]
    return list(filter(None, found))


def why_not(table: ArenaTable, label: str, name: str) -> str:
    """Return why a learner does not lead by a measure where it should; empty if it does.

    Its habit comes first, and then what the numbers show at each horizon where it does not lead.
    """
    horizons = [t for t in table.horizons if table.champions[t] == label and beaten(table, t, name)]
    if not horizons:
        return ""
    shown = [(horizon, _evidence(table, horizon, name)) for horizon in horizons]
    said = [f"At T = {neat(horizon)}: {text}" for horizon, text in shown if text]
    return " ".join(filter(None, [f"By {name}:", table.reasons.get((label, name), ""), *said]))


def _evidence(table: ArenaTable, horizon: int, name: str) -> str:
    """Return what the numbers show at one horizon."""
    measure, lost = measure_of(table, name), beaten(table, horizon, name)
    said = [_without_search(table, lost, measure)]
    if name == "regret":
        said.append(_answers(lost, measure_of(table, "gap")))
    said += [_rivals(lost), _within_errors(lost, measure)]
    return " ".join(filter(None, said))


def _without_search(table: ArenaTable, lost: Beaten, measure: Measure) -> str:
    """Return where the middle of the box has no more than the leader, as a sentence if anywhere."""
    places = [
        own.landscape
        for own, found in lost
        if measure.value(table.middle(own.landscape, own.horizon))
        <= measure.value(found.winners[0])
    ]
    if not places:
        return ""
    where = listed(places) if len(places) <= FEW else f"{len(places)} of {len(lost)}"
    return f"On {where} no search pays: the {MIDDLE} {NO_MORE[measure.name]} the leader."


def _answers(lost: Beaten, gap: Measure) -> str:
    """Return where a learner with more regret has the better answer."""
    if all(gap.is_none(found.winners[0]) for _, found in lost):
        return ""  # no answer could be better
    factors = [gap.value(found.winners[0]) / gap.value(own) for own, found in lost]
    if not (better := [factor for factor in factors if factor > 1]):
        return "Its answer has no smaller gap than that of the leader there either."
    half = factor_text(statistics.median(better))
    if len(lost) == 1:
        return f"Its answer there has a gap that is {half} times smaller than the leader's."
    return (
        f"On {len(better)} of {len(lost)} its answer has a smaller gap than that of the leader, "
        f"{half} times smaller in the median of these."
    )


def _rivals(lost: Beaten) -> str:
    """Return how many different learners lead instead, as a sentence if they are several."""
    leaders = Counter(found.winners[0].label for _, found in lost)
    if len(leaders) == 1:
        return ""
    label, most = leaders.most_common(1)[0]
    often = f"{label} most often, on {most}" if most > 1 else "each on one"
    return f"No single rival is ahead; {len(leaders)} learners lead instead, {often}."


def _within_errors(lost: Beaten, measure: Measure) -> str:
    """Return how often the difference may be chance, as a sentence if it ever may."""
    if any(measure.error(own) is None for own, _ in lost):
        return ""
    count = sum(not clear(found.winners[0], own, measure) for own, found in lost)
    if not count:
        return ""
    among = f"On {count} of {len(lost)} the" if len(lost) > 1 else "The"
    return f"{among} difference is not more than two standard errors."
