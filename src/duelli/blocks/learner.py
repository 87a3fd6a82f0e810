"""The contract of a learner."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self

from duelli._arrays import Array
from duelli.answers import Answer
from duelli.blocks.observer import Observer
from duelli.blocks.records import Progress, Step, Tally
from duelli.cubes import Arm


class Learner(Protocol):
    """Asks for steps, is told tallies, and can be stopped and continued at any step.

    Its inputs are the fields of ``Config``, a frozen dataclass with ``dim``, ``horizon`` and
    ``seed``; ``config`` is one of those.
    """

    Config: ClassVar[type]
    EXTENDS: ClassVar[bool]  # whether a run may go on to a larger horizon

    @property
    def config(self) -> Any:
        """The inputs of this learner, an instance of ``Config``."""
        ...

    @property
    def dim(self) -> int:
        """The number of coordinates of an arm."""
        ...

    @property
    def horizon(self) -> int | None:
        """The number of duels of the whole run; None if it has no end."""
        ...

    @property
    def duels(self) -> int:
        """The number of duels that the learner has been told of."""
        ...

    def ask(self) -> Step:
        """Return the next step: the same one until it is told, () once the run has ended."""
        ...

    def tell(self, tallies: Sequence[Tally]) -> None:
        """Take in what became of the step that `ask` returned last: one tally for each block."""
        ...

    def recommend(self) -> Arm:
        """Return the arm to use if the run ended now."""
        ...

    def best(self) -> Answer:
        """Return the recommended arm with what can be claimed for it."""
        ...

    def believed(self, points: Array) -> tuple[Array, Array] | None:
        """Return mean and deviation of u(point) - u(recommended arm); None without a model."""
        ...

    def progress(self) -> Progress:
        """Return where the learner stands."""
        ...

    def observer(self) -> Observer | None:
        """Return a fresh observer of what only this kind of learner has; None if nothing is."""
        ...

    def check_extension(self, horizon: int) -> None:
        """Raise ValueError if the run cannot go on to ``horizon``."""
        ...

    def extend(self, horizon: int) -> None:
        """Let the run go on to a larger horizon, if the algorithm allows that."""
        ...

    def state(self) -> dict[str, Any]:
        """Return all that `from_state` needs to go on bit for bit, as JSON has it."""
        ...

    def state_bits(self) -> int:
        """Return the number of bits that the algorithm itself has to remember right now."""
        ...

    @classmethod
    def from_state(cls, inputs: Any, state: Mapping[str, Any]) -> Self:
        """Return a learner that goes on from ``state``; a state that cannot be is refused."""
        ...
