"""EpochReduction: what Doubler and AnchoredDoubler share, their inputs too.

Ailon, Karnin, Joachims (2014), "Reducing dueling bandits to cardinal bandits", ICML,
https://arxiv.org/abs/1405.3396.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeVar

from duelli import _check, _rng
from duelli.blocks import Progress
from duelli.cubes import Arm
from duelli.learners.scalar.epochs import epoch_at, half_over
from duelli.learners.scalar.reduction import (
    Reduction,
    ReductionConfig,
    ReductionRecord,
    Scalar,
    scalar_inputs,
)
from duelli.learners.scalar.registry import SCALARS

FIRST_ARM = 2**62  # the address of the first arm's coordinates; draws have lower ones


@dataclass(frozen=True, slots=True, kw_only=True)
class DoublerConfig(ReductionConfig):
    """The inputs of Doubler and AnchoredDoubler: those of `ReductionConfig`, and one more.

    Args:
        start: The opponent of the first epoch; drawn uniformly if None.
    """

    start: Arm | None = None

    def __post_init__(self) -> None:
        ReductionConfig.__post_init__(self)  # `super()` does not know classes with slots
        if self.start is not None:
            object.__setattr__(self, "start", _check.arm("start", self.start, self.dim))


class EpochRecord(ReductionRecord, Protocol):
    """What the states of both Doublers have."""

    @property
    def answer(self) -> Arm | None: ...  # noqa: D102 (what the last scalar learner recommended)


S = TypeVar("S", bound=EpochRecord)


class EpochReduction(Reduction[DoublerConfig, S]):
    """Epochs of 2, 4, 8, ... duels, each with a fresh scalar learner that has this horizon."""

    Config: ClassVar[type] = DoublerConfig

    def _members(self, turns: int) -> list[tuple[type[Scalar], dict[str, Any]]]:
        epoch = epoch_at(turns)
        # Doubler: epoch i has 2^i duels, which are the horizon of its scalar learner.
        inputs = scalar_inputs(self.config, epoch.length, self._seed(epoch.number))
        return [(SCALARS[self.config.scalar], inputs)]

    def _first_arm(self) -> Arm:
        """Return the opponent of the first epoch."""
        if self.config.start is not None:
            return self.config.start
        return tuple(_rng.unit(self._key, FIRST_ARM + i) for i in range(self.config.dim))

    def _check_state(self, state: S) -> None:
        super()._check_state(state)
        if (state.answer is None) != (epoch_at(state.turns).number == 1):
            raise ValueError("state.answer must be there after the first epoch, and not before")

    def _check_scalars(self, state: S) -> None:
        pulls, expected = state.scalars[0].pulls, state.turns - epoch_at(state.turns).start
        if pulls != expected:
            raise ValueError(
                f"state.scalars[0].pulls must be {expected}, the turns of its epoch; got {pulls}"
            )

    def recommend(self) -> Arm:
        """Return what the scalar learner recommends; that of the last epoch recommends at first."""
        if self._state.answer is not None and not half_over(self._state.turns):
            return self._state.answer
        return self._state.scalars[0].recommend()

    def progress(self) -> Progress:
        """Return the phase, the epochs that are over, and the recommended arm."""
        return Progress("epoch", epoch_at(self._state.turns).number - 1, self.recommend())
