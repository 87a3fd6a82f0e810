"""Judges, models and runs for the tests of the learners of continuous duels."""

import numpy as np

import duelli
from duelli.blocks import Tally

REFERENCE_BEST = (0.3, 0.1)
# The problem of the reference numbers: f = 1 - |x - (.3, .1)|² under the logistic link.
REFERENCE = duelli.DuelModel(
    duelli.landscape(
        lambda x: 1 - ((x - REFERENCE_BEST) ** 2).sum(axis=1),
        2,
        best_arm=REFERENCE_BEST,
        lipschitz=3.2,
    ),
    "logistic",
)


def bowl(best):
    """Return the utility -|x - best|² of one arm."""
    return lambda arm: -sum((x - b) ** 2 for x, b in zip(arm, best, strict=True))


def share_won(block, utility):
    """Return the share of duels that the left arm wins if a judge makes no mistakes."""
    ours, theirs = utility(block.low), utility(block.reference)
    return 0.5 if ours == theirs else float(ours > theirs)


def told(learner, share):
    """Answer every block of a step with a share of wins, and return the step."""
    step = learner.ask()
    learner.tell([Tally(block.n, share * block.n, block.low) for block in step])
    return step


def judged(learner, utility):
    """Answer a step without mistakes, and return it."""
    step = learner.ask()
    learner.tell([Tally(b.n, share_won(b, utility) * b.n, b.low) for b in step])
    return step


def arms_of(step):
    return [arm for block in step for arm in (block.low, block.reference)]


def in_box(arm):
    return all(0 <= x <= 1 for x in arm)


def regrets(kind, seeds, horizon=20_000, **inputs):
    """Return the regrets of runs on the reference problem."""
    runs = (kind(dim=2, horizon=horizon, seed=seed, **inputs) for seed in range(seeds))
    return np.array(
        [
            duelli.simulate(run, REFERENCE, seed=100 + i).cumulative_regret
            for i, run in enumerate(runs)
        ]
    )


# Whatever the judge says, the arms stay in the box and the run ends.
STUBBORN = {
    "left": lambda block: block.n,
    "right": lambda block: 0 * block.n,
    "tie": lambda block: block.n / 2,
    "first coordinate": lambda block: block.n * (block.low[0] > block.reference[0]),
}


def stubborn_run(learner, judge, most=25_000):
    """Play a whole run with a judge of `STUBBORN`; return the steps."""
    steps = []
    while step := learner.ask():
        steps.append(step)
        assert len(steps) <= most, "the run does not end"
        learner.tell([Tally(b.n, STUBBORN[judge](b), b.low) for b in step])
    return steps
