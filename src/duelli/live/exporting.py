"""Every counted answer of a study as a file: JSON lines, CSV or Parquet."""

import csv
import io
import json
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from duelli import _check
from duelli.live.reading import Judged, counted_answers
from duelli.live.stores.base import Reader

COLUMNS = ("duel", "step", "index", "left", "right", "winner", "client", "at")
MEDIA_TYPES = {
    "jsonl": "application/jsonl",
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
}
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for a formula
CHUNK = 1000


def rows(reader: Reader, name: str) -> Iterator[dict[str, Any]]:
    """Yield one row per counted answer, in the order in which they came."""
    study = reader.study(name)
    judged = Judged(reader, study)
    for answer in counted_answers(reader, study.id):
        yield judged(answer)


def check_format(kind: str) -> None:
    """Check that a file of some kind can be made, before anything of it is."""
    _check.one_of("format", kind, MEDIA_TYPES)
    if kind == "parquet" and find_spec("pyarrow") is None:
        raise ValueError("format parquet needs the package pyarrow: pip install 'duelli[report]'")


def exported(reader: Reader, name: str, kind: str) -> Iterator[bytes]:
    """Yield a study as a file of some kind, in pieces."""
    if kind == "parquet":
        yield _parquet(reader, name)
        return
    lines = _csv(reader, name) if kind == "csv" else _json_lines(reader, name)
    part: list[str] = []
    for line in lines:
        part.append(line)
        if len(part) >= CHUNK:
            yield "".join(part).encode()
            part = []
    if part:
        yield "".join(part).encode()


def _json_lines(reader: Reader, name: str) -> Iterator[str]:
    for row in rows(reader, name):
        yield json.dumps(row, ensure_ascii=False) + "\n"


def _csv(reader: Reader, name: str) -> Iterator[str]:
    yield ",".join(COLUMNS) + "\r\n"
    for row in rows(reader, name):
        line = io.StringIO()
        csv.writer(line).writerow([_cell(row[column]) for column in COLUMNS])
        yield line.getvalue()


def _cell(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula."""
    if isinstance(value, dict | list):
        value = json.dumps(value, ensure_ascii=False)
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _parquet(reader: Reader, name: str) -> bytes:
    import pyarrow
    from pyarrow import parquet

    table: dict[str, list[Any]] = {column: [] for column in COLUMNS}
    for row in rows(reader, name):
        for column in COLUMNS:
            value = row[column]
            table[column].append(json.dumps(value) if isinstance(value, dict | list) else value)
    file = io.BytesIO()
    whole = {"step", "index"}
    schema = pyarrow.schema(
        [(name, pyarrow.int64() if name in whole else pyarrow.string()) for name in COLUMNS]
    )
    parquet.write_table(pyarrow.table(table, schema=schema), file)
    return file.getvalue()
