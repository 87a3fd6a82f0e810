"""The page of an arena: it needs nothing else, and everybody is on it."""

import re
from html import escape

import pytest
from arenas import arena, entry

from duelli.record.arena import Absence
from duelli.record.results import MIDDLE
from duelli.report.arena import page, summary, write
from duelli.report.reasons import reasons
from duelli.report.winners import champion_sentence, headline, landscape_sentence

from .test_page import NASTY, Reader

LEARNERS = ["arc_race", "auto", "arc_duelli", *(f"rival_{k}" for k in range(12))]
HORIZONS = (1000, 10**6)


def entries_of():
    return [
        entry(label, (90.0 + k, 95.0 + k), (0.01 + k / 1e3, 0.012 + k / 1e3), **place)
        for k, label in enumerate(LEARNERS)
        for landscape in ("flat", "two_cones")
        for horizon in HORIZONS
        for place in [{"landscape": landscape, "horizon": horizon}]
        if label != "rival_3" or horizon == 1000
    ]


ABSENT = (
    Absence("rival_3", 10**6, ("flat", "two_cones"), "plays at most 1e4 duels here"),
    Absence("never", 1000, ("flat", "two_cones"), "refuses 2 dimensions"),
    Absence("never", 10**6, ("flat", "two_cones"), "refuses 2 dimensions"),
)


def arena_of(main="regret", **more):
    return arena(entries_of(), main=main, learners=(*LEARNERS, "never"), absences=ABSENT, **more)


@pytest.fixture(scope="module", params=["regret", "gap"])
def table(request):
    return arena_of(request.param)


@pytest.fixture(scope="module")
def html(table):
    return page(table)


@pytest.fixture(scope="module")
def read(html):
    return Reader(html)


def tables_in(html):
    """Return the rows of each table."""
    return [Reader(part).rows for part in re.findall(r"<table>.*?</table>", html, re.DOTALL)]


def test_every_element_is_closed_and_nothing_is_loaded(html, read):
    assert read.open == []
    assert not read.every("script")
    assert not re.search(r"(https?:)?//|@import|url\(", re.sub(r"base64,[^\"]*", "", html))
    assert all(image["src"].startswith("data:image/png;base64,") for image in read.every("img"))


def test_every_link_leads_to_a_place_on_the_page_and_no_id_is_there_twice(read):
    ids = [attrs["id"] for _, attrs in read.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert {link["href"] for link in read.every("a")} == {f"#{name}" for name in ids}


def test_every_learner_is_on_the_page_also_who_never_plays(read, table):
    heads = {cells[0] for cells in read.rows}
    assert set(table.learners) <= heads


def test_the_middle_of_the_box_is_in_every_table_of_numbers(html):
    numbers = [rows for rows in tables_in(html) if rows[0][1:] != ["T", "where", "why"]]
    assert len(numbers) == 1 + 2 + 2  # winners, standings and landscapes
    for rows in numbers:
        assert MIDDLE in {cells[0] for cells in rows} | set(rows[0])


def test_the_standings_of_the_largest_horizon_come_first_and_are_open(html):
    folded = re.findall(r"<details([^>]*)><summary>([^<]*)", html)
    assert [title for opened, title in folded if opened] == [folded[0][1]]
    assert folded[0][1].startswith("Standings at T = 1e6")


def test_all_sentences_are_there(html, table):
    said = [headline(table), *(landscape_sentence(table, name) for name in table.landscapes)]
    said += [champion_sentence(table, horizon) for horizon in table.horizons]
    assert all(escape(text) in html for text in said)


def test_the_answers_of_the_champion_are_judged_where_regret_ranks():
    table = arena_of("regret")
    assert escape(champion_sentence(table, 10**6, "gap")) in page(table)


def test_who_does_not_play_is_told_with_the_reason(read):
    assert ["rival_3", "1e6", read.rows[-1][2], "plays at most 1e4 duels here"] in read.rows
    assert "refuses 2 dimensions" in read.rows[-1]


def test_an_arena_in_which_all_play_says_so():
    assert "Every learner plays everywhere." in page(arena([entry("spsa"), entry("auto")]))


def test_facts_and_the_command_are_there(read):
    assert "2 cores" in read.words
    assert "duelli compare --preset paper" in read.words


def test_each_landscape_has_a_figure_with_its_sentence(html, read, table):
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", html, re.DOTALL)
    for name in table.landscapes:
        assert escape(landscape_sentence(table, name)) in captions
    assert all(image["alt"] for image in read.every("img"))


def test_ours_and_the_middle_stand_out(html):
    rows = re.findall(
        r'<tr class="(\w+)"><th scope="row">(?:<span class="mark"[^>]*></span>)?'
        r"<span>([^<]*)",
        html,
    )
    assert {name for kind, name in rows if kind == "ours"} == {"arc_race", "auto", "arc_duelli"}
    assert {name for kind, name in rows if kind == "middle"} == {MIDDLE}


def test_no_text_becomes_markup():
    table = arena([entry(NASTY), entry("auto")], title=NASTY, lead=NASTY, facts=((NASTY, NASTY),))
    html = page(table)
    assert "<script" not in html
    assert Reader(html).open == []


def test_an_arena_without_any_entry_has_a_page_that_says_so():
    html = page(arena([], landscapes=("flat",), horizons=(10**8,), champions={10**8: "arc_race"}))
    assert "No learner plays at these horizons." in html
    assert "arc_race does not play." in html


def test_the_page_is_written_under_the_name_of_its_preset(tmp_path):
    path = write(arena([entry("auto"), entry("spsa")]), tmp_path)
    assert path == tmp_path / "arena-paper.html"
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_summary_has_one_line_for_each_sentence(table):
    lines = summary(table).splitlines()
    assert lines[0] == headline(table)
    said = [champion_sentence(table, horizon) for horizon in table.horizons]
    assert lines[1:] == [*said, *reasons(table, [table.main])]
