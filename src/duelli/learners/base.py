"""The base of all learners: inputs, ask and tell, and the way to a state and back."""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, is_dataclass, replace
from functools import wraps
from typing import Any, ClassVar, Concatenate, Generic, ParamSpec, Protocol, Self, TypeVar

from duelli import _check, _rng
from duelli._arrays import Array
from duelli.answers import Answer, unproven
from duelli.blocks import Observer, Progress, Step, Tally
from duelli.cubes import Arm
from duelli.errors import OutOfTurnError
from duelli.learners import codec
from duelli.learners.tallies import check_tallies


class Inputs(Protocol):
    """What the inputs of every learner have."""

    @property
    def dim(self) -> int: ...  # noqa: D102 (the fields say what they are)
    @property
    def horizon(self) -> int | None: ...  # noqa: D102
    @property
    def seed(self) -> int: ...  # noqa: D102


class Record(Protocol):
    """What the states of every learner have."""

    @property
    def duels(self) -> int: ...  # noqa: D102


P = ParamSpec("P")
L = TypeVar("L")
C = TypeVar("C", bound=Inputs)
S = TypeVar("S", bound=Record)
AnyConfig = TypeVar("AnyConfig")


def takes(
    config: Callable[P, AnyConfig],
) -> Callable[[Callable[[L, AnyConfig], None]], Callable[Concatenate[L, P], None]]:
    """Let a constructor take the fields of ``config``, so that a type checker sees them."""

    def decorate(init: Callable[[L, AnyConfig], None]) -> Callable[Concatenate[L, P], None]:
        @wraps(init)
        def __init__(self: L, /, *args: P.args, **inputs: P.kwargs) -> None:  # noqa: N807
            init(self, config(*args, **inputs))

        own = inspect.signature(init).parameters["self"]
        of_config = inspect.signature(config)
        parameters = [own, *of_config.parameters.values()]
        __init__.__signature__ = of_config.replace(  # type: ignore[attr-defined]
            parameters=parameters, return_annotation=None
        )
        return __init__

    return decorate


class BlockLearner(ABC, Generic[C, S]):
    """Inputs, turns and states of a learner; what it asks and how it goes on is the subclass's.

    A subclass names its inputs as ``Config``, a frozen dataclass, and its states as ``States``:
    a name for each record that a state can be. Its constructor is

        @takes(MyConfig)
        def __init__(self, config: MyConfig) -> None:
            super().__init__(config)
    """

    Config: ClassVar[type]
    States: ClassVar[Mapping[str, type]]
    EXTENDS: ClassVar[bool] = False  # whether a run may go on to a larger horizon

    def __init__(self, config: C) -> None:
        self.config = config
        self._key = _rng.key(config.seed, "learner")
        self._names = {kind: name for name, kind in self.States.items()}
        self._pending: Step | None = None
        self._state: S = self._first_state()

    @classmethod
    def from_inputs(cls, inputs: Mapping[str, Any]) -> Self:
        """Return a fresh learner with these inputs, given by name."""
        return cls(**inputs)

    @classmethod
    def from_state(cls, inputs: Any, state: Mapping[str, Any]) -> Self:
        """Return a learner that goes on from ``state`` bit for bit.

        Args:
            inputs: The learner's inputs, as its ``config`` or as a dict of them.
            state: What its ``state()`` returned; one that cannot have been is refused.
        """
        if is_dataclass(inputs) and not isinstance(inputs, type):
            inputs = asdict(inputs)
        learner = cls.from_inputs(inputs)
        learner._state = learner._read(state)
        return learner

    def resumed(self, state: S, pending: Step | None) -> Self:
        """Return this learner in another state of its own, with the step asked in it if any."""
        self._state, self._pending = state, pending
        return self

    @property
    def dim(self) -> int:
        """The number of coordinates of an arm."""
        return self.config.dim

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
            f"After {self.duels:,} duels this is the arm that {name} recommends. "
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

    def state(self) -> dict[str, Any]:
        """Return what `from_state` needs, in lists, numbers and strings."""
        return {"phase": self._phase(), **codec.encode(self._state)}

    def __repr__(self) -> str:
        inputs = asdict(self.config)  # type: ignore[call-overload]
        shown = ", ".join(f"{k}={v!r}" for k, v in inputs.items() if v is not None)
        return f"{type(self).__name__}({shown})"

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
    def _first_state(self) -> S:
        """Return the state before the first duel."""

    @abstractmethod
    def _next_step(self) -> Step:
        """Return the step that the state calls for."""

    @abstractmethod
    def _advance(self, tallies: Sequence[Tally]) -> S:
        """Return the state that follows the step."""

    def _extended(self) -> S:
        """Return the state with which the run goes on, now that the horizon is larger."""
        return self._state

    def _check_state(self, state: S) -> None:
        """Raise ValueError if no run can be in ``state``; types and points are checked before."""

    def _phase(self) -> str:
        return self._names[type(self._state)]

    def _read(self, state: Mapping[str, Any]) -> S:
        """Return the record that a saved state describes."""
        if not isinstance(state, Mapping):
            raise TypeError(f"state must be a JSON object; got {state!r}")
        phase = state.get("phase")
        if not isinstance(phase, str):
            raise TypeError(f"state.phase must be a string; got {phase!r}")
        kind = _check.registered("state.phase", phase, dict(self.States))
        values = {key: value for key, value in state.items() if key != "phase"}
        record: S = codec.decode(kind, values, "state", self.dim)
        if self.horizon is not None and record.duels > self.horizon:
            raise ValueError(
                f"state.duels must be at most the horizon {self.horizon}; got {record.duels}"
            )
        self._check_state(record)
        return record
