"""How arms are shown, and what no study may ask of a page."""

import pytest

from duelli import Box
from duelli.live.shows import check_show, colour, frame_source, shown

BOX = Box({"a": (0.0, 1.0), "n": (1, 5, "int"), "font": ["x", "y"], "b": 7})
POINT = {"a": 0.25, "n": 3, "font": "x", "b": 7}


@pytest.mark.parametrize(
    ("space", "values", "expected"),
    [
        ("rgb", [255, 128, 0], "#ff8000"),
        ("rgb", [300, -5, 0], "#ff0000"),
        ("hsl", [0, 100, 50], "#ff0000"),
        ("hsl", [120, 100, 25], "#008000"),
        ("hsl", [480, 100, 25], "#008000"),
    ],
)
def test_a_colour_is_six_digits(space, values, expected):
    assert colour(space, values) == expected


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("plain", "plain"),
        ("{n} {a:.1f} {font}", "3 0.2 x"),
        ("{{n}} {b}", "{n} 7"),
        ("{a:.0%}", "25%"),
        ("{n:>4}|", "   3|"),
    ],
)
def test_a_template_holds_values(template, text):
    show = check_show({"kind": "text", "template": template}, BOX)
    assert shown(show, BOX, POINT) == {"text": text}


@pytest.mark.parametrize(
    "template",
    ["{", "{a", "{c}", "{}", "{0}", "{a.real}", "{font[0]}", "{a!r}", "{a:>1000}", "{font:.1f}"],
)
def test_a_template_does_nothing_else(template):
    with pytest.raises(ValueError, match=r"show\.template must"):
        check_show({"kind": "text", "template": template}, BOX)


def test_a_text_may_be_hostile_and_stays_a_text():
    show = check_show({"kind": "text", "template": "<script>{font}</script>"}, BOX)
    assert shown(show, BOX, POINT) == {"text": "<script>x</script>"}


@pytest.mark.parametrize(
    "show",
    [
        7,
        {"kind": 7},
        {"kind": "parameters", "labels": {"c": "C"}},
        {"kind": "parameters", "labels": {"a": 7}},
        {"kind": "parameters", "more": 1},
        {"kind": "colour", "from": ["a", "n"]},
        {"kind": "colour", "from": ["a", "n", "font"]},
        {"kind": "colour", "from": ["a", "n", "c"]},
        {"kind": "colour", "from": ["a", "n", "b"], "space": "lab"},
        {"kind": "image", "function": "os.system"},
        {"kind": "image", "function": "draw", "alt": 7},
        {"kind": "page", "url": "ftp://x.example"},
        {"kind": "page", "url": "https://x.example/#a"},
        {"kind": "page", "url": "https://x.example' 'unsafe-inline"},
        {"kind": "page", "url": "data:text/html,x"},
    ],
)
def test_what_cannot_be_shown_is_refused(show):
    with pytest.raises((ValueError, TypeError), match="show"):
        check_show(show, BOX)


def test_a_page_gets_the_parameters_in_its_address():
    show = check_show({"kind": "page", "url": "https://x.example/card"}, BOX)
    assert shown(show, BOX, {**POINT, "font": "a&b"}) == {
        "src": "https://x.example/card?a=0.25&n=3&font=a%26b&b=7"
    }
    assert frame_source(show) == "https://x.example"


def test_a_box_without_names_is_shown_by_numbered_names():
    box = Box([(0.0, 1.0), (0.0, 1.0)])
    view = shown(check_show({"kind": "parameters"}, box), box, box.to_raw((0.25, 0.5)))
    assert view["values"] == [{"label": "x1", "value": 0.25}, {"label": "x2", "value": 0.5}]
