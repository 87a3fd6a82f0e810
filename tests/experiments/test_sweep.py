"""The sweep: finished trials stay, whatever happens, and depend on their seed alone."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import joblib
import pytest

from duelli.experiments.paper import MAIN, arc
from duelli.experiments.reproduce import Reproduction
from duelli.experiments.spec import Narrowing
from duelli.experiments.sweep import Sweep
from duelli.record.tables import Store

RUNS = (arc("sharp", trials=3, horizon=10**5), arc("flat", "flat", trials=2, horizon=10**4))


class Watched(Store):
    """A store that remembers which process wrote each file."""

    def __init__(self, folder):
        super().__init__(folder)
        self.writers = []

    def write(self, key, row):
        self.writers.append(os.getpid())
        super().write(key, row)


def sweep(folder, jobs=1, store=Store):
    return Sweep(groups={"small": RUNS}, store=store(folder), jobs=jobs)


def finish(made):
    keys = list(made.run(made.pending()))
    return len(keys), made.results()


def files(made):
    """Return the content of every kept trial by its path below the folder of the store."""
    found = made.store.folder.rglob("*.parquet")
    return {path.relative_to(made.store.folder): path.read_bytes() for path in found}


def test_long_trials_come_first(tmp_path):
    horizons = [task.setting.horizon for task in sweep(tmp_path).tasks()]
    assert horizons == sorted(horizons, reverse=True)


def test_a_second_run_costs_nothing(tmp_path):
    first, again = finish(sweep(tmp_path)), finish(sweep(tmp_path))
    assert (first[0], again[0]) == (5, 0)
    assert first[1] == again[1]


def test_results_are_rows_by_group_and_label(tmp_path):
    _, results = finish(sweep(tmp_path))
    assert {label: len(rows) for label, rows in results["small"].items()} == {
        "ARC-DuelLi": 3,
        "flat": 2,
    }
    assert len({row["seed"] for row in results["small"]["ARC-DuelLi"]}) == 3


def test_results_do_not_depend_on_the_number_of_workers(tmp_path):
    assert finish(sweep(tmp_path / "one", 1)) == finish(sweep(tmp_path / "two", 2))


def test_only_the_calling_process_writes(tmp_path):
    made = sweep(tmp_path, jobs=2, store=Watched)
    finish(made)
    assert made.store.writers == [os.getpid()] * 5


def test_a_trial_that_comes_back_twice_is_written_once(tmp_path):
    once, twice = sweep(tmp_path / "once"), sweep(tmp_path / "twice", store=Watched)
    finish(once)
    assert len(list(twice.run(2 * twice.tasks()))) == 10
    assert len(twice.store.writers) == 5
    assert files(twice) == files(once)


def test_any_joblib_backend_may_be_chosen(tmp_path):
    with joblib.parallel_config(backend="threading"):
        threaded = finish(sweep(tmp_path / "threads", 2))
    assert threaded == finish(sweep(tmp_path / "one", 1))


def test_a_run_of_which_trials_are_missing_is_left_out(tmp_path):
    made = sweep(tmp_path)
    list(made.run(made.tasks()[:3]))
    assert list(made.results()["small"]) == ["ARC-DuelLi"]
    (next(tmp_path.rglob("*.parquet"))).unlink()
    assert made.results() == {"small": {}}


def test_parts_of_a_killed_run_are_removed(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    left = tmp_path / f".00000.parquet.{process.pid}.part"
    left.write_bytes(b"half")
    finish(sweep(tmp_path))
    assert not left.exists()


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
    folder = tmp_path / "killed"
    left, seconds = 0, 3.0
    while left == 0:  # a slow machine may not have finished any trial yet
        left, seconds = kill_after(folder, seconds), 2 * seconds
    narrowing = Narrowing(trials=12, horizon=10**7)
    killed, undisturbed = (
        Reproduction.of(only=("sharp", "dim_3"), narrowing=narrowing, out=out, jobs=1).sweep
        for out in (folder, tmp_path / "undisturbed")
    )
    assert len(killed.pending()) == len(killed.tasks()) - left
    assert finish(killed)[1] == finish(undisturbed)[1]


def test_digest_changes_with_whatever_changes_a_trial():
    run = MAIN.runs[0]
    others = [
        replace(run, seed=1),
        replace(run, setting=replace(run.setting, horizon=10**7)),
        replace(run, setting=replace(run.setting, engine="per_duel")),
        replace(run, setting=replace(run.setting, link="probit")),
        replace(run, setting=replace(run.setting, copies=True)),
    ]
    assert len({run.digest, *(other.digest for other in others)}) == 6


def test_digest_does_not_change_with_what_only_a_figure_shows():
    run = MAIN.runs[0]
    assert replace(run, label="other", trials=3, by_round=False).digest == run.digest


def timed(run):
    return replace(run, timed=True)


def test_a_timed_run_has_the_rows_of_another_and_the_seconds_of_its_learner(tmp_path):
    run = RUNS[1]
    made = Sweep(groups={"a": (run,), "b": (timed(run),)}, store=Store(tmp_path), jobs=1)
    _, results = finish(made)
    for row, plain in zip(results["b"]["flat"], results["a"]["flat"], strict=True):
        assert row.pop("learner_seconds") >= 0
        assert row == plain


def test_a_timed_run_does_not_take_rows_without_a_time(tmp_path):
    run = RUNS[1]
    finish(Sweep(groups={"a": (run,)}, store=Store(tmp_path), jobs=1))
    assert len(Sweep(groups={"a": (timed(run),)}, store=Store(tmp_path), jobs=1).pending()) == 2


def test_no_process_at_all_is_refused(tmp_path):
    with pytest.raises(ValueError, match="jobs must be a number of processes"):
        Sweep(groups={}, store=Store(tmp_path), jobs=0)
