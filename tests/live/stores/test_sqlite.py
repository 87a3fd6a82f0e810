"""SQLite: one server at a time, nothing acknowledged that is not on disk, damage is seen."""

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from duelli.live import DamagedError, StoreBusyError, StoreError
from duelli.live.errors import DamagedStudyError
from duelli.live.ledger import Ledger
from duelli.live.requests import Ask
from duelli.live.salvaging import salvage
from duelli.live.stores import locking, open_reader, open_store
from duelli.live.stores.migrating import Migration, migrations, statements_of
from duelli.live.stores.sqlite import SqliteStore
from duelli.live.verifying import faults
from duelli.testing.store.ledgers import asked, play, settings, tell_of
from duelli.testing.store.rows import begun


@pytest.fixture
def path(tmp_path):
    return tmp_path / "studies.db"


@pytest.fixture
def store(path):
    store = SqliteStore(path)
    yield store
    store.close()


def test_what_is_committed_is_synchronised(store):
    assert store._execute("PRAGMA synchronous") == [(2,)]  # FULL
    assert store._execute("PRAGMA journal_mode") == [("wal",)]


def test_a_second_server_is_refused_and_told_the_pid(store, path):
    with pytest.raises(StoreError, match=f"pid {os.getpid()};"):
        SqliteStore(path)
    begun(store)  # the first one goes on


def test_the_lock_vanishes_with_its_holder(path):
    code = (
        "import os, sys; from duelli.live.stores.sqlite import SqliteStore; "
        "store = SqliteStore(sys.argv[1]); print('ready', flush=True); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (-9, b"ready\n")
    SqliteStore(path).close()


def test_a_log_that_was_removed_stops_the_acknowledgements(store, path):
    begun(store)
    Path(f"{path}-wal").rename(f"{path}-gone")
    with pytest.raises(StoreError, match="removed or replaced"):
        begun(store, "t")


def test_a_log_that_was_replaced_stops_the_ledger(path):
    failures = []
    with closing(Ledger(SqliteStore(path), on_failure=failures.append)) as ledger:
        ledger.create(settings())
        log = Path(f"{path}-wal")
        shutil.copy(log, f"{log}.copy")
        os.replace(f"{log}.copy", log)
        with pytest.raises(StoreError):
            ledger.do(Ask("s", "c"))
        with pytest.raises(StoreError, match="stopping"):
            ledger.do(Ask("s", "c"))
    assert len(failures) == 1


def test_an_outsider_that_holds_the_database_makes_it_busy(store, path, monkeypatch):
    monkeypatch.setattr("duelli.live.stores.sqlite.BUSY_SECONDS", 0.1)
    store._execute("PRAGMA busy_timeout = 100")
    with closing(sqlite3.connect(path, isolation_level=None)) as outsider:
        outsider.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreBusyError, match="locked"):
            begun(store)
        outsider.execute("ROLLBACK")
    begun(store)


def test_a_short_lock_of_an_outsider_is_waited_for(store, path):
    outsider = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    outsider.execute("BEGIN EXCLUSIVE")
    ending = threading.Timer(0.2, outsider.execute, ["ROLLBACK"])
    ending.start()
    begun(store)
    ending.join()
    outsider.close()


def test_a_full_disk_is_busy_and_goes_on_by_itself(path):
    with closing(Ledger(SqliteStore(path))) as ledger:
        ledger.create(settings())
        given = asked(ledger, "c")
        pages = ledger.store._execute("PRAGMA page_count")[0][0]
        ledger.store._execute(f"PRAGMA max_page_count = {pages}")
        refused = None
        for k in range(400):  # until the pages that there are are full
            try:
                ledger.do(Ask("s", f"client {k} {'x' * 40}"))
            except StoreBusyError as error:
                refused = error
                break
        assert refused is not None
        assert "full" in str(refused)
        ledger.store._execute("PRAGMA max_page_count = 1000000")
        assert ledger.do(tell_of(given, "c")).status == "accepted"
        play(ledger)
        assert faults(ledger.store) == []


