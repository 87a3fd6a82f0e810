"""The scores of an experiment that is a contest, and their table."""

from duelli.record.results import ExperimentTable, RunTable, Score
from duelli.record.stats import neat

COLUMNS = (
    "landscape",
    "learner",
    "T",
    "trials",
    "R(T), mean ± standard error",
    "times the regret of {base}",
    "gap of the answer, median",
    "gap of the answer, worst trial",
)


def scores_of(experiment: ExperimentTable) -> list[Score]:
    """Return the scores of an experiment whose labels read "<learner> on <landscape>"."""
    return [
        Score.of(
            run.rows,
            landscape=run.landscape,
            label=_contestant(run),
            learner=run.learner,
            horizon=run.horizon,
        )
        for run in experiment.finished()
    ]


def rows(experiment: ExperimentTable) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the names of the columns and the rows of the table of a contest.

    Regrets are also given relative to those of the last learner.
    """
    base = _contestant(experiment.runs[-1])
    scores = scores_of(experiment)
    bases = {score.landscape: score.regret.value for score in scores if score.label == base}
    cells = tuple(
        (
            score.landscape.replace("_", " "),
            score.label,
            neat(run.horizon, 10),
            str(len(run.rows)),
            str(score.regret),
            _ratio(score, bases),
            neat(score.gap.median, 2),
            neat(score.gap.worst, 2),
        )
        for run, score in zip(experiment.finished(), scores, strict=True)
    )
    return tuple(name.format(base=base) for name in COLUMNS), cells


def _ratio(score: Score, bases: dict[str, float]) -> str:
    base = bases.get(score.landscape)
    return f"{score.regret.value / base:.3g}" if base else ""


def _contestant(run: RunTable) -> str:
    return run.label.removesuffix(f" on {run.landscape}")
