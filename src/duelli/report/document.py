"""Document: an HTML page that needs nothing else.

No scripts, no fonts and no images from elsewhere: the figures are inside, and the policy in the
head forbids the rest.
"""

from collections.abc import Iterable
from importlib.resources import files

from duelli.report.tags import tag

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'"


def document(title: str, body: Iterable[str]) -> str:
    """Return a page with this title and these parts."""
    style = files("duelli.report").joinpath("page.css").read_text(encoding="utf-8")
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<link rel="icon" href="data:,">',
            tag("title", title),
            f"<style>\n{style}</style>\n</head>\n<body>\n<main>",
            *body,
            "</main>\n</body>\n</html>\n",
        )
    )


def header(title: str, lead: str, headline: str) -> str:
    """Return the head of a page, with what a reader should take away."""
    return tag(
        "header",
        "",
        tag("h1", title),
        tag("p", lead, class_="lead"),
        tag("p", headline, class_="headline"),
    )


def link(place: str, text: str) -> str:
    """Return an entry of a list of contents."""
    return tag("li", "", tag("a", text, href=f"#{place}"))


def facts_section(facts: Iterable[tuple[str, str]]) -> str:
    """Return what was run and with what: names and values."""
    pairs = (tag("dt", name) + tag("dd", value) for name, value in facts)
    heading = tag("h2", "What was run, and with what", id="setup")
    return tag("section", "", heading, tag("dl", "", *pairs, class_="facts"))
