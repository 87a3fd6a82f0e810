"""Memory: the most that a learner has allocated while it plays, in a run without a stopwatch."""

import tracemalloc
from collections.abc import Callable, Sequence

from duelli.blocks import Learner, Tally
from duelli.driver import play
from duelli.engines import SIMULATED
from duelli.experiments.trials import Setting, make_learner, trial_model

Told = Sequence[Sequence[Tally]]  # what became of each step


def peak_bytes(setting: Setting, seed: int) -> int:
    """Return the most bytes that a learner had allocated at any time of a trial.

    The bytes are those of Python and numpy objects. The trial is played twice: first with judges,
    and then once more with what they said, so that no memory of theirs counts, nor what is
    imported or kept for all learners. The second time takes up to seven times as long, because of
    `tracemalloc`.
    """
    engine = SIMULATED[setting.engine](trial_model(setting, seed), seed=seed)
    judged = play(make_learner(setting, seed=seed), engine)
    told = [tuple(each.tally for each in played) for _, played in judged]
    return peak_of(lambda: make_learner(setting, seed=seed), told)


def peak_of(make: Callable[[], Learner], told: Told) -> int:
    """Return the most bytes that were allocated while a fresh learner is told all of this."""
    tracemalloc.start()
    try:
        learner = make()
        for tallies in told:
            learner.ask()
            learner.tell(tallies)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
