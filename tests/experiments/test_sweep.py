"""The runner: finished trials stay, whatever happens, and depend on their seed alone."""

import os
import signal
import subprocess
import sys
import time

import pytest

from duelli.experiments.paper import arc
from duelli.experiments.run import collect, run_pending, tasks
from duelli.experiments.spec import Experiment
from duelli.record.tables import Store, atomic_path
from duelli.reproduce import Job

SMALL = Experiment(
    id="small",
    title="",
    where="",
    runs=(arc("sharp", trials=3, horizon=10**5), arc("flat", "flat", trials=2, horizon=10**4)),
)


def results(store, jobs=1):
    pending = [task for task in tasks([SMALL]) if not store.has(task.key)]
    keys = list(run_pending(pending, store, jobs=jobs))
    return len(keys), collect([SMALL], store)


def test_long_trials_come_first():
    horizons = [task.run.setting.horizon for task in tasks([SMALL])]
    assert horizons == sorted(horizons, reverse=True)


def test_a_second_run_costs_nothing(tmp_path):
    first = results(Store(tmp_path))
    again = results(Store(tmp_path))
    assert first[0] == 5
    assert again[0] == 0
    assert first[1] == again[1]


def test_results_do_not_depend_on_the_number_of_workers(tmp_path):
    assert results(Store(tmp_path / "one"), 1) == results(Store(tmp_path / "two"), 2)


def test_a_run_that_is_not_whole_is_left_out(tmp_path):
    store = Store(tmp_path)
    task = tasks([SMALL])[-1]
    list(run_pending([task], store, jobs=1))
    assert collect([SMALL], store) == {"small": {}}


def test_a_failed_write_leaves_nothing_behind(tmp_path):
    def fail():
        with atomic_path(tmp_path / "a.txt") as path:
            path.write_text("half")
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_refused_at_once(tmp_path):
    (tmp_path / "taken").write_text("a file, not a folder")
    with pytest.raises(OSError, match="taken"):
        Store(tmp_path / "taken" / "below")


def kill_after(folder, seconds):
    """Start a reproduction, kill it without warning, and return how many trials it left."""
    words = ["reproduce", "--only", "sharp,dim_3", "--horizon", "1e7", "--trials", "12"]
    words += ["--jobs", "2", "--out", str(folder)]
    code = "from duelli.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return len(list(folder.rglob("*.parquet")))


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_was(tmp_path):
    from duelli.experiments.spec import Narrowing

    folder = tmp_path / "killed"
    left, seconds = 0, 3.0
    while left == 0:  # a slow machine may not have finished any trial yet
        left, seconds = kill_after(folder, seconds), 2 * seconds
    narrowing = Narrowing(trials=12, horizon=10**7)
    jobs = [
        Job.of(only=("sharp", "dim_3"), narrowing=narrowing, out=out, jobs=1)
        for out in (folder, tmp_path / "undisturbed")
    ]
    assert len(jobs[0].pending()) == len(jobs[0].tasks()) - left
    for job in jobs:
        list(job.run(job.pending()))
    first, second = (collect(job.experiments, job.store) for job in jobs)
    assert first == second


def dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_what_a_killed_run_left_half_written_is_removed(tmp_path):
    store = Store(tmp_path)
    folder = tmp_path / "trials" / "small"
    folder.mkdir(parents=True)
    left = folder / f".00000.parquet.{dead_process()}.part"
    left.write_bytes(b"half")
    results(store)
    assert not left.exists()


def test_what_a_running_process_is_writing_is_left_alone(tmp_path):
    store = Store(tmp_path)
    mine = tmp_path / f".00000.parquet.{os.getpid()}.part"
    mine.write_bytes(b"half")
    store.sweep(patience=0)
    assert mine.exists()


def full_disk(*_, **__):
    raise OSError(28, "No space left on device")


def test_a_trial_that_cannot_be_kept_names_the_folder_and_the_reason(tmp_path, monkeypatch):
    monkeypatch.setattr("pyarrow.parquet.write_table", full_disk)
    with pytest.raises(OSError, match=f"could not be kept in {tmp_path}: No space left"):
        results(Store(tmp_path))
    assert not list(tmp_path.rglob("*.part"))
