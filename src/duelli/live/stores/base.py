"""SqlStore: what a store is asked to keep and to find, in SQL that all databases share.

A store has one connection that writes, used by one thread at a time, and makes others that only
read. What writes is called between `begin` and `commit`; nothing is kept unless `commit` returns.
"""

import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from duelli.live.errors import ConflictError, UnknownStudyError
from duelli.live.stores.rows import (
    AnswerRow,
    LeaseRow,
    StepRow,
    StudyRow,
    TokenRow,
    first_link,
)

Rows = list[tuple[Any, ...]]
STUDY = f"SELECT {', '.join(StudyRow._fields)} FROM study"
STEP = f"SELECT {', '.join(StepRow._fields)} FROM step WHERE study = ?"
ANSWER = f"SELECT {', '.join(AnswerRow._fields)} FROM answer WHERE study = ?"
LEASE = f"SELECT {', '.join(LeaseRow._fields)} FROM lease WHERE study = ?"
TOKEN = f"SELECT {', '.join(TokenRow._fields)} FROM token"
CHUNK = 10_000  # rows at a time where many are read


class Reader(ABC):
    """Finds what a store keeps; nothing here writes."""

    FLOOR = "FLOOR({})"
    SNAPSHOT = "BEGIN"

    @abstractmethod
    def _execute(self, sql: str, values: Sequence[Any] = ()) -> Rows:
        """Run one statement, written with question marks, and return its rows."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""

    @abstractmethod
    def copy(self, target: str) -> None:
        """Write all that there is at this moment to a new file of SQLite."""

    def faults(self) -> list[str]:
        """Return what the database itself finds wrong; nothing if it cannot tell."""
        return []

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let everything that is read inside be of one moment."""
        self._execute(self.SNAPSHOT)
        try:
            yield
        finally:
            self._execute("ROLLBACK")

    def table(self, name: str, columns: Sequence[str], most: int) -> Iterator[Rows]:
        """Yield all rows of a table, up to ``most`` at a time."""
        order = ", ".join(columns[:2])
        sql = f"SELECT {', '.join(columns)} FROM {name} ORDER BY {order} LIMIT ? OFFSET ?"
        first = 0
        while rows := self._execute(sql, (most, first)):
            yield rows
            first += len(rows)

    def studies(self) -> list[StudyRow]:
        """Return all studies, in the order of their making."""
        return [StudyRow(*row) for row in self._execute(f"{STUDY} ORDER BY id")]

    def study(self, name: str) -> StudyRow:
        """Return a study."""
        rows = self._execute(f"{STUDY} WHERE name = ?", (name,))
        if not rows:
            raise UnknownStudyError(f"no study {name!r}; create one with duelli study create")
        return StudyRow(*rows[0])

    def step(self, study: int, number: int) -> StepRow:
        """Return a step of a study."""
        return StepRow(*self._execute(f"{STEP} AND number = ?", (study, number))[0])

    def steps(self, study: int, every: int = 1) -> list[StepRow]:
        """Return the steps of a study whose number is a multiple of ``every``."""
        sql = f"{STEP} AND number % ? = 0 ORDER BY number"
        return [StepRow(*row) for row in self._execute(sql, (study, every))]

    def answers(self, study: int, since: int = 0) -> Iterator[AnswerRow]:
        """Yield what was said in a study after the ``since``-th answer, in order."""
        while rows := self.some_answers(study, since, CHUNK):
            yield from rows
            since = rows[-1].seq

    def some_answers(self, study: int, since: int, most: int) -> list[AnswerRow]:
        """Return up to ``most`` of what was said after the ``since``-th answer."""
        rows = self._execute(f"{ANSWER} AND seq > ? ORDER BY seq LIMIT ?", (study, since, most))
        return [AnswerRow(*row) for row in rows]

    def last_answers(self, study: int, most: int) -> list[AnswerRow]:
        """Return the last answers of a study, the latest first."""
        sql = f"{ANSWER} ORDER BY seq DESC LIMIT ?"
        return [AnswerRow(*row) for row in self._execute(sql, (study, most))]

    def counted(self, study: int, step: int, place: int) -> AnswerRow | None:
        """Return the answer to a duel that counts; None if it has none."""
        sql = f"{ANSWER} AND step = ? AND place = ? AND counted = 1"
        rows = self._execute(sql, (study, step, place))
        return AnswerRow(*rows[0]) if rows else None

    def keyed(self, wanted: Sequence[tuple[int, str, str]]) -> list[AnswerRow]:
        """Return the answers with these studies, clients and keys, as far as there are any."""
        sql = f"{ANSWER} AND client = ? AND key = ?"
        return [AnswerRow(*row) for each in wanted for row in self._execute(sql, each)]

    def leases(self, study: int, since: int = -1) -> list[LeaseRow]:
        """Return the leases of a study that changed after version ``since``, oldest first."""
        rows = self._execute(f"{LEASE} AND version > ? ORDER BY version, at", (study, since))
        return [LeaseRow(*row) for row in rows]

    def by_client(self, study: int) -> list[tuple[str, str, int, float]]:
        """Return client, kind, number of answers and time of the last one."""
        sql = (
            "SELECT client, CASE WHEN kind = 'told' AND counted = 0 THEN 'undone' ELSE kind END, "
            "COUNT(*), MAX(at) FROM answer WHERE study = ? GROUP BY 1, 2 ORDER BY 3 DESC, 1"
        )
        return [(row[0], row[1], row[2], row[3]) for row in self._execute(sql, (study,))]

    def by_winner(self, study: int) -> dict[str, int]:
        """Return how many of the answers that count named each side."""
        sql = "SELECT winner, COUNT(*) FROM answer WHERE study = ? AND counted = 1 GROUP BY winner"
        return {row[0]: row[1] for row in self._execute(sql, (study,))}

    def agreements(self, study: int) -> tuple[int, int]:
        """Return how many late answers there are to decided duels, and how many say the same."""
        sql = (
            "SELECT COUNT(*), COUNT(CASE WHEN late.winner = told.winner THEN 1 END) "
            "FROM answer late JOIN answer told ON told.study = late.study "
            "AND told.step = late.step AND told.place = late.place AND told.counted = 1 "
            "WHERE late.study = ? AND late.kind = 'late' AND late.client <> told.client"
        )
        both, same = self._execute(sql, (study,))[0]
        return both, same

    def by_time(self, study: int, width: float) -> list[tuple[float, int]]:
        """Return the beginning of each span of ``width`` seconds with its counted answers."""
        sql = (
            f"SELECT {self.FLOOR.format('at / ?')} * ? AS begun, COUNT(*) FROM answer "
            "WHERE study = ? AND counted = 1 GROUP BY begun ORDER BY begun"
        )
        return [(row[0], row[1]) for row in self._execute(sql, (width, width, study))]

    def token(self, digest: str) -> TokenRow | None:
        """Return a token by its hash."""
        rows = self._execute(f"{TOKEN} WHERE hash = ?", (digest,))
        return TokenRow(*rows[0]) if rows else None

    def tokens(self) -> list[TokenRow]:
        """Return all tokens."""
        return [TokenRow(*row) for row in self._execute(f"{TOKEN} ORDER BY created_at")]

    def meta(self, key: str) -> str | None:
        """Return a value that belongs to the store as a whole."""
        rows = self._execute("SELECT value FROM meta WHERE key = ?", (key,))
        return rows[0][0] if rows else None

    def asset(self, digest: str) -> tuple[str, bytes] | None:
        """Return the media type and the content of an asset."""
        rows = self._execute("SELECT kind, body FROM asset WHERE hash = ?", (digest,))
        return (rows[0][0], bytes(rows[0][1])) if rows else None


