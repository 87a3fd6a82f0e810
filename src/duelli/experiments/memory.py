"""Memory: the most that a learner has allocated while it plays, in a run without a stopwatch."""

import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from duelli.blocks import Learner, Step, Tally
from duelli.driver import play
from duelli.engines import SIMULATED
from duelli.experiments.trials import Setting, make_learner, run_trial, trial_model

WARM_UP = 100  # duels of a run before, so that what is imported or kept by all does not count


class Traced:
    """A learner whose `ask` and `tell` are watched; whatever else it has is passed on.

    Args:
        learner: Any learner, made since `tracemalloc` was started.
    """

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.peak = tracemalloc.get_traced_memory()[1]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.learner, name)

    def ask(self) -> Step:
        """Return the learner's next step."""
        tracemalloc.reset_peak()
        step = self.learner.ask()
        self._look()
        return step

    def tell(self, tallies: Sequence[Tally]) -> None:
        """Tell the learner what became of its step."""
        tracemalloc.reset_peak()
        self.learner.tell(tallies)
        self._look()

    def _look(self) -> None:
        self.peak = max(self.peak, tracemalloc.get_traced_memory()[1])


def peak_bytes(setting: Setting, seed: int) -> int:
    """Return the most bytes that a learner had allocated at any time of a trial.

    The bytes are those of Python and numpy objects. What the judges of the duels need does not
    count. The trial takes up to seven times as long as without `tracemalloc`.
    """
    run_trial(replace(setting, horizon=min(setting.horizon, WARM_UP)), seed)
    engine = SIMULATED[setting.engine](trial_model(setting, seed), seed=seed)
    tracemalloc.start()
    try:
        watched = Traced(make_learner(setting, seed=seed))
        learner: Any = watched  # it passes on all that a learner has
        for _ in play(learner, engine):
            pass
        return watched.peak
    finally:
        tracemalloc.stop()
