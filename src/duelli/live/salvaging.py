"""Salvage: what can still be read of a damaged store, as far as its chain of hashes holds."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from duelli.errors import DuelliError
from duelli.live.errors import WAY_OUT, DamagedError
from duelli.live.reading import Judged
from duelli.live.settings import check_name
from duelli.live.stores import open_reader
from duelli.live.stores.base import Reader
from duelli.live.stores.rows import AnswerRow, StudyRow, first_link, link

CHUNK = 64  # answers at a time, so that little is lost around a damaged page


class Saved(NamedTuple):
    """What became of a study, in a line, and whether anything of it could be read."""

    text: str
    readable: bool = True


def salvage(where: str, folder: Path) -> Iterator[Saved]:
    """Write the readable answers of every study to a folder; yield what became of each study.

    A study gets a file NAME.jsonl, one row per answer, in order, up to the first one that cannot be
    read or was changed, and NAME.settings.json.
    """
    try:
        reader = open_reader(where)
    except DamagedError as error:
        yield Saved(f"no study can be read: {_reason(error)}", readable=False)
        return
    with closing(reader):
        try:
            studies = reader.studies()
        except DuelliError as error:
            yield Saved(f"no study can be read: {_reason(error)}", readable=False)
            return
        for row in studies:
            yield _saved(reader, row, folder)
        if not studies:
            yield Saved("there is no study in it")


def _reason(error: Exception) -> str:
    """Return what is wrong, without the advice to salvage, which is being done."""
    return str(error).replace(WAY_OUT, "")


def _saved(reader: Reader, row: StudyRow, folder: Path) -> Saved:
    name = check_name(row.name)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.settings.json").write_text(row.settings, encoding="utf-8")
    judged, count, why = Judged(reader, row), 0, ""
    with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as file:
        try:
            for answer in _intact(reader, row):
                file.write(json.dumps(_row(judged, answer)) + "\n")
                count += 1
        except (DuelliError, ValueError, IndexError) as error:
            why = f"; the next one cannot be read: {_reason(error)}"
    if count < row.seq and not why:
        why = "; the next one was changed or is missing"
    text = f"{name}: {count} of {row.seq} answers are intact{why}"
    return Saved(text, readable=count > 0 or row.seq == 0)


def _intact(reader: Reader, row: StudyRow) -> Iterator[AnswerRow]:
    chain, since = first_link(row.name, row.settings), 0
    while part := reader.some_answers(row.id, since, CHUNK):
        for answer in part:
            if answer.seq != since + 1 or answer.chain != link(chain, answer):
                return
            chain, since = answer.chain, answer.seq
            yield answer


def _row(judged: Judged, answer: AnswerRow) -> dict[str, Any]:
    """Return an answer with its points, if its step can be read."""
    try:
        shown = judged(answer)
    except (DuelliError, ValueError, IndexError):
        shown = {}
    return {**answer._asdict(), **shown}
