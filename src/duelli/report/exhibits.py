"""An experiment as HTML: its pictures, its table and the choices made."""

import base64
from collections.abc import Iterable
from html import escape

from duelli.report.sections import Picture, Section
from duelli.report.tables import scrolling_table
from duelli.report.tags import tag

WIDE = 1000  # pixels from which on a figure takes more than one column


def exhibit(shown: Section) -> str:
    """Return an experiment as a section of the page."""
    choices = tag("ul", "", *(tag("li", choice) for choice in shown.choices))
    pictures = panels(shown.pictures)
    label = f"Results of {shown.title}"
    return tag(
        "section",
        "",
        tag("h3", shown.title, id=f"experiment-{shown.id}"),
        tag("p", shown.where, class_="where"),
        pictures if shown.pictures else tag("p", "No run of this experiment is finished."),
        scrolling_table(shown.columns, shown.rows, label),
        tag("p", "Choices made:") + choices if shown.choices else "",
        class_="experiment",
    )


def panels(pictures: Iterable[Picture]) -> str:
    """Return pictures side by side where there is room."""
    return tag("div", "", *map(_picture, pictures), class_="panels")


def _picture(picture: Picture) -> str:
    data = base64.b64encode(picture.png).decode("ascii")
    width, height = map(str, picture.size)
    source = f"data:image/png;base64,{data}"
    image = f'<img src="{source}" alt="{escape(picture.alt)}" width="{width}" height="{height}">'
    kind = "wide" if picture.size[0] > WIDE else "narrow"
    return tag("figure", "", image, tag("figcaption", picture.caption), class_=kind)
