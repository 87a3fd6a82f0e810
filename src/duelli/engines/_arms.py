"""What the truth says of single arms, kept for the arms that come again."""

from duelli.cubes import Arm
from duelli.duels import DuelModel

MOST_KEPT = 256  # more would wake Python's garbage collector in runs of ever new arms


class KnownArms(dict[Arm, tuple[float, float]]):
    """f(x) and Δ(x*, x) by arm; a missing arm is worked out when it is looked up.

    Args:
        model: The truth.
    """

    def __init__(self, model: DuelModel) -> None:
        super().__init__()
        self._best = model.landscape.best_utility
        self._utility_at, self._win_prob = model.landscape.utility_at, model.link.at

    def __missing__(self, arm: Arm) -> tuple[float, float]:
        utility = self._utility_at(arm)
        gap = self._win_prob(self._best - utility) - 0.5
        if len(self) >= MOST_KEPT:  # a run of ever new arms gains nothing from old ones
            self.clear()
        self[arm] = utility, gap
        return utility, gap
