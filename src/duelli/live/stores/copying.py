"""Copies of a store in a file of SQLite, whatever the store is."""

import os
from pathlib import Path

from duelli.live.stores.base import CHUNK, Reader
from duelli.live.stores.rows import AnswerRow, LeaseRow, StepRow, StudyRow, TokenRow
from duelli.live.stores.sqlite import SqliteStore

TABLES = {  # a table that refers to another one comes after it
    "meta": ("key", "value"),
    "study": StudyRow._fields,
    "step": ("study", *StepRow._fields),
    "answer": AnswerRow._fields,
    "lease": LeaseRow._fields,
    "token": TokenRow._fields,
    "asset": ("hash", "kind", "body"),
}


def copy_to_sqlite(source: Reader, target: str) -> None:
    """Write all that a store holds to a new file; the file is whole or not there."""
    part = Path(f"{target}.part")
    part.unlink(missing_ok=True)
    copy = SqliteStore(part)
    try:
        with source.snapshot(), copy.transaction():
            for table, columns in TABLES.items():
                for rows in source.table(table, columns, CHUNK):
                    copy.add_rows(table, columns, rows)
    finally:
        copy.close()
    copy.lock.path.unlink(missing_ok=True)
    os.replace(part, target)
