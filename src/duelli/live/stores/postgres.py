"""PostgresStore: studies in a database that several servers share.

Each transaction locks the studies that it changes, and a step is advanced by comparing its number
first, so that it is advanced once. A connection that breaks in the middle of a commit leaves open
what was kept; the same rows are then sent again, and the keys of the tables sort it out.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import psycopg
from psycopg import errors

from duelli.live.errors import StoreBusyError, StoreError, StoreLostError, UnknownStudyError
from duelli.live.stores.base import ANSWER, STUDY, Reader, Rows, Store
from duelli.live.stores.migrating import migrations, newer
from duelli.live.stores.rows import AnswerRow, StudyRow

SCHEMA = "duelli"
UPGRADE_LOCK = 0x6475656C  # an advisory lock: one server upgrades, the others wait
BUSY = (
    errors.DiskFull,
    errors.LockNotAvailable,
    errors.SerializationFailure,
    errors.DeadlockDetected,
    errors.QueryCanceled,
    errors.TooManyConnections,
    errors.InsufficientResources,
)


def redacted(url: str) -> str:
    """Return a URL without its password."""
    return re.sub(r"(//[^/@:]*):[^/@]*@", r"\1@", re.sub(r"password=[^&\s]*", "password=", url))


class PostgresReader(Reader):
    """A connection to a database.

    Args:
        url: Where it is; a password may come from PGPASSWORD or ~/.pgpass as well.
    """

    READ_ONLY = True
    SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ"

    def __init__(self, url: str) -> None:
        self.url, self.shown = url, redacted(url)
        self._writing = False  # whether a transaction is open, which ends with its connection
        self._connection = self._connected()
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def _connected(self) -> "psycopg.Connection[Any]":
        try:
            connection = psycopg.connect(self.url, autocommit=True, connect_timeout=5)
        except psycopg.Error as error:
            raise StoreLostError(f"{self.shown} cannot be reached: {_plain(error)}") from None
        connection.execute(f"SET search_path = {SCHEMA}")
        connection.execute("SET synchronous_commit = on")
        connection.execute("SET lock_timeout = '5s'")
        connection.execute("SET idle_in_transaction_session_timeout = '60s'")
        if self.READ_ONLY:
            connection.execute("SET default_transaction_read_only = on")
            connection.execute("SET statement_timeout = '30s'")
        connection.prepare_threshold = 2
        return connection

    def _prepare(self) -> None:
        self._check_version(self._version())

    def _version(self) -> int:
        found = self._execute("SELECT to_regclass('duelli.schema_version') IS NOT NULL")
        if not found[0][0]:
            return 0
        return int(self._execute("SELECT version FROM schema_version")[0][0])

    def _check_version(self, found: int) -> None:
        known = len(migrations("postgres"))
        if found > known:
            raise StoreError(newer(found, known, self.shown))
        if found == 0:
            raise StoreError(f"{self.shown} has no studies; duelli study create makes one")

    def _execute(self, sql: str, values: Sequence[Any] = ()) -> Rows:
        with _told(self):
            cursor = self._alive().execute(_marked(sql), values)
            return list(cursor.fetchall()) if cursor.description else []

    def _alive(self) -> "psycopg.Connection[Any]":
        if self._connection.closed:
            if self._writing:
                raise StoreLostError(f"{self.shown}: the connection broke")
            self._connection = self._connected()
        return self._connection

    def keyed(self, wanted: Sequence[tuple[int, str, str]]) -> list[AnswerRow]:
        """Return the answers with these studies, clients and keys, in one statement."""
        if not wanted:
            return []
        sql = ANSWER.removesuffix("study = ?") + (
            "(study, client, key) IN (SELECT * FROM unnest(?::bigint[], ?::text[], ?::text[]))"
        )
        columns = [list(column) for column in zip(*wanted, strict=True)]
        return [AnswerRow(*row) for row in self._execute(sql, columns)]

    def copy(self, target: str) -> None:
        """Write all that there is at this moment to a new file of SQLite."""
        from duelli.live.stores.copying import copy_to_sqlite

        source = PostgresReader(self.url)
        try:
            copy_to_sqlite(source, target)
        finally:
            source.close()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class PostgresStore(PostgresReader, Store):
    """A connection that writes; other servers may have theirs."""

    SHARED = True
    READ_ONLY = False

    def _prepare(self) -> None:
        for name in ("synchronous_commit", "fsync", "full_page_writes"):
            found = self._execute(f"SHOW {name}")[0][0]
            if found != "on":
                raise StoreError(f"{self.shown} must have {name} on to keep what it was told")
        self._migrate()

    def _migrate(self) -> None:
        steps = migrations("postgres")
        self._execute("SELECT pg_advisory_lock(?)", (UPGRADE_LOCK,))
        try:
            version = self._version()
            if version > len(steps):
                raise StoreError(newer(version, len(steps), self.shown))
            for step in steps[version:]:
                with self.transaction():
                    self._execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
                    self._execute(
                        "CREATE TABLE IF NOT EXISTS schema_version (version INT NOT NULL)"
                    )
                    for statement in step.statements:
                        self._execute(statement)
                    self._execute("DELETE FROM schema_version")
                    self._execute("INSERT INTO schema_version VALUES (?)", (step.version,))
        finally:
            self._execute("SELECT pg_advisory_unlock(?)", (UPGRADE_LOCK,))

    def begin(self) -> None:
        """Begin a transaction that writes."""
        self._execute("BEGIN")
        self._writing = True

    def commit(self) -> None:
        """Make the transaction last."""
        self._execute("COMMIT")
        self._writing = False

    def rollback(self) -> None:
        """Forget the transaction; a broken connection has forgotten it already."""
        self._writing = False
        try:
            self._connection.rollback()
        except psycopg.Error:
            self._connection.close()

    def locked(self, name: str) -> StudyRow:
        """Return a study that no other server changes until the transaction ends."""
        rows = self._execute(f"{STUDY} WHERE name = ? FOR UPDATE", (name,))
        if not rows:
            raise UnknownStudyError(f"no study {name!r}; create one with duelli study create")
        return StudyRow(*rows[0])

    def reader(self) -> PostgresReader:
        """Return another connection, which only reads."""
        return PostgresReader(self.url)

    def _execute_many(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        with _told(self), self._alive().cursor() as cursor:
            cursor.executemany(_marked(sql), values)


@lru_cache(maxsize=256)
def _marked(sql: str) -> bytes:
    """Return a statement with the marks of psycopg."""
    return sql.replace("%", "%%").replace("?", "%s").encode()


class _told:  # noqa: N801 (used as a statement)
    """Turns the errors of psycopg into ours."""

    def __init__(self, store: PostgresReader) -> None:
        self._store = store

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if not isinstance(error, psycopg.Error):
            return
        text = f"{self._store.shown}: {_plain(error)}"
        if isinstance(error, BUSY):
            raise StoreBusyError(f"{text}; try again") from None
        if isinstance(error, psycopg.OperationalError) or self._store._connection.closed:
            self._store._connection.close()
            raise StoreLostError(f"{text}; the connection broke") from None
        raise StoreError(text) from None


def _plain(error: psycopg.Error) -> str:
    return redacted(" ".join(str(error).split()))
