"""Stateful: inputs and states, which learners of duels and learners of rewards share."""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, is_dataclass
from functools import wraps
from typing import Any, ClassVar, Concatenate, Generic, ParamSpec, Protocol, Self, TypeVar

from duelli import _check, _rng
from duelli.learners import codec


class Inputs(Protocol):
    """What the inputs of every learner have."""

    @property
    def dim(self) -> int: ...  # noqa: D102 (the fields say what they are)
    @property
    def horizon(self) -> int | None: ...  # noqa: D102
    @property
    def seed(self) -> int: ...  # noqa: D102


P = ParamSpec("P")
L = TypeVar("L")
C = TypeVar("C", bound=Inputs)
R = TypeVar("R")
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


class Stateful(ABC, Generic[C, R]):
    """The inputs of a learner, and the way to its state and back.

    A subclass names its inputs as ``Config``, a frozen dataclass, and its states as ``States``:
    a name for each record that a state can be.
    """

    Config: ClassVar[type]
    States: ClassVar[Mapping[str, type]]
    COUNT: ClassVar[str]  # the field of a state that counts up to the horizon

    def __init__(self, config: C) -> None:
        self.config = config
        self._key = _rng.key(config.seed, "learner")
        self._names = {kind: name for name, kind in self.States.items()}
        self._state: R = self._first_state()

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

    @property
    def dim(self) -> int:
        """The number of coordinates of an arm."""
        return self.config.dim

    def state(self) -> dict[str, Any]:
        """Return what `from_state` needs, in lists, numbers and strings."""
        return {"phase": self._phase(), **codec.encode(self._state)}

    def __repr__(self) -> str:
        inputs = asdict(self.config)  # type: ignore[call-overload]
        shown = ", ".join(f"{k}={v!r}" for k, v in inputs.items() if v is not None)
        return f"{type(self).__name__}({shown})"

    @abstractmethod
    def _first_state(self) -> R:
        """Return the state at the beginning of a run."""

    def _check_state(self, state: R) -> None:
        """Raise ValueError if no run can be in ``state``; types and points are checked before."""

    def _phase(self) -> str:
        return self._names[type(self._state)]

    def _read(self, state: Mapping[str, Any]) -> R:
        """Return the record that a saved state describes."""
        if not isinstance(state, Mapping):
            raise TypeError(f"state must be a JSON object; got {state!r}")
        phase = state.get("phase")
        if not isinstance(phase, str):
            raise TypeError(f"state.phase must be a string; got {phase!r}")
        kind = _check.registered("state.phase", phase, dict(self.States))
        values = {key: value for key, value in state.items() if key != "phase"}
        record: R = codec.decode(kind, values, "state", self.dim)
        count, horizon = getattr(record, self.COUNT), self.config.horizon
        if horizon is not None and count > horizon:
            raise ValueError(
                f"state.{self.COUNT} must be at most the horizon {horizon}; got {count}"
            )
        self._check_state(record)
        return record
