"""What an experiment is: a title, where in the paper it is, and settings to run. No logic."""

import hashlib
import json
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from duelli import _check
from duelli.engines import SIMULATED
from duelli.trials import Setting

# What a trial runs through. A change of it makes kept trials stale; a change of the report or the
# command line does not.
ROOT = Path(__file__).parents[1]
CODE = ("*.py", "engines/**/*.py", "landscapes/**/*.py", "learners/**/*.py", "record/trace.py")
OUTSIDE = ("cli.py", "compare.py", "planning.py", "reproduce.py", "theory.py")


@lru_cache(maxsize=1)
def fingerprint(root: Path) -> str:
    """Return a hash of the code that makes a trial, so that no other code's trials are shown."""
    files = sorted({path for pattern in CODE for path in root.glob(pattern)})
    content = [path.read_bytes() for path in files if path.name not in OUTSIDE]
    return hashlib.sha256(b"\0".join(content)).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One setting of an experiment, tried several times.

    Args:
        label: What figures and tables call it; unique in its experiment.
        setting: What is run.
        trials: How often.
        seed: From which the seeds of the trials follow.
    """

    label: str
    setting: Setting
    trials: int
    seed: int = 0

    @property
    def digest(self) -> str:
        """A short hash of all that the result of a trial depends on, except its number."""
        content = {**self.setting.as_dict(), "seed": self.seed, "code": fingerprint(ROOT)}
        content |= {name: version(name) for name in ("numpy", "numba")}
        text = json.dumps(content, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """One figure of the paper, or one that it promises.

    Args:
        id: Its name on the command line.
        title: What it shows.
        where: Its place in the paper.
        runs: What is run.
        choices: What the paper leaves open and what was chosen.
        panels: The figures to draw, by the names of `duelli.report.figures.PANELS`.
    """

    id: str
    title: str
    where: str
    runs: tuple[Run, ...]
    choices: tuple[str, ...] = ()
    panels: tuple[str, ...] = ("arms", "gap", "regret")


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowing:
    """What the command line may change of every experiment; None changes nothing."""

    trials: int | None = None
    horizon: int | None = None
    engine: str | None = None

    def __post_init__(self) -> None:
        if self.trials is not None:
            _check.whole("trials", self.trials, 1)
        if self.horizon is not None:
            _check.whole("horizon", self.horizon, 1)
        if self.engine is not None:
            _check.one_of("engine", self.engine, SIMULATED)

    def of(self, experiment: Experiment) -> Experiment:
        """Return the experiment with fewer trials, another horizon, or another engine.

        Where an experiment compares horizons, those beyond the given one are left out.
        """
        horizons = {run.setting.horizon for run in experiment.runs}
        kept = [
            run
            for run in experiment.runs
            if len(horizons) == 1 or self.horizon is None or run.setting.horizon <= self.horizon
        ]
        return replace(
            experiment, runs=tuple(self._of_run(run, len(horizons) == 1) for run in kept)
        )

    def _of_run(self, run: Run, one_horizon: bool) -> Run:
        setting = run.setting
        if self.horizon is not None and one_horizon:
            setting = replace(setting, horizon=self.horizon)
        if self.engine is not None:
            setting = replace(setting, engine=self.engine)
        return replace(
            run, setting=setting, trials=run.trials if self.trials is None else self.trials
        )
