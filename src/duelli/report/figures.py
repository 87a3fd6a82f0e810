"""Figures: one function per panel, by name; nothing here runs a learner.

A figure's label says in words what it shows, for those who cannot see it.
"""

from collections.abc import Callable

from matplotlib.figure import Figure

from duelli import _check
from duelli.record.results import ExperimentTable
from duelli.report import contests, curves, horizons, maps, style, trees
from duelli.report.files import png, save

__all__ = ["CAPTIONS", "PANELS", "draw", "png", "save"]

PANELS: dict[str, Callable[[ExperimentTable], Figure]] = {
    "arms": maps.arms,
    "gap": curves.gap,
    "regret": curves.regret,
    "weak_regret": curves.weak_regret,
    "scaling": horizons.scaling,
    "tree": trees.tree,
    "contest": contests.contest,
}

CAPTIONS: dict[str, str] = {
    "arms": (
        "The reference arms of every trial over the utility; the shade is stronger where the "
        "utility is higher. A thin line leads from X¹ to the final arm."
    ),
    "gap": (
        "The gap Δ(x*, Xᵐ) after each round that every trial completed: "
        "mean and one standard deviation over the trials."
    ),
    "regret": (
        "Cumulative regret by duels: mean and one standard deviation over the trials, "
        "on linear axes and on logarithmic ones. Linear regret is parallel to the dotted line."
    ),
    "weak_regret": (
        "Cumulative weak regret, that of the better arm of each duel, by duels: "
        "mean and one standard deviation over the trials."
    ),
    "scaling": (
        "Regret of whole runs against their horizon, with one standard deviation; below, the "
        "exponent between neighbouring horizons, with its standard error."
    ),
    "tree": (
        "The cubes visited in the last round, which the horizon cuts short. "
        "Where nothing is eliminated they are the same in every trial."
    ),
    "contest": (
        "Left: cumulative regret on each landscape, mean and one standard deviation over the "
        "trials. Right: the gap of the answer, with the median as a point and a line that ends "
        "at the worst trial. Less is better in both."
    ),
}


def draw(experiment: ExperimentTable) -> dict[str, Figure]:
    """Return the panels of an experiment, by name; none if no run of it is finished."""
    if not experiment.finished():
        return {}
    for name in experiment.panels:
        _check.one_of("panel", name, PANELS)
    with style.styled():
        return {name: PANELS[name](experiment) for name in experiment.panels}
