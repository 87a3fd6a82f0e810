"""The page in a real browser: it loads, asks for nothing, and can be read on any screen."""

from pathlib import Path

import pytest
from PIL import Image

WIDTHS = [400, 1600]


@pytest.fixture(scope="module")
def address(html, tmp_path_factory):
    path = Path(tmp_path_factory.mktemp("page")) / "index.html"
    path.write_text(html, encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module", params=WIDTHS)
def tab(browser, address, request):
    """The page at one width, with all that it complained of and asked for."""
    tab = browser.new_page(viewport={"width": request.param, "height": 900})
    tab.complaints, tab.requests = [], []
    tab.on("console", lambda message: tab.complaints.append(message.text))
    tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
    tab.on("request", lambda asked: tab.requests.append(asked.url))
    tab.goto(address, wait_until="load")
    yield tab
    tab.close()


def test_every_image_loads(tab):
    widths = tab.eval_on_selector_all("img", "found => found.map(image => image.naturalWidth)")
    assert widths
    assert min(widths) > 0


def test_there_are_no_complaints(tab):
    assert tab.complaints == []


def test_nothing_else_is_asked_for(tab, address):
    assert [url for url in tab.requests if not url.startswith("data:")] == [address]


def test_the_page_is_no_wider_than_the_screen(tab):
    wide, screen = tab.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert wide <= screen


def test_the_claims_are_visible(tab):
    assert tab.locator("table.claims tbody tr").first.is_visible()


def test_a_verdict_is_on_the_screen_from_side_to_side(tab):
    box = tab.locator("table.claims .verdict").last.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= tab.viewport_size["width"]


def test_every_figure_is_wide_enough_to_read(tab):
    widths = tab.eval_on_selector_all("img", "found => found.map(image => image.clientWidth)")
    assert min(widths) >= 320


def test_a_wide_table_scrolls_on_its_own(tab):
    overflow = tab.eval_on_selector(".scroll", "found => getComputedStyle(found).overflowX")
    assert overflow == "auto"


def columns(tab):
    """Return how many figures stand side by side at the top of the first experiment."""
    tops = tab.eval_on_selector_all(
        ".panels figure", "found => found.map(figure => figure.getBoundingClientRect().left)"
    )
    return len(set(tops))


def test_panels_stand_side_by_side_where_there_is_room(browser, address):
    tab = browser.new_page(viewport={"width": 1600, "height": 900})
    tab.goto(address)
    assert columns(tab) == 3


def test_panels_stand_below_each_other_on_a_narrow_screen(browser, address):
    tab = browser.new_page(viewport={"width": 400, "height": 900})
    tab.goto(address)
    assert columns(tab) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_the_page_in_both_schemes(browser, address, scheme):
    tab = browser.new_page(color_scheme=scheme)
    tab.goto(address)
    ink, paper = tab.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert abs(brightness(ink) - brightness(paper)) > 150


def test_a_printed_page_is_no_wider_than_the_paper(browser, address):
    tab = browser.new_page(viewport={"width": 794, "height": 1123})  # A4 at 96 dots an inch
    tab.emulate_media(media="print")
    tab.goto(address)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 794


def brightness(colour):
    """Return the mean of red, green and blue of ``rgb(r, g, b)``."""
    return sum(map(int, colour[4:-1].split(","))) / 3


def shade(tab, tmp_path):
    """Return the brightness of the corner of the first image, as it is shown."""
    path = tmp_path / "image.png"
    tab.locator("figure img").first.screenshot(path=path)
    with Image.open(path) as image:
        return sum(image.convert("RGB").getpixel((3, 3))) / 3


@pytest.mark.parametrize(("scheme", "low", "high"), [("light", 250, 255), ("dark", 10, 60)])
def test_figures_are_as_light_or_dark_as_the_page(browser, address, tmp_path, scheme, low, high):
    tab = browser.new_page(color_scheme=scheme)
    tab.goto(address)
    assert low <= shade(tab, tmp_path) <= high
