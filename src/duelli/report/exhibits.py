"""An experiment as HTML: its pictures, its table and the choices made."""

import base64
from html import escape

from duelli.report.sections import Picture, Section
from duelli.report.tags import tag

WIDE = 1000  # pixels from which on a figure takes more than one column


def exhibit(shown: Section) -> str:
    """Return an experiment as a section of the page."""
    choices = tag("ul", "", *(tag("li", choice) for choice in shown.choices))
    pictures = tag("div", "", *map(_picture, shown.pictures), class_="panels")
    return tag(
        "section",
        "",
        tag("h3", shown.title, id=f"experiment-{shown.id}"),
        tag("p", shown.where, class_="where"),
        pictures if shown.pictures else tag("p", "No run of this experiment is finished."),
        _table(shown),
        tag("p", "Choices made:") + choices if shown.choices else "",
        class_="experiment",
    )


def _picture(picture: Picture) -> str:
    data = base64.b64encode(picture.png).decode("ascii")
    width, height = map(str, picture.size)
    source = f"data:image/png;base64,{data}"
    image = f'<img src="{source}" alt="{escape(picture.alt)}" width="{width}" height="{height}">'
    kind = "wide" if picture.size[0] > WIDE else "narrow"
    return tag("figure", "", image, tag("figcaption", picture.caption), class_=kind)


def _table(shown: Section) -> str:
    """Return the table of a section, which scrolls on its own where it is too wide."""
    head = "".join(tag("th", name, scope="col") for name in shown.columns)
    rows = (
        tag("tr", "", tag("th", first, scope="row"), *(tag("td", cell) for cell in rest))
        for first, *rest in shown.rows
    )
    table = tag("table", "", tag("thead", "", tag("tr", "", head)), tag("tbody", "", *rows))
    label = f"Results of {shown.title}"
    return tag("div", "", table, class_="scroll", tabindex="0", role="region", aria_label=label)
