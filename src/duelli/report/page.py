"""Page: everything that was run, on one HTML page that needs nothing else."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from duelli._files import atomic_write
from duelli.record.results import Findings
from duelli.report import figures
from duelli.report.content import PageContent
from duelli.report.document import document, facts_section, header, link
from duelli.report.exhibits import exhibit
from duelli.report.sections import Section, section
from duelli.report.tags import tag
from duelli.report.verdicts import claims_section


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
    return document(
        content.title,
        (
            header(content.title, content.lead, content.headline),
            _contents(content),
            facts_section(content.facts),
            claims_section(content),
            tag("h2", "Experiments", id="experiments"),
            *map(exhibit, content.sections),
            _rerun(content.sections),
        ),
    )


def _contents(content: PageContent) -> str:
    places = [("setup", "What was run"), ("claims", "Claims"), ("experiments", "Experiments")]
    inner = [(f"experiment-{each.id}", each.title) for each in content.sections]
    links = [
        *(link(place, text) for place, text in places),
        tag("li", "", tag("ul", "", *(link(place, text) for place, text in inner))),
        link("rerun", "How to run it again"),
    ]
    return tag("nav", "", tag("ul", "", *links), aria_label="Contents")


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
