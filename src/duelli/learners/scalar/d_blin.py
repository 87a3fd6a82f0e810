"""DBlin: batched Lipschitz narrowing with cubes that are halved from batch to batch.

Feng, Huang, Wang (2022), "Lipschitz bandits with batched feedback", NeurIPS 35,
https://arxiv.org/abs/2110.09722. All constants are from memory, and the confidence in them is
medium to low. Departs: F43 (sizes, margins, cleanup).
"""

from typing import ClassVar

from duelli.learners.scalar.blin import Blin, BlinConfig
from duelli.learners.scalar.cube_pulls import cube_size
from duelli.learners.stateful import takes


class DBlin(Blin[BlinConfig]):
    """D-BLiN: cubes of edge 1, 1/2, 1/4, ..., dropped as soon as they fall short of the best.

    Its keyword arguments are those of `BlinConfig`.

    >>> learner = DBlin(dim=1, horizon=20_000)
    >>> [learner.batch_size(m) for m in (1, 2, 3)]
    [159, 634, 2536]
    """

    Config: ClassVar[type] = BlinConfig

    @takes(BlinConfig)
    def __init__(self, config: BlinConfig) -> None:
        super().__init__(config)

    def _exponents(self) -> list[int]:
        """Return k of r_m = 2^-k = 2^(1 - m), up to the first edge whose cubes need T pulls."""
        exponents = [0]
        while cube_size(self.config, 2.0 ** -exponents[-1]) < self.config.horizon:
            exponents.append(exponents[-1] + 1)  # D-BLiN: r_m = 2^(1 - m)
        return exponents
