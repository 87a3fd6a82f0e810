"""Every experiment of the paper as data, those that it promises, and one beyond it."""

from typing import Any

from duelli.experiments.spec import Experiment
from duelli.experiments.sweep import Run
from duelli.experiments.trials import Setting

HORIZON = 10**8
TRIALS = 50  # the paper's number, except for the random starts
RACE_TRIALS = 6  # of the contest beyond the paper, whose copies make the baseline slow
CELLS = 16  # per axis, of the baseline: 2^(m-1) at m = 5, the rounds that complete
SIX_NAMES = ("flat", "plateau", "quadratic", "ridge", "sharp", "two_peaks")

SILENT = (
    "δ is not stated; 0.05 is used.",
    "The norm of the main utility is not stated; the Euclidean norm is used, and the maximum norm "
    "is shown beside it.",
    "L is 1, as the paper assumes, although it is √2 for the Euclidean landscapes.",
)
BASELINE = (
    "The variant of Interleaved Filter, its points and its m are not stated. IF2 is used on cell "
    "centres with the confidence factor 4 at m = 5, the number of rounds that ARC-DuelLi "
    "completes; other grids are shown beside it.",
)


def arc(landscape: str, label: str = "ARC-DuelLi", **more: Any) -> Run:
    """Return a run of the paper's learner with the paper's inputs."""
    trials, horizon = more.pop("trials", TRIALS), more.pop("horizon", HORIZON)
    link = more.pop("link", "logistic")
    inputs = {"lipschitz": 1.0, **more}
    setting = Setting(
        landscape=landscape, link=link, horizon=horizon, inputs=tuple(sorted(inputs.items()))
    )
    return Run(label=label, setting=setting, trials=trials)


def filtered(landscape: str, *, cells: int = CELLS, label: str = "", **more: Any) -> Run:
    """Return a run of Interleaved Filter 2 on a grid of cell centres."""
    trials = more.pop("trials", 20)
    setting = Setting(
        landscape=landscape,
        learner="interleaved_filter",
        horizon=HORIZON,
        inputs=tuple(sorted({"cells": cells, **more}.items())),
    )
    name = label or f"IF2, {cells}x{cells}"
    return Run(label=name, setting=setting, trials=trials, by_round=False)


MAIN = Experiment(
    id="main",
    title="The main setting: convergence of the reference arm, and regret against the baseline",
    where="Figure 1",
    runs=(
        arc("two_cones", start=(0.9, 0.9), zooming_dim=0.0),
        arc("two_cones_linf", "ARC-DuelLi, maximum norm", start=(0.9, 0.9), zooming_dim=0.0),
        filtered("two_cones", trials=TRIALS),
        filtered("two_cones", cells=4, trials=10),
        filtered("two_cones", cells=8, trials=10),
        filtered("two_cones", cells=32, trials=5),
        filtered("two_cones", label="IF1, 16x16", variant=1, trials=10),
        filtered("two_cones_linf", label="IF2, 16x16, maximum norm", trials=10),
    ),
    choices=(*SILENT, *BASELINE),
    panels=("arms", "gap", "regret", "tree"),
)

RANDOM_START = Experiment(
    id="random_start",
    title="Random first reference arms",
    where="Appendix F, Figure 2",
    runs=(arc("two_cones", trials=10), filtered("two_cones", trials=10)),
    choices=(*SILENT, *BASELINE, "The horizon is not stated; 1e8 is used."),
)

SCALED = Experiment(
    id="scaled",
    title="The scaled box [0, 10]²",
    where="Appendix F, Figure 3",
    runs=(
        arc("two_cones_scaled", lipschitz=10.0),
        arc("two_cones_scaled", "ARC-DuelLi, L = 1", lipschitz=1.0, trials=20),
        filtered("two_cones_scaled", trials=10),
    ),
    choices=(
        SILENT[0],
        *BASELINE,
        "Horizon, number of runs and start are not stated; 1e8, 50 and a uniform start are used.",
        "The radii are not stated; those of the unit box are used, so that L = 10 in the margin.",
    ),
)

