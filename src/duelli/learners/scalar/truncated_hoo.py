"""TruncatedHoo: HOO with cells down to a depth that the horizon fixes.

Bubeck, Munos, Stoltz, Szepesvári (2011), "X-armed bandits", Journal of Machine Learning Research
12, https://jmlr.org/papers/v12/bubeck11a.html, the variant for a known horizon. The depth agrees
with PyXAB's formula; PyXAB plays one level more. Departs: F42, as `Hoo` does.
"""

import math

from duelli.learners.scalar.hoo import Hoo


class TruncatedHoo(Hoo):
    """Truncated HOO: the cells at the depth where 2 L 2^(-h / d) reaches 1/√T are not divided.

    Its keyword arguments are those of `HooConfig`.

    >>> [TruncatedHoo(dim=1, horizon=n).deepest for n in (10**4, 2 * 10**4, 10**6)]
    [8, 9, 11]
    """

    @property
    def deepest(self) -> int:
        """D = ⌈(½ ln T - ln(1 / ν1)) / ln(1 / ρ)⌉, at least 1: the root is never played."""
        config = self.config
        depth = math.log(config.horizon) / 2 + math.log(config.first_bonus)  # D of truncated HOO
        return max(1, math.ceil(depth / math.log(1 / config.bonus_ratio)))
