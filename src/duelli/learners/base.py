"""The base of all learners of duels: ask and tell. Inputs and states are those of `Stateful`."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Protocol, Self, TypeVar

from duelli import _check
from duelli._arrays import Array
from duelli.answers import Answer, in_duels, unproven
from duelli.blocks import Observer, Progress, Step, Tally
from duelli.cubes import Arm
from duelli.errors import OutOfTurnError
from duelli.learners.stateful import Inputs, Stateful, takes
from duelli.learners.tallies import check_tallies

__all__ = ["AIMS", "BlockLearner", "Inputs", "Record", "takes"]

AIMS = ("regret", "answer")  # what the duels are for


class Record(Protocol):
    """What the states of every learner have."""

    @property
    def duels(self) -> int: ...  # noqa: D102


C = TypeVar("C", bound=Inputs)
S = TypeVar("S", bound=Record)


class BlockLearner(Stateful[C, S]):
    """Turns of a learner of duels; what it asks and how it goes on is the subclass's.

    A subclass names its inputs as ``Config``, a frozen dataclass, and its states as ``States``:
    a name for each record that a state can be. Its constructor is

        @takes(MyConfig)
        def __init__(self, config: MyConfig) -> None:
            super().__init__(config)
    """

    COUNT: ClassVar[str] = "duels"
    EXTENDS: ClassVar[bool] = False  # whether a run may go on to a larger horizon

    def __init__(self, config: C) -> None:
        self._pending: Step | None = None
        super().__init__(config)

    def resumed(self, state: S, pending: Step | None) -> Self:
        """Return this learner in another state of its own, with the step asked in it if any."""
        self._state, self._pending = state, pending
        return self

    @property
    def horizon(self) -> int | None:
        """The number of duels of the whole run; None if it has no end."""
        return self.config.horizon

    @property
    def duels(self) -> int:
        """The number of duels that the learner has been told of."""
        return self._state.duels

    def ask(self) -> Step:
        """Return the next step: the same one until it is told, () once the run has ended."""
        if self._pending is None:
            self._pending = self._next_step()
        return self._pending

    def tell(self, tallies: Sequence[Tally]) -> None:
        """Take in what became of the step that `ask` returned last: one tally for each block."""
        check_tallies(self._pending, tallies)
        self._state = self._advance(tallies)
        self._pending = None

    def best(self) -> Answer:
        """Return the recommended arm; this learner claims nothing for it."""
        name = type(self).__name__
        return unproven(
            self.recommend(),
            self.duels,
            f"After {in_duels(self.duels)} this is the arm that {name} recommends. "
            f"{name} gives no bound on how much better another arm may be.",
        )

    def believed(self, points: Array) -> tuple[Array, Array] | None:  # noqa: ARG002
        """Return what is believed of the utility: None, as this learner has no model of it."""
        return None

    def observer(self) -> Observer | None:
        """Return a fresh observer of what only this kind of learner has: None."""
        return None

    def check_extension(self, horizon: int) -> None:
        """Raise ValueError if the run cannot go on to ``horizon``."""
        horizon = _check.horizon(horizon)
        if self.horizon is None or horizon < self.horizon:
            raise ValueError(f"horizon must be at least {self.horizon}, as before; got {horizon}")
        if horizon > self.horizon and not self.EXTENDS:
            raise ValueError(
                f"horizon must stay {self.horizon}: it fixes the schedule of "
                f"{type(self).__name__}; got {horizon}; start a new run"
            )

    def extend(self, horizon: int) -> None:
        """Let the run go on to a larger horizon, if the algorithm allows that."""
        self.check_extension(horizon)
        if self._pending:
            raise OutOfTurnError("extend() was called with a step pending; call tell() first")
        self.config = replace(self.config, horizon=_check.horizon(horizon))  # type: ignore[type-var]
        self._state = self._extended()
        self._pending = None

    @abstractmethod
    def recommend(self) -> Arm:
        """Return the arm to use if the run ended now."""

    @abstractmethod
    def progress(self) -> Progress:
        """Return where the learner stands."""

    @abstractmethod
    def state_bits(self) -> int:
        """Return the number of bits that the algorithm itself has to remember right now."""

    @abstractmethod
    def _next_step(self) -> Step:
        """Return the step that the state calls for."""

    @abstractmethod
    def _advance(self, tallies: Sequence[Tally]) -> S:
        """Return the state that follows the step."""

    def _extended(self) -> S:
        """Return the state with which the run goes on, now that the horizon is larger."""
        return self._state
