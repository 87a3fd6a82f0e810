"""Finished trials as files: what is written is what is read, and nothing is half written."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

import duelli
from duelli.duels import DuelModel
from duelli.learners.arc import ArcDuelli
from duelli.record.tables import Key, Store, row_of

KEY = Key("small", "abc", 7)


@pytest.fixture(scope="module")
def trace():
    learner = ArcDuelli(dim=2, horizon=10**6, slope_max=0.25, seed=1)
    return duelli.simulate(learner, DuelModel("two_cones"), seed=1)


def test_notes_stand_beside_the_other_fields_of_a_round(trace):
    first, second, _ = row_of(5, trace)["rounds"]
    assert (first["active"], first["eliminated"]) == ([1], 0)
    assert second["active"] == [1, 4]
    assert second["reference"] == list(trace.rounds[1].reference)


def test_notes_of_the_unfinished_round_are_kept(trace):
    assert row_of(5, trace)["unfinished"]["active"] == [1, 4, 13, 49]


def test_a_run_without_notes_has_none(trace):
    assert row_of(5, replace(trace, notes={}))["unfinished"] is None


@pytest.mark.parametrize("notes", [True, False])
def test_what_is_written_is_what_is_read(trace, tmp_path, notes):
    row = row_of(5, trace if notes else replace(trace, notes={}, rounds=()))
    store = Store(tmp_path)
    assert not store.has(KEY)
    store.write(KEY, row)
    assert store.has(KEY)
    assert store.read(KEY) == row


def test_a_folder_that_cannot_be_written_is_refused_at_once(tmp_path):
    (tmp_path / "taken").write_text("a file, not a folder")
    with pytest.raises(OSError, match="taken"):
        Store(tmp_path / "taken" / "below")


def full_disk(*_, **__):
    raise OSError(28, "No space left on device")


def test_a_trial_that_cannot_be_kept_names_the_folder_and_the_reason(trace, tmp_path, monkeypatch):
    monkeypatch.setattr("pyarrow.parquet.write_table", full_disk)
    with pytest.raises(OSError, match=f"could not be kept in {tmp_path}: No space left"):
        Store(tmp_path).write(KEY, row_of(5, trace))
    assert not list(tmp_path.rglob("*.part"))


def dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_what_a_killed_process_left_half_written_is_removed(tmp_path):
    left = tmp_path / "trials" / f".00000.parquet.{dead_process()}.part"
    left.parent.mkdir()
    left.write_bytes(b"half")
    Store(tmp_path).remove_parts()
    assert not left.exists()


def test_what_a_running_process_is_writing_is_left_alone(tmp_path):
    mine = tmp_path / f".00000.parquet.{os.getpid()}.part"
    mine.write_bytes(b"half")
    Store(tmp_path).remove_parts()
    assert mine.exists()
