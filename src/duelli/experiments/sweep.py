"""Sweep: many settings, each tried several times, on all cores; finished trials are kept.

Workers return rows and the calling process writes the files, so that a cluster needs no shared
disk. ``with connected("dask", address):`` of `duelli.experiments.clusters` runs a sweep on one.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from duelli import _rng
from duelli.experiments.batches import run_in_batches
from duelli.experiments.memory import peak_bytes
from duelli.experiments.provenance import makers
from duelli.experiments.trials import Setting, run_trial, timed_trial
from duelli.record.tables import Key, Row, Store, row_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One setting, tried several times.

    Args:
        label: What figures and tables call it; unique in its group.
        setting: What is run.
        trials: How many trials.
        seed: The seeds of the trials follow from it.
        by_round: Whether it is shown in figures that go by rounds.
        timed: Whether rows have ``learner_seconds`` too, the time that the learner itself took. It
            is the one number that differs each time a trial is run.
        traced: Whether rows have ``memory_bytes`` and nothing else, the most that the learner had
            allocated; see `duelli.experiments.memory`.
    """

    label: str
    setting: Setting
    trials: int
    seed: int = 0
    by_round: bool = True
    timed: bool = False
    traced: bool = False

    @property
    def digest(self) -> str:
        """A short hash of all that the result of a trial depends on, except its number."""
        content = {**self.setting.as_dict(), "seed": self.seed, **makers()}
        content |= {"timed": True} if self.timed else {}
        content |= {"traced": True} if self.traced else {}
        text = json.dumps(content, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Task:
    """One trial to run."""

    key: Key
    setting: Setting
    seed: int
    timed: bool = False
    traced: bool = False

    def row(self) -> Row:
        """Run the trial and return its row."""
        if self.traced:
            return {"memory_bytes": peak_bytes(self.setting, self.seed)}
        if not self.timed:
            return row_of(self.seed, run_trial(self.setting, self.seed))
        trace, seconds = timed_trial(self.setting, self.seed)
        return {**row_of(self.seed, trace), "learner_seconds": seconds}


Results = dict[str, dict[str, list[Row]]]  # finished trials by group and label


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """Groups of runs, and the store of their finished trials.

    Args:
        groups: Name of the group -> its runs.
        store: Where finished trials are kept.
        jobs: Processes; -1 for all cores.
    """

    groups: Mapping[str, tuple[Run, ...]]
    store: Store
    jobs: int = -1

    def __post_init__(self) -> None:
        if self.jobs == 0:
            raise ValueError("jobs must be a number of processes, or -1 for all cores; got 0")

    def tasks(self) -> list[Task]:
        """Return every trial, the long ones first, so that no core waits at the end."""
        tasks = [
            Task(key, run.setting, _rng.trial_seed(run.seed, key.trial), run.timed, run.traced)
            for group, runs in self.groups.items()
            for run in runs
            for key in _keys(group, run)
        ]
        return sorted(tasks, key=lambda task: -task.setting.horizon)

    def pending(self) -> list[Task]:
        """Return the trials that are not finished yet."""
        return [task for task in self.tasks() if not self.store.has(task.key)]

    def run(self, tasks: list[Task]) -> Iterator[Key]:
        """Run the tasks and yield the key of each as soon as it is kept.

        A trial that comes back twice, since its worker was thought to be dead, is written once.
        """
        self.store.remove_parts()
        for key, row in self._rows(tasks):
            if not self.store.has(key):
                self.store.write(key, row)
            yield key

    def results(self) -> Results:
        """Return the finished trials; a run of which some are missing is left out."""
        return {
            group: {
                run.label: [self.store.read(key) for key in _keys(group, run)]
                for run in runs
                if all(map(self.store.has, _keys(group, run)))
            }
            for group, runs in self.groups.items()
        }

    def _rows(self, tasks: list[Task]) -> Iterator[tuple[Key, Row]]:
        if self.jobs == 1:
            return map(_finish, tasks)
        return run_in_batches(_finish, tasks, kind=_digest, jobs=self.jobs)


def _finish(task: Task) -> tuple[Key, Row]:
    return task.key, task.row()


def _digest(task: Task) -> str:
    return task.key.digest


def _keys(group: str, run: Run) -> list[Key]:
    digest = run.digest
    return [Key(group, digest, trial) for trial in range(run.trials)]
