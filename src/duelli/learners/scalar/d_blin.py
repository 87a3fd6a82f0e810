"""DBlin: batched Lipschitz narrowing with cubes that are halved from batch to batch.

Feng, Huang, Wang (2022), "Lipschitz bandits with batched feedback", NeurIPS 35,
https://arxiv.org/abs/2110.09722. All constants are from memory, and the confidence in them is
medium to low. Departs: F43 (sizes, margins, cleanup).
"""

from dataclasses import dataclass
from typing import ClassVar

from duelli import _check
from duelli.learners.scalar.blin import CLEANUPS, Blin
from duelli.learners.scalar.cube_pulls import cube_size, set_checked_cubes
from duelli.learners.stateful import takes


@dataclass(frozen=True, slots=True, kw_only=True)
class DBlinConfig:
    """The inputs of D-BLiN.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of pulls; also in the number of pulls of a cube.
        lipschitz: L of the mean reward, maximum norm.
        const: The factor of ln T / r² in the number of pulls of a cube of edge r; 16 as printed.
        threshold: A cube is dropped if its mean falls short of the best by more than
            threshold / 2 · r (1 + L); 4 as printed.
        cleanup: What is pulled when the next batch does not fit: the cubes that are left in equal
            parts ("arbitrary"), or the one with the largest mean ("best").
        seed: Seed of the points of the cubes.
    """

    dim: int
    horizon: int
    lipschitz: float = 1.0
    const: float = 16.0
    threshold: float = 4.0
    cleanup: str = "arbitrary"
    seed: int = 0

    def __post_init__(self) -> None:
        _check.one_of("cleanup", self.cleanup, CLEANUPS)
        set_checked_cubes(self)


class DBlin(Blin[DBlinConfig]):
    """D-BLiN: cubes of edge 1, 1/2, 1/4, ..., dropped as soon as they fall short of the best.

    Its keyword arguments are those of `DBlinConfig`.

    >>> learner = DBlin(dim=1, horizon=20_000)
    >>> [learner.batch_size(m) for m in (1, 2, 3)]
    [159, 634, 2536]
    """

    Config: ClassVar[type] = DBlinConfig

    @takes(DBlinConfig)
    def __init__(self, config: DBlinConfig) -> None:
        super().__init__(config)

    def _exponents(self) -> list[int]:
        """Return k of r_m = 2^-k = 2^(1 - m), up to the first edge whose cubes need T pulls."""
        exponents = [0]
        while cube_size(self.config, 2.0 ** -exponents[-1]) < self.config.horizon:
            exponents.append(exponents[-1] + 1)
        return exponents
