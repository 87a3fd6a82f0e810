"""The tables of an arena: standings at one horizon, all numbers of one landscape, absences."""

from collections.abc import Sequence

from duelli.record.arena import ArenaTable, Entry
from duelli.record.ranking import (
    Measure,
    Standing,
    landscape_ranks,
    lead,
    standing_among,
    standings,
    would_be,
)
from duelli.record.results import MIDDLE
from duelli.record.stats import neat
from duelli.report.winners import factor_text, measure_of

Cells = tuple[str, ...]
NONE = "–"
PLACES = ("learner", "place", "mean rank", "first on")
VALUES = {
    "regret": ("regret, times the least", "mean rank by gap", "gap of the answer"),
    "gap": ("gap of the answer", "times the smallest", "regret per duel"),
}
COSTS = ("time per duel, roughly", "memory, peak", "state, bytes", "state, bits")
HEADS = {"regret": "regret", "gap": "gap (median, worst)"}
SIZES = (("GB", 1e9), ("MB", 1e6), ("kB", 1e3))
UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6))


def standings_table(table: ArenaTable, horizon: int) -> tuple[Cells, list[Cells]]:
    """Return the columns and rows of the standings at one horizon, sorted by mean rank.

    The middle of the box stands where its rank would put it. Learners that do not play on all
    landscapes come last.
    """
    entries, middles = table.at(horizon=horizon), table.middles_at(horizon)
    columns = (*PLACES, *VALUES[table.main], *COSTS)
    if not entries:
        return columns, []
    found, gaps = ({e.label: e for e in _standings(table, horizon, n)} for n in (None, "gap"))
    by_label = {label: [e for e in entries if e.label == label] for label in found}
    by_label[MIDDLE] = middles
    return columns, [
        (
            *_place(each, len(table.landscapes)),
            *_values(table.main, each, gaps[label], by_label[label]),
            *_cost(by_label[label], table.memory.get((label, horizon))),
        )
        for label, each in found.items()
    ]


def _standings(table: ArenaTable, horizon: int, name: str | None) -> list[Standing]:
    """Return the standings with the middle of the box among them."""
    entries, measure = table.at(horizon=horizon), measure_of(table, name)
    found = standings(entries, measure)
    middle = standing_among(table.middles_at(horizon), entries, measure)
    before = [e for e in found if e.place is not None and e.rank <= middle.rank]
    return [*before, middle, *(each for each in found if each not in before)]


def _place(found: Standing, landscapes: int) -> Cells:
    place = NONE if found.place is None else str(found.place)
    first = f"{found.first} of {found.played}"
    if found.played < landscapes:
        first += f" (plays on {found.played} of {landscapes})"
    return (found.label, place, f"{found.rank:.3g}", first)


def _values(main: str, found: Standing, gap: Standing, own: Sequence[Entry]) -> Cells:
    if main == "regret":
        return (str(found.times), f"{gap.rank:.3g}", str(gap.overall))
    regret = sum(each.regret_per_duel for each in own) / len(own)
    return (str(found.overall), str(found.times), neat(regret, 2))


def _cost(own: Sequence[Entry], memory: int | None) -> Cells:
    """Return the mean time, the memory, and the largest state, over landscapes."""
    costs = [entry.cost for entry in own if entry.cost is not None]
    if not costs:
        return (NONE,) * len(COSTS)
    seconds = sum(each.seconds for each in costs) / len(costs)
    bits = max(each.state_bits for each in costs)
    state = f"{max(each.state_bytes for each in costs):,}"
    peak = NONE if memory is None else size(memory)
    return (rough(seconds), peak, state, f"{bits:,}" if bits else NONE)


def rough(seconds: float) -> str:
    """Return a time with one digit, because the same work takes longer on a busy machine.

    >>> rough(0.0023)
    '2 ms'
    """
    name, unit = next((each for each in UNITS if seconds >= each[1]), ("ns", 1e-9))
    return f"{neat(seconds / unit, 1)} {name}"


def size(count: int) -> str:
    """Return a number of bytes with two digits.

    >>> size(9_291_859)
    '9.3 MB'
    """
    name, unit = next((each for each in SIZES if count >= each[1]), ("bytes", 1.0))
    return f"{neat(count / unit, 2)} {name}"


