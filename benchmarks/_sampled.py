"""How long a trial of `arc_race` would take that is too long to be played: its walks are sampled.

In many dimensions nearly all of a long trial is the depth-first walk of its deepest round, which
visits every cell of a grid. The beginning of the walk and some random places of it are played, and
the learner is then put to the end of the walk, from where it goes on to the end of the trial.
"""

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from duelli.cubes import Path
from duelli.driver import play
from duelli.engines import SIMULATED
from duelli.experiments.trials import Setting, make_learner, trial_model
from duelli.learners.race.scan import centre, tested_depths
from duelli.learners.race.states import Scan, State
from duelli.record import Recorder
from duelli.record.stats import Mean

OPENING = 4096  # cells that are played in their order, but at most an eighth of the walk
RUN = 64  # cells that are played at each place; in six dimensions a cube has as many children


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, and its standard error."""

    value: float
    error: float = 0.0

    def plus(self, other: "Estimate") -> "Estimate":
        """Return the sum of two that are independent."""
        return Estimate(self.value + other.value, math.hypot(self.error, other.error))

    def times(self, factor: float) -> "Estimate":
        """Return a multiple."""
        return Estimate(self.value * factor, self.error * factor)

    @classmethod
    def mean_of(cls, values: list[float]) -> "Estimate":
        """Return the mean of a sample; the error of a single value is not known and counts as 0."""
        mean = Mean.of(values)
        return cls(mean.value, mean.error)


@dataclass(frozen=True, slots=True)
class Sampled:
    """What a trial would take, and on how much of it that rests."""

    seconds: Estimate
    blocks: Estimate
    cells: int = 0  # of all walks that were sampled
    played: int = 0  # cells of these that were played

    def plus(self, other: "Sampled") -> "Sampled":
        """Return what two parts of a trial take together."""
        return Sampled(
            self.seconds.plus(other.seconds),
            self.blocks.plus(other.blocks),
            self.cells + other.cells,
            self.played + other.played,
        )


class Trial:
    """A trial that is played step by step, and whose learner may be put elsewhere in between."""

    def __init__(self, setting: Setting, seed: int) -> None:
        model = trial_model(setting, seed)
        self.learner = make_learner(setting, seed=seed)
        self._steps = play(self.learner, SIMULATED[setting.engine](model, seed=seed))
        self._recorder = Recorder(model, self.learner)

    @property
    def state(self) -> State:
        state: State = self.learner._state
        return state

    def go_on(self, until: Callable[[State], bool]) -> Sampled:
        """Play until a state is reached, or to the end, and return what that took."""
        started, blocks = time.perf_counter(), 0
        for step, outcomes in self._steps:
            self._recorder.see(step, outcomes)
            blocks += len(step)
            if until(self.state):
                break
        return Sampled(Estimate(time.perf_counter() - started), Estimate(blocks))

    def put(self, state: State) -> None:
        """Let the learner go on from another state."""
        self.learner.resumed(state, None)


def sampled_trial(setting: Setting, seed: int, *, places: int, long: int) -> Sampled:
    """Return what a trial would take.

    Args:
        setting: What to play; its learner is `arc_race`.
        seed: The seed of the trial, also of the places.
        places: How many places of each long walk are played, with `RUN` cells each.
        long: A walk over more cells than that is sampled; all else is played. It must be much
            larger than `RUN`.
    """
    trial, rng, begun = Trial(setting, seed), random.Random(seed), 0

    def new_walk(state: State) -> bool:
        walks = isinstance(state, Scan) and state.memory.begun > begun
        return walks and num_cells(state) > long

    found = trial.go_on(new_walk)
    while isinstance(trial.state, Scan):
        begun = trial.state.memory.begun
        found = found.plus(sampled_walk(trial, places, rng)).plus(trial.go_on(new_walk))
    return found


def num_cells(state: State) -> int:
    """Return the number of cells of the present round; their edges are 2^(1 - m)."""
    memory = state.memory
    return int(2 ** (len(memory.reference) * (memory.round - 1)))


def sampled_walk(trial: Trial, places: int, rng: random.Random) -> Sampled:
    """Play some places of a walk, put the learner to its end, and return what all of it takes.

    The first cells are played in their order, because what is best among them decides how long
    the others are looked at.

    Raises:
        ValueError: Cubes may be eliminated, so that it is not known how many cells are visited.
    """
    first, cells = scan_of(trial), num_cells(trial.state)
    if tested_depths(first.memory.round, trial.learner.config):
        raise ValueError(f"no cube may be eliminated; in round {first.memory.round} some may")
    opening = min(OPENING, cells // 8)
    begun = play_cells(trial, opening)
    runs = [played_run(trial, rng) for _ in range(places)]
    seen = opening + places * (RUN + 1)
    trial.put(at_the_end(first, scan_of(trial), cells / seen))
    seconds, blocks = (
        Estimate.mean_of([getattr(run, name).value for run in runs]).times((cells - opening) / RUN)
        for name in ("seconds", "blocks")
    )
    return begun.plus(Sampled(seconds, blocks, cells, opening + places * RUN))


def played_run(trial: Trial, rng: random.Random) -> Sampled:
    """Play a few cells from a random one on, and return what they took."""
    before = scan_of(trial)
    while True:
        trial.put(at(before, random_path(before, rng)))
        play_cells(trial, 1)  # to come to the next cell as the walk does
        run = play_cells(trial, RUN)
        if isinstance(trial.state, Scan):  # else the walk has ended amid the run
            return run


def scan_of(trial: Trial) -> Scan:
    state = trial.state
    assert isinstance(state, Scan)
    return state


def play_cells(trial: Trial, cells: int) -> Sampled:
    """Play until the walk has gone on from so many cells, or has ended."""
    path, left = getattr(trial.state, "path", None), cells

    def passed(state: State) -> bool:
        nonlocal path, left
        if not isinstance(state, Scan):
            return True
        if state.path != path:
            path, left = state.path, left - 1
        return not left

    return trial.go_on(passed)


def at(state: Scan, path: Path) -> Scan:
    """Return the state in which the walk comes to the cell at ``path``."""
    return replace(state, path=path, n=0, wins=0.0)


def random_path(state: Scan, rng: random.Random) -> Path:
    """Return the path of a random cell of the present round."""
    children = 2 ** len(state.memory.reference)
    return tuple(rng.randrange(children) for _ in range(state.memory.round - 1))


def at_the_end(first: Scan, now: Scan, factor: float) -> Scan:
    """Return the state at the last cell of a walk, as if all of it were like what was played.

    Args:
        first: The state in which the walk began.
        now: The state after some of its cells.
        factor: All cells of the walk over those that were played.

    Raises:
        ValueError: The walk would have been given up before.
    """
    duels = first.duels + int(factor * (now.duels - first.duels))
    cost = first.cost + factor * (now.cost - first.cost)
    if duels > now.deadline or (now.cost_limit is not None and cost > now.cost_limit):
        raise ValueError(f"the walk must come to its end; it would be given up at {duels} duels")
    memory = replace(now.memory, duels=duels, alive=int(factor * now.memory.alive))
    return at(replace(now, memory=memory, cost=cost), last_path(now))


def last_path(state: Scan) -> Path:
    """Return the cell that the walk visits last: the children nearest to the reference go first."""
    reference = state.memory.reference
    path: Path = ()
    for _ in range(state.memory.round - 1):
        children = [(*path, child) for child in reversed(range(2 ** len(reference)))]
        path = max(children, key=lambda each: math.dist(centre(each, len(reference)), reference))
    return path
