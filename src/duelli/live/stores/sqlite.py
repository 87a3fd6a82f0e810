"""SqliteStore: a study in one file, with one process that writes it.

SQLite keeps a commit only if it was synchronised to disk (WAL with synchronous=FULL). Exactly one
connection writes and checkpoints; the others have ``query_only``. The file is opened by SQLite
alone, never by `open`: closing any other descriptor of it would drop SQLite's locks.
"""

import contextlib
import ctypes
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from duelli.live.errors import DamagedError, StoreBusyError, StoreError
from duelli.live.stores.base import Reader, Rows, Store
from duelli.live.stores.locking import FileLock, check_local, lock_path
from duelli.live.stores.migrating import Migration, migrations, newer
from duelli.live.stores.rows import AnswerRow, StudyRow
from duelli.live.stores.sqlite_errors import damaged, told

LOG = logging.getLogger("duelli.live")
BUSY_SECONDS = 5.0
MOST_CHECKED = 32 << 20  # bytes up to which a file is checked whole when it is opened
SHORTENING_SECONDS = 10.0
LARGE_LOG = 64 << 20  # bytes of the write-ahead log above which a checkpoint empties it
PORTIONS = (64, 32, 16, 8, 4, 2, 1)
KEYED = (
    "WITH wanted (s, c, k) AS (VALUES {}) "
    f"SELECT {', '.join(AnswerRow._fields)} FROM wanted "
    "CROSS JOIN answer ON study = s AND client = c AND key = k"
)

Row = TypeVar("Row", bound=Sequence[Any])
Connect = Callable[[str], Any]


def connect(path: str) -> sqlite3.Connection:
    """Return a connection that leaves transactions to the caller."""
    return sqlite3.connect(
        path,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )


