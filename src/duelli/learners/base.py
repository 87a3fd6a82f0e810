"""The turns of ask and tell, which every learner takes in the same way."""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any, ClassVar, Self

from duelli.blocks import Block, Tally
from duelli.errors import OutOfTurnError


class BlockLearner(ABC):
    """A learner's inputs and its turns; what it asks and what it makes of the answer is its own.

    A subclass names its inputs as ``Config``, a frozen dataclass with ``dim`` and ``horizon``.
    """

    Config: ClassVar[Any]
    config: Any

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.__signature__ = inspect.signature(cls.Config)  # type: ignore[attr-defined]

    def __init__(self, **inputs: Any) -> None:
        self.config = self.Config(**inputs)
        self._pending: Block | None = None
        self._begin()

    @classmethod
    def from_state(cls, config: Any, state: Mapping[str, Any]) -> Self:
        """Return a learner that goes on from ``state`` bit for bit.

        Paper: Lemma 5.5, whose list of quantities is what ``state`` holds.

        Args:
            config: The learner's inputs, as its ``config`` or as a dict of them.
            state: What its ``state()`` returned.
        """
        learner = cls(**(asdict(config) if is_dataclass(config) else dict(config)))  # type: ignore[arg-type]
        learner._restore(state)
        return learner

    @property
    def dim(self) -> int:
        """The number of coordinates. Paper: d."""
        found: int = self.config.dim
        return found

    @property
    def horizon(self) -> int | None:
        """The number of duels of the whole run; None if it has no end. Paper: T."""
        found: int | None = self.config.horizon
        return found

    def ask(self) -> Block | None:
        """Return the next block, the same until it is told; None once the horizon is used up.

        Paper: Alg. 1, lines 13 and 20; Alg. 2, line 4.
        """
        if self._pending is None:
            self._pending = self._next_block()
        return self._pending

    def tell(self, tally: Tally) -> None:
        """Take in what became of the block that `ask` returned last.

        Paper: Alg. 1, lines 14-15; Alg. 2, lines 5-12.
        """
        check_tally(self._pending, tally)
        self._advance(tally)
        self._pending = None

    @abstractmethod
    def _begin(self) -> None:
        """Put the learner in its first state."""

    @abstractmethod
    def _restore(self, state: Mapping[str, Any]) -> None:
        """Put the learner in a saved state."""

    @abstractmethod
    def _next_block(self) -> Block | None:
        """Return the block that the state calls for."""

    @abstractmethod
    def _advance(self, tally: Tally) -> None:
        """Go on to the state that follows."""


def check_tally(pending: Block | None, tally: Tally) -> None:
    """Check that ``tally`` answers the block that was asked, and nothing else.

    Paper: none; a learner that is told something else is no longer the paper's.
    """
    if pending is None:
        raise OutOfTurnError("tell() was called with no block pending; call ask() first")
    if not isinstance(tally, Tally):
        raise TypeError(f"tally must be a Tally; got {tally!r}")
    if tally.n != pending.n:
        raise ValueError(f"tally.n must be {pending.n}, as asked; got {tally.n}")
    if len(tally.witness) != len(pending.low) or not all(
        a <= x <= a + pending.edge for a, x in zip(pending.low, tally.witness, strict=False)
    ):
        raise ValueError(
            f"tally.witness must lie in the block's cube at {pending.low} of edge {pending.edge}; "
            f"got {tally.witness}"
        )
