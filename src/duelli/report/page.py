"""Page: everything that was run, on one HTML page that needs nothing else.

No scripts, no fonts and no images from elsewhere: the figures are inside, and the policy in the
head forbids the rest.
"""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from duelli import _check
from duelli.report.given import Claim
from duelli.report.sections import COLUMNS, Picture, Section, section

__all__ = ["PageContent", "Picture", "Section", "page", "section"]

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'"
VERDICTS = ("holds", "fails", "cannot be checked as printed")
MARKS = dict(zip(VERDICTS, ("✓", "✗", "?"), strict=True))
CLASSES = dict(zip(VERDICTS, ("holds", "fails", "open"), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContent:
    """All that the page says.

    Args:
        headline: What a reader should take away.
        facts: What was run and with what: names and values.
        claims: What the paper says, with verdicts.
        claims_missing: How many claims lack the trials that would decide them.
        sections: The experiments.
        title: The title.
        lead: A line below the title.
    """

    headline: str
    facts: tuple[tuple[str, str], ...]
    claims: Sequence[Claim]
    sections: tuple[Section, ...]
    claims_missing: int = 0
    title: str = "ARC-DuelLi, reproduced"
    lead: str = (
        "Every experiment of the paper, those that it promises and does not show, "
        "and every claim that a computation can check."
    )

    def __post_init__(self) -> None:
        for claim in self.claims:
            _check.one_of(f"the verdict of {claim.id}", claim.verdict, VERDICTS)


def page(content: PageContent) -> str:
    """Return the page."""
    style = files("duelli.report").joinpath("page.css").read_text(encoding="utf-8")
    body = (
        _header(content),
        _contents(content),
        _facts(content.facts),
        _claims(content),
        _tag("h2", "Experiments", id="experiments"),
        *map(_section, content.sections),
        _rerun(content.sections),
    )
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<link rel="icon" href="data:,">',
            _tag("title", content.title),
            f"<style>\n{style}</style>\n</head>\n<body>\n<main>",
            *body,
            "</main>\n</body>\n</html>\n",
        )
    )


def _tag(name: str, text: str = "", *parts: str, **attributes: str) -> str:
    """Return an element with escaped text, then parts that are HTML already."""
    named = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{named}>{escape(text)}{''.join(parts)}</{name}>"


def _header(content: PageContent) -> str:
    return _tag(
        "header",
        "",
        _tag("h1", content.title),
        _tag("p", content.lead, class_="lead"),
        _tag("p", content.headline, class_="headline"),
    )


def _contents(content: PageContent) -> str:
    places = [("setup", "What was run"), ("claims", "Claims"), ("experiments", "Experiments")]
    inner = [(f"experiment-{found.id}", found.title) for found in content.sections]
    links = [
        *(_link(place, text) for place, text in places),
        _tag("li", "", _tag("ul", "", *(_link(place, text) for place, text in inner))),
        _link("rerun", "How to run it again"),
    ]
    return _tag("nav", "", _tag("ul", "", *links), aria_label="Contents")


def _link(place: str, text: str) -> str:
    return _tag("li", "", _tag("a", text, href=f"#{place}"))


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    pairs = (_tag("dt", name) + _tag("dd", value) for name, value in facts)
    heading = _tag("h2", "What was run, and with what", id="setup")
    return _tag("section", "", heading, _tag("dl", "", *pairs, class_="facts"))


def _claims(content: PageContent) -> str:
    counts = dict.fromkeys(VERDICTS, 0)
    for claim in content.claims:
        counts[claim.verdict] += 1
    summary = [
        _tag("li", f"{count} ", _badge(verdict)) for verdict, count in counts.items() if count
    ]
    head = "".join(
        _tag("th", name, scope="col") for name in ("verdict", "the paper says", "measured", "why")
    )
    table = _tag(
        "table",
        "",
        _tag("thead", "", _tag("tr", "", head)),
        _tag("tbody", "", *map(_claim, content.claims)),
        class_="claims",
    )
    missing = content.claims_missing
    rest = f"Left out for want of trials in the paper's setting: {missing}." if missing else ""
    return _tag(
        "section",
        "",
        _tag("h2", "Claims", id="claims"),
        _tag("ul", "", *summary, class_="counts"),
        _tag("p", rest) if rest else "",
        table,
    )


def _claim(claim: Claim) -> str:
    return _tag(
        "tr",
        "",
        _tag("td", "", _badge(claim.verdict), data_label="verdict"),
        _tag(
            "td",
            claim.says,
            _tag("span", claim.where, class_="where"),
            data_label="the paper says",
        ),
        _tag("td", claim.measured, data_label="measured"),
        _tag("td", claim.why, data_label="why"),
        id=f"claim-{claim.id}",
    )


def _badge(verdict: str) -> str:
    """Return a verdict in words, with a mark and a colour."""
    mark = _tag("span", MARKS[verdict] + " ", aria_hidden="true")
    return _tag("span", "", mark, escape(verdict), class_=f"verdict {CLASSES[verdict]}")


def _section(found: Section) -> str:
    choices = _tag("ul", "", *(_tag("li", choice) for choice in found.choices))
    pictures = _tag("div", "", *map(_picture, found.pictures), class_="panels")
    return _tag(
        "section",
        "",
        _tag("h3", found.title, id=f"experiment-{found.id}"),
        _tag("p", found.where, class_="where"),
        pictures if found.pictures else _tag("p", "No run of this experiment is finished."),
        _table(found),
        _tag("p", "Where the paper leaves a choice:") + choices if found.choices else "",
        class_="experiment",
    )


def _picture(picture: Picture) -> str:
    data = base64.b64encode(picture.png).decode("ascii")
    width, height = map(str, picture.size)
    source = f"data:image/png;base64,{data}"
    image = f'<img src="{source}" alt="{escape(picture.alt)}" width="{width}" height="{height}">'
    return _tag("figure", "", image, _tag("figcaption", picture.caption))


def _table(found: Section) -> str:
    """Return the runs as a table that scrolls on its own where it is too wide."""
    head = "".join(_tag("th", name, scope="col") for name in COLUMNS)
    rows = (
        _tag("tr", "", _tag("th", first, scope="row"), *(_tag("td", cell) for cell in rest))
        for first, *rest in found.runs
    )
    table = _tag("table", "", _tag("thead", "", _tag("tr", "", head)), _tag("tbody", "", *rows))
    label = f"Runs of {found.title}"
    return _tag("div", "", table, class_="scroll", tabindex="0", role="region", aria_label=label)


def _rerun(sections: Iterable[Section]) -> str:
    pairs = (
        _tag("dt", found.title) + _tag("dd", "", _tag("code", found.rerun)) for found in sections
    )
    kept = (
        "Finished trials are kept, so a second run costs nothing and a killed one goes on where "
        "it was. The figures lie beside this page as PNG and SVG, in the folder figures. "
        "Each of these can be narrowed: "
    )
    options = (_tag("code", text) for text in ("--trials N", "--horizon T", "--engine per_duel"))
    return _tag(
        "section",
        "",
        _tag("h2", "How to run it again", id="rerun"),
        _tag("p", kept, ", ".join(options), "."),
        _tag("dl", "", *pairs, class_="rerun"),
    )
