"""Batches: trials go to workers in groups that take about a second.

To send a batch to a worker of a cluster and its results back takes some milliseconds, which is
as long as a short trial takes; docs/scale.md has the measurements. A batch is also what is lost
when a worker dies, so that batches should not be longer than they have to be.
"""

import time
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Generic, TypeVar

from duelli.experiments.provenance import check_makers, makers

T = TypeVar("T")
R = TypeVar("R")

BATCH_SECONDS = 1.0
MOST_TRIALS = 256  # of a batch, since its results are sent in one piece


@dataclass(frozen=True, slots=True)
class Finished(Generic[R]):
    """What became of a batch, and how long it took."""

    kind: Hashable
    results: list[R]
    seconds: float


class Pace:
    """How many trials of a kind make a batch, judged by those that are finished."""

    def __init__(self) -> None:
        self._measured: dict[Hashable, tuple[int, float]] = {}  # trials and their seconds, by kind

    def size(self, kind: Hashable) -> int:
        """Return the number of trials that take `BATCH_SECONDS`; 1 as long as that is unknown."""
        if kind not in self._measured:
            return 1
        trials, seconds = self._measured[kind]
        fitting = trials * BATCH_SECONDS / max(seconds, 1e-9)
        return min(max(1, int(fitting)), MOST_TRIALS)

    def add(self, batch: Finished[R]) -> None:
        """Take in how long a batch took."""
        trials, seconds = self._measured.get(batch.kind, (0, 0.0))
        self._measured[batch.kind] = (trials + len(batch.results), seconds + batch.seconds)


def run_in_batches(
    work: Callable[[T], R],
    tasks: Iterable[T],
    *,
    kind: Callable[[T], Hashable],
    jobs: int = -1,
    ordered: bool = False,
) -> Iterator[R]:
    """Yield ``work(task)`` of every task, from the workers of the joblib backend that is active.

    Args:
        work: A function of a module. It may be called twice for a task whose worker has died.
        tasks: Its arguments. They are taken from the iterable as workers become free.
        kind: Tasks of one kind take about the same time; a batch has tasks of one kind only.
        jobs: Processes, if the backend is that of this machine; -1 for all cores.
        ordered: Whether results come in the order of the tasks, or as soon as they are there.
    """
    from joblib import Parallel, delayed

    pace, expected = Pace(), makers()
    order = "generator" if ordered else "generator_unordered"
    run = Parallel(n_jobs=jobs, return_as=order, batch_size=1)
    batches = _cut(tasks, kind, pace)
    finished = run(delayed(_finish)(work, *batch, expected) for batch in batches)
    try:
        for batch in finished:
            pace.add(batch)
            yield from batch.results
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # who stops early drops what is under way
            finished.close()


def _cut(
    tasks: Iterable[T], kind: Callable[[T], Hashable], pace: Pace
) -> Iterator[tuple[Hashable, list[T]]]:
    """Yield batches of neighbours of one kind, each as large as is known to fit by then."""
    for found, group in groupby(tasks, kind):
        while batch := list(islice(group, pace.size(found))):
            yield found, batch


def _finish(
    work: Callable[[T], R], kind: Hashable, batch: list[T], expected: dict[str, str]
) -> Finished[R]:
    """Run a batch; this is what workers do."""
    check_makers(expected)
    started = time.perf_counter()
    results = [work(task) for task in batch]
    return Finished(kind, results, time.perf_counter() - started)
