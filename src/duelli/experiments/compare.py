"""Compare learners side by side: any landscapes, any horizons, the same copies for everyone."""

import statistics
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from duelli import _check
from duelli.experiments.sweep import Results, Run, Sweep
from duelli.experiments.trials import Setting, is_problem
from duelli.record.results import (
    MIDDLE,
    SMALLEST_GAP,
    Cell,
    Score,
    overall_gaps,
    overall_middle,
)
from duelli.record.stats import neat
from duelli.record.tables import Row, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Which learners are compared, on which landscapes, and for how long.

    Args:
        landscapes: Names of landscapes and of practice problems, such as "bumpy/2".
        learners: Label -> (name of the learner, its inputs). Ratios are relative to the last one.
        horizons: The numbers of duels to play.
        link: The name of the link.
        trials: How many trials of each learner, landscape and horizon.
        copies: Whether each trial has its own mirrored and shifted copy of the landscape; the
            seeds, and so the copies, are the same for every learner. Practice problems have their
            own instance in each trial anyway.
        engine: "collapsed" or "per_duel".
        seed: The seeds of the trials follow from it.
        clarity: How sure the judges of practice problems are: "clear", "medium" or "fog".
        timed: Whether the time that each learner takes is kept with its trials.
    """

    landscapes: tuple[str, ...]
    learners: Mapping[str, tuple[str, Mapping[str, Any]]]
    horizons: tuple[int, ...]
    link: str = "logistic"
    trials: int = 20
    copies: bool = True
    engine: str = "collapsed"
    seed: int = 0
    clarity: str = "medium"
    timed: bool = False

    def __post_init__(self) -> None:
        _check.whole("trials", self.trials, 1)

    @property
    def in_practice(self) -> bool:
        """Whether all landscapes are practice problems, where only the answer counts."""
        return all(map(is_problem, self.landscapes))

    def sweep(self, out: Path, jobs: int = -1) -> Sweep:
        """Return the trials to run, to be kept in ``out``."""
        return Sweep(groups=self.groups(), store=Store(out), jobs=jobs)

    def groups(self) -> dict[str, tuple[Run, ...]]:
        """Return what is run, by name: one group of runs per landscape."""
        return {
            _group(landscape): tuple(
                self._run(landscape, label, horizon)
                for label in self.learners
                for horizon in self.horizons
            )
            for landscape in self.landscapes
        }

    def scores(self, sweep: Sweep) -> list[Score]:
        """Return the score of every learner on every landscape at every horizon."""
        return [Score.of(rows, **asdict(cell)) for cell, rows in self.cells(sweep.results())]

    def cells(self, results: Results) -> Iterator[tuple[Cell, list[Row]]]:
        """Yield every learner on every landscape at every horizon, with its finished trials."""
        for landscape in self.landscapes:
            rows = results[_group(landscape)]
            for label, (learner, _) in self.learners.items():
                for horizon in self.horizons:
                    cell = Cell(landscape, label, learner, horizon)
                    yield cell, rows[run_label(label, horizon)]

    def setting(self, landscape: str, label: str, horizon: int) -> Setting:
        """Return what one learner plays on one landscape, which checks it."""
        name, inputs = self.learners[label]
        return Setting(
            landscape=landscape,
            link=self.link,
            learner=name,
            horizon=horizon,
            engine=self.engine,
            inputs=tuple(sorted(inputs.items())),
            copies=self.copies and not is_problem(landscape),
            clarity=self.clarity,
        )

    def _run(self, landscape: str, label: str, horizon: int) -> Run:
        return Run(
            label=run_label(label, horizon),
            setting=self.setting(landscape, label, horizon),
            trials=self.trials,
            seed=self.seed,
            timed=self.timed,
        )


def _group(landscape: str) -> str:
    return f"compare-{landscape.replace('/', '-')}"  # it is the name of a folder


def run_label(label: str, horizon: int) -> str:
    """Return what a run is called."""
    return f"{label}, T = {neat(horizon)}"


def ratios(scores: Iterable[Score], base: str) -> dict[tuple[str, int], list[float]]:
    """Return regret over that of ``base``, by label and horizon, one value per landscape."""
    mean = {(s.landscape, s.label, s.horizon): s.regret.value for s in scores}
    grouped: dict[tuple[str, int], list[float]] = {}
    for (landscape, label, horizon), value in mean.items():
        ratio = value / mean[landscape, base, horizon]
        grouped.setdefault((label, horizon), []).append(ratio)
    return grouped


def table(contest: Contest, scores: list[Score]) -> str:
    """Return the scores as text: one row per landscape and horizon, one column per learner.

    A cell has the mean regret with its standard error, and the median and the worst gap of the
    answer; of practice problems the gap only. Below are the results over all landscapes, relative
    to the last learner.
    """
    if contest.in_practice:
        cells, note = {_place(s): str(s.gap) for s in scores}, "Cells: gap of the answer"
        lines = _gap_lines(contest, scores)
    else:
        cells = {_place(s): f"{s.regret} (gap {s.gap})" for s in scores}
        note = "Cells: mean regret ± standard error (gap of the answer"
        lines = _regret_lines(contest, scores)
    note += ": median, worst of the trials" + ("." if contest.in_practice else ").")
    middles = {s.landscape: str(s.middle) for s in scores}
    rows = [["landscape", "T", MIDDLE, *contest.learners]]
    rows += [
        [name, neat(horizon), middles[name], *(cells[name, horizon, c] for c in contest.learners)]
        for name in contest.landscapes
        for horizon in contest.horizons
    ]
    return "\n".join([_aligned(rows), "", note, *lines])


def _place(score: Score) -> tuple[str, int, str]:
    return score.landscape, score.horizon, score.label


def _regret_lines(contest: Contest, scores: list[Score]) -> list[str]:
    """Return the regrets over those of the last learner, in words."""
    *_, base = contest.learners
    return [
        f"regret of {label} / regret of {base} at T = {neat(horizon)}: "
        f"worst {min(values):.3g}, geometric mean {statistics.geometric_mean(values):.3g}"
        for (label, horizon), values in ratios(scores, base).items()
        if label != base
    ]


def _gap_lines(contest: Contest, scores: list[Score]) -> list[str]:
    """Return the table of the geometric means over problems of the median gaps."""
    *_, base = contest.learners
    overall, middle = overall_gaps(scores), overall_middle(scores)
    rows = [["all problems", "T", MIDDLE, *contest.learners]]
    rows += [
        ["geometric mean", neat(t), neat(middle, 2)]
        + [neat(overall[label, t], 2) for label in contest.learners]
        for t in contest.horizons
    ]
    rows += [
        [f"relative to {base}", neat(t), f"{middle / overall[base, t]:.2f}"]
        + [f"{overall[label, t] / overall[base, t]:.2f}" for label in contest.learners]
        for t in contest.horizons
    ]
    note = f"The geometric means are those of the medians; gaps below {SMALLEST_GAP} count as that."
    gap = "A gap is the probability with which the best point beats the answer, less 1/2."
    return [gap, "", _aligned(rows), "", note]


def _aligned(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def as_dict(contest: Contest, scores: list[Score]) -> dict[str, Any]:
    """Return the scores as plain values for JSON."""
    names = ("link", "trials", "copies", "engine", "seed", "clarity")
    overall = [
        {"learner": label, "horizon": horizon, "gap": gap}
        for (label, horizon), gap in overall_gaps(scores).items()
    ]
    return {
        **{name: getattr(contest, name) for name in names},
        "scores": [score_dict(score) for score in scores],
        "geometric_mean_gaps": overall,
        "geometric_mean_middle_gap": overall_middle(scores),
    }


def score_dict(score: Score) -> dict[str, Any]:
    """Return one score as plain values for JSON."""
    return {
        "landscape": score.landscape,
        "learner": score.label,
        "horizon": score.horizon,
        "regret": score.regret.value,
        "regret_error": score.regret.error,
        "regret_sd": score.regret.deviation,
        "weak_regret": score.weak_regret.value,
        "final_gap": score.final_gap.value,
        "gap_median": score.gap.median,
        "gap_worst": score.gap.worst,
        "middle_gap": score.middle.median,
        "middle_gap_worst": score.middle.worst,
    }
