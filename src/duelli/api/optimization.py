"""optimize: the best point of a box, found with a judge of the user's own."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from duelli import _check
from duelli.api.continuing import continued
from duelli.api.judging import batch_of, judge_to_the_end
from duelli.api.result import Result, result_of
from duelli.boxes import Box, Point, Sides
from duelli.judges import Duel, DuelMany, Judge
from duelli.learners import DEFAULT_LEARNER
from duelli.links import Link
from duelli.runs import Run


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
    parallel = _check.whole("parallel", parallel, 1)
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
        batch=parallel if duel_many is None else batch_of(horizon),
        keep_history=keep_history,
        seed=seed,
    )
    run, file = continued(run, checkpoint, saved)
    return result_of(judge_to_the_end(run, judge, parallel, (file, progress, callback)))
