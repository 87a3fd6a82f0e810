"""Write the golden trace of ArcRace: its steps, the tallies that it was given, its phases.

Run it as ``python -m golden.make_race`` from within tests/. The trace is made with the constants
of the transition tests, so that another tuning does not change it: a change of it is a change of
the algorithm, and wants a reason.
"""

import json
from unittest.mock import patch

import numpy as np
from learners.race.samples import OWN

from duelli.blocks import Tally
from duelli.learners.race import ArcRace
from golden.make import HERE

FILE = HERE / "race_square.json"
INPUTS = {"dim": 2, "horizon": 2 * 10**6, "slope_max": 0.5}


def answer(step, rng):
    """Return tallies by the distance to (0.3, 0.8) and to a second, lower peak, and some noise."""

    def height(x):
        first, second = (np.abs(np.array(x) - peak).max() for peak in ((0.3, 0.8), (0.8, 0.3)))
        return max(-0.5 * first, -0.03 - 0.5 * second)

    tallies = []
    for block in step:
        rate = 0.5 + height(block.low) - height(block.reference)
        noisy = rate + rng.normal(0, 0.5 / np.sqrt(block.n))
        tallies.append(Tally(block.n, round(block.n * min(max(noisy, 0.0), 1.0)), block.low))
    return tallies


def with_own_constants(function):
    """Return what ``function`` returns under the constants of the transition tests."""
    patches = [patch.multiple(module, **constants) for module, constants in OWN.items()]
    for each in patches:
        each.start()
    try:
        return function()
    finally:
        for each in patches:
            each.stop()


def trace():
    """Return one line for each step, and the arm that is named in the end."""
    learner, rng, events = ArcRace(**INPUTS), np.random.default_rng(5), []
    while step := learner.ask():
        phase, tallies = learner.progress().phase, answer(step, rng)
        pairs = zip(step, tallies, strict=True)
        blocks = [[list(b.low), list(b.reference), b.n, tally.wins] for b, tally in pairs]
        events.append({"phase": phase, "blocks": blocks})
        learner.tell(tallies)
    return {"arm": list(learner.recommend()), "events": events}


if __name__ == "__main__":
    found = with_own_constants(trace)
    lines = ",\n".join(json.dumps(event) for event in found["events"])
    FILE.write_text(f'{{"arm": {json.dumps(found["arm"])}, "events": [\n{lines}\n]}}\n')
