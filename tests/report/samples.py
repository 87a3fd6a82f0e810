"""Experiments to draw, and rows made up for what a small run does not show."""

from duelli.experiments.reproduce import experiment_table
from duelli.experiments.spec import Experiment
from duelli.experiments.sweep import Run
from duelli.experiments.trials import Setting, run_trial
from duelli.record.results import Judged
from duelli.record.tables import row_of
from duelli.report import figures
from duelli.report.content import VERDICTS, PageContent
from duelli.report.sections import section

HORIZON = 20_000
TRIALS = 4


def arc(label="ARC-DuelLi", landscape="two_cones", link="logistic", horizon=HORIZON, **inputs):
    setting = Setting(
        landscape=landscape, link=link, horizon=horizon, inputs=tuple(sorted(inputs.items()))
    )
    return Run(label=label, setting=setting, trials=TRIALS)


def filtered(label="IF2, 4x4", landscape="two_cones", cells=4):
    setting = Setting(
        landscape=landscape,
        learner="interleaved_filter",
        horizon=HORIZON,
        inputs=(("cells", cells),),
    )
    return Run(label=label, setting=setting, trials=TRIALS, by_round=False)


def experiment_of(*runs, panels=("arms", "gap", "regret")):
    return Experiment(id="small", title="A small one", where="nowhere", runs=runs, panels=panels)


def table_of(*runs, rows=None, panels=("arms", "gap", "regret")):
    """Return an experiment with rows by label, as the report takes it; without rows, none."""
    return experiment_table(experiment_of(*runs, panels=panels), rows or {})


def results_of(experiment):
    return {
        run.label: [row_of(seed, run_trial(run.setting, seed)) for seed in range(run.trials)]
        for run in experiment.runs
    }


def row(gaps=(0.1, 0.05), curve=((1, 0.5), (10, 4.0), (100, 30.0)), **more):
    """Return a row with all that the panels read."""
    rounds = [
        {"round": m, "duels": 10 * m, "gap": gap, "reference": [0.1 * m, 0.2], "eliminated": 0}
        for m, gap in enumerate(gaps, start=1)
    ]
    points = [{"duels": t, "cumulative_regret": r, "weak_regret": r / 3} for t, r in curve]
    made = {
        "horizon": curve[-1][0],
        "duels_explored": curve[-1][0],
        "cumulative_regret": curve[-1][1],
        "weak_regret": curve[-1][1] / 3,
        "final_gap": gaps[-1] if gaps else 0.2,
        "middle_gap": 0.3,
        "best_arm": [0.2, 0.2],
        "rounds": rounds,
        "unfinished": {"active": [1, 1], "visited": [[0, 0]]},
        "curve": points,
    }
    return {**made, **more}


def claim(**more):
    """Return a claim with its verdict, as the page is given it."""
    made = {
        "id": "c1",
        "where": "Section 7",
        "says": "The gap falls.",
        "measured": "0.1 to 0.05",
        "verdict": "holds",
        "why": "It does.",
    }
    return Judged(**{**made, **more})


def content_of(table, **more):
    """Return a page's content with a claim of each verdict."""
    made = {
        "headline": "It does not reproduce.",
        "facts": (("Software", "Python 3.11"), ("Machine", "2 cores")),
        "claims": tuple(claim(id=f"c{k}", verdict=word) for k, word in enumerate(VERDICTS)),
        "sections": (section(table, figures.draw(table)),),
    }
    return PageContent(**{**made, **more})