def winners_table(table: ArenaTable) -> tuple[Cells, list[Cells]]:
    """Return who has the least on each landscape at each horizon, and how much the next has.

    Where the learner that should lead does not, its factor and rank follow. The last column has
    the ranks that the middle of the box would have, one for each horizon.
    """
    columns = [f"T = {neat(horizon)}" for horizon in table.horizons]
    rows = [
        (
            landscape,
            *(_winner(table, landscape, horizon) for horizon in table.horizons),
            ", ".join(_rank_of_middle(table, landscape, horizon) for horizon in table.horizons),
        )
        for landscape in table.landscapes
    ]
    return (table.places.removesuffix("s"), *columns, MIDDLE), rows


def _winner(table: ArenaTable, landscape: str, horizon: int) -> str:
    """Return who leads, with the factor to the next, and "~" if that is not clear."""
    entries, measure = table.at(landscape=landscape, horizon=horizon), measure_of(table)
    if not entries:
        return NONE
    found = lead(entries, measure)
    text = ", ".join(entry.label for entry in found.winners)
    if found.second is not None and not measure.is_none(found.winners[0]):
        text += f" ({'' if found.clear else '~'}{factor_text(found.factor)})"
    for own in entries:
        if own.label == table.champions[horizon] and own not in found.winners:
            text += f"; {_follower(own, entries, found.winners[0], measure)}"
    return text


def _follower(own: Entry, entries: Sequence[Entry], best: Entry, measure: Measure) -> str:
    """Return how a learner stands that does not lead: its rank, and how much more it has."""
    rank = landscape_ranks(entries, measure)[own.landscape][own.label]
    if measure.is_none(best):
        return f"{own.label} has rank {rank:g}"
    factor = factor_text(measure.value(own) / measure.value(best))
    return f"{own.label} has rank {rank:g} ({factor} times)"


def _rank_of_middle(table: ArenaTable, landscape: str, horizon: int) -> str:
    entries = table.at(landscape=landscape, horizon=horizon)
    if not entries:
        return NONE
    return f"{would_be(table.middle(landscape, horizon), entries, measure_of(table)):g}"


def landscape_table(table: ArenaTable, landscape: str) -> tuple[Cells, list[Cells]]:
    """Return the columns and rows of one landscape, sorted by the rank at the largest horizon.

    A cell begins with the rank. Learners that stop earlier come later.
    """
    names = ("regret", "gap") if table.main == "regret" else ("gap",)
    places = [(horizon, name) for name in names for horizon in table.horizons]
    columns = [f"{HEADS[name]}, T = {neat(horizon)}" for horizon, name in places]
    rows = [
        (label, *(_cell(table, landscape, label, *place) for place in places))
        for label in _by_rank(table, landscape)
    ]
    return ("learner", *columns), rows


def _by_rank(table: ArenaTable, landscape: str) -> list[str]:
    """Return all who have a number on a landscape, the middle of the box among them."""
    order: list[str] = []
    for horizon in reversed(table.horizons):
        entries = table.at(landscape=landscape, horizon=horizon)
        if not entries:
            continue
        both = [*entries, table.middle(landscape, horizon)]
        values = {each.label: measure_of(table).value(each) for each in both}
        order += sorted((label for label in values if label not in order), key=values.__getitem__)
    return order


def _cell(table: ArenaTable, landscape: str, label: str, horizon: int, name: str) -> str:
    """Return rank and number of one learner, or of the middle of the box."""
    entries, measure = table.at(landscape=landscape, horizon=horizon), measure_of(table, name)
    own = [each for each in entries if each.label == label]
    if not entries or (not own and label != MIDDLE):
        return NONE
    if label == MIDDLE:
        middle = table.middle(landscape, horizon)
        return f"({would_be(middle, entries, measure):g}): {_number(middle, measure)}"
    rank = landscape_ranks(entries, measure)[landscape][label]
    return f"{rank:g}: {_number(own[0], measure)}"


def _number(entry: Entry, measure: Measure) -> str:
    worst = f", {neat(entry.score.gap.worst, 2)}" if measure.name == "gap" else ""
    return measure.shown(entry) + worst


def absence_rows(table: ArenaTable) -> list[Cells]:
    """Return who did not play, one row for each learner and reason: where, when and why."""
    found: dict[tuple[str, str, tuple[str, ...]], list[int]] = {}
    for each in table.absences:
        found.setdefault((each.label, each.reason, each.landscapes), []).append(each.horizon)
    return [
        (
            label,
            ", ".join(map(neat, horizons)),
            f"all {table.places}" if where == table.landscapes else ", ".join(where),
            reason,
        )
        for (label, reason, where), horizons in found.items()
    ]
