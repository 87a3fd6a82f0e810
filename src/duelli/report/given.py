"""What the report is given: the shapes of experiments, trials and claims as it sees them.

Protocols, so that nothing that is drawn or printed can run a learner or an engine.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from duelli.record.tables import Row

Results = Mapping[str, Sequence[Row]]  # the finished trials of one experiment by label


class Setting(Protocol):
    """Names and numbers of one configuration."""

    @property
    def landscape(self) -> str: ...  # noqa: D102 (the fields say what they are)
    @property
    def link(self) -> str: ...  # noqa: D102
    @property
    def learner(self) -> str: ...  # noqa: D102
    @property
    def horizon(self) -> int: ...  # noqa: D102
    @property
    def engine(self) -> str: ...  # noqa: D102
    @property
    def inputs(self) -> tuple[tuple[str, Any], ...]: ...  # noqa: D102
    @property
    def copies(self) -> bool: ...  # noqa: D102


class Run(Protocol):
    """One setting, tried several times."""

    @property
    def label(self) -> str: ...  # noqa: D102
    @property
    def setting(self) -> Setting: ...  # noqa: D102
    @property
    def trials(self) -> int: ...  # noqa: D102


class Experiment(Protocol):
    """A title, its place in the paper, and what was run."""

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def title(self) -> str: ...  # noqa: D102
    @property
    def where(self) -> str: ...  # noqa: D102
    @property
    def runs(self) -> Sequence[Run]: ...  # noqa: D102
    @property
    def choices(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def panels(self) -> Sequence[str]: ...  # noqa: D102


class Claim(Protocol):
    """What the paper says, what was measured, and the verdict."""

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def where(self) -> str: ...  # noqa: D102
    @property
    def says(self) -> str: ...  # noqa: D102
    @property
    def measured(self) -> str: ...  # noqa: D102
    @property
    def verdict(self) -> str: ...  # noqa: D102
    @property
    def why(self) -> str: ...  # noqa: D102


ARC = "arc_duelli"


def present(experiment: Experiment, results: Results, learner: str | None = None) -> list[Run]:
    """Return the runs that have finished trials, of one learner if it is named."""
    return [
        run
        for run in experiment.runs
        if results.get(run.label) and learner in (None, run.setting.learner)
    ]
