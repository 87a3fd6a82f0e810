"""The page of an arena in a real browser, with thirty learners: it can be read on any screen."""

import pytest
from arenas import arena, entry

from duelli.report.arena import write

LABELS = ["arc_race", "auto", "arc_duelli", *(f"a_learner_called_{k}" for k in range(27))]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    table = arena(
        entry(label, (90.0 + k, 95.0 + k), (0.01 + k / 1e3,) * 2, landscape=name, horizon=horizon)
        for k, label in enumerate(LABELS)
        for name in ("flat", "two_cones")
        for horizon in (1000, 10**6)
    )
    return write(table, tmp_path_factory.mktemp("arena")).as_uri()


@pytest.fixture(scope="module", params=[(390, "light"), (390, "dark"), (1440, "light")])
def tab(browser, address, request):
    """The page at one width, with all that it complained of and asked for."""
    width, scheme = request.param
    tab = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    tab.complaints, tab.requests = [], []
    tab.on("console", lambda message: tab.complaints.append(message.text))
    tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
    tab.on("request", lambda asked: tab.requests.append(asked.url))
    tab.goto(address, wait_until="load")
    yield tab
    tab.close()


def test_the_page_is_no_wider_than_the_screen(tab):
    wide, screen = tab.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert wide <= screen


def test_there_are_no_complaints_and_nothing_else_is_asked_for(tab, address):
    assert tab.complaints == []
    assert [url for url in tab.requests if not url.startswith("data:")] == [address]


def test_the_head_of_a_row_stays_while_the_table_scrolls(tab):
    left = tab.evaluate(
        """() => {
            const box = document.querySelector("details[open] .scroll");
            box.scrollLeft = 10000;
            const head = box.querySelector("tbody th").getBoundingClientRect();
            return head.left - box.getBoundingClientRect().left;
        }"""
    )
    assert 0 <= left < 20


def test_folded_tables_open(tab):
    last = tab.locator("details").last
    assert not last.locator("table").is_visible()
    last.locator("summary").click()
    assert last.locator("table").is_visible()


def test_no_heading_of_a_column_is_broken_within_a_word(tab):
    broken = tab.evaluate(
        """() => [...document.querySelectorAll(".arena thead th")]
            .filter(head => head.scrollWidth > head.clientWidth + 1).length"""
    )
    assert broken == 0


def test_every_figure_is_wide_enough_to_read(tab):
    widths = tab.eval_on_selector_all("img", "found => found.map(image => image.clientWidth)")
    assert min(widths) >= 320
