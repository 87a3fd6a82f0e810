"""Batches: short trials travel together, long ones alone, and every trial comes back once."""

import os
import time

import joblib
import pytest

from duelli.errors import WorkerError
from duelli.experiments import batches
from duelli.experiments.batches import BATCH_SECONDS, MOST_TRIALS, Finished, Pace, run_in_batches


def doubled(number):
    return 2 * number


def process_of(number):
    return number, os.getpid()


def naps(number):
    time.sleep(number)
    return number


def fails(number):
    raise ValueError(f"no {number}")


def one_kind(_):
    return "all"


def paced(trials, seconds):
    pace = Pace()
    pace.add(Finished("a", [None] * trials, seconds))
    return pace


@pytest.fixture
def cuts(monkeypatch):
    """The sizes of the batches, in the order in which they are cut."""
    sizes, cut = [], batches._cut

    def watched(*words):
        for kind, batch in cut(*words):
            sizes.append((kind, len(batch)))
            yield kind, batch

    monkeypatch.setattr(batches, "_cut", watched)
    return sizes


def test_a_kind_that_nobody_has_timed_travels_alone():
    assert Pace().size("a") == 1
    assert paced(10, 0.1).size("b") == 1


@pytest.mark.parametrize(
    ("trials", "seconds", "size"),
    [(10, 0.1, 100), (1, 0.25, 4), (2, 5.0, 1), (1, 1000.0, 1), (1, 0.0, MOST_TRIALS)],
)
def test_a_batch_takes_about_a_second(trials, seconds, size):
    assert BATCH_SECONDS == 1.0
    assert paced(trials, seconds).size("a") == size


def test_all_batches_of_a_kind_count():
    pace = paced(1, 1.0)
    pace.add(Finished("a", [None] * 99, 0.0))
    assert pace.size("a") == 100


@pytest.mark.parametrize("ordered", [True, False])
def test_every_task_comes_back_once(ordered):
    found = list(run_in_batches(doubled, range(500), kind=one_kind, jobs=2, ordered=ordered))
    assert sorted(found) == list(range(0, 1000, 2))
    assert not ordered or found == sorted(found)


def test_workers_are_other_processes():
    found = dict(run_in_batches(process_of, range(20), kind=one_kind, jobs=2))
    assert len(found) == 20
    assert os.getpid() not in found.values()


def test_trials_of_no_time_are_grouped_once_that_is_known(cuts):
    list(run_in_batches(doubled, range(2000), kind=one_kind, jobs=2))
    assert cuts[0] == ("all", 1)
    assert max(size for _, size in cuts) == MOST_TRIALS
    assert len(cuts) < 100


def test_a_batch_has_trials_of_one_kind_only(cuts):
    def kind(number):
        return number >= 300

    list(run_in_batches(doubled, range(600), kind=kind, jobs=2))
    assert sum(size for found, size in cuts if found) == 300
    assert (True, 1) in cuts  # the first of the other kind goes alone again


def test_tasks_are_taken_as_workers_become_free():
    taken = []

    def endless():
        while True:
            taken.append(len(taken))
            yield 0.02

    found = run_in_batches(naps, endless(), kind=one_kind, jobs=2)
    for _ in range(5):
        next(found)
    found.close()  # and this says nothing of what is dropped
    assert len(taken) < 1000


def test_an_error_of_a_trial_is_raised_as_it_is():
    with pytest.raises(ValueError, match=r"no [0-2]"):  # whichever comes first
        list(run_in_batches(fails, range(3), kind=one_kind, jobs=2))


def test_the_backend_is_the_one_that_is_active():
    with joblib.parallel_config(backend="threading"):
        found = dict(run_in_batches(process_of, range(20), kind=one_kind, jobs=2))
    assert set(found.values()) == {os.getpid()}


def test_workers_with_other_code_are_refused(monkeypatch):
    monkeypatch.setattr(batches, "makers", lambda: {"code": "0" * 64, "numpy": "1.0"})
    with pytest.raises(WorkerError, match=r"which are duelli's code 000000000000, numpy 1\.0; "):
        list(run_in_batches(doubled, range(3), kind=one_kind, jobs=2))
