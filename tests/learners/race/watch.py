"""Watch a run of ArcRace for eliminations, from outside: by the paths in its state."""

from duelli import ArcRace, DuelModel, play
from duelli.cubes import contains
from duelli.engines import ENGINES


def eliminations(learner: ArcRace, model: DuelModel, seed: int, duels: int | None = None):
    """Yield the path of every cube that is left before the last depth without being entered."""
    engine = ENGINES["collapsed"](model, seed=seed)
    before = learner.state()
    for _, _ in play(learner, engine):
        after = learner.state()
        if before["phase"] == "explore" and _left(before, after):
            yield tuple(before["path"])
        before = after
        if duels is not None and after["duels"] >= duels:
            return


def _left(before, after) -> bool:
    path, last = before["path"], before["round"] - 1
    if len(path) == last:
        return False  # the last depth is only ranked
    if after["phase"] != "explore" or after["begun"] != before["begun"]:
        return True
    return after["path"][: len(path)] != path


def loses_best_arm(learner: ArcRace, model: DuelModel, seed: int, duels: int | None = None) -> bool:
    """Tell whether a run eliminates a cube that holds x*; any such cube, not one chain only."""
    best = model.landscape.best_arm
    return any(contains(path, best) for path in eliminations(learner, model, seed, duels))
