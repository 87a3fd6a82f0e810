"""A damaged file is refused, or shows no difference; it is never begun anew (F13, P9)."""

import random
import shutil
from contextlib import closing

import pytest

from duelli.errors import DuelliError
from duelli.live.ledger import Ledger
from duelli.live.requests import Ask, Tell
from duelli.live.salvaging import salvage
from duelli.live.settings import Settings
from duelli.live.stores import open_store
from duelli.live.stores.rows import AnswerRow, StepRow, StudyRow
from duelli.live.verifying import faults

from .servers import Servers
from .storm import STUDY, Storm, create

FLIPS = 150
PAGE = 4096
TABLES = {"study": StudyRow._fields, "step": StepRow._fields, "answer": AnswerRow._fields}


def content(store):
    """Return all that the history of the studies consists of."""
    return {
        name: [row for rows in store.table(name, columns, 1000) for row in rows]
        for name, columns in TABLES.items()
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return a database with a study in its third step, and what is in it."""
    path = tmp_path_factory.mktemp("whole") / "studies.db"
    with closing(Ledger(open_store(str(path)))) as ledger:
        ledger.create(Settings(**{**STUDY, "horizon": 10**4, "title": "Which one?" * 20}))
        for k in range(150):
            pair = ledger.do(Ask("s", "c"))
            winner = ("left", "right", "tie")[k % 3]
            ledger.do(Tell("s", "c", pair.step, pair.place, winner, f"key{k}"))
    with closing(open_store(str(path))) as store:
        kept = content(store)
    return path, kept


def verdict(path, kept):
    """Return "refused" if the damage was seen, "same" if it changed nothing, else "believed"."""
    try:
        with closing(open_store(str(path))) as store:
            if faults(store):
                return "refused"
            return "same" if content(store) == kept else "believed"
    except DuelliError:
        return "refused"


def damaged(whole, tmp_path, change):
    """Return the path of a copy to which something was done."""
    path = tmp_path / "studies.db"
    shutil.copy(whole, path)
    content = bytearray(path.read_bytes())
    change(content)
    path.write_bytes(content)
    return path


def flip(chance):
    def change(content):
        place = chance.randrange(len(content) - 4)
        for k in range(4):
            content[place + k] ^= chance.randrange(1, 256)

    return change


@pytest.mark.slow
def test_no_flipped_bytes_are_believed(whole, tmp_path):
    path, kept = whole
    found = [verdict(damaged(path, tmp_path, flip(random.Random(k))), kept) for k in range(FLIPS)]
    assert found.count("believed") == 0, [k for k, each in enumerate(found) if each == "believed"]
    assert found.count("refused") > FLIPS / 4


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.95])
def test_a_file_that_was_cut_off_is_refused(whole, tmp_path, share):
    path, kept = whole
    (tmp_path / "studies.db.lock").write_bytes(path.with_name("studies.db.lock").read_bytes())

    def cut(content):
        del content[int(share * len(content)) :]

    assert verdict(damaged(path, tmp_path, cut), kept) == "refused"


def test_a_zeroed_page_is_refused_or_was_empty(whole, tmp_path):
    path, kept = whole
    found = []
    for page in range(path.stat().st_size // PAGE):

        def zero(content, page=page):
            content[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)

        found.append(verdict(damaged(path, tmp_path, zero), kept))
    assert "believed" not in found
    assert found.count("refused") > len(found) / 2


@pytest.mark.parametrize("seed", range(12))
def test_salvage_writes_a_beginning_of_what_was_there(whole, tmp_path, seed):
    path, kept = whole
    broken = damaged(path, tmp_path, flip(random.Random(seed)))
    (said,) = salvage(str(broken), tmp_path / "saved")
    if said.text.startswith("no study can be read"):
        return
    lines = (tmp_path / "saved" / "s.jsonl").read_text().splitlines()
    assert len(lines) <= len(kept["answer"])


def test_a_log_that_was_deleted_after_a_kill_is_missed(tmp_path):
    db = tmp_path / "studies.db"
    with Servers() as servers:
        server = servers.start(db)
        create(server.url)
        with Storm(server.url, clients=4) as storm:
            storm.wait_for(20)
            server.kill()
        db.with_name("studies.db-wal").unlink()
        with pytest.raises(RuntimeError, match="did not start"):
            servers.start(db)
    with pytest.raises(DuelliError, match="lock"):
        open_store(str(db))
