"""Reduction: the base of learners of duels that are made of learners of rewards.

A duel is a pull of its arm, and to win it is the reward. If the opponent is drawn from a fixed
distribution, the mean reward of an arm y is E ρ(f(y) - f(x)): Γ L is its Lipschitz constant.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol, TypeVar

from duelli import _check, _rng
from duelli.blocks import Block, Step, Tally
from duelli.learners.base import AIMS, BlockLearner, Inputs, Record
from duelli.learners.scalar.base import PullLearner
from duelli.learners.scalar.inputs import check_cells, rate_cells, set_checked
from duelli.learners.scalar.registry import SCALARS

Scalar = PullLearner[Any, Any]
SEEDS = 2**63  # the address of the first seed of a scalar learner; draws have lower ones
OWN = ("cells", "dim", "horizon", "lipschitz", "seed")  # what a reduction hands over itself


@dataclass(frozen=True, slots=True, kw_only=True)
class ReductionConfig:
    """The inputs of reductions that let one choose the scalar learner.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of duels.
        scalar: The scalar learner, by its name in ``SCALARS``.
        scalar_inputs: Further inputs of the scalar learner, by name.
        slope_max: Γ, the largest slope of the link; 1/2 is enough for every named link.
        lipschitz: L of the utility in unit coordinates, maximum norm.
        cells: The cells along each axis, for a scalar learner on a grid; as many as suit the
            horizon if None.
        aim: "regret" plays exactly ``horizon`` duels; "answer" at most so many, and no arm meets
            itself.
        seed: Seed of all random draws.
    """

    dim: int
    horizon: int
    scalar: str = "truncated_hoo"
    scalar_inputs: Mapping[str, Any] | None = None
    slope_max: float = 0.5
    lipschitz: float = 1.0
    cells: int | None = None
    aim: str = "regret"
    seed: int = 0

    def __post_init__(self) -> None:
        kind = _check.registered("scalar", self.scalar, SCALARS)
        names = {field.name for field in fields(kind.Config)}
        given = {} if self.scalar_inputs is None else dict(self.scalar_inputs)
        _check.known_keys(f"scalar_inputs of {self.scalar}", given, names.difference(OWN))
        if self.cells is not None and "cells" not in names:
            raise ValueError(
                f"cells must be None for {self.scalar}, which has no grid; got {self.cells!r}"
            )
        _check.one_of("aim", self.aim, AIMS)
        set_checked(
            self,
            slope_max=_check.positive("slope_max", self.slope_max),
            lipschitz=_check.positive("lipschitz", self.lipschitz),
            scalar_inputs=given or None,
        )
        if self.cells is not None:
            object.__setattr__(self, "cells", check_cells(self.cells, self.dim))
        kind.Config(**scalar_inputs(self, self.horizon, 0))


def scalar_inputs(config: ReductionConfig, horizon: int, seed: int) -> dict[str, Any]:
    """Return the inputs of a scalar learner for so many duels of a run."""
    known = {
        "dim": config.dim,
        "horizon": horizon,
        "seed": seed,
        "lipschitz": config.slope_max * config.lipschitz,  # Γ L
        "cells": config.cells or rate_cells(config.horizon, config.dim),
    }
    names = {field.name for field in fields(SCALARS[config.scalar].Config)}
    return {name: known[name] for name in known if name in names} | dict(config.scalar_inputs or {})


class AimedInputs(Inputs, Protocol):
    """What the inputs of all reductions have."""

    @property
    def horizon(self) -> int: ...  # noqa: D102 (the fields say what they are)
    @property
    def aim(self) -> str: ...  # noqa: D102


class ReductionRecord(Record, Protocol):
    """What the states of reductions have. The scalar learners are saved by their own states."""

    duels: int
    turns: int  # the duels, and with the aim "answer" the ties of arms with themselves
    scalars: list[Scalar]


C = TypeVar("C", bound=AimedInputs)
S = TypeVar("S", bound=ReductionRecord)


class Reduction(BlockLearner[C, S]):
    """A learner of duels with scalar learners inside, which are part of its state.

    With the aim "answer" no arm meets itself: it ties with itself without a duel. The state is
    changed in place.
    """

    @abstractmethod
    def _fresh(self) -> S:
        """Return the state before the first duel, without the scalar learners."""

    @abstractmethod
    def _members(self, turns: int) -> list[tuple[type[Scalar], dict[str, Any]]]:
        """Return the classes and inputs of the scalar learners after so many turns."""

    @abstractmethod
    def _block(self, state: S) -> Block:
        """Return the duels that a state calls for."""

    @abstractmethod
    def _take(self, state: S, tally: Tally) -> None:
        """Bring a state up to date with what became of its block; the turns are counted already."""

    @abstractmethod
    def _check_scalars(self, state: S) -> None:
        """Raise ValueError if the scalar learners cannot be in this state together."""

    @abstractmethod
    def _own_bits(self) -> int:
        """Return the bits to remember beside the counters and the scalar learners."""

    def _first_state(self) -> S:
        state = self._fresh()
        state.scalars = self._fresh_scalars(0)
        self._settle(state)
        return state

    def _fresh_scalars(self, turns: int) -> list[Scalar]:
        return [kind(**inputs) for kind, inputs in self._members(turns)]

    def _seed(self, number: int) -> int:
        """Return the seed of scalar learner ``number``, another one for each."""
        return _rng.word(self._key, SEEDS + number)

    def _next_step(self) -> Step:
        left = self.config.horizon - self._state.turns
        return (self._block(self._state),) if left else ()

    def _advance(self, tallies: Sequence[Tally]) -> S:
        (tally,), state = tallies, self._state
        state.duels += tally.n
        state.turns += tally.n
        self._take(state, tally)
        self._settle(state)
        return state

    def _settle(self, state: S) -> None:
        """Let arms that would meet themselves tie, if only the answer counts."""
        while self.config.aim == "answer" and state.turns < self.config.horizon:
            block = self._block(state)
            if block.edge > 0 or block.low != block.reference:
                return
            state.turns += block.n
            self._take(state, Tally(block.n, block.n / 2, block.low))

    def state(self) -> dict[str, Any]:
        """Return what `from_state` needs, in lists, numbers and strings."""
        return {**super().state(), "scalars": [each.state() for each in self._state.scalars]}

    def _read(self, state: Mapping[str, Any]) -> S:
        own, inner = state, None
        if isinstance(state, Mapping):
            own, inner = (
                {key: state[key] for key in state if key != "scalars"},
                state.get("scalars"),
            )
        record = super()._read(own)
        members = self._members(record.turns)
        if not isinstance(inner, list) or len(inner) != len(members):
            raise ValueError(f"state.scalars must be a list of {len(members)} states; it is not")
        record.scalars = [
            kind.from_state(inputs, each)
            for (kind, inputs), each in zip(members, inner, strict=True)
        ]
        self._check_scalars(record)
        return record

    def _check_state(self, state: S) -> None:
        most = self.config.horizon if self.config.aim == "answer" else state.duels
        if not state.duels <= state.turns <= most:
            raise ValueError(f"state.turns must lie in [{state.duels}, {most}]; got {state.turns}")

    def state_bits(self) -> int:
        """Return the bits to remember: those of the scalar learners, counters and a few arms."""
        inner = sum(each.state_bits() for each in self._state.scalars)
        return inner + 2 * self._state.turns.bit_length() + self._own_bits()
