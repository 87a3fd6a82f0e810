"""Who wins where, in sentences; nothing is said that the numbers of the table do not show."""

import statistics
from collections.abc import Iterable, Sequence

from duelli.record.arena import ArenaTable, Entry
from duelli.record.ranking import Lead, Measure, Standing, lead, standings
from duelli.record.results import MIDDLE
from duelli.record.stats import neat

FEW = 7  # places that a sentence lists
MOST = 3  # rivals that it names
LEAST = {"regret": "the least regret", "gap": "the smallest gap"}
LESS = {"regret": "less", "gap": "a smaller one"}
LESS_THAN = {"regret": "less than", "gap": "smaller than"}
NO_LESS = {"regret": "no less regret", "gap": "no smaller gap"}


def measure_of(table: ArenaTable, name: str | None = None) -> Measure:
    """Return a measure of an arena: the one that its ranks go by first if none is named."""
    return Measure(name or table.main, table.smallest)


def headline(table: ArenaTable) -> str:
    """Return who has the best mean rank and the least geometric mean at each horizon."""
    measure, ranks, means = measure_of(table), [], []
    for horizon in table.horizons:
        if ranked := standings(table.at(horizon=horizon), measure):
            first = [each for each in ranked if each.place == 1] or ranked[:1]
            everywhere = [each for each in ranked if each.place is not None] or ranked
            least = min(each.overall.value for each in everywhere)
            best = [each for each in everywhere if each.overall.value == least]
            where = f"T = {neat(horizon)}"
            ranks.append((listed([e.label for e in first]), f"{where} ({first[0].rank:.3g})"))
            means.append((listed([e.label for e in best]), f"{where} ({neat(least)})"))
    if not ranks:
        return "No learner plays at these horizons."
    return (
        f"The best mean rank by {measure.name} is that of {_grouped(ranks)}. "
        f"The smallest geometric mean is that of {_grouped(means)}."
    )


def landscape_sentence(table: ArenaTable, landscape: str) -> str:
    """Return who has the least on one landscape, at each horizon, in one sentence."""
    measure, led, behind = measure_of(table), [], []
    for horizon in table.horizons:
        if not (entries := table.at(landscape=landscape, horizon=horizon)):
            continue
        found, middle = lead(entries, measure), table.middle(landscape, horizon)
        names, where = listed([entry.label for entry in found.winners]), f"T = {neat(horizon)}"
        led.append((names, f"{where} ({_margin(found, measure)})"))
        if measure.value(middle) < measure.value(found.winners[0]):
            behind.append(f"{where} ({measure.shown(middle)})")
    if not led:
        return f"On {landscape} nobody plays."
    text = f"On {landscape}, {LEAST[measure.name]} is that of {_grouped(led)}"
    if behind:
        text += (
            f"; the {MIDDLE}, which takes no duels, has {LESS[measure.name]} at {listed(behind)}"
        )
    return f"{text}."


def champion_sentence(table: ArenaTable, horizon: int, name: str | None = None) -> str:
    """Return whether the learner that should lead at a horizon does, and where not.

    Args:
        table: The arena.
        horizon: T.
        name: The measure; the one that ranks go by first if None.
    """
    measure, label = measure_of(table, name), table.champions[horizon]
    entries, own = table.at(horizon=horizon), table.at(horizon=horizon, label=label)
    if not own:
        return f"At T = {neat(horizon)}, {label} does not play."
    lost = beaten(table, horizon, name)
    among = f"{len(own) - len(lost)} of {len(own)} {table.places}"
    text = f"At T = {neat(horizon)}, {label} has {LEAST[measure.name]} on {among}"
    text += f"{_overall(standings(entries, measure), label)}."
    if lost:
        text += _where_not(lost, measure)
    return text + _no_better(table, own, measure)


def beaten(table: ArenaTable, horizon: int, name: str | None = None) -> list[tuple[Entry, Lead]]:
    """Return what the learner that should lead did where it does not, and who leads there.

    Args:
        table: The arena.
        horizon: T.
        name: The measure; the one that ranks go by first if None.
    """
    found = []
    for own in table.at(horizon=horizon, label=table.champions[horizon]):
        ahead = lead(table.at(landscape=own.landscape, horizon=horizon), measure_of(table, name))
        if own not in ahead.winners:
            found.append((own, ahead))
    return found


