"""Seeded trials of one setting, on all cores; a trial's result depends on its seed alone."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from duelli import _check, _rng
from duelli.api import simulate
from duelli.duels import DuelModel
from duelli.engines import SIMULATED
from duelli.landscapes import shifted_copy
from duelli.learners import LEARNERS, inputs_for
from duelli.record import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One configuration, in names and numbers only, so that any process can rebuild it.

    Args:
        landscape: The name of the landscape.
        link: The name of the link, with its steepness if it is not 1.
        learner: The name of the learner.
        horizon: T.
        engine: "collapsed" or "per_duel".
        inputs: The learner's own inputs; those that the model knows come from the model.
        copies: Whether each trial has its own mirrored and shifted copy of the landscape.
    """

    landscape: str
    link: str = "logistic"
    learner: str = "arc_duelli"
    horizon: int = 10**8
    engine: str = "collapsed"
    inputs: tuple[tuple[str, Any], ...] = ()
    copies: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "horizon", _check.whole("horizon", self.horizon, 1))
        _check.one_of("engine", self.engine, SIMULATED)
        _check.one_of("learner", self.learner, LEARNERS)
        LEARNERS[self.learner].Config(**learner_inputs(self, seed=0))  # it checks all the rest

    def as_dict(self) -> dict[str, Any]:
        """Return the setting as plain values."""
        return {**asdict(self), "inputs": dict(self.inputs)}


@lru_cache(maxsize=32)  # the trials of a process share the model, and with it the quadrature
def model_of(landscape: str, link: str) -> DuelModel:
    """Return the model of two names."""
    return DuelModel(landscape, link)


def learner_inputs(setting: Setting, *, seed: int) -> dict[str, Any]:
    """Return the learner's inputs: what the model knows and the learner asks for, and its own."""
    model = model_of(setting.landscape, setting.link)
    known = {
        "dim": model.landscape.dim,
        "horizon": setting.horizon,
        "lipschitz": model.landscape.lipschitz,
        "seed": seed,
        **model.link.facts(),
    }
    return inputs_for(setting.learner, known, dict(setting.inputs))


def make_learner(setting: Setting, *, seed: int) -> Any:
    """Return a fresh learner."""
    return LEARNERS[setting.learner](**learner_inputs(setting, seed=seed))


def run_trial(setting: Setting, seed: int) -> Trace:
    """Return the trace of one trial."""
    model = model_of(setting.landscape, setting.link)
    if setting.copies:
        model = DuelModel(shifted_copy(model.landscape, seed), setting.link)
    learner = make_learner(setting, seed=seed)
    return simulate(learner, model, engine=setting.engine, seed=seed, duels=setting.horizon)


def run_trials(
    setting: Setting, *, trials: int, seed: int = 0, jobs: int = -1
) -> Iterator[tuple[int, Trace]]:
    """Yield each trial's seed and trace, in order, from ``jobs`` processes (-1: all cores).

    Any joblib backend may be chosen around the call with ``joblib.parallel_config``.
    """
    numbers = range(_check.whole("trials", trials, 1))
    if jobs == 1 or trials == 1:
        traces: Iterator[Trace] = (run_trial(setting, _rng.trial_seed(seed, k)) for k in numbers)
    else:
        from joblib import Parallel, delayed

        run = Parallel(n_jobs=jobs, return_as="generator")
        traces = run(delayed(run_trial)(setting, _rng.trial_seed(seed, k)) for k in numbers)
    for k, trace in zip(numbers, traces, strict=True):
        yield _rng.trial_seed(seed, k), trace
