"""ABlin: batched Lipschitz narrowing with edges that need O(log log T) batches.

Feng, Huang, Wang (2022), "Lipschitz bandits with batched feedback", NeurIPS 35,
https://arxiv.org/abs/2110.09722. All constants are from memory, and the confidence in them is
medium to low. Departs: F43 (sizes, margins, cleanup).
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from duelli import _check
from duelli.learners.scalar.blin import Blin, BlinConfig
from duelli.learners.stateful import takes

NEGLIGIBLE = 1e-9  # a step of the sequence after which it has reached its limit


@dataclass(frozen=True, slots=True, kw_only=True)
class ABlinConfig(BlinConfig):
    """The inputs of A-BLiN: those of `BlinConfig`, and one more.

    Args:
        zooming_dim: d_z, in [0, d]; the edges depend on it.
    """

    zooming_dim: float = 0.0

    def __post_init__(self) -> None:
        BlinConfig.__post_init__(self)  # `super()` does not know classes with slots
        zooming_dim = _check.at_least("zooming_dim", self.zooming_dim, 0)
        if zooming_dim > self.dim:
            raise ValueError(f"zooming_dim must be at most dim = {self.dim}; got {zooming_dim:g}")
        object.__setattr__(self, "zooming_dim", zooming_dim)

    def sums(self) -> list[float]:
        """Return s_1, s_2, ... of the appropriately combined edge lengths, up to their limit.

        c_1 = (d_z + 1) / ((d + 2) (d_z + 2)) · log2(T / ln T), and c_(i + 1) is c_i times
        (d + 1 - d_z) / (d + 2); s_k is c_1 + ... + c_k.
        """
        d, d_z, pulls = self.dim, self.zooming_dim, max(self.horizon, 2)
        step = (d_z + 1) / ((d + 2) * (d_z + 2)) * math.log2(pulls / math.log(pulls))  # c_1
        ratio, sums = (d + 1 - d_z) / (d + 2), [0.0]
        while step > NEGLIGIBLE:
            sums.append(sums[-1] + step)  # s_k
            step *= ratio  # c_(i+1) = η c_i
        return sums[1:]


class ABlin(Blin[ABlinConfig]):
    """A-BLiN: cubes whose edges shrink faster at first, so that a few batches are enough.

    Its keyword arguments are those of `ABlinConfig`.

    >>> ABlin(dim=1, horizon=10**8).exponents
    [3, 4, 6, 7, 8, 9, 10, 11, 12]
    """

    Config: ClassVar[type] = ABlinConfig

    @takes(ABlinConfig)
    def __init__(self, config: ABlinConfig) -> None:
        super().__init__(config)

    def _exponents(self) -> list[int]:
        """Return k of r_(2i - 1) = 2^-⌊s_i⌋ and r_(2i) = 2^-⌈s_i⌉, each edge once."""
        sums = self.config.sums()  # A-BLiN: r_(2k-1) and r_(2k), without repeats
        return sorted({exponent for s in sums for exponent in (math.floor(s), math.ceil(s))})
