"""Epoch-RGD: Relative Gradient Descent in epochs, each with smaller steps than the one before.

Saha, Koren, Mansour (2025), "Dueling convex optimization with general preferences", ICML,
https://proceedings.mlr.press/v267/saha25a.html. Its formulas are taken here for p = 1, as all links
of duelli have a positive slope. Departs: F60 (blocks, the answer) and F63 (walls, epochs).
"""

import math
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar, NamedTuple

from duelli import _check
from duelli.blocks import Tally
from duelli.cubes import Arm
from duelli.learners.base import takes
from duelli.learners.descent.inputs import GAINS, fitting, half_width, optional, settle
from duelli.learners.descent.moves import clipped, direction, either_side, moved
from duelli.learners.descent.rgd import SHARE, SLOPE_MIN, summed
from duelli.learners.descent.walker import Walker

PROBE, STEP, EPOCH = 0.2, 0.02, 1000
SHRINK = math.sqrt(3 / 4)  # of D_k from epoch to epoch


class Epoch(NamedTuple):
    """One epoch: γ_k, η_k, and t_k, the number of its duels."""

    probe: float
    step: float
    duels: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochRgdConfig:
    """The inputs of Epoch-RGD.

    Args:
        dim: d, the number of coordinates.
        horizon: The number of duels.
        gains: "practical" begins with 1000 duels, a probe of 0.2 and a step of 0.02, and goes on
            to the horizon; "theory" has the epochs of the paper, and rests after the last one.
        probe: γ_1, the distance of the two points from w; that of ``gains`` if None.
        step: η_1, how far w moves; that of ``gains`` if None.
        epoch: t_1, the duels of the first epoch; that of ``gains`` if None.
        target: ε, the gap of the utility that is aimed at, for the gains "theory" only.
        convexity: α, the smallest curvature of the utility, for the gains "theory" only.
        smoothness: β, the largest curvature of the utility, for the gains "theory" only.
        slope_min: λ, the smallest slope of the link, for the gains "theory" only.
        start: The first point; the middle of the box if None.
        seed: Seed of the directions.
    """

    dim: int
    horizon: int
    gains: str = "practical"
    probe: float | None = None
    step: float | None = None
    epoch: int | None = None
    target: float = 0.1
    convexity: float = 1.0
    smoothness: float = 1.0
    slope_min: float = SLOPE_MIN
    start: Arm | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        _check.one_of("gains", self.gains, GAINS)
        settle(
            self,
            probe=optional(half_width, "probe", self.probe),
            step=optional(_check.positive, "step", self.step),
            epoch=None if self.epoch is None else _check.whole("epoch", self.epoch, 1),
            **{
                name: _check.positive(name, getattr(self, name))
                for name in ("target", "convexity", "smoothness", "slope_min")
            },
        )
        if self.smoothness < self.convexity:
            raise ValueError(
                f"smoothness must be at least convexity = {self.convexity:g}; "
                f"got {self.smoothness:g}"
            )

    def epochs(self) -> list[Epoch]:
        """Return the epochs up to the horizon, or up to the last one that the theory plans."""
        first, count = Epoch(PROBE, STEP, EPOCH), None
        if self.gains == "theory":
            first, count = _theory(self)
        first = Epoch(
            first.probe if self.probe is None else self.probe,
            first.step if self.step is None else self.step,
            first.duels if self.epoch is None else self.epoch,
        )
        return _shrinking(first, self.horizon, count)


def _theory(config: EpochRgdConfig) -> tuple[Epoch, int]:
    """Return the first epoch and the number of epochs, with D_1 = √d, the diagonal of the box."""
    d, alpha, beta = config.dim, config.convexity, config.smoothness
    diagonal, slope = math.sqrt(d), 2 * config.slope_min  # D_1 and c_ρ
    scale = 2 * slope / (alpha + beta) * alpha**2 / (4 * beta) * SHARE / math.pow(d, 1.5)  # B
    first = Epoch(
        probe=SHARE * alpha * diagonal / (2 * beta * math.sqrt(d)),  # γ_k = c~ α D_k / (2 β √d)
        step=scale * diagonal**3,  # η_k = B D_k^(2p+1)
        duels=math.ceil(1 / (2 * scale**2 * diagonal**4)),  # t_k = 1 / (2 B² D_k^(4p))
    )
    count = math.log(beta * d / (2 * config.target)) / math.log(4 / 3)  # k_ε
    return first, max(1, math.ceil(count))


def _shrinking(first: Epoch, horizon: int, count: int | None) -> list[Epoch]:
    """Return epochs with γ_k ~ D_k, η_k ~ D_k³ and t_k ~ D_k^-4, until the horizon is reached."""
    epochs: list[Epoch] = []
    left = horizon
    while left > 0 and (count is None or len(epochs) < count):
        size = math.pow(SHRINK, len(epochs))  # D_k / D_1
        duels = math.ceil(first.duels / size**4)
        epochs.append(Epoch(fitting(first.probe * size), first.step * size**3, duels))
        left -= duels
    return epochs


class EpochRgd(Walker[EpochRgdConfig]):
    """Epoch-RGD: Relative Gradient Descent whose steps become smaller from epoch to epoch.

    Its keyword arguments are those of `EpochRgdConfig`. It plays exactly ``horizon`` duels and
    never an arm against itself, unless the theory has planned fewer; then it rests.

    >>> learner = EpochRgd(dim=2, horizon=10_000)
    >>> [epoch.duels for epoch in learner.epochs]
    [1000, 1778, 3161, 5619]
    """

    Config: ClassVar[type] = EpochRgdConfig

    @takes(EpochRgdConfig)
    def __init__(self, config: EpochRgdConfig) -> None:
        self.epochs = config.epochs()
        self.ends = list(accumulate(epoch.duels for epoch in self.epochs))
        super().__init__(config)

    def _pair(self, duels: int, theta: Arm) -> tuple[Arm, Arm]:
        # Step of RGD: w + γ_k u and w - γ_k u
        return either_side(theta, self._direction(duels), self._epoch(duels).probe)

    def _moved(self, duels: int, theta: Arm, tally: Tally) -> Arm:
        probe, step, _ = self._epoch(duels)
        outcome = 2 * tally.wins / tally.n - 1  # -o, as the paper has costs
        move = summed(step, tally.n, probe) * outcome  # Step of RGD, with η_k
        return moved(clipped(theta, probe), self._direction(duels), move, probe)  # Π(w - η_k o u)

    def _direction(self, duels: int) -> Arm:
        return direction(self._key, self._iteration(duels), self.config.dim)

    def _epoch(self, duels: int) -> Epoch:
        """Return the epoch of the block that begins after so many duels."""
        return self.epochs[bisect_right(self.ends, duels)]

    def _planned(self) -> int:
        return -(-self.ends[-1] // self.block_size) * self.block_size

    def _rounds(self) -> int:
        return min(bisect_right(self.ends, self._state.duels), len(self.ends))
