"""Page: everything that was run, on one HTML page that needs nothing else.

No scripts, no fonts and no images from elsewhere: the figures are inside, and the policy in the
head forbids the rest.
"""

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

from duelli import _check
from duelli._files import atomic_write
from duelli.record.results import Findings, Judged
from duelli.report import figures
from duelli.report.sections import Picture, Section, section

__all__ = ["PageContent", "Picture", "Section", "page", "section", "write"]

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'"
WIDE = 1000  # pixels from which on a figure takes more than one column
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
        lead: A sentence below the title.
    """

    headline: str
    facts: tuple[tuple[str, str], ...]
    claims: Sequence[Judged]
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


def write(findings: Findings, folder: Path) -> Path:
    """Draw the figures and write the page; return its path.

    Beside ``index.html`` there are ``claims.json`` and the folder ``figures``.
    """
    sections = []
    for experiment in findings.experiments:
        drawn = figures.draw(experiment)
        for name, figure in drawn.items():
            figures.save(figure, folder / "figures", f"{experiment.id}-{name}")
        sections.append(section(experiment, drawn))
    content = PageContent(
        headline=findings.headline,
        facts=findings.facts,
        claims=findings.claims,
        claims_missing=findings.claims_missing,
        sections=tuple(sections),
    )
    claims = [asdict(claim) for claim in findings.claims]
    atomic_write(folder / "claims.json", json.dumps(claims, indent=1, ensure_ascii=False) + "\n")
    atomic_write(folder / "index.html", page(content))
    return folder / "index.html"


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
    inner = [(f"experiment-{each.id}", each.title) for each in content.sections]
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
    rest = f"Left out, because their trials were not run in the paper's setting: {missing}."
    return _tag(
        "section",
        "",
        _tag("h2", "Claims", id="claims"),
        _tag("ul", "", *summary, class_="counts"),
        _tag("p", rest) if missing else "",
        table,
    )


def _claim(claim: Judged) -> str:
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
        _tag("td", "", _lines(claim.measured), data_label="measured"),
        _tag("td", claim.why, data_label="why"),
        id=f"claim-{claim.id}",
    )


def _lines(text: str) -> str:
    """Return a text with each of its parts, which end with a semicolon, on a line of its own."""
    *parts, last = text.split("; ")
    return "<br>".join(escape(part) for part in (*(f"{part};" for part in parts), last))


def _badge(verdict: str) -> str:
    """Return a verdict in words, with a mark and a colour."""
    mark = _tag("span", MARKS[verdict] + " ", aria_hidden="true")
    return _tag("span", "", mark, escape(verdict), class_=f"verdict {CLASSES[verdict]}")


def _section(shown: Section) -> str:
    choices = _tag("ul", "", *(_tag("li", choice) for choice in shown.choices))
    pictures = _tag("div", "", *map(_picture, shown.pictures), class_="panels")
    return _tag(
        "section",
        "",
        _tag("h3", shown.title, id=f"experiment-{shown.id}"),
        _tag("p", shown.where, class_="where"),
        pictures if shown.pictures else _tag("p", "No run of this experiment is finished."),
        _table(shown),
        _tag("p", "Choices made:") + choices if shown.choices else "",
        class_="experiment",
    )


def _picture(picture: Picture) -> str:
    data = base64.b64encode(picture.png).decode("ascii")
    width, height = map(str, picture.size)
    source = f"data:image/png;base64,{data}"
    image = f'<img src="{source}" alt="{escape(picture.alt)}" width="{width}" height="{height}">'
    kind = "wide" if picture.size[0] > WIDE else "narrow"
    return _tag("figure", "", image, _tag("figcaption", picture.caption), class_=kind)


def _table(shown: Section) -> str:
    """Return the table of a section, which scrolls on its own where it is too wide."""
    head = "".join(_tag("th", name, scope="col") for name in shown.columns)
    rows = (
        _tag("tr", "", _tag("th", first, scope="row"), *(_tag("td", cell) for cell in rest))
        for first, *rest in shown.rows
    )
    table = _tag("table", "", _tag("thead", "", _tag("tr", "", head)), _tag("tbody", "", *rows))
    label = f"Results of {shown.title}"
    return _tag("div", "", table, class_="scroll", tabindex="0", role="region", aria_label=label)


def _rerun(sections: Iterable[Section]) -> str:
    pairs = (
        _tag("dt", shown.title) + _tag("dd", "", _tag("code", shown.rerun)) for shown in sections
    )
    kept = (
        "Finished trials are kept, so a second run costs nothing and a killed one goes on where "
        "it was. Beside this page are claims.json with the verdicts, and the folder figures with "
        "all figures as PNG and SVG. Each of these commands takes further options: "
    )
    options = (_tag("code", text) for text in ("--trials N", "--horizon T", "--engine per_duel"))
    return _tag(
        "section",
        "",
        _tag("h2", "How to run it again", id="rerun"),
        _tag("p", kept, ", ".join(options), "."),
        _tag("dl", "", *pairs, class_="rerun"),
    )
