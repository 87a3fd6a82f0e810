"""The claims and their verdicts as HTML."""

from html import escape

from duelli.record.results import Judged
from duelli.report.content import VERDICTS, PageContent
from duelli.report.tags import tag

MARKS = dict(zip(VERDICTS, ("✓", "✗", "?"), strict=True))
CLASSES = dict(zip(VERDICTS, ("holds", "fails", "open"), strict=True))


def claims_section(content: PageContent) -> str:
    """Return the claims as a section of the page: how many hold, and the table of them all."""
    counts = dict.fromkeys(VERDICTS, 0)
    for claim in content.claims:
        counts[claim.verdict] += 1
    summary = [
        tag("li", f"{count} ", _badge(verdict)) for verdict, count in counts.items() if count
    ]
    head = "".join(
        tag("th", name, scope="col") for name in ("verdict", "the paper says", "measured", "why")
    )
    table = tag(
        "table",
        "",
        tag("thead", "", tag("tr", "", head)),
        tag("tbody", "", *map(_claim, content.claims)),
        class_="claims",
    )
    missing = content.claims_missing
    rest = f"Left out, because their trials were not run in the paper's setting: {missing}."
    return tag(
        "section",
        "",
        tag("h2", "Claims", id="claims"),
        tag("ul", "", *summary, class_="counts"),
        tag("p", rest) if missing else "",
        table,
    )


def _claim(claim: Judged) -> str:
    return tag(
        "tr",
        "",
        tag("td", "", _badge(claim.verdict), data_label="verdict"),
        tag(
            "td",
            claim.says,
            tag("span", claim.where, class_="where"),
            data_label="the paper says",
        ),
        tag("td", "", _lines(claim.measured), data_label="measured"),
        tag("td", claim.why, data_label="why"),
        id=f"claim-{claim.id}",
    )


def _lines(text: str) -> str:
    """Return a text with each of its parts, which end with a semicolon, on a line of its own."""
    *parts, last = text.split("; ")
    return "<br>".join(escape(part) for part in (*(f"{part};" for part in parts), last))


def _badge(verdict: str) -> str:
    """Return a verdict in words, with a mark and a colour."""
    mark = tag("span", MARKS[verdict] + " ", aria_hidden="true")
    return tag("span", "", mark, escape(verdict), class_=f"verdict {CLASSES[verdict]}")
