"""Tune parameters by noisy matches, with a judge that fails once and a run that goes on.

Run ``python examples/tune_by_matches.py``. The "matches" are simulated here; the strength below
is what a real judge would hide.
"""

import math
import random
import tempfile
from pathlib import Path
from typing import Any

import duelli

BOX = duelli.Box({"rate": (1e-4, 1e-1, "log"), "depth": (1, 9, "int")})
HORIZON = 600
judge = random.Random(7)
played = 0


def strength(x: dict[str, Any]) -> float:
    """Return the hidden strength, best at rate 0.003 and depth 6."""
    return float(-abs(math.log10(x["rate"] / 0.003)) - abs(x["depth"] - 6) / 4)


def match(x: dict[str, Any], y: dict[str, Any]) -> float:
    """Return 1 if x wins, 0 if y does, 1/2 for a draw; lose the connection once."""
    global played  # noqa: PLW0603 (the function that fails once has to remember that it did)
    played += 1
    if played == 200:
        raise ConnectionError("the line to the arena broke")
    if judge.random() < 0.2:
        return 0.5
    return float(judge.random() < 1 / (1 + math.exp(strength(y) - strength(x))))


def main() -> None:
    """Optimise, break off, and go on from the checkpoint."""
    print(duelli.plan(dim=BOX.dim, horizon=HORIZON), end="\n\n")
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = Path(folder, "run.json")
        try:
            result = duelli.optimize(match, BOX, horizon=HORIZON, checkpoint=checkpoint)
        except duelli.DuelFailedError as error:
            print(f"stopped: {error}; going on from the checkpoint")
            result = duelli.optimize(match, BOX, horizon=HORIZON, checkpoint=checkpoint)
    print(f"best: {result.best}")
    print(result.answer.text)
    print(result.bias)
    print(f"the last pair: {result.history[-1]}")


if __name__ == "__main__":
    main()
