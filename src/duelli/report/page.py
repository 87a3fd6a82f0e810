"""Page: everything that was run, on one HTML page that needs nothing else.

No scripts, no fonts and no images from elsewhere: the figures are inside, and the policy in the
head forbids the rest.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

from duelli._files import atomic_write
from duelli.record.results import Findings
from duelli.report import figures
from duelli.report.content import PageContent
from duelli.report.exhibits import exhibit
from duelli.report.sections import Section, section
from duelli.report.tags import tag
from duelli.report.verdicts import claims_section

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'"


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
        claims_section(content),
        tag("h2", "Experiments", id="experiments"),
        *map(exhibit, content.sections),
        _rerun(content.sections),
    )
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<link rel="icon" href="data:,">',
            tag("title", content.title),
            f"<style>\n{style}</style>\n</head>\n<body>\n<main>",
            *body,
            "</main>\n</body>\n</html>\n",
        )
    )


def _header(content: PageContent) -> str:
    return tag(
        "header",
        "",
        tag("h1", content.title),
        tag("p", content.lead, class_="lead"),
        tag("p", content.headline, class_="headline"),
    )


def _contents(content: PageContent) -> str:
    places = [("setup", "What was run"), ("claims", "Claims"), ("experiments", "Experiments")]
    inner = [(f"experiment-{each.id}", each.title) for each in content.sections]
    links = [
        *(_link(place, text) for place, text in places),
        tag("li", "", tag("ul", "", *(_link(place, text) for place, text in inner))),
        _link("rerun", "How to run it again"),
    ]
    return tag("nav", "", tag("ul", "", *links), aria_label="Contents")


def _link(place: str, text: str) -> str:
    return tag("li", "", tag("a", text, href=f"#{place}"))


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    pairs = (tag("dt", name) + tag("dd", value) for name, value in facts)
    heading = tag("h2", "What was run, and with what", id="setup")
    return tag("section", "", heading, tag("dl", "", *pairs, class_="facts"))


def _rerun(sections: Iterable[Section]) -> str:
    pairs = (tag("dt", shown.title) + tag("dd", "", tag("code", shown.rerun)) for shown in sections)
    kept = (
        "Finished trials are kept, so a second run costs nothing and a killed one goes on where "
        "it was. Beside this page are claims.json with the verdicts, and the folder figures with "
        "all figures as PNG and SVG. Each of these commands takes further options: "
    )
    options = (tag("code", text) for text in ("--trials N", "--horizon T", "--engine per_duel"))
    return tag(
        "section",
        "",
        tag("h2", "How to run it again", id="rerun"),
        tag("p", kept, ", ".join(options), "."),
        tag("dl", "", *pairs, class_="rerun"),
    )
