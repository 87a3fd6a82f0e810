"""Figures: one function a panel, by name; nothing here runs a learner.

A figure's label says in words what it shows, for those who cannot see it.
"""

from collections.abc import Callable

from matplotlib.figure import Figure

from duelli import _check
from duelli.report import curves, horizons, maps, style
from duelli.report.given import Experiment, Results
from duelli.report.style import png, save

__all__ = ["CAPTIONS", "PANELS", "draw", "png", "save"]

PANELS: dict[str, Callable[[Experiment, Results], Figure]] = {
    "arms": maps.arms,
    "gap": curves.gap,
    "regret": curves.regret,
    "weak_regret": curves.weak_regret,
    "scaling": horizons.scaling,
    "tree": maps.tree,
}

CAPTIONS: dict[str, str] = {
    "arms": (
        "The reference arms of every trial over the utility, lighter where it is lower: "
        "a thin line from X¹ on, and the final arm."
    ),
    "gap": (
        "The gap Δ(x*, Xᵐ) after each round that every trial completed: "
        "mean and one standard deviation over the trials."
    ),
    "regret": (
        "Cumulative regret by duels: mean and one standard deviation over the trials, "
        "on linear axes and on logarithmic ones, where linear regret is parallel to the dots."
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
}


def draw(experiment: Experiment, results: Results) -> dict[str, Figure]:
    """Return the panels of an experiment, by name; none if no run of it is finished.

    Args:
        experiment: What was run, and which panels to draw.
        results: Its finished trials by label, as `duelli.record.tables.row_of` has them.
    """
    if not any(results.values()):
        return {}
    for name in experiment.panels:
        _check.one_of("panel", name, PANELS)
    with style.styled():
        return {name: PANELS[name](experiment, results) for name in experiment.panels}
