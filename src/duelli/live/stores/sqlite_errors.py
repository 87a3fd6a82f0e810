"""Errors of SQLite in our words, whichever module has raised them."""

import sqlite3
from pathlib import Path
from typing import Any

from duelli.live.errors import WAY_OUT, DamagedError, StoreBusyError, StoreError

BUSY, DAMAGED = (5, 6, 13), (11, 26)  # SQLITE_BUSY, LOCKED, FULL; SQLITE_CORRUPT, NOTADB
APSW_CODES = {
    "BusyError": 5,
    "LockedError": 6,
    "FullError": 13,
    "CorruptError": 11,
    "NotADBError": 26,
}


def damaged(path: Path, what: str) -> str:
    """Return what is said of a damaged file, with the way out."""
    copies = sorted(path.parent.glob(f"{path.name}*.bak"), key=lambda each: each.stat().st_mtime)
    last = f"the last backup is {copies[-1]}" if copies else "there is no backup beside it"
    return f"{path} is damaged ({what}); {last}{WAY_OUT}"


class told:  # noqa: N801 (used as a statement)
    """Turns the errors of SQLite into ours."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        code = _code(error)
        if error is None or code is None:
            return
        if code & 0xFF in BUSY:
            raise StoreBusyError(f"{self._path} cannot be written now: {error}") from error
        if code & 0xFF in DAMAGED:
            raise DamagedError(damaged(self._path, str(error))) from error
        raise StoreError(f"{self._path} failed: {error}") from error


def _code(error: BaseException | None) -> int | None:
    """Return the code of an error of SQLite, whichever module raised it; -1 if it has none."""
    if isinstance(error, UnicodeDecodeError):  # a message that quotes what it has found
        return DAMAGED[0]
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", -1)
    if type(error).__module__ != "apsw":
        return None
    return getattr(error, "extendedresult", 0) or APSW_CODES.get(type(error).__name__, -1)