class Disk:
    """A disk for connections of apsw, which fails once told to."""

    def __init__(self):
        self.apsw = pytest.importorskip("apsw")
        self.fault, self.name, disk = None, f"disk{id(self)}", self

        class File(self.apsw.VFSFile):
            def xSync(self, flags):  # noqa: N802 (apsw's name)
                disk.check("sync", disk.apsw.IOError)
                return super().xSync(flags)

            def xWrite(self, data, offset):  # noqa: N802
                disk.check("full", disk.apsw.FullError)
                return super().xWrite(data, offset)

        class Vfs(self.apsw.VFS):
            def xOpen(self, name, flags):  # noqa: N802
                return File("", name, flags)

        self._vfs = Vfs(self.name, "")

    def check(self, fault, error):
        if self.fault == fault:
            raise error

    def connect(self, path):
        return self.apsw.Connection(path, vfs=self.name)


def test_a_disk_that_fails_to_synchronise_stops_the_ledger(path):
    disk, failures = Disk(), []
    store = SqliteStore(path, connect=disk.connect)
    with closing(Ledger(store, on_failure=failures.append)) as ledger:
        ledger.create(settings())
        disk.fault = "sync"
        with pytest.raises(StoreError):
            ledger.do(Ask("s", "c"))
        disk.fault = None
        with pytest.raises(StoreError):
            ledger.do(Ask("s", "c"))
    assert len(failures) == 1
    with closing(open_store(str(path))) as again:
        assert faults(again) == []


def test_a_disk_that_is_full_under_apsw_is_busy(path):
    disk = Disk()
    store = SqliteStore(path, connect=disk.connect)
    with closing(Ledger(store)) as ledger:
        ledger.create(settings())
        disk.fault = "full"
        with pytest.raises(StoreBusyError):
            ledger.do(Ask("s", "c"))
        disk.fault = None
        assert play(ledger) == 12


def test_damage_is_refused_with_the_way_out(path):
    with closing(Ledger(SqliteStore(path))) as ledger:
        ledger.create(settings())
        play(ledger)
    data = bytearray(path.read_bytes())
    data[4096:8192] = os.urandom(4096)
    path.write_bytes(data)
    with pytest.raises(DamagedError, match="duelli study salvage"):
        SqliteStore(path)


def test_a_file_that_is_no_database_is_refused(path):
    path.write_bytes(b"x" * 5000)
    with pytest.raises(DamagedError, match="no backup"):
        SqliteStore(path)
    assert path.read_bytes() == b"x" * 5000


def test_salvage_writes_the_intact_beginning(path, tmp_path):
    with closing(Ledger(SqliteStore(path))) as ledger:
        ledger.create(settings())
        play(ledger)
        with ledger.store.transaction():
            ledger.store._execute("UPDATE answer SET winner = 'tie' WHERE seq = 8")
    (line,) = salvage(str(path), tmp_path / "saved")
    assert line.text.startswith("s: 7 of 12 answers are intact; the next one was changed")
    assert len((tmp_path / "saved" / "s.jsonl").read_text().splitlines()) == 7


def test_an_answer_that_was_changed_is_seen_when_the_study_is_loaded(path):
    with closing(Ledger(SqliteStore(path))) as ledger:
        ledger.create(settings(batch=12))
        play(ledger, most=5)
        with ledger.store.transaction():
            ledger.store._execute("UPDATE answer SET client = 'me' WHERE seq = 2")
    with closing(Ledger(SqliteStore(path))) as ledger:
        with pytest.raises(DamagedStudyError, match="answer 2"):
            ledger.do(Ask("s", "c"))
        ledger.create(settings("t"))  # the others go on
        assert ledger.do(Ask("t", "c")).place == 0


SECOND = Migration(2, "colours", ("ALTER TABLE study ADD COLUMN colour TEXT",))


def test_an_upgrade_keeps_a_backup(path):
    with closing(SqliteStore(path)) as store:
        study = begun(store)
    with closing(SqliteStore(path, steps=[*migrations("sqlite"), SECOND])) as store:
        assert store._execute("PRAGMA user_version") == [(2,)]
        assert store.study("s").id == study
    with closing(open_reader(f"{path}.v1.bak")) as backup:
        assert backup.study("s").id == study


def test_an_upgrade_that_fails_changes_nothing(path):
    SqliteStore(path).close()
    wrong = Migration(2, "wrong", (SECOND.statements[0], "ALTER TABLE nothing ADD COLUMN x TEXT"))
    with pytest.raises(StoreError):
        SqliteStore(path, steps=[*migrations("sqlite"), wrong])
    with closing(SqliteStore(path)) as store:
        assert store._execute("PRAGMA user_version") == [(1,)]
        begun(store)


