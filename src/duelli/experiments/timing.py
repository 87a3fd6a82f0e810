"""Timed: a learner together with a stopwatch."""

import time
from collections.abc import Sequence
from typing import Any

from duelli.blocks import Learner, Step, Tally


class Timed:
    """A learner whose `ask` and `tell` are timed; whatever else it has is passed on.

    Args:
        learner: Any learner.
    """

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.seconds = 0.0  # of the processor, of this thread, so that other work does not count

    def __getattr__(self, name: str) -> Any:
        return getattr(self.learner, name)

    def ask(self) -> Step:
        """Return the learner's next step."""
        begun = time.thread_time()
        step = self.learner.ask()
        self.seconds += time.thread_time() - begun
        return step

    def tell(self, tallies: Sequence[Tally]) -> None:
        """Tell the learner what became of its step."""
        begun = time.thread_time()
        self.learner.tell(tallies)
        self.seconds += time.thread_time() - begun
