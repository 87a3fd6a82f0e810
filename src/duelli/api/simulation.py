"""simulate: one run of a learner against a known truth."""

import math

from duelli import _check
from duelli.blocks import Learner
from duelli.driver import play
from duelli.duels import DuelModel
from duelli.engines import SIMULATED
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
