"""Watch a run of ArcRace from outside, by its state: what it eliminates, and what it holds."""

from collections.abc import Iterator, Mapping
from typing import Any

from duelli.cubes import Arm, Path
from duelli.driver import play
from duelli.duels import DuelModel
from duelli.engines import SIMULATED
from duelli.learners.race import ArcRace
from duelli.learners.race.config import ARM_UNITS

ARMS = ("rival_to", "old", "best")  # what a phase may hold beside the reference


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


def arms_in_hand(learner: ArcRace) -> list[Arm]:
    """Return the arms that a run could recommend: the reference, and what is measured with it."""
    state = learner.state()
    others = (state[name] for name in ARMS if state.get(name) is not None)
    return [tuple(x / ARM_UNITS for x in arm) for arm in (state["memory"]["reference"], *others)]
