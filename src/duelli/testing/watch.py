"""Watch a run of ArcRace for eliminations, from outside: by the paths in its state."""

from collections.abc import Iterator, Mapping
from typing import Any

from duelli.cubes import Path
from duelli.driver import play
from duelli.duels import DuelModel
from duelli.engines import SIMULATED
from duelli.learners.race import ArcRace


def eliminations(learner: ArcRace, model: DuelModel, seed: int) -> Iterator[Path]:
    """Yield the path of every cube that is left before the last depth without being entered."""
    before = learner.state()
    for _ in play(learner, SIMULATED["collapsed"](model, seed=seed)):
        after = learner.state()
        if before["phase"] == "explore" and _left(before, after):
            yield tuple(before["path"])
        before = after


def _left(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    path: list[int] = before["path"]
    if len(path) == before["memory"]["round"] - 1:
        return False  # the last depth is only ranked
    if after["phase"] != "explore" or after["memory"]["begun"] != before["memory"]["begun"]:
        return True
    below: list[int] = after["path"][: len(path)]
    return below != path
