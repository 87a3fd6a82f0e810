"""Limits: up to how many duels each learner plays in an arena, because of what it costs.

Most learners of continuous duels ask in blocks or in a limited number of steps, so that their
time hardly grows with the horizon. A learner that looks at every single duel takes 10 to 200
microseconds for each.
"""

from duelli._check import MAX_HORIZON

ANY = MAX_HORIZON
LIMIT = 10_000  # of a learner that is not listed: about a second for each trial
LIMITS: dict[str, int] = {
    "arc_duelli": ANY,
    "arc_race": ANY,
    "auto": 10_000,  # some six seconds for each trial, and twelve from a million duels on
    "beta_ngd": ANY,
    "clop": ANY,
    "comp_gp_ucb": ANY,
    "comparison_gradient": ANY,
    "coordinate_search": ANY,
    "dbgd": ANY,
    "epoch_rgd": ANY,
    "interleaved_filter": ANY,
    "kernel_self_sparring": ANY,
    "nc_smd": ANY,
    "preference_model": 200,  # up to a million duels auto plays the same ones, and it plays on
    "rgd": ANY,
    "spsa": ANY,
    "successive_halving": ANY,
}


def limit_of(learner: str) -> int:
    """Return the largest horizon that a learner plays in an arena."""
    return LIMITS.get(learner, LIMIT)
