"""Disks that are full or break: nothing half, nothing lost, nothing promised (F3, F16)."""

import json
import os
import subprocess
import urllib.request
from contextlib import closing

import apsw
import pytest

from duelli.live.errors import DamagedError, StoreBusyError, StoreError
from duelli.live.ledger import Ledger
from duelli.live.requests import Ask, Given, Tell
from duelli.live.settings import Settings
from duelli.live.stores import open_reader, open_store
from duelli.live.stores.sqlite import SqliteStore
from duelli.live.verifying import faults

from .disks import Disk
from .servers import Servers
from .storm import STUDY, Storm, check_kept, create


@pytest.fixture
def small_disk(tmp_path):
    """A disk of three megabytes, made of memory."""
    words = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(tmp_path)]
    if os.getuid() or subprocess.run(words, check=False, capture_output=True).returncode:
        pytest.skip("only root can mount a small disk; the tests of stores fill one with apsw")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


def resize(disk, size):
    subprocess.run(["mount", "-o", f"remount,size={size}", str(disk)], check=True)


@pytest.mark.slow
def test_a_full_disk_refuses_answers_until_there_is_room(small_disk):
    db = small_disk / "studies.db"
    with Servers() as servers:
        server = servers.start(db)
        create(server.url)
        with Storm(server.url, clients=8) as storm:
            while storm.codes[503] < 20:
                storm.wait_for(0)
            with urllib.request.urlopen(f"{server.url}/v1/studies/s") as answer:
                assert json.load(answer)["duels"] > 0  # reading goes on
            told = len(storm.acked)
            resize(small_disk, "40m")
            storm.wait_for(told + 200)
        assert storm.wrong == []
        assert server.stop() == 0
    with closing(open_reader(str(db))) as reader:
        check_kept(reader, "s", storm.acked)


def play(ledger, count, acked):
    """Answer some pairs; note each answer that was acknowledged."""
    for _ in range(count):
        pair = ledger.do(Ask("s", "c"))
        assert isinstance(pair, Given)
        tell = Tell("s", "c", pair.step, pair.place, "left", f"{pair.step}.{pair.place}")
        if ledger.do(tell).status == "accepted":
            acked.append(tell.key)


class Broken:
    """Fails the ``number``-th step of a disk of one kind, and all after it."""

    def __init__(self, kind, number):
        self._kind, self._left = kind, number

    def __call__(self, kind):
        if kind == self._kind:
            self._left -= 1
        if self._left <= 0 and kind == self._kind:
            raise apsw.IOError


@pytest.mark.parametrize("kind", ["write", "sync"])
@pytest.mark.parametrize("number", [1, 2, 5, 11, 24])
def test_after_an_error_of_the_disk_nothing_is_acknowledged(tmp_path, kind, number):
    db, acked, failures = tmp_path / "studies.db", [], []
    disk = Disk()
    ledger = Ledger(SqliteStore(db, connect=disk.connect), on_failure=failures.append)
    with closing(ledger):
        ledger.create(Settings(**STUDY))
        disk.on_step = Broken(kind, number)
        with pytest.raises(StoreError):
            play(ledger, 100, acked)
        disk.on_step = str  # it works again, and is not trusted
        with pytest.raises(StoreError):
            ledger.do(Ask("s", "c"))
    assert len(failures) == 1
    with closing(open_store(str(db))) as store:
        assert faults(store) == []
        kept = {row.key for row in store.answers(store.study("s").id)}
    assert set(acked) <= kept


def test_a_disk_that_is_full_during_a_backup_leaves_no_half_copy(small_disk):
    db, copy = small_disk / "studies.db", small_disk / "copy.db"
    with closing(Ledger(open_store(str(db)))) as ledger:
        ledger.create(Settings(**STUDY))
        play(ledger, 10, [])
        free = os.statvfs(small_disk)
        (small_disk / "filler").write_bytes(bytes((free.f_bavail - 3) * free.f_frsize))
        with pytest.raises((StoreBusyError, StoreError)):
            ledger.store.copy(str(copy))
        assert not copy.exists()
        (small_disk / "filler").unlink()
        ledger.store.copy(str(copy))
        play(ledger, 5, [])
    with closing(open_reader(str(copy))) as reader:
        assert faults(reader) == []


def test_a_copy_that_is_older_than_the_last_answers_is_refused(tmp_path):
    db, copy = tmp_path / "studies.db", tmp_path / "copy.db"
    with closing(Ledger(open_store(str(db)))) as ledger:
        ledger.create(Settings(**STUDY))
        play(ledger, 3, [])
        ledger.store.copy(str(copy))
        play(ledger, 3, [])
    os.replace(copy, db)
    with pytest.raises(DamagedError, match=r"older copy.*remove .*lock"):
        open_store(str(db))
    db.with_name("studies.db.lock").unlink()
    with closing(open_store(str(db))) as store:
        assert store.study("s").duels == 3
