"""What an experiment is: a title, its place in the paper, and runs; and how to narrow one."""

from dataclasses import dataclass, replace

from duelli import _check
from duelli.engines import SIMULATED
from duelli.experiments.sweep import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """One figure of the paper, one that it promises, or one that it invites.

    Args:
        id: Its name on the command line.
        title: What it shows.
        where: Its place in the paper.
        runs: What is run.
        choices: What the paper leaves open and what was chosen.
        panels: The names of the figures to draw, as `duelli.report.figures.PANELS` has them.
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
