"""Write the golden traces: the blocks of the recursive oracle, with the tallies that it was given.

Run it as ``python -m golden.make`` from within tests/. The files are part of what the library
promises: a change of theirs is a change of the algorithm, and wants a reason.
"""

import json
from pathlib import Path

import numpy as np
from paper.recursive import PrintedArc

from duelli.blocks import Tally

HERE = Path(__file__).parent
RUNS = {
    # Rounds 4 and 5 eliminate cubes of depth 3 and 4.
    "arc_line": {"dim": 1, "horizon": 10**6, "slope_max": 0.25, "start": (0.9,)},
    # Two rounds complete, the third is given up.
    "arc_square": {"dim": 2, "horizon": 20_000, "slope_max": 0.5, "start": (0.9, 0.9)},
}


class Cone:
    """Answers whose win rates fall with the distance of the cube from one arm, and some noise."""

    def __init__(self, seed):
        self.rng, self.tallies = np.random.default_rng(seed), []

    def __call__(self, block):
        middle = np.array(block.low) + block.edge / 2
        rate = 0.9 - 1.6 * np.abs(middle - 0.3).max() + self.rng.normal(0, 0.02)
        offsets = self.rng.random(len(block.low)).tolist()
        witness = tuple(a + block.edge * u for a, u in zip(block.low, offsets, strict=True))
        tally = Tally(block.n, round(block.n * min(max(rate, 0.0), 1.0)), witness)
        self.tallies.append(tally)
        return tally


def trace(name):
    """Return the golden trace called ``name``, as JSON has it."""
    cone = Cone(seed=1)
    run = PrintedArc(cone, **RUNS[name])
    blocks = run.run()
    cleanup = blocks[-1]
    tallies = [*cone.tallies, Tally(cleanup.n, cleanup.n // 2, cleanup.low)]
    return {
        "inputs": {**RUNS[name], "start": list(RUNS[name]["start"])},
        "eliminated": run.eliminated,
        "references": [list(arm) for arm in run.references],
        "events": [
            {
                "low": list(block.low),
                "edge": block.edge,
                "reference": list(block.reference),
                "n": block.n,
                "wins": tally.wins,
                "witness": list(tally.witness),
            }
            for block, tally in zip(blocks, tallies, strict=True)
        ],
    }


def text(name):
    """Return the trace's file: one event a line."""
    found = trace(name)
    events = ",\n".join(json.dumps(event) for event in found.pop("events"))
    return json.dumps(found)[:-1] + ', "events": [\n' + events + "\n]}\n"


if __name__ == "__main__":
    for run_name in RUNS:
        (HERE / f"{run_name}.json").write_text(text(run_name))
