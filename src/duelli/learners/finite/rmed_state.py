"""RmedState: the duels of RMED, and the sweep of the arms that may be the winner.

Komiyama, Honda, Kashima, Nakagawa (2015), "Regret lower bound and optimal algorithm in dueling
bandit problem", COLT, https://proceedings.mlr.press/v40/Komiyama15.html.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from duelli.learners.codec import Table
from duelli.learners.finite.divergences import Divergences


@dataclass(slots=True)
class Sweep:
    """A sweep of the likely winners.

    Args:
        waiting: L_R, the arms whose turn is still to come, in order.
        chosen: L_N, the arms of the next sweep as far as they are known.
        named: For each arm whether it is one of those.
    """

    waiting: tuple[int, ...]
    chosen: tuple[int, ...]
    named: npt.NDArray[np.bool_]

    def advance(self, likely: npt.NDArray[np.bool_]) -> None:
        """Let the first arm of L_R have had its turn; J_j holds for the arms that are ``likely``.

        Paper: Algorithm 1.
        """
        self.named[self.waiting[0]] = False
        self.waiting = self.waiting[1:]
        joined = (likely & ~self.named).nonzero()[0]
        if len(joined):
            self.chosen += tuple(joined.tolist())
            self.named[joined] = True
        if not self.waiting:
            self.waiting, self.chosen = tuple(sorted(self.chosen)), ()


@dataclass(slots=True, kw_only=True)
class RmedState:
    """The duels so far, the present sweep, and the wins of all pairs; changed in place.

    Args:
        duels: The duels so far.
        waiting: L_R, the arms whose turn in the sweep is still to come, in order.
        chosen: L_N, the arms of the next sweep as far as they are known.
        wins: w_ij, the duels that arm i won against arm j.
    """

    duels: int
    waiting: tuple[int, ...]
    chosen: tuple[int, ...]
    wins: Table
    divergences: Divergences = field(init=False, repr=False, compare=False)
    named: npt.NDArray[np.bool_] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.divergences = Divergences(self.wins)
        arms = [*self.waiting, *self.chosen]
        if not self.waiting or max(arms) >= len(self.wins) or len(set(arms)) != len(arms):
            raise ValueError(
                f"state.waiting and state.chosen must name different arms below {len(self.wins)}, "
                f"and one must be waiting; got {self.waiting} and {self.chosen}"
            )
        self.named = np.zeros(len(self.wins), dtype=bool)
        self.named[arms] = True
