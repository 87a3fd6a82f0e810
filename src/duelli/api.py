"""The public functions: `simulate` for researchers, `optimize` for engineers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duelli import _check, links
from duelli.answers import Answer
from duelli.blocks import Learner
from duelli.boxes import Box
from duelli.driver import play
from duelli.duels import DuelModel
from duelli.engines import SIMULATED, Callback
from duelli.engines.callback import Duel
from duelli.errors import DuelFailedError
from duelli.learners import LEARNERS, inputs_for
from duelli.learners.one_by_one import OneByOne
from duelli.links import Link
from duelli.record import Recorder, Trace


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
        seed: Of the duels; the learner has its own.
        duels: Stop after the block in which so many are reached; needed if the learner has no
            horizon.
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
    for block, played in play(learner, SIMULATED[engine](model, seed=seed)):
        recorder.see(block, played)
        if recorder.duels >= enough:
            break
    return recorder.trace()


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What `optimize` found.

    Args:
        best: The best point, in the user's own units.
        answer: What may be claimed for it, in unit coordinates; None if the learner claims nothing.
        duels: The duels used.
        state: The learner's state, for `optimize` to go on from.
    """

    best: Any
    answer: Answer | None
    duels: int
    state: dict[str, Any]


def optimize(  # noqa: PLR0913 (the one-call door; all but three have defaults)
    duel: Duel | None,
    box: Box | Mapping[str, Sequence[Any]] | Sequence[Sequence[Any]],
    *,
    horizon: int,
    duel_many: Duel | None = None,
    learner: str = "arc_race",
    link: Link | str = "logistic",
    lipschitz: float = 1.0,
    failure_prob: float = 0.05,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    state: Mapping[str, Any] | None = None,
) -> Result:
    """Find the best point of a box by asking ``duel`` at most ``horizon`` times.

    Args:
        duel: (x, y) -> True if x wins, 1/2 for a tie; x and y are dicts in the box's own units,
            or arrays if the box has no names.
        box: The parameters, as a `Box` or as what makes one.
        horizon: T, the number of duels to spend.
        duel_many: (xs, y) -> outcomes, instead of ``duel``, where many can be judged at once.
        learner: The name of the learner.
        link: How a difference of utility makes a win probability.
        lipschitz: How much the utility changes at most across the whole box.
        failure_prob: δ, the probability with which the guarantees may fail.
        settings: More of the learner's own inputs.
        seed: Of everything random.
        state: Where to go on, from `Result.state` or `DuelFailedError.state`.

    Raises:
        DuelFailedError: ``duel`` raised, or returned something that is not an outcome.
    """
    box = box if isinstance(box, Box) else Box(box)
    lipschitz = _check.positive("lipschitz", lipschitz)
    known = {
        "dim": box.dim,
        "horizon": horizon,
        "lipschitz": lipschitz,
        "failure_prob": failure_prob,
        "seed": seed,
        **links.parse(link).on(lipschitz).facts(),
    }
    inputs = inputs_for(learner, known, settings or {})
    engine = Callback(box, duel=duel, duel_many=duel_many, seed=seed)
    running, inner, engine.duels = _opened(
        LEARNERS[learner], inputs, state, seed if duel_many is None else None
    )
    try:
        for _ in play(running, engine):
            pass
    except DuelFailedError as error:
        error.state = running.state()
        raise
    answer = inner.best() if hasattr(inner, "best") else None
    best = box.to_raw(inner.recommend())
    return Result(best=best, answer=answer, duels=engine.duels, state=running.state())


def _opened(
    kind: Any, inputs: Mapping[str, Any], state: Mapping[str, Any] | None, seed: int | None
) -> tuple[Learner, Any, int]:
    """Return who is to be played, the block-wise learner in it, and the duels behind them.

    With a ``seed`` the duels come one by one; without, in blocks.
    """
    if state is None:
        inner = kind(**inputs)
        return (inner if seed is None else OneByOne(inner, seed=seed)), inner, 0
    if seed is None:
        inner = kind.from_state(inputs, state)
        return inner, inner, state["duels"]
    one_by_one = OneByOne.from_state(kind, inputs, state, seed=seed)
    return one_by_one, one_by_one.learner, one_by_one.duels