def _where_not(lost: Sequence[tuple[Entry, Lead]], measure: Measure) -> str:
    """Return where a learner does not lead: all places if they are few, and else the worst."""
    if len(lost) <= FEW:
        return f" It does not lead on {'; '.join(_lost(*each, measure) for each in lost)}."
    factors = [measure.value(own) / measure.value(found.winners[0]) for own, found in lost]
    worst = lost[factors.index(max(factors))]
    half = _times(statistics.median(factors))
    return (
        f" On the {len(lost)} where it does not lead, the best has {half} less in the median, "
        f"and the difference is largest on {_lost(*worst, measure)}."
    )


def _margin(found: Lead, measure: Measure) -> str:
    """Return by how much somebody leads."""
    best, second = found.winners[0], found.second
    own = measure.shown(best) + (", as good as none" if measure.is_none(best) else "")
    if second is None:
        return f"{own}; nobody has more"
    amount = _amount(best, second, measure)
    if found.clear:
        return f"{own}; {second.label} is next with {amount}"
    return f"{own}, not clearly {LESS_THAN[measure.name]} that of {second.label}, {amount}"


def _amount(less: Entry, more: Entry, measure: Measure) -> str:
    """Return a number as a multiple of a smaller one; in itself if that is as good as none."""
    if measure.is_none(less):
        return measure.shown(more)
    return f"{_times(measure.value(more) / measure.value(less))} as much"


def _overall(ranked: Sequence[Standing], label: str) -> str:
    """Return the place of a learner over all landscapes, and who is ahead of it."""
    (own,) = (each for each in ranked if each.label == label)
    if own.place is None:
        return ", and does not play on the others"
    ahead = [each for each in ranked if each.place is not None and each.rank < own.rank]
    text = f", and place {own.place} by mean rank ({own.rank:.3g})"
    before = [f"{each.label} ({each.rank:.3g})" for each in ahead[:MOST]]
    before += [f"{len(ahead) - MOST} more"] if len(ahead) > MOST else []
    return f"{text}, behind {listed(before)}" if before else text


def _lost(own: Entry, found: Lead, measure: Measure) -> str:
    """Return who leads instead, and by how much."""
    best = found.winners[0]
    names = listed([entry.label for entry in found.winners])
    both = f"{measure.shown(best)} against {measure.shown(own)}"
    if measure.is_none(best):
        return f"{own.landscape} ({names}: as good as none, {both})"
    factor = _times(measure.value(own) / measure.value(best))
    return f"{own.landscape} ({names}: {factor} less, {both})"


def _no_better(table: ArenaTable, own: Sequence[Entry], measure: Measure) -> str:
    """Return where a learner does not beat the middle of the box, as a sentence if anywhere."""
    places = [
        each.landscape
        for each in own
        if measure.value(each) >= measure.value(table.middle(each.landscape, each.horizon))
        and not measure.is_none(each)
    ]
    if not places:
        return ""
    where = listed(places) if len(places) <= FEW else f"{len(places)} of them"
    return f" It has {NO_LESS[measure.name]} than the {MIDDLE} on {where}."


def _times(factor: float) -> str:
    """Return a factor in words."""
    return f"{factor_text(factor)} times"


def factor_text(factor: float) -> str:
    """Return a factor of at least 1, with enough digits where it is close to 1.

    >>> factor_text(1.038), factor_text(3.14), factor_text(1234.0)
    ('1.04', '3.1', '1200')
    """
    return f"{factor:.2f}" if factor < 1.1 else neat(factor, 2)


def _grouped(led: Iterable[tuple[str, str]]) -> str:
    """Return who leads where in words, with all places of one leader together."""
    places: dict[str, list[str]] = {}
    for names, where in led:
        places.setdefault(names, []).append(where)
    return "; of ".join(f"{names} at {listed(where)}" for names, where in places.items())


def listed(parts: Sequence[str]) -> str:
    """Return a list in words.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last
