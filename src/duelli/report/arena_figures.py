"""The figures of an arena: regret and gap against the horizon, over all and for each landscape."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator

from duelli.record.arena import ArenaTable, Entry
from duelli.record.ranking import standing_among, standings
from duelli.record.results import MIDDLE
from duelli.record.stats import neat
from duelli.report import style
from duelli.report.arena_looks import name_ends
from duelli.report.practice import DASHED
from duelli.report.style import Array, Look
from duelli.report.winners import measure_of

HEIGHT = 2.9  # inches of a figure with one panel
PANEL = 0.78  # of which its axes take so much
FEW = 8  # points of a curve that are marked, and horizons that have ticks of their own
FIRST = 10.0  # curves begin after so many duels


class Line(NamedTuple):
    """A curve to draw: where, how high, and from where to where its bars reach."""

    x: Array
    y: Array
    low: Array
    high: Array


def over_all(table: ArenaTable, name: str, found: dict[str, Look]) -> Figure:
    """Draw a measure over all landscapes against the horizon, with standard errors.

    Regret is shown over the least one, and the gap as it is.
    """
    lines = _over_all(table, name)
    with style.styled():
        figure = style.canvas(HEIGHT + 0.4)
        axes = figure.add_subplot()
        _draw(axes, lines, found, HEIGHT)
        axes.set_title(f"All {table.places}: {name}")
        axes.set_ylabel("times the least regret" if name == "regret" else "gap of the answer")
        axes.set_xlabel("horizon $T$ in duels")
    words = ", ".join(f"{label} {neat(float(line.y[-1]), 2)}" for label, line in lines.items())
    title = f"{name.capitalize()} over all {table.places}"
    figure.set_label(f"{title}, at the last horizon of each learner: {words}")
    return figure


def _over_all(table: ArenaTable, name: str) -> dict[str, Line]:
    """Return a measure over all landscapes, of those who play on all, and of the middle."""
    measure = measure_of(table, name)
    points: dict[str, list[tuple[float, ...]]] = {}
    for horizon in table.horizons:
        if not (entries := table.at(horizon=horizon)):
            continue
        ranked = [each for each in standings(entries, measure) if each.place is not None]
        middle = standing_among(table.middles_at(horizon), entries, measure)
        for each in (*ranked, middle):
            factor = each.times if name == "regret" else each.overall
            spread = np.exp(factor.error or 0.0)
            row = (horizon, factor.value, factor.value / spread, factor.value * spread)
            points.setdefault(each.label, []).append(row)
    return {label: Line(*np.array(each, dtype=float).T) for label, each in points.items()}


def one_landscape(table: ArenaTable, landscape: str, found: dict[str, Look]) -> Figure:
    """Draw the regret per duel, where regret counts, and the gap against the horizon."""
    with_regret = table.main == "regret"
    with style.styled():
        figure = style.canvas(HEIGHT * (1.75 if with_regret else 1))
        panels = figure.subplots(2 if with_regret else 1, 1, squeeze=False)[:, 0]
        height = figure.get_figheight() / len(panels)
        if with_regret:
            _draw(panels[0], _curves(table, landscape), found, height)
            panels[0].set(ylabel="regret per duel, $R(t) / t$", xlabel="duels $t$")
        _draw(panels[-1], _gaps(table, landscape), found, height)
        panels[-1].set(ylabel="gap of the answer", xlabel="horizon $T$ in duels")
        panels[0].set_title(landscape.replace("_", " "))
    figure.set_label(
        f"On {landscape}, for each learner, "
        + ("the regret per duel, and " if with_regret else "")
        + "the gap of the answer against the horizon"
    )
    return figure


def _last(table: ArenaTable, landscape: str) -> dict[str, Entry]:
    """Return the entry of each learner at the largest horizon that it played."""
    entries = sorted(table.at(landscape=landscape), key=lambda entry: entry.horizon)
    return {entry.label: entry for entry in entries}


def _curves(table: ArenaTable, landscape: str) -> dict[str, Line]:
    """Return the mean regret of a duel so far, by duels, in the longest trials of each learner."""
    lines = {}
    for label, entry in _last(table, landscape).items():
        points = np.array([point for point in entry.curve if point.duels >= FIRST], dtype=float)
        if len(points):
            duels, mean, deviation = points.T
            each = mean / duels
            lines[label] = Line(duels, each, each - deviation / duels, each + deviation / duels)
    ends = np.array([FIRST, table.horizons[-1]])
    still = np.full(2, table.middle(landscape, table.horizons[-1]).regret_per_duel)
    return {**lines, MIDDLE: Line(ends, still, still, still)}


def _gaps(table: ArenaTable, landscape: str) -> dict[str, Line]:
    """Return the median gap by horizons of each learner, with bars to the best and the worst."""
    lines = {}
    for label in table.learners:
        if own := table.at(landscape=landscape, label=label):
            lines[label] = _gap_line(own, table.smallest)
    middles = [table.middle(landscape, horizon) for horizon in _played(table, landscape)]
    return {**lines, MIDDLE: _gap_line(middles, table.smallest)}


def _played(table: ArenaTable, landscape: str) -> list[int]:
    return sorted({entry.horizon for entry in table.at(landscape=landscape)})


def _gap_line(entries: Sequence[Entry], smallest: float) -> Line:
    rows = [(e.horizon, e.score.gap.median, min(e.gaps), e.score.gap.worst) for e in entries]
    x, *values = np.array(rows, dtype=float).T
    return Line(x, *(np.maximum(each, smallest) for each in values))


def _draw(axes: Axes, lines: dict[str, Line], found: dict[str, Look], height: float) -> None:
    """Draw the curves on logarithmic axes: bars and names for the coloured ones only.

    What is 0 is drawn at the lower edge.
    """
    places = np.concatenate([line.x for line in lines.values()])
    worst = [line.high for label, line in lines.items() if label in found and found[label].shade]
    low, high = _limits(np.concatenate([*(line.y for line in lines.values()), *worst]), 1.4)
    axes.set(xscale="log", yscale="log", ylim=(low, high), xlim=_limits(places, 1.2))
    for label, look in found.items():
        if label in lines:
            _curve(axes, lines[label], look, low)
    if MIDDLE in lines:
        still = lines[MIDDLE]
        axes.plot(still.x, np.maximum(still.y, low), **DASHED)
    ends = {
        label: (float(line.x[-1]), max(float(line.y[-1]), low))
        for label, line in lines.items()
        if label == MIDDLE or found[label].shade
    }
    name_ends(axes, ends, found | {MIDDLE: Look(style.GREY)}, PANEL * height)
    axes.grid()
    _ticks(axes, np.unique(places).tolist())


def _curve(axes: Axes, line: Line, look: Look, low: float) -> None:
    """Draw a curve: with a band if it has many points, with bars if it has few."""
    y = np.maximum(line.y, low)
    few, is_named = len(line.x) <= FEW, bool(look.shade)
    axes.plot(line.x, y, marker="o" if few else "", markersize=3.5 if is_named else 2, **look.line)
    if not is_named:
        return
    bottom, top = np.maximum(line.low, low), np.maximum(line.high, low)
    if few:
        bars = np.stack([y - bottom, top - y]).clip(0)
        axes.errorbar(line.x, y, bars, linestyle="none", capsize=2, color=look.color, linewidth=1)
    else:
        axes.fill_between(line.x, bottom, top, color=look.color, alpha=look.shade, linewidth=0)


def _limits(values: Array, room: float) -> tuple[float, float]:
    """Return limits that hold all positive values, with some room around them."""
    positive = values[values > 0]
    if not len(positive):
        return 0.1, 1.0  # all is 0, and is drawn at the lower edge
    return float(positive.min()) / room, float(positive.max()) * room


def _ticks(axes: Axes, places: Sequence[float]) -> None:
    """Mark few places by themselves, and many by powers of ten."""
    if len(places) <= FEW:
        axes.xaxis.set_major_locator(FixedLocator(places))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda t, _: neat(t)))
        axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 3) if _decades(axes) < 3 else (1,)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: neat(y, 2)))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _decades(axes: Axes) -> float:
    low, high = axes.get_ylim()
    return float(np.log10(high / low))
