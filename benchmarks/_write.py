"""Write what a benchmark has measured into the documentation, between two markers."""

from pathlib import Path

ROOT = Path(__file__).parents[1]


def markers(benchmark: str) -> tuple[str, str]:
    """Return the lines between which the output of a benchmark stands."""
    return f"<!-- {benchmark}:begin -->", f"<!-- {benchmark}:end -->"


def replace_between(text: str, benchmark: str, content: str) -> str:
    """Return ``text`` with what stands between the benchmark's markers replaced.

    Raises:
        ValueError: The markers are not there, or not once and in order.
    """
    begin, end = markers(benchmark)
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"the text must hold {begin} and {end} once each, in this order")
    head, rest = text.split(begin)
    return f"{head}{begin}\n{content.strip()}\n{end}{rest.split(end)[1]}"


def write(document: str, benchmark: str, content: str) -> None:
    """Replace what stands between the benchmark's markers in a document of the repository."""
    path = ROOT / document
    path.write_text(replace_between(path.read_text(encoding="utf-8"), benchmark, content))


def table(rows: list[list[str]]) -> str:
    """Return rows as a Markdown table with aligned columns; the first row is the head."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])
