"""DuelModel: a landscape and a link make the truth that duels are drawn from."""

from typing import Any

import numpy as np

from duelli import _check, links
from duelli.landscapes import LANDSCAPES, Landscape
from duelli.links import Link


class DuelModel:
    """P(x beats y) = ρ(f(x) - f(y)).

    Every method takes single arms or arrays of them, shape ``(n, dim)``, and answers with a float
    or an array.

    Args:
        landscape: The utility f with its best arm, or the name of a landscape of the registry.
        link: ρ, or its name, such as "logistic" or "logistic:10".
    """

    def __init__(self, landscape: Landscape | str, link: Link | str = "logistic") -> None:
        if isinstance(landscape, str):
            landscape = _check.registered("landscape", landscape, LANDSCAPES)
        if not isinstance(landscape, Landscape):
            raise TypeError(f"landscape must be a Landscape or a name; got {landscape!r}")
        self.landscape = landscape
        # The differences of an L-Lipschitz utility on the unit box reach L.
        self.link = links.parse(link).on(landscape.lipschitz)

    def win_prob(self, x: Any, y: Any) -> Any:
        """Return P(x beats y) = ρ(f(x) - f(y))."""
        return self.link(self._utility("x", x) - self._utility("y", y))

    def gap(self, x: Any, y: Any) -> Any:
        """Return Δ(x, y) = P(x beats y) - 1/2."""
        return self.win_prob(x, y) - 0.5

    def gap_to_best(self, x: Any) -> Any:
        """Return Δ(x*, x), which is never below 0."""
        return self._gap_to_best("x", x)

    def regret(self, x: Any, y: Any) -> Any:
        """Return the strong regret of the duel: Δ(x*, x) + Δ(x*, y). Paper: Eq. (1)."""
        return self._gap_to_best("x", x) + self._gap_to_best("y", y)

    def weak_regret(self, x: Any, y: Any) -> Any:
        """Return the weak regret of the duel: the smaller of Δ(x*, x) and Δ(x*, y)."""
        return np.minimum(self._gap_to_best("x", x), self._gap_to_best("y", y))

    def _gap_to_best(self, name: str, x: Any) -> Any:
        return self.link(self.landscape.best_utility - self._utility(name, x)) - 0.5

    def _utility(self, name: str, x: Any) -> Any:
        arms = np.asarray(x, dtype=np.float64)
        dim = self.landscape.dim
        if arms.ndim not in (1, 2) or arms.shape[-1] != dim:
            raise ValueError(f"{name} must have shape ({dim},) or (n, {dim}); got {arms.shape}")
        if not ((arms >= 0) & (arms <= 1)).all():  # a NaN fails this too
            raise ValueError(f"{name} must lie in [0, 1]^{dim}; got {arms.tolist()}")
        values = self.landscape.utility(np.atleast_2d(arms))
        return values if arms.ndim == 2 else float(values[0])
