"""Seeded trials of one setting, on all cores; a trial's result depends on its seed alone."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from typing import Any

from duelli import _check, _rng
from duelli.api import simulate
from duelli.boxes import Box
from duelli.duels import DuelModel
from duelli.engines import SIMULATED
from duelli.experiments.batches import run_in_batches
from duelli.experiments.timing import Timed
from duelli.landscapes import CLARITIES, LANDSCAPES, practice_problem, shifted_copy
from duelli.landscapes.practice import parse_problem
from duelli.learners import LEARNERS, inputs_for
from duelli.links import known_slopes
from duelli.links import parse as parse_link
from duelli.record import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One configuration, in names and numbers only, so that any process can rebuild it.

    Args:
        landscape: The name of a landscape; or of a practice problem, such as "bumpy/2", of which
            each trial draws its own instance. Then the learner is told neither link nor Lipschitz
            constant, and that only its answer counts.
        link: The name of the link, with its steepness if it is not 1.
        learner: The name of the learner.
        horizon: T.
        engine: "collapsed" or "per_duel".
        inputs: The learner's own inputs; those that the model knows come from the model.
        copies: Whether each trial has its own mirrored and shifted copy of the landscape.
        clarity: How sure the judge of a practice problem is, "clear", "medium" or "fog".
    """

    landscape: str
    link: str = "logistic"
    learner: str = "arc_duelli"
    horizon: int = 10**8
    engine: str = "collapsed"
    inputs: tuple[tuple[str, Any], ...] = ()
    copies: bool = False
    clarity: str = "medium"

    def __post_init__(self) -> None:
        object.__setattr__(self, "horizon", _check.whole("horizon", self.horizon, 1))
        _check.one_of("engine", self.engine, SIMULATED)
        _check.one_of("learner", self.learner, LEARNERS)
        _check.one_of("clarity", self.clarity, CLARITIES)
        if self.copies and is_problem(self.landscape):
            raise ValueError(
                "copies must be False for a practice problem, of which each trial has its own "
                f"instance anyway; got {self.landscape!r}"
            )
        LEARNERS[self.learner].Config(**learner_inputs(self, seed=0))  # it checks all the rest

    def as_dict(self) -> dict[str, Any]:
        """Return the setting as plain values."""
        return {**asdict(self), "inputs": dict(self.inputs)}


def is_problem(landscape: str) -> bool:
    """Tell whether a name is that of a practice problem, such as "bumpy/2"."""
    return "/" in landscape


def check_landscape(name: str) -> None:
    """Raise ValueError unless there is a landscape or a practice problem of this name."""
    if is_problem(name):
        parse_problem(name)
    else:
        _check.one_of("landscape", name, LANDSCAPES)


@lru_cache(maxsize=32)  # the trials of a process share the model, and with it the quadrature
def model_of(landscape: str, link: str) -> DuelModel:
    """Return the model of two names."""
    return DuelModel(landscape, link)


@lru_cache(maxsize=512)  # of the same seed, whatever the learner and the horizon
def _problem_of(name: str, link: str, clarity: str, seed: int) -> DuelModel:
    return DuelModel(practice_problem(name, seed, clarity), link)


def trial_model(setting: Setting, seed: int) -> DuelModel:
    """Return the truth of one trial."""
    if is_problem(setting.landscape):
        return _problem_of(setting.landscape, setting.link, setting.clarity, seed)
    model = model_of(setting.landscape, setting.link)
    if setting.copies:
        return DuelModel(shifted_copy(model.landscape, seed), setting.link)
    return model


def box_of(landscape: str) -> Box:
    """Return the box of a landscape or of a practice problem."""
    if is_problem(landscape):
        return Box.unit(parse_problem(landscape)[1])
    return model_of(landscape, "logistic").landscape.box


def learner_inputs(setting: Setting, *, seed: int) -> dict[str, Any]:
    """Return the learner's inputs: what is known and the learner asks for, and its own."""
    known = {"horizon": setting.horizon, "seed": seed, **_known(setting)}
    return inputs_for(setting.learner, known, dict(setting.inputs))


def _known(setting: Setting) -> dict[str, Any]:
    """Return what learners may be told of the truth."""
    if is_problem(setting.landscape):
        dim = parse_problem(setting.landscape)[1]
        parse_link(setting.link)  # which checks it
        return {"dim": dim, "aim": "answer", **known_slopes(None, None)}
    model = model_of(setting.landscape, setting.link)
    return {
        "dim": model.landscape.dim,
        "lipschitz": model.landscape.lipschitz,
        **model.link.facts(),
    }


def make_learner(setting: Setting, *, seed: int) -> Any:
    """Return a fresh learner."""
    return LEARNERS[setting.learner](**learner_inputs(setting, seed=seed))


def run_trial(setting: Setting, seed: int) -> Trace:
    """Return the trace of one trial."""
    model, learner = trial_model(setting, seed), make_learner(setting, seed=seed)
    return simulate(learner, model, engine=setting.engine, seed=seed, duels=setting.horizon)


def timed_trial(setting: Setting, seed: int) -> tuple[Trace, float]:
    """Return the trace of one trial, and the processor seconds that the learner itself took."""
    model, learner = trial_model(setting, seed), Timed(make_learner(setting, seed=seed))
    played: Any = learner  # it passes on all that a learner has
    trace = simulate(played, model, engine=setting.engine, seed=seed, duels=setting.horizon)
    return trace, learner.seconds


def run_trials(
    setting: Setting, *, trials: int, seed: int = 0, jobs: int = -1
) -> Iterator[tuple[int, Trace]]:
    """Yield each trial's seed and trace, in order, from ``jobs`` processes (-1: all cores).

    ``with connected("dask", address):`` of `duelli.experiments.clusters` runs them on a cluster.
    """
    seeds = (_rng.trial_seed(seed, k) for k in range(_check.whole("trials", trials, 1)))
    work = partial(_seeded_trial, setting)
    if jobs == 1 or trials == 1:
        return map(work, seeds)
    return run_in_batches(work, seeds, kind=_same_kind, jobs=jobs, ordered=True)


def _seeded_trial(setting: Setting, seed: int) -> tuple[int, Trace]:
    return seed, run_trial(setting, seed)


def _same_kind(seed: int) -> str:  # noqa: ARG001 (one of many seeds, whose trials take as long)
    return "all"
