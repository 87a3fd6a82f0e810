"""The choice of the loop that suits a judge."""

import inspect
from collections.abc import Callable
from pathlib import Path

from duelli import _check, loops
from duelli.judges import Judge
from duelli.runs import Run
from duelli.watching import Watch

MANY = 32  # pairs that a judge of many should get at once
LEAST_STEPS = 50  # but a learner should have as many steps as this to learn in


def batch_of(horizon: object) -> int:
    """Return how many pairs a judge of many gets at once, if the learner can choose that."""
    return max(1, min(MANY, _check.horizon(horizon) // LEAST_STEPS))


def judge_to_the_end(
    run: Run,
    judge: Judge,
    parallel: int,
    watched: tuple[Path | None, bool, Callable[[Run], object] | None],
) -> Run:
    """Judge the run to its end, in the way that the judge allows, and return it."""
    call = getattr(judge.duel, "__call__", None)  # noqa: B004 (an object may have an async one)
    awaited = inspect.iscoroutinefunction(judge.duel) or inspect.iscoroutinefunction(call)
    in_threads = judge.duel is not None and parallel > 1 and not awaited
    with Watch(run, *watched, defer=not (awaited or in_threads)) as watch:
        if judge.duel is None:
            loops.judge_batches(run, judge, watch)
        elif awaited:
            loops.judge_awaited(run, judge, watch.after, parallel)
        elif in_threads:
            loops.judge_in_threads(run, judge, watch.after, parallel)
        else:
            loops.judge_serially(run, judge, watch)
    return run
