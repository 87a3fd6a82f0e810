"""The contract of a learner of rewards instead of duels."""

from typing import Any, Protocol

from duelli.cubes import Arm


class ScalarLearner(Protocol):
    """Pulls one arm at a time and is told its reward, a number in [0, 1]."""

    @property
    def dim(self) -> int:
        """The number of coordinates of an arm."""
        ...

    @property
    def horizon(self) -> int | None:
        """The number of pulls of the whole run; None if it has no end."""
        ...

    def pull(self) -> Arm | None:
        """Return the next arm: the same one until `update`, None once the run has ended."""
        ...

    def update(self, reward: float) -> None:
        """Take in the reward of the arm that `pull` returned last."""
        ...

    def recommend(self) -> Arm:
        """Return the arm to use if the run ended now."""
        ...

    def state(self) -> dict[str, Any]:
        """Return all that is needed to go on bit for bit, as JSON has it."""
        ...
