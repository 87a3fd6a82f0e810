"""Tables as HTML."""

from duelli.report.tables import scrolling_table

from .test_page import NASTY, Reader


def test_cells_are_text_under_their_columns():
    read = Reader(scrolling_table(("a", NASTY), [("x", "1"), (NASTY, "<b>")], "Numbers"))
    assert read.rows == [["a", NASTY], ["x", "1"], [NASTY, "<b>"]]
    assert read.open == []
    assert read.every("div") == [
        {"class": "scroll", "tabindex": "0", "role": "region", "aria-label": "Numbers"}
    ]


def test_a_row_may_have_a_class_and_a_mark():
    rows = [("x", "1"), ("y", "2")]
    html = scrolling_table(("a", "b"), rows, "N", kinds={"y": "ours"}, colours={"x": "#123456"})
    read = Reader(html)
    assert [attrs.get("class") for attrs in read.every("tr")] == [None, None, "ours"]
    (mark,) = [attrs for attrs in read.every("span") if attrs]
    assert mark == {"class": "mark", "style": "background: #123456", "aria-hidden": "true"}


def test_cells_may_have_several_lines():
    assert 'class="scroll wraps"' in scrolling_table(("a",), [("x",)], "N", wraps=True)
