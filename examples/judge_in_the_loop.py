"""Ask for pairs and tell the outcomes, with several pairs open and the run saved in a file.

Run ``python examples/judge_in_the_loop.py``. Four people judge pictures; each takes a different
time, so that the outcomes come in another order than the pairs. The program stops half-way, as if
the machine were switched off, and goes on from the file.
"""

import math
import random
import tempfile
from pathlib import Path

import duelli

BOX = {"brightness": (0.0, 1.0), "contrast": (0.5, 2.0, "log"), "filter": ["none", "warm", "cold"]}
PEOPLE = 4
people = random.Random(3)


def appeal(picture: dict[str, float | str]) -> float:
    """Return how much people like a picture, which nobody knows."""
    liked = {"none": 0.0, "warm": 1.0, "cold": -0.5}[str(picture["filter"])]
    brightness, contrast = float(picture["brightness"]), float(picture["contrast"])
    return liked - 6 * (brightness - 0.7) ** 2 - 4 * math.log(contrast / 1.2) ** 2


def look_at(pair: duelli.Pair) -> str:
    """Return what a person says of a pair: "x", "y", or "tie" if they look alike."""
    difference = appeal(pair.x) - appeal(pair.y)
    if abs(difference) < 0.05:
        return "tie"
    return "x" if people.random() < 1 / (1 + math.exp(-difference)) else "y"


def judge_until(run: duelli.Run, duels: int) -> None:
    """Let the people judge until so many duels are judged, or the run is done."""
    shown: list[duelli.Pair] = []
    while run.duels < duels and not run.done:
        shown += run.ask(PEOPLE - len(shown))  # fewer if the next pairs depend on these
        pair = shown.pop(people.randrange(len(shown)))  # whoever is ready first
        run.tell(pair.id, look_at(pair))
    for pair in shown:
        run.release(pair.id)  # nobody will judge these; they are handed out again


def main() -> None:
    """Judge 150 pairs, save, load, and judge the rest."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "pictures.json")
        run = duelli.Run(BOX, horizon=300, batch=PEOPLE)
        judge_until(run, 150)
        run.save(file)
        run = duelli.load(file)
        print(f"going on after {run.duels} duels, so far: {run.best().arm}")
        judge_until(run, 300)
    print(f"best: {run.best().arm}")
    print(run.bias)


if __name__ == "__main__":
    main()