class Store(Reader):
    """Writes too."""

    SHARED = False  # whether several servers may write at once

    @abstractmethod
    def begin(self) -> None:
        """Begin a transaction that writes."""

    @abstractmethod
    def commit(self) -> None:
        """Make the transaction last; once this returns, nothing of it can be lost."""

    @abstractmethod
    def rollback(self) -> None:
        """Forget the transaction."""

    @abstractmethod
    def reader(self) -> Reader:
        """Return another connection, which only reads."""

    @abstractmethod
    def _execute_many(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        """Run one statement for each of several tuples of values."""

    def abandon(self) -> None:
        """Let go of a store that has failed."""
        self.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit what is done inside, or none of it."""
        self.begin()
        try:
            yield
            self.commit()
        except BaseException:
            self.rollback()
            raise

    def locked(self, name: str) -> StudyRow:
        """Return a study that no other server changes until the transaction ends."""
        return self.study(name)

    def add_study(self, row: StudyRow) -> int:
        """Add a study, and return the id that it was given."""
        sql = f"{_insert('study', row._fields[1:])} ON CONFLICT (name) DO NOTHING RETURNING id"
        rows = self._execute(sql, row[1:])
        if not rows:
            raise ConflictError(f"a study {row.name!r} exists already; choose another name")
        return int(rows[0][0])

    def update_study(self, row: StudyRow, *, step: int) -> None:
        """Replace what changes in a study, provided that it is still in ``step``."""
        sql = (
            "UPDATE study SET status = ?, step = ?, version = ?, seq = ?, chain = ?, duels = ? "
            "WHERE id = ? AND step = ? AND version < ? RETURNING id"
        )
        values = (row.status, row.step, row.version, row.seq, row.chain, row.duels)
        if not self._execute(sql, (*values, row.id, step, row.version)):
            raise ConflictError(f"study {row.name!r} was changed by another server")

    def add_step(self, study: int, row: StepRow) -> None:
        """Open a step; the run of the one before it is no longer needed."""
        self._execute(_insert("step", ("study", *row._fields)), (study, *row))
        before = "SELECT MAX(number) FROM step WHERE study = ? AND number < ?"
        sql = f"UPDATE step SET run = NULL WHERE study = ? AND number = ({before})"
        self._execute(sql, (study, study, row.number))

    def add_answers(self, rows: Sequence[AnswerRow]) -> None:
        """Add answers at the end of the chain."""
        self._execute_many(_insert("answer", AnswerRow._fields), rows)

    def uncount(self, study: int, step: int, place: int) -> None:
        """Let the answer to a duel count no more."""
        self._execute(
            "UPDATE answer SET counted = 0 WHERE study = ? AND step = ? AND place = ? "
            "AND counted = 1",
            (study, step, place),
        )

    def put_leases(self, rows: Iterable[LeaseRow]) -> None:
        """Replace the leases of some clients."""
        columns = LeaseRow._fields
        changed = ", ".join(f"{name} = excluded.{name}" for name in columns[2:])
        sql = f"{_insert('lease', columns)} ON CONFLICT (study, client) DO UPDATE SET {changed}"
        self._execute_many(sql, list(rows))

    def add_token(self, row: TokenRow) -> None:
        """Add a token."""
        self._execute(_insert("token", row._fields), row)

    def add_rows(self, table: str, columns: Sequence[str], rows: Rows) -> None:
        """Add rows as another store had them."""
        self._execute_many(_insert(table, columns), rows)

    def revoke_token(self, digest: str, at: float) -> bool:
        """Let a token open nothing any more; tell whether there was one."""
        sql = "UPDATE token SET revoked_at = ? WHERE hash = ? AND revoked_at IS NULL RETURNING hash"
        return bool(self._execute(sql, (at, digest)))

    def put_meta(self, key: str, value: str) -> None:
        """Set a value that belongs to the store as a whole, unless it is set already."""
        sql = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING"
        self._execute(sql, (key, value))

    def put_asset(self, digest: str, kind: str, body: bytes) -> None:
        """Keep an asset."""
        sql = "INSERT INTO asset (hash, kind, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        self._execute(sql, (digest, kind, body))

    def begin_study(self, name: str, settings: str, first: StepRow, status: str) -> int:
        """Add a study together with its first step."""
        chain = first_link(name, settings)
        row = StudyRow(0, name, settings, status, first.number, 1, 0, chain, 0, time.time())
        study = self.add_study(row)
        self.add_step(study, first._replace(chain=chain))
        return study


def _insert(table: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
