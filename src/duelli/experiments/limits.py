"""Limits: how far each learner plays in an arena, because of what it costs.

Most learners of continuous duels ask in blocks or in a limited number of steps, so that their
time hardly grows with the horizon. A learner that looks at every single duel takes 10 to 200
microseconds for each.
"""

from typing import NamedTuple

from duelli._check import MAX_HORIZON
from duelli.record.stats import neat

ANY = MAX_HORIZON


class Limit(NamedTuple):
    """The largest horizon that a learner plays, and the most dimensions."""

    horizon: int
    dim: int = 100

    def reason(self, horizon: int, dim: int) -> str:
        """Return why the learner does not play, in words; empty if it does."""
        if horizon > self.horizon:
            return f"plays at most {neat(self.horizon)} duels here, because of its cost"
        if dim > self.dim:
            return f"plays in at most {self.dim} dimensions here, because of its cost"
        return ""


UNLISTED = Limit(10_000)  # about a second for each trial
LIMITS: dict[str, Limit] = {
    "arc_duelli": Limit(ANY),
    "arc_race": Limit(ANY),
    "auto": Limit(10_000),  # some six seconds for each trial, and twelve from 1e6 duels on
    "beta_ngd": Limit(ANY),
    "clop": Limit(ANY),
    "comp_gp_ucb": Limit(ANY),
    "comparison_gradient": Limit(ANY),
    "coordinate_search": Limit(ANY),
    "dbgd": Limit(ANY),
    "epoch_rgd": Limit(ANY),
    "interleaved_filter": Limit(ANY, dim=3),  # it remembers all 16^dim arms
    "kernel_self_sparring": Limit(ANY),
    "nc_smd": Limit(ANY),
    "preference_model": Limit(200),  # up to 1e6 duels auto plays the same ones, and it plays on
    "rgd": Limit(ANY),
    "savage": Limit(10**6),  # most pairs are settled early: less than a second for each trial
    "spsa": Limit(ANY),
    "successive_halving": Limit(ANY),
}


def limit_of(learner: str) -> Limit:
    """Return how far a learner plays in an arena."""
    return LIMITS.get(learner, UNLISTED)
