"""Experiments to draw, and rows made up for what a small run does not show."""

from dataclasses import dataclass

from duelli.experiments.spec import Experiment, Run
from duelli.record.tables import row_of
from duelli.report import figures, page
from duelli.trials import Setting, run_trial

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
    return Run(label=label, setting=setting, trials=TRIALS)


def experiment_of(*runs, panels=("arms", "gap", "regret")):
    return Experiment(id="small", title="A small one", where="nowhere", runs=runs, panels=panels)


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
        "best_arm": [0.2, 0.2],
        "rounds": rounds,
        "unfinished": [1, 1],
        "curve": points,
    }
    return {**made, **more}


@dataclass(frozen=True)
class Claim:
    """What the page is told of a claim."""

    id: str = "c1"
    where: str = "Section 7"
    says: str = "The gap falls."
    measured: str = "0.1 to 0.05"
    verdict: str = "holds"
    why: str = "It does."


def content_of(experiment, results, **more):
    """Return a page's content with a claim of each verdict."""
    drawn = figures.draw(experiment, results)
    found = page.section(experiment, drawn, "duelli reproduce --only small", results)
    made = {
        "headline": "It does not reproduce.",
        "facts": (("Software", "Python 3.11"), ("Machine", "2 cores")),
        "claims": tuple(Claim(id=f"c{k}", verdict=word) for k, word in enumerate(page.VERDICTS)),
        "sections": (found,),
    }
    return page.PageContent(**{**made, **more})