def test_a_later_schema_is_refused_with_both_versions(path):
    SqliteStore(path, steps=[*migrations("sqlite"), SECOND]).close()
    for opened in (open_store, open_reader):
        with pytest.raises(StoreError, match=r"schema version 2, and this .* up to 1"):
            opened(str(path))


def test_both_dialects_have_the_same_steps():
    names = [[(step.version, step.name) for step in migrations(d)] for d in ("sqlite", "postgres")]
    assert names[0] == names[1]


def test_statements_end_with_a_line():
    assert statements_of("-- a; b\nCREATE a;\nCREATE b (\n  x\n);\n") == (
        "CREATE a",
        "CREATE b (\n  x\n)",
    )


MOUNTS = "dev / ext4 rw\nserver:/x /mnt/far nfs4 rw\ndev /mnt/far/near xfs rw\n"


@pytest.mark.parametrize(
    ("where", "kind"),
    [("/home/a.db", "ext4"), ("/mnt/far/a.db", "nfs4"), ("/mnt/far/near/a.db", "xfs")],
)
def test_the_file_system_of_a_path_is_found(where, kind):
    assert locking.file_system(Path(where), MOUNTS) == kind


def test_a_network_file_system_is_refused_unless_forced(path, monkeypatch):
    monkeypatch.setattr(locking, "file_system", lambda _: "nfs4")
    with pytest.raises(StoreError, match=r"network file system .nfs4.*--i-know"):
        SqliteStore(path)
    assert not path.exists()
    SqliteStore(path, forced=True).close()


def test_reading_what_is_not_there_makes_nothing(path):
    with pytest.raises(StoreError, match="no database"):
        open_reader(str(path))
    assert not path.exists()


def test_a_long_reader_does_not_hold_up_writers(store):
    study = begun(store)
    reader = store.reader()
    with reader.snapshot():
        assert len(reader.studies()) == 1
        started = time.monotonic()
        begun(store, "t")
        assert time.monotonic() - started < 1
        assert len(reader.studies()) == 1
    assert len(reader.studies()) == 2
    assert study
    reader.close()


def test_a_log_that_has_grown_large_is_emptied(store, path, monkeypatch):
    monkeypatch.setattr("duelli.live.stores.sqlite.LARGE_LOG", 50_000)
    monkeypatch.setattr("duelli.live.stores.sqlite.SHORTENING_SECONDS", 0.0)
    store._execute("PRAGMA wal_autocheckpoint = 0")
    log = Path(f"{path}-wal")
    sizes = []
    for k in range(20):
        begun(store, f"s{k}")
        sizes.append(log.stat().st_size)
    assert max(sizes) < 100_000
    assert sizes.count(0) > 1


def test_a_copy_made_under_load_verifies_and_is_a_beginning(path, tmp_path):
    with closing(Ledger(SqliteStore(path))) as ledger:
        ledger.create(settings(horizon=300, batch=100))
        threads = [threading.Thread(target=play, args=(ledger, f"c{k}")) for k in range(3)]
        for thread in threads:
            thread.start()
        copies = []
        while any(thread.is_alive() for thread in threads) or not copies:
            copies.append(str(tmp_path / f"copy{len(copies)}.db"))
            with closing(open_reader(str(path))) as reader:
                reader.copy(copies[-1])
        for thread in threads:
            thread.join()
        row = ledger.store.study("s")
        whole = list(ledger.store.answers(row.id))
    for name in (copies[0], copies[len(copies) // 2], copies[-1]):
        with closing(open_reader(name)) as copy:
            assert faults(copy) == []
            part = list(copy.answers(row.id))
            assert part == whole[: len(part)]


def test_a_log_that_a_reader_keeps_large_is_reported(store, monkeypatch, caplog):
    monkeypatch.setattr("duelli.live.stores.sqlite.LARGE_LOG", 1)
    monkeypatch.setattr("duelli.live.stores.sqlite.SHORTENING_SECONDS", 0.0)
    store._execute("PRAGMA busy_timeout = 10")
    reader = store.reader()
    with reader.snapshot():
        reader.studies()
        begun(store)
    assert "as somebody reads for long" in caplog.text
    reader.close()
