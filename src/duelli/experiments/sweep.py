"""The runner: every pending trial on all cores; what is finished is never run again."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from duelli import _rng
from duelli.experiments.spec import Experiment, Run
from duelli.record.tables import Key, Row, Store
from duelli.trials import run_trial


@dataclass(frozen=True, slots=True)
class Task:
    """One trial to run."""

    run: Run
    key: Key

    @property
    def seed(self) -> int:
        """The trial's own seed."""
        return _rng.trial_seed(self.run.seed, self.key.trial)


def tasks(experiments: Iterable[Experiment]) -> list[Task]:
    """Return every trial, the long ones first, so that no core waits at the end."""
    found = [
        Task(run, Key(experiment.id, run.digest, trial))
        for experiment in experiments
        for run in experiment.runs
        for trial in range(run.trials)
    ]
    return sorted(found, key=lambda task: -task.run.setting.horizon)


def run_pending(pending: list[Task], store: Store, *, jobs: int = -1) -> Iterator[Key]:
    """Run the tasks and yield the key of each as soon as it is kept."""
    store.sweep(patience=0)  # of a run that was killed
    if jobs == 1:
        yield from (_finish(task, store) for task in pending)
        return
    from joblib import Parallel, delayed

    run = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    try:
        yield from run(delayed(_finish)(task, store) for task in pending)
    finally:  # when one worker fails the others are stopped, perhaps in the middle of a file
        store.sweep()


def _finish(task: Task, store: Store) -> Key:
    store.write(task.key, task.seed, run_trial(task.run.setting, task.seed))
    return task.key


Results = dict[str, dict[str, list[Row]]]


def collect(experiments: Iterable[Experiment], store: Store) -> Results:
    """Return the finished trials by experiment and label; a run that is not whole is left out."""
    found: Results = {}
    for experiment in experiments:
        rows: dict[str, list[Row]] = {}
        for run in experiment.runs:
            keys = [Key(experiment.id, run.digest, trial) for trial in range(run.trials)]
            if all(map(store.has, keys)):
                rows[run.label] = [store.read(key) for key in keys]
        found[experiment.id] = rows
    return found


def settings_of(experiments: Iterable[Experiment]) -> dict[str, dict[str, Any]]:
    """Return what was run, by experiment and label, as JSON has it."""
    return {
        experiment.id: {
            run.label: {**run.setting.as_dict(), "trials": run.trials, "digest": run.digest}
            for run in experiment.runs
        }
        for experiment in experiments
    }
