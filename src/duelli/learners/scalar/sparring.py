"""Sparring: two scalar learners play against each other.

Ailon, Karnin, Joachims (2014), "Reducing dueling bandits to cardinal bandits", ICML,
https://arxiv.org/abs/1405.3396. The algorithm agrees with two public implementations; there is no
guarantee for the scalar learners of this library. Departs: F49 (the recommended arm).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from duelli.blocks import Block, Progress, Tally
from duelli.cubes import Arm
from duelli.learners.base import takes
from duelli.learners.scalar.reduction import (
    Reduction,
    ReductionConfig,
    Scalar,
    scalar_inputs,
)
from duelli.learners.scalar.registry import SCALARS


@dataclass(slots=True, kw_only=True)
class Match:
    """The duels and turns so far, and the scalar learners of the left and of the right arm."""

    duels: int
    turns: int
    scalars: list[Scalar] = field(init=False, default_factory=list)


class Sparring(Reduction[ReductionConfig, Match]):
    """Sparring: one scalar learner chooses the left arm, another one the right arm.

    Its keyword arguments are those of `ReductionConfig`.

    >>> Sparring(dim=2, horizon=1000, slope_max=0.25).ask()[0].n
    1
    """

    Config: ClassVar[type] = ReductionConfig
    States: ClassVar[Mapping[str, type]] = {"match": Match}

    @takes(ReductionConfig)
    def __init__(self, config: ReductionConfig) -> None:
        super().__init__(config)

    def _members(self, turns: int) -> list[tuple[type[Scalar], dict[str, Any]]]:  # noqa: ARG002
        kind, config = SCALARS[self.config.scalar], self.config
        return [
            (kind, scalar_inputs(config, config.horizon, self._seed(side))) for side in range(2)
        ]

    def _fresh(self) -> Match:
        return Match(duels=0, turns=0)

    def _block(self, state: Match) -> Block:
        left, right = (scalar.pull() for scalar in state.scalars)  # Sparring: i and j
        assert left is not None  # their horizon is that of the run
        assert right is not None
        return Block.pair(left, right)

    def _take(self, state: Match, tally: Tally) -> None:
        left, right = state.scalars
        left.update(tally.wins)  # Sparring: 1 if i wins
        right.update(1 - tally.wins)  # Sparring: the complement

    def _check_scalars(self, state: Match) -> None:
        for i, scalar in enumerate(state.scalars):
            if scalar.pulls != state.turns:
                raise ValueError(
                    f"state.scalars[{i}].pulls must be {state.turns}, as state.turns; "
                    f"got {scalar.pulls}"
                )

    def recommend(self) -> Arm:
        """Return what the scalar learner of the left arm recommends."""
        return self._state.scalars[0].recommend()

    def progress(self) -> Progress:
        """Return the phase, no rounds, and the recommended arm."""
        return Progress("sparring", 0, self.recommend())

    def _own_bits(self) -> int:
        return 0
