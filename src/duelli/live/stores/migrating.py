"""Numbered steps of SQL that bring a store from one schema to the next."""

import re
from importlib.resources import files
from typing import NamedTuple


class Migration(NamedTuple):
    """One step: the version that it leads to, its name, and its statements."""

    version: int
    name: str
    statements: tuple[str, ...]


def migrations(dialect: str) -> list[Migration]:
    """Return the steps of a dialect, in order, from version 1 on."""
    folder = files("duelli.live.stores").joinpath("migrations", dialect)
    steps = []
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        if found := re.fullmatch(r"(\d{4})_(\w+)\.sql", file.name):
            statements = statements_of(file.read_text(encoding="utf-8"))
            steps.append(Migration(int(found[1]), found[2], statements))
    assert [step.version for step in steps] == list(range(1, len(steps) + 1))
    return steps


def statements_of(text: str) -> tuple[str, ...]:
    """Return the statements of a script; a semicolon at the end of a line ends one."""
    plain = re.sub(r"^\s*--.*$", "", text, flags=re.MULTILINE)
    return tuple(
        part.strip() for part in re.split(r";\s*$", plain, flags=re.MULTILINE) if part.strip()
    )


def newer(found: int, known: int, where: str) -> str:
    """Return what is said of a store that a later release has written."""
    return (
        f"{where} has schema version {found}, and this release of duelli knows up to {known}; "
        "use the release that wrote it, or a later one"
    )
