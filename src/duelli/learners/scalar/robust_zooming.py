"""RobustZooming: zooming with wider radii, for rewards of which some were tampered with.

Kang, Hsieh, Lee (2023), "Robust Lipschitz bandits to adversarial corruptions", NeurIPS 36,
https://arxiv.org/abs/2305.18543, the algorithm for a known budget of corruption. The radius and
the rule of removal are from memory, and the confidence in the rule is low.
Departs: F46 (cells instead of a covering oracle, the rule of removal).
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from duelli import _check
from duelli.learners.scalar.balls import BallLearner, Radius
from duelli.learners.scalar.inputs import set_checked
from duelli.learners.stateful import takes


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustZoomingConfig:
    """The inputs of robust zooming.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of pulls; also in the radius.
        lipschitz: L of the mean reward, maximum norm.
        corruption: C, by how much all rewards together may have been changed.
        failure_prob: δ, the probability with which the guarantee may fail.
        removal: Whether arms that cannot be best any more are removed.
        seed: Seed of the choice between arms of equal index.
    """

    dim: int
    horizon: int
    lipschitz: float = 1.0
    corruption: float = 0.0
    failure_prob: float = 0.05
    removal: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.removal, bool):
            raise TypeError(f"removal must be True or False; got {self.removal!r}")
        set_checked(
            self,
            lipschitz=_check.positive("lipschitz", self.lipschitz),
            corruption=_check.at_least("corruption", self.corruption, 0),
            failure_prob=_check.probability("failure_prob", self.failure_prob),
        )


class RobustZooming(BallLearner[RobustZoomingConfig]):
    """Robust zooming: the radius allows for a known amount of corruption of the rewards.

    Its keyword arguments are those of `RobustZoomingConfig`.

    >>> RobustZooming(dim=1, horizon=1000, corruption=50).pull()
    (0.5,)
    """

    Config: ClassVar[type] = RobustZoomingConfig

    @takes(RobustZoomingConfig)
    def __init__(self, config: RobustZoomingConfig) -> None:
        super().__init__(config)

    def _radius(self, pulls: int) -> Radius:  # noqa: ARG002 (it is the same in the whole run)
        config = self.config
        noise = 4 * math.log(config.horizon) + 2 * math.log(2 / config.failure_prob)
        corruption = config.corruption
        # r = √((4 ln T + 2 ln(2 / δ)) / n) + C / n, infinite before the first pull
        return lambda n: math.sqrt(noise / n) + corruption / n if n else math.inf

    def _learn(self, reward: float) -> None:
        super()._learn(reward)
        if self.config.removal:
            self._remove()

    def _remove(self) -> None:
        """Remove each arm u for which an arm v has mean(v) - mean(u) > r(v) + 2 r(u)."""
        pulled = [arm for arm in self._state.arms if arm.pulls and not arm.removed]
        radii = [self._reward_radius(arm.pulls) for arm in pulled]
        floor = max(arm.mean - r for arm, r in zip(pulled, radii, strict=True))
        for arm, r in zip(pulled, radii, strict=True):
            arm.removed = arm.mean + 2 * r < floor  # Removal