class SqliteReader(Reader):
    """A connection to a file.

    Args:
        path: The file.
        connect: Makes the connection; one of apsw will do as well.
    """

    FLOOR = "CAST({} AS INTEGER)"

    def __init__(self, path: Path, connect: Connect = connect) -> None:
        self.path, self._connect = path, connect
        self._check_file()
        with told(path):
            self._connection = connect(str(path))
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def _check_file(self) -> None:
        if not self.path.is_file():
            raise StoreError(f"there is no database {self.path}; duelli study create makes one")

    def _prepare(self) -> None:
        self._execute("PRAGMA busy_timeout = 5000")
        self._execute("PRAGMA query_only = 1")
        self._execute("PRAGMA wal_autocheckpoint = 0")
        self._check_version()

    def _check_version(self) -> int:
        found = int(self._execute("PRAGMA user_version")[0][0])
        if found > (known := len(migrations("sqlite"))):
            raise StoreError(newer(found, known, str(self.path)))
        return found

    def _execute(self, sql: str, values: Sequence[Any] = ()) -> Rows:
        with told(self.path):
            return list(self._connection.execute(sql, values).fetchall())

    def keyed(self, wanted: Sequence[tuple[int, str, str]]) -> list[AnswerRow]:
        """Return the answers with these studies, clients and keys, in few statements."""
        found: Rows = []
        for part in _portions(wanted):
            marks = ", ".join(["(?, ?, ?)"] * len(part))
            found += self._execute(KEYED.format(marks), [value for each in part for value in each])
        return [AnswerRow(*row) for row in found]

    def faults(self) -> list[str]:
        """Return what SQLite finds wrong with the file; nothing if all is well."""
        found = [str(row[0]) for row in self._execute("PRAGMA integrity_check(20)")]
        return [] if found == ["ok"] else found

    def copy(self, target: str) -> None:
        """Write a copy that is consistent in itself, while the study goes on."""
        part = Path(f"{target}.part")
        part.unlink(missing_ok=True)
        with told(self.path), contextlib.closing(self._connect(str(self.path))) as connection:
            connection.execute("PRAGMA wal_autocheckpoint = 0").fetchall()
            connection.execute("VACUUM INTO ?", (str(part),)).fetchall()
        _synchronise(part)
        os.replace(part, target)
        _synchronise(Path(target).absolute().parent)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class SqliteStore(SqliteReader, Store):
    """The one connection that writes, and the lock that keeps it the only one.

    Args:
        path: The file; it is made if it does not exist.
        forced: Whether a network file system is accepted.
        connect: Makes connections.
        steps: The steps from one schema to the next.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        forced: bool = False,
        connect: Connect = connect,
        steps: list[Migration] | None = None,
    ) -> None:
        self._steps = migrations("sqlite") if steps is None else steps
        path = Path(path)
        if not path.absolute().parent.is_dir():
            raise StoreError(f"the folder of the database {path} does not exist")
        if path.is_dir():
            raise StoreError(f"a database is a file; {path} is a folder")
        check_local(path, forced=forced)
        _check_is_database(path, connect)
        self.lock, self._log = FileLock(path), Path(f"{path}-wal")
        self._grown = 0  # changes of the open transaction
        try:
            super().__init__(path, connect)
        except BaseException:
            self.lock.release()
            raise
        log = self._log_stat()
        assert log is not None  # opening the database has made it
        self._inode = log.st_dev, log.st_ino
        self._next_shortening = 0.0

    def _prepare(self) -> None:
        self._execute("PRAGMA busy_timeout = 5000")
        mode = self._execute("PRAGMA journal_mode = WAL")[0][0]
        if mode != "wal":
            raise StoreError(f"{self.path} cannot be written as a log (WAL); got {mode}")
        self._execute("PRAGMA synchronous = FULL")
        self._execute("PRAGMA foreign_keys = ON")
        self._check_whole()
        self._migrate()
        self._check_kept()

    def _check_file(self) -> None:
        """Refuse what SQLite would begin anew although something was there."""
        log = self._log_stat()
        if log is not None and log.st_size and not self.path.exists():
            raise DamagedError(damaged(self.path, f"it is gone, and its log {self._log} is there"))
        if not self.path.exists():
            self.lock.kept = 0
        elif self.lock.kept and not self.path.stat().st_size:
            raise DamagedError(damaged(self.path, "it is empty, and was not before"))

    def _check_kept(self) -> None:
        """Refuse a file that has fewer changes than were acknowledged."""
        found = int(self._execute("SELECT COALESCE(SUM(version), 0) FROM study")[0][0])
        if found < self.lock.kept:
            what = f"{found} changes are there of {self.lock.kept} that were acknowledged"
            raise DamagedError(
                f"{damaged(self.path, what)}; its log {self._log} was removed, or an older copy "
                f"was put in its place; to go on with it as it is, remove {self.lock.path}"
            )
        self.lock.note(found)

    def _check_version(self) -> int:
        found = int(self._execute("PRAGMA user_version")[0][0])
        if found > len(self._steps):
            raise StoreError(newer(found, len(self._steps), str(self.path)))
        return found

    def _check_whole(self) -> None:
        """Refuse to write to a file that is damaged."""
        kind = "integrity_check" if self.path.stat().st_size <= MOST_CHECKED else "quick_check"
        rows = self._execute(f"PRAGMA {kind}(1)")
        if rows[0][0] != "ok":
            raise DamagedError(damaged(self.path, f"{kind} says: {rows[0][0]}"))

    def _migrate(self) -> None:
        version = self._check_version()
        if 0 < version < len(self._steps):
            copy = Path(f"{self.path}.v{version}.bak")
            if not copy.exists():  # an upgrade that was interrupted has one already
                self.copy(str(copy))
        for step in self._steps[version:]:
            self.begin()
            for statement in step.statements:
                self._execute(statement)
            self._execute(f"PRAGMA user_version = {step.version}")
            self._commit()

    def begin(self) -> None:
        """Begin a transaction that writes; wait for others, up to five seconds."""
        self._execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """Make the transaction last, and check that it went to the log that everybody sees."""
        self._commit()
        log = self._log_stat()
        if log is None or (log.st_dev, log.st_ino) != self._inode:
            raise StoreError(
                f"the log {self._log} was removed or replaced while it was in use, by another "
                "program that opened the database; stop that program and start the server again"
            )
        if self._grown:
            self.lock.note(self.lock.kept + self._grown)
            self._grown = 0
        if log.st_size > LARGE_LOG:
            self._shorten()

    def _commit(self) -> None:
        self._execute("COMMIT")

    def rollback(self) -> None:
        """Forget the transaction."""
        self._grown = 0
        with contextlib.suppress(StoreBusyError, StoreError):
            if self._open_transaction():
                self._execute("ROLLBACK")

    def add_study(self, row: StudyRow) -> int:
        """Add a study, and return the id that it was given."""
        added = super().add_study(row)
        self._grown += row.version
        return added

    def update_study(self, row: StudyRow, *, step: int) -> None:
        """Replace what changes in a study, provided that it is still in ``step``."""
        super().update_study(row, step=step)
        self._grown += 1  # at the least

    def reader(self) -> SqliteReader:
        """Return another connection, which only reads."""
        return SqliteReader(self.path, self._connect)

    def close(self) -> None:
        """Close the connection and give the lock back."""
        try:
            super().close()
        finally:
            self.lock.release()

    def abandon(self) -> None:
        """Give the lock back and leave the connection open until the process ends.

        To close it would merge its log into the database, even one that was taken away and
        replaced since; what others have written would be damaged by that.
        """
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._connection))  # never closed by chance
        self.lock.release()

    def _execute_many(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        """Run a statement that ends with VALUES (...), or goes on after it, for many rows."""
        head, marks, tail = sql.partition(_marks(len(values[0]))) if values else (sql, "", "")
        for part in _portions(values):
            rows = ", ".join([marks] * len(part))
            self._execute(f"{head}{rows}{tail}", [value for each in part for value in each])

    def _open_transaction(self) -> bool:
        return bool(self._connection.in_transaction)

    def _log_stat(self) -> os.stat_result | None:
        try:
            return os.stat(self._log)
        except FileNotFoundError:
            return None

    def _shorten(self) -> None:
        """Empty a log that has grown large, unless somebody reads; it is tried now and then."""
        if time.monotonic() >= self._next_shortening:
            self._next_shortening = time.monotonic() + SHORTENING_SECONDS
            self._execute("PRAGMA busy_timeout = 0")  # nobody shall wait for a long reader
            blocked = self._execute("PRAGMA wal_checkpoint(TRUNCATE)")[0][0]
            self._execute("PRAGMA busy_timeout = 5000")
            if blocked:
                LOG.warning("%s has grown large, as somebody reads for long", self._log)


def _check_is_database(path: Path, connect: Connect) -> None:
    """Refuse what is no database before a lock is put beside it; one with a lock was a database."""
    if lock_path(path).exists() or not path.exists():
        return
    with told(path), contextlib.closing(connect(str(path))) as connection:
        connection.execute("PRAGMA user_version").fetchall()


def _marks(count: int) -> str:
    return f"({', '.join('?' * count)})"


def _portions(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Yield the rows in portions of 64, 32, ... and 1, so that few different statements do.

    Each statement lets other threads run, and waits for its turn again; one for each row would
    take long on a busy server.
    """
    first = 0
    for size in PORTIONS:
        while len(rows) - first >= size:
            yield rows[first : first + size]
            first += size


def _synchronise(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
