"""The page of an arena: who wins where, standings, figures and all numbers."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from duelli._files import atomic_write
from duelli.record.arena import ArenaTable
from duelli.record.results import MIDDLE
from duelli.record.stats import neat
from duelli.report import arena_figures as figures
from duelli.report.arena_looks import coloured, looks
from duelli.report.arena_tables import (
    Cells,
    absence_rows,
    landscape_table,
    standings_table,
    winners_table,
)
from duelli.report.document import document, facts_section, header, link
from duelli.report.exhibits import panels
from duelli.report.files import png
from duelli.report.reasons import reasons
from duelli.report.sections import Picture
from duelli.report.tables import scrolling_table
from duelli.report.tags import tag
from duelli.report.winners import champion_sentence, headline, landscape_sentence

Colours = dict[str, str]  # by label

CONTENTS = {
    "winners": "Who wins where",
    "standings": "Standings",
    "landscapes": "Each of the {places}",
    "numbers": "All numbers",
    "absent": "Who does not play, and why",
    "setup": "What was run, and with what",
    "rerun": "How to run it again",
}
READING = (
    "Regret is the sum over all duels of the gaps of both arms; the gap of an arm is the "
    "probability with which the best arm beats it, less 1/2. Less is better in both. Numbers after "
    "± are standard errors over the trials. A rank is the place among the learners that play on "
    "the same landscape at the same horizon T; equal numbers share it. Gaps below {smallest} count "
    "as {smallest}, because they are as good as none."
)
THE_MIDDLE = (
    "The middle of the box is the answer that takes no duels, and its regret is that of T duels "
    "against itself. It has no place among the learners: its rank is the one that it would have."
)
COSTS = (
    "The time is what the learner itself takes for a duel, without those who judge it. It is a "
    "rough number, as it depends on the machine and on what else runs there; a learner that asks "
    "for many duels at once takes little for each. The memory is the most that Python and numpy "
    "had allocated for the learner at any time, in one more trial where it has most parameters; it "
    "includes what is needed only while a step is computed. The state is the largest that it was "
    "at any checkpoint, as JSON in bytes, and as the bits that the algorithm has to remember."
)
LEADERS = (
    "In brackets is how many times as much the next learner has, with ~ where the difference is "
    "not more than two standard errors. Where {leaders} should lead and does not, its rank and the "
    "number of times that it has as much as the best follow. The last column has the ranks that "
    "the middle of the box would have, one for each horizon."
)
CAPTIONS = {
    "regret": (
        "The geometric mean over landscapes of the regret over the least one there, with standard "
        "errors. {ours} and the best few are coloured, all other learners are grey."
    ),
    "gap": (
        "The geometric mean over all {places} of the median gap of the answer, with standard "
        "errors. {ours} and the best few are coloured, all other learners are grey."
    ),
}
BELOW = {
    "regret": (
        "Each figure shows the regret per duel so far in the longest trials of each learner, with "
        "one standard deviation, and below it the median gap of the answer at each horizon, with "
        "bars from the best to the worst trial. What is 0 is drawn at the lower edge."
    ),
    "gap": (
        "Each figure shows the median gap of the answer at each horizon, with bars from the best "
        "to the worst trial."
    ),
}


def write(table: ArenaTable, folder: Path) -> Path:
    """Draw the figures and write the page; return its path."""
    path = folder / f"arena-{table.name}.html"
    atomic_write(path, page(table))
    return path


def summary(table: ArenaTable) -> str:
    """Return who leads over all, where our learners do not and why, in one line for each."""
    said = [champion_sentence(table, horizon) for horizon in table.horizons]
    return "\n".join([headline(table), *said, *reasons(table, [table.main])])


def page(table: ArenaTable) -> str:
    """Return the page."""
    names = {place: text.format(places=table.places) for place, text in CONTENTS.items()}
    colours = coloured(table)
    links = tag("ul", "", *(link(place, text) for place, text in names.items()))
    return document(
        table.title,
        (
            header(table.title, table.lead, headline(table)),
            tag("nav", "", links, aria_label="Contents"),
            _section("winners", names, *_winners(table)),
            _section("standings", names, *_standings(table, colours)),
            _section("landscapes", names, *_landscapes(table, colours)),
            _section("numbers", names, *_numbers(table, colours)),
            _section("absent", names, _absent(table)),
            facts_section(table.facts),
            _section("rerun", names, _rerun(table)),
        ),
    )


def _section(place: str, names: Mapping[str, str], *parts: str) -> str:
    return tag("section", "", tag("h2", names[place], id=place), *parts, class_="arena")


def _winners(table: ArenaTable) -> list[str]:
    """Return where our learners lead and where not, and who leads on each landscape."""
    said = [champion_sentence(table, t, m) for t in table.horizons for m in _measures(table)]
    why = reasons(table, _measures(table))
    leaders = " or ".join(dict.fromkeys(table.champions.values()))
    title = f"Who leads on each of the {table.places}, by {table.main}"
    return [
        tag("h3", f"Where {leaders} should lead, and where not"),
        _sentences(list(dict.fromkeys(said))),
        *([tag("h3", "Why not"), _sentences(why)] if why else []),
        tag("h3", title),
        tag("p", LEADERS.format(leaders=leaders)),
        scrolling_table(*winners_table(table), title, wraps=True),
    ]


def _sentences(said: Sequence[str]) -> str:
    return tag("ul", "", *(tag("li", text) for text in said), class_="sentences")


def _measures(table: ArenaTable) -> tuple[str, ...]:
    return ("regret", "gap") if table.main == "regret" else ("gap",)


def _standings(table: ArenaTable, colours: Colours) -> list[str]:
    played = _measures(table) if table.entries else ()
    drawn = {name: figures.over_all(table, name, looks(table, colours)) for name in played}
    pictures = [
        Picture(
            png=png(figure),
            alt=str(figure.get_label()),
            caption=CAPTIONS[name].format(places=table.places, ours=", ".join(table.ours)),
        )
        for name, figure in drawn.items()
    ]
    parts = [tag("p", READING.format(smallest=neat(table.smallest))), tag("p", THE_MIDDLE)]
    parts += [tag("p", COSTS), panels(pictures)]
    for horizon in reversed(table.horizons):
        title = f"Standings at T = {neat(horizon)}, by {table.main}"
        if rows := _table(table, colours, title, *standings_table(table, horizon)):
            is_last = horizon == table.horizons[-1]
            parts.append(_folded(title, rows, is_open=is_last))
    return parts


def _landscapes(table: ArenaTable, colours: Colours) -> list[str]:
    shown = [name for name in table.landscapes if table.at(landscape=name)]
    pictures = []
    for name in shown:
        figure = figures.one_landscape(table, name, looks(table, colours))
        alt, caption = str(figure.get_label()), landscape_sentence(table, name)
        pictures.append(Picture(png=png(figure), alt=alt, caption=caption))
    return [tag("p", BELOW[table.main]), panels(pictures)]


def _numbers(table: ArenaTable, colours: Colours) -> list[str]:
    explained = (
        "A cell begins with the rank. The regret is the mean over the trials with its standard "
        "error; the gap of the answer is the median, and then the worst trial. A dash means that "
        "the learner does not play there."
    )
    parts = [tag("p", explained)]
    for name in table.landscapes:
        title = f"Numbers on {name}"
        if rows := _table(table, colours, title, *landscape_table(table, name)):
            parts.append(_folded(title, rows))
    return parts


def _table(
    table: ArenaTable, colours: Colours, label: str, columns: Cells, rows: list[Cells]
) -> str:
    """Return a table in which ours and the middle of the box stand out; empty without rows."""
    kinds = {MIDDLE: "middle", **dict.fromkeys(table.ours, "ours")}
    if not rows:
        return ""
    return scrolling_table(columns, rows, label, kinds=kinds, colours=colours)


def _folded(title: str, content: str, *, is_open: bool = False) -> str:
    attributes = {"open": "open"} if is_open else {}
    return tag("details", "", tag("summary", title), content, **attributes)


def _absent(table: ArenaTable) -> str:
    rows = absence_rows(table)
    if not rows:
        return tag("p", "Every learner plays everywhere.")
    columns = ("learner", "T", "where", "why")
    return scrolling_table(columns, rows, "Who does not play, and why", wraps=True)


def _rerun(table: ArenaTable) -> str:
    kept = (
        "Finished trials are kept, so a second run costs nothing and a killed one goes on where it "
        "was. Beside this page is a JSON file with the same numbers."
    )
    return tag("p", kept) + tag("p", "", tag("code", table.rerun))
