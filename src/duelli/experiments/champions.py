"""Champions: which learner should lead an arena at which horizon, and what keeps it from that.

The reasons are habits of a learner, which hold whatever the numbers are. The page says one only
where the learner in fact does not lead, and beside it what the numbers show.
"""

LARGE = 10**5  # arc_race should lead from so many duels on, and auto below

REASONS = {  # learner, and what it does not lead by
    ("auto", "regret"): (
        "auto plays for its answer: to the last duel it asks for the pairs that tell most about "
        "where the best arm is, regret counts what both arms of such a pair cost, and its best arm "
        "never meets itself. A rival that hardly leaves the middle of the box pays for little more "
        "than the middle."
    ),
    ("auto", "gap"): (
        "auto fits one smooth model to its duels and uses neither the link nor the Lipschitz "
        "constant. Where duels are little better than coin flips, they can lead it away from the "
        "middle of the box, close to which others stay; where there are several peaks or sharp "
        "edges, it can follow the wrong one."
    ),
    ("arc_race", "regret"): (
        "arc_race is made to miss no better region on any landscape: beside its local search it "
        "pays for scans of the whole box, even where it begins at a best arm. A rival that only "
        "follows a slope does without them."
    ),
    ("arc_race", "gap"): (
        "arc_race plays for regret here: when another round would cost more than it can save, its "
        "best arm meets itself to the end, which tells nothing more about the answer."
    ),
}


def champion(horizon: int) -> str:
    """Return the learner that should lead at a horizon."""
    return "arc_race" if horizon >= LARGE else "auto"
