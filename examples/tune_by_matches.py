"""Tune two parameters by noisy matches, in their own units, with a judge that fails once.

Run ``python examples/tune_by_matches.py``. The "matches" are simulated here; the strength below
is what a real judge would hide.
"""

import json
import math
import random

import duelli

BOX = duelli.Box({"rate": (1e-4, 1e-1, "log"), "depth": (1, 9)})
HORIZON = 200_000
judge = random.Random(7)
played = 0


def strength(x: dict[str, float]) -> float:
    """Return the hidden strength, best at rate 0.003 and depth 6."""
    return -abs(math.log10(x["rate"] / 0.003)) - abs(x["depth"] - 6) / 4


def match(x: dict[str, float], y: dict[str, float]) -> float:
    """Return 1 if x wins, 0 if y does, 1/2 for a draw; lose the connection once."""
    global played  # noqa: PLW0603 (the line that fails once has to remember that it did)
    played += 1
    if played == 50_000:
        raise ConnectionError("the line to the arena broke")
    if judge.random() < 0.2:
        return 0.5
    return float(judge.random() < 1 / (1 + math.exp(strength(y) - strength(x))))


def main() -> None:
    """Optimise, break off, and go on from the saved state."""
    plan = duelli.plan(dim=2, horizon=HORIZON, lipschitz=3.0, learner="arc_race")
    print("plan:", *plan.advice, sep="\n  ")
    try:
        result = duelli.optimize(match, BOX, horizon=HORIZON, lipschitz=3.0)
    except duelli.DuelFailedError as error:
        saved = json.dumps(error.state)
        print(f"stopped: {error}\nsaved {len(saved)} bytes, going on")
        result = duelli.optimize(
            match, BOX, horizon=HORIZON, lipschitz=3.0, state=json.loads(saved)
        )
    print("best:", result.best)
    print(result.answer.text if result.answer else "")


if __name__ == "__main__":
    main()
