"""Tables as HTML."""

from collections.abc import Iterable, Mapping, Sequence

from duelli.report.tags import tag


def scrolling_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    label: str,
    *,
    kinds: Mapping[str, str] | None = None,
    colours: Mapping[str, str] | None = None,
    wraps: bool = False,
) -> str:
    """Return a table that scrolls on its own where it is too wide.

    Args:
        columns: The names of the columns.
        rows: The cells of each row; the first one is the head of its row.
        label: What the table shows, for those who cannot see it.
        kinds: Head of a row -> the class of the row.
        colours: Head of a row -> the colour of a mark in front of it.
        wraps: Whether cells may have several lines.
    """
    head = "".join(tag("th", name, scope="col") for name in columns)
    body = (
        tag(
            "tr",
            "",
            tag("th", "", _mark(colours or {}, first), tag("span", first), scope="row"),
            *(tag("td", cell) for cell in rest),
            **({"class_": kinds[first]} if kinds and first in kinds else {}),
        )
        for first, *rest in rows
    )
    table = tag("table", "", tag("thead", "", tag("tr", "", head)), tag("tbody", "", *body))
    kind = "scroll wraps" if wraps else "scroll"
    return tag("div", "", table, class_=kind, tabindex="0", role="region", aria_label=label)


def _mark(colours: Mapping[str, str], name: str) -> str:
    if name not in colours:
        return ""
    return tag("span", class_="mark", style=f"background: {colours[name]}", aria_hidden="true")
