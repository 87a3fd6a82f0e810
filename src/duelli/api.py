"""The public functions: `simulate` for researchers, `optimize` for people with a real judge."""

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duelli import _check, loops
from duelli import saved as saved_runs
from duelli.answers import Answer
from duelli.boxes import Box, Point, Sides
from duelli.contracts import Learner
from duelli.driver import play
from duelli.duels import DuelModel
from duelli.engines import SIMULATED
from duelli.errors import SavedRunError
from duelli.history import Bias, History
from duelli.judges import Duel, DuelMany, Judge
from duelli.learners import DEFAULT_LEARNER
from duelli.links import Link
from duelli.record import Recorder, Trace
from duelli.runs import Run
from duelli.watching import Watch


def simulate(
    learner: Learner,
    model: DuelModel,
    *,
    engine: str = "collapsed",
    seed: int = 0,
    duels: int | None = None,
) -> Trace:
    """Return the trace of one run of ``learner`` on ``model``.

    Args:
        learner: A learner that has not played yet.
        model: The truth.
        engine: "collapsed", or "per_duel" to play every duel for real.
        seed: Seed of the duels; the learner has its own.
        duels: Stop after the step in which so many duels are reached; needed if the learner has
            no horizon.
    """
    if not isinstance(model, DuelModel):
        raise TypeError(f"model must be a DuelModel; got {model!r}")
    _check.one_of("engine", engine, SIMULATED)
    if not hasattr(learner, "ask"):
        raise TypeError(f"learner must be a learner, such as ArcDuelli(...); got {learner!r}")
    if learner.dim != model.landscape.dim:
        raise ValueError(
            f"learner must have the landscape's {model.landscape.dim} dimensions; got {learner.dim}"
        )
    if duels is None and learner.horizon is None:
        raise ValueError("duels must be given for a learner without a horizon; got None")
    enough = math.inf if duels is None else _check.whole("duels", duels, 1)
    recorder = Recorder(model, learner)
    for step, played in play(learner, SIMULATED[engine](model, seed=seed)):
        recorder.see(step, played)
        if recorder.duels >= enough:
            break
    return recorder.trace()


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What `optimize` found.

    Args:
        best: The best point, in the user's own units.
        answer: The same with what may be claimed for it.
        duels: The number of duels that were judged.
        history: A table of every judged pair.
        bias: How much more often than half the point that is shown first has won.
        saved: The run as one JSON value, for `optimize` or `Run.from_saved` to go on from.
    """

    best: Any
    answer: Answer
    duels: int
    history: History
    bias: Bias
    saved: dict[str, Any]

    def plot(self, path: str | Path | None = None) -> Any:
        """Return a matplotlib figure of the judged pairs; write it to ``path`` if there is one."""
        try:
            from duelli.report import runs
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                f"plot needs the package {error.name}: pip install 'duelli[report]'"
            ) from None
        return runs.draw(self.history, self.best, self.bias, path)

    def __repr__(self) -> str:
        return f"Result(best={self.best}, duels={self.duels}, {self.bias})\n{self.answer.text}"


def optimize(  # noqa: PLR0913 (the one-call function; all but three have defaults)
    duel: Duel | None,
    box: Box | Sides,
    *,
    horizon: int,
    aim: str = "answer",
    duel_many: DuelMany | None = None,
    learner: str = DEFAULT_LEARNER,
    link: Link | str | None = None,
    lipschitz: float | None = None,
    failure_prob: float = 0.05,
    start: Point | None = None,
    inputs: Mapping[str, Any] | None = None,
    parallel: int = 1,
    retries: int = 0,
    checkpoint: str | Path | None = None,
    saved: Mapping[str, Any] | None = None,
    progress: bool = False,
    callback: Callable[[Run], object] | None = None,
    keep_history: bool = True,
    seed: int = 0,
) -> Result:
    """Find the best point of a box by asking ``duel`` at most ``horizon`` times.

    Args:
        duel: (x, y) -> True if x wins, 1/2 for a tie; x and y are dicts in the box's own units,
            or arrays if the box has no names. It may be an ``async def``. Which of the two points
            comes first is random.
        box: The parameters, as a `Box` or as what makes one.
        horizon: T, the largest number of duels to spend.
        aim: "answer" wants the best point, never asks for a point against itself, and ends early
            when the learner expects more duels not to change its answer; "regret" is the paper's
            game.
        duel_many: (xs, ys) -> outcomes of the xs, instead of ``duel``, where many pairs can be
            judged at once.
        learner: The name of the learner.
        link: How a difference of utility makes a win probability; None if you do not know.
        lipschitz: How much the utility changes at most across the box; None if you do not know.
        failure_prob: δ, the probability with which the guarantees may fail.
        start: The point to start from.
        inputs: More of the learner's own inputs.
        parallel: How many duels may be judged at once: in threads, or in flight if ``duel`` is an
            ``async def``.
        retries: How often a call that raises is repeated before the run stops.
        checkpoint: A file in which the run is saved after every answer. If it is there already,
            the run goes on from it.
        saved: A saved run to go on from: `Result.saved`, or that of an error.
        progress: Whether to draw a progress bar.
        callback: Called with the `Run` after every answer; if it returns True the run stops.
        keep_history: Whether every judged pair is kept for `Result.history`.
        seed: Seed of everything random.

    Raises:
        DuelFailedError: ``duel`` raised, or returned something that is not an outcome. Its
            ``saved`` has all that came before, as has that of a ``KeyboardInterrupt``.
        SavedRunError: The checkpoint or ``saved`` is not of a run with this learner and box.
    """
    judge = Judge(duel=duel, duel_many=duel_many, retries=retries)
    run = Run(
        box,
        horizon=horizon,
        aim=aim,
        learner=learner,
        link=link,
        lipschitz=lipschitz,
        failure_prob=failure_prob,
        start=start,
        inputs=inputs,
        keep_history=keep_history,
        seed=seed,
    )
    file = None if checkpoint is None else Path(checkpoint).absolute()
    run = _continued(run, file, saved)
    _judge(run, judge, _check.whole("parallel", parallel, 1), (file, progress, callback))
    return result_of(run)


def result_of(run: Run) -> Result:
    """Return what a run has found so far."""
    answer = run.best()
    return Result(
        best=answer.arm,
        answer=answer,
        duels=run.duels,
        history=run.history,
        bias=run.bias,
        saved=run.saved(),
    )


def _judge(
    run: Run,
    judge: Judge,
    parallel: int,
    watched: tuple[Path | None, bool, Callable[[Run], object] | None],
) -> None:
    """Judge the run to its end, in the way that the judge allows."""
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


def _continued(run: Run, file: Path | None, value: Mapping[str, Any] | None) -> Run:
    """Return the run to go on with: the saved one if there is one, else the fresh one."""
    if file is not None and file.exists() and file.stat().st_size:
        if value is not None:
            raise ValueError(f"give checkpoint or saved, and not both: {file} holds a run already")
        value = saved_runs.read(file)
    if value is None:
        return run
    before = Run.from_saved(value)
    for name, ours, theirs in run.differences(before):
        raise SavedRunError(
            f"the saved run must have the same {name} as this call, {ours!r}; got {theirs!r}"
        )
    before.extend(run.horizon)
    return before