SIX = tuple(
    Experiment(
        id=name,
        title=f"The {name.replace('_', ' ')} landscape",
        where="Appendix F, six landscapes",
        runs=(arc(name), filtered(name, trials=10)),
        choices=(
            SILENT[0],
            SILENT[2],
            "Horizon, start and link are not stated; 1e8, a uniform start and the logistic link "
            "are used.",
        ),
    )
    for name in SIX_NAMES
)

LINKS = Experiment(
    id="links",
    title="Five links",
    where="Appendix F, transfer functions",
    runs=tuple(
        arc("two_cones", name, link=name)
        for name in ("logistic", "linear", "probit", "arctan", "tanh")
    ),
    choices=(*SILENT, "Landscape and horizon are not stated; the main landscape and 1e8 are used."),
)

DIMENSIONS = tuple(
    Experiment(
        id=f"dim_{dim}",
        title=f"{dim} dimensions",
        where="Appendix F, higher dimensions",
        runs=(arc(f"two_cones_{dim}d", trials=20),),
        choices=(
            *SILENT,
            "Number of runs, start and link are not stated; 20, a uniform start and the logistic "
            "link are used.",
        ),
        panels=("gap",),
    )
    for dim in (3, 4)
)

WEAK = Experiment(
    id="weak_regret",
    title="Weak regret, which the paper promises and does not show",
    where="Section 7, last paragraph but one",
    runs=(
        arc("two_cones", start=(0.9, 0.9), zooming_dim=0.0),
        filtered("two_cones", trials=10),
    ),
    choices=SILENT,
    panels=("weak_regret",),
)

SCALING = Experiment(
    id="scaling",
    title="Regret against the horizon, question (iii), which the paper asks and does not answer",
    where="Section 7, question (iii)",
    runs=tuple(
        arc("two_cones", f"T = 1e{power}", horizon=10**power, order="random", trials=20)
        for power in range(4, 11)
    ),
    choices=(
        *SILENT,
        "Children are visited in random order, so that the unfinished last round does not favour "
        "the corner where the walk begins.",
    ),
    panels=("scaling",),
)

STARTS = Experiment(
    id="starts",
    title="Does the first reference arm matter?",
    where="Section 7, (0.9, 0.9); Appendix F, random starts",
    runs=tuple(
        arc("two_cones", label, start=start, trials=20)
        for label, start in (
            ("start (0.9, 0.9)", (0.9, 0.9)),
            ("start at x*", (0.3, 0.1)),
            ("start (0, 1)", (0.0, 1.0)),
        )
    ),
    choices=(*SILENT, "Every start has the same seeds."),
    panels=("gap", "regret"),
)

CONTESTANTS: dict[str, tuple[str, tuple[tuple[str, Any], ...]]] = {
    "ARC-DuelLi": ("arc_duelli", (("order", "random"),)),
    "Interleaved Filter": ("interleaved_filter", (("cells", CELLS),)),
    "ArcRace": ("arc_race", ()),
}

RACE = Experiment(
    id="race",
    title="ArcRace beside the paper's learner and Interleaved Filter",
    where="Not in the paper: what its idea is worth with tighter constants",
    runs=tuple(
        Run(
            label=f"{label} on {landscape}",
            setting=Setting(
                landscape=landscape, learner=learner, horizon=HORIZON, inputs=inputs, copies=True
            ),
            trials=RACE_TRIALS,
            by_round=False,
        )
        for landscape in ("two_cones", *SIX_NAMES)
        for label, (learner, inputs) in CONTESTANTS.items()
    ),
    choices=(
        "δ is 0.05, and every learner that asks for L is given that of the landscape.",
        "Each trial has its own mirrored and shifted copy of the landscape, the same for every "
        "learner, so that no learner is favoured by where the best arm lies.",
        "ARC-DuelLi visits children in random order; Interleaved Filter has 16 x 16 cells.",
    ),
    panels=("contest",),
)

EXPERIMENTS: dict[str, Experiment] = {
    experiment.id: experiment
    for experiment in (
        MAIN,
        RANDOM_START,
        SCALED,
        *SIX,
        LINKS,
        *DIMENSIONS,
        WEAK,
        SCALING,
        STARTS,
        RACE,
    )
}
