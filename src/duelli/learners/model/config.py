"""The inputs of the preference model."""

from dataclasses import dataclass

from duelli import _check, _rng
from duelli.cubes import Arm
from duelli.learners.model.levels import Levels, check_levels

REPEATS = ("never", "allowed")
ARM_UNITS = 2.0**32  # arms are multiples of 1 / ARM_UNITS, so that a saved one is the same


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """The inputs of the preference model. It needs neither a link nor a Lipschitz constant.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of duels; None for a run without an end.
        batch: The least number of pairs in a step. Steps grow with the duels so far, because a
            few more of them hardly change what the model knows then.
        repeat: "never" varies every pair a little, so that no question is asked twice; "allowed"
            asks the same pair again where that is worth most.
        start: The first point to look at; the middle of the box if None.
        levels: The places of each axis that has only a few, such as those of choices; () for an
            axis of which every place differs, and () in all if every axis is of that kind.
        seed: Seed of all random draws.
    """

    dim: int
    horizon: int | None = None
    batch: int = 1
    repeat: str = "never"
    start: Arm | None = None
    levels: Levels = ()
    seed: int = 0

    def __post_init__(self) -> None:
        dim = _check.whole("dim", self.dim, 1)
        _check.one_of("repeat", self.repeat, REPEATS)
        checked: dict[str, object] = {
            "dim": dim,
            "batch": _check.whole("batch", self.batch, 1),
            "levels": check_levels(self.levels, dim),
            "seed": _rng.check_seed(self.seed),
        }
        if self.horizon is not None:
            checked["horizon"] = _check.horizon(self.horizon)
        if self.start is not None:
            checked["start"] = _check.arm("start", self.start, dim)
        for name, value in checked.items():
            object.__setattr__(self, name, value)
