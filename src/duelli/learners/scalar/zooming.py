"""Zooming: arms whose confidence balls cover the box, more of them where rewards are high.

Kleinberg, Slivkins, Upfal (2008), "Multi-armed bandits in metric spaces", STOC,
https://arxiv.org/abs/0809.4882, and (2019), "Bandits and experts in metric spaces", Journal of the
ACM 66(4), https://arxiv.org/abs/1312.1277. The radius with phases agrees with PyXAB; that with a
known horizon and the fresh start of each phase are from memory. The confidence is medium.
Departs: F45 (cells instead of a covering oracle, what is recommended).
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from duelli import _check
from duelli.cubes import Arm
from duelli.learners.scalar.balls import BallLearner, Radius, Zoom
from duelli.learners.scalar.epochs import begins_at, epoch_at, half_over
from duelli.learners.scalar.inputs import set_checked
from duelli.learners.stateful import takes

RADII = ("horizon", "phases")


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoomingConfig:
    """The inputs of the zooming algorithm.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of pulls.
        lipschitz: L of the mean reward, maximum norm.
        radius: "horizon": √(2 ln T / (n + 1)) for an arm that was pulled n times. "phases":
            √(8 i / (n + 2)) in phase i, which has 2^i pulls and begins afresh; that needs no
            horizon, and takes many more pulls.
        seed: Seed of the choice between arms of equal index.
    """

    dim: int
    horizon: int
    lipschitz: float = 1.0
    radius: str = "horizon"
    seed: int = 0

    def __post_init__(self) -> None:
        _check.one_of("radius", self.radius, RADII)
        set_checked(self, lipschitz=_check.positive("lipschitz", self.lipschitz))


class Zooming(BallLearner[ZoomingConfig]):
    """The zooming algorithm: activates an arm wherever the balls of the others leave a gap.

    Its keyword arguments are those of `ZoomingConfig`.

    >>> Zooming(dim=2, horizon=1000).pull()
    (0.5, 0.5)
    """

    Config: ClassVar[type] = ZoomingConfig

    @takes(ZoomingConfig)
    def __init__(self, config: ZoomingConfig) -> None:
        super().__init__(config)

    @property
    def _has_phases(self) -> bool:
        return self.config.radius == "phases"

    def _radius(self, pulls: int) -> Radius:
        if self._has_phases:
            eight = 8 * epoch_at(pulls).number
            return lambda n: math.sqrt(eight / (2 + n))  # Radius, with phases
        two = 2 * math.log(max(self.config.horizon, 2))  # a radius of 0 would cover nothing
        return lambda n: math.sqrt(two / (n + 1))  # Radius, for a known T

    def _learn(self, reward: float) -> None:
        super()._learn(reward)
        if self._has_phases and begins_at(self._state.pulls):
            self._state = self._fresh(self._state.pulls, super().recommend())
            self._prepare()

    def _pulls_of_arms(self, state: Zoom) -> int:
        return state.pulls - epoch_at(state.pulls).start if self._has_phases else state.pulls

    def _check_state(self, state: Zoom) -> None:
        phase = epoch_at(state.pulls).number if self._has_phases else 1
        if (state.answer is None) != (phase == 1):
            raise ValueError("state.answer must be there after the first phase, and not before")
        super()._check_state(state)

    def recommend(self) -> Arm:
        """Return the most pulled arm; that of the last phase until half of this one is over."""
        if self._state.answer is not None and not half_over(self._state.pulls):
            return self._state.answer
        return super().recommend()
