"""The figure of a contest: regret against the horizon, a panel a landscape, a line a learner."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from matplotlib.figure import Figure

from duelli.report import style
from duelli.report.style import BLACK, BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION

COLOURS = {"arc_duelli": BLUE, "arc_race": GREEN, "interleaved_filter": VERMILION}
OTHERS = (ORANGE, PURPLE, SKY, BLACK)
MANY = 4  # landscapes from which on there are three columns instead of two


class Spread(Protocol):
    """A mean with the deviation behind it."""

    @property
    def value(self) -> float: ...  # noqa: D102 (the fields say what they are)
    @property
    def deviation(self) -> float: ...  # noqa: D102


class Score(Protocol):
    """What one learner did on one landscape at one horizon."""

    @property
    def landscape(self) -> str: ...  # noqa: D102
    @property
    def learner(self) -> str: ...  # noqa: D102
    @property
    def horizon(self) -> int: ...  # noqa: D102
    @property
    def regret(self) -> Spread: ...  # noqa: D102


def draw(scores: Sequence[Score]) -> Figure:
    """Draw the mean regret of every learner with one standard deviation."""
    landscapes = list(dict.fromkeys(score.landscape for score in scores))
    learners = list(dict.fromkeys(score.learner for score in scores))
    columns = min(3 if len(landscapes) > MANY else 2, len(landscapes))
    rows = -(-len(landscapes) // columns)
    horizons = [score.horizon for score in scores]
    span = (min(horizons) / 1.5, max(horizons) * 1.5)  # a single horizon needs some width too
    with style.styled():
        height = 2.6 * rows + style.legend_height(len(learners))
        figure = style.canvas(height, width=style.WIDTH * (columns + 1) / 2)
        grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        for axes, landscape in zip(grid.flat, landscapes, strict=False):
            axes.set(title=landscape.replace("_", " "), xscale="log", yscale="log", xlim=span)
            axes.grid()
            for learner, colour in colours(learners).items():
                chosen = [s for s in scores if (s.landscape, s.learner) == (landscape, learner)]
                axes.errorbar(
                    [s.horizon for s in chosen],
                    [s.regret.value for s in chosen],
                    np.array([s.regret.deviation for s in chosen]),
                    marker="o",
                    markersize=4,
                    capsize=3,
                    color=colour,
                    label=learner,
                )
        for place in range(len(landscapes), rows * columns):
            grid.flat[place].set_visible(False)
            grid.flat[place - columns].tick_params(labelbottom=True)
        figure.supxlabel("horizon $T$ in duels", fontsize=9)
        figure.supylabel("cumulative regret $R(T)$", fontsize=9)
        style.legend(figure, grid.flat[0], len(learners))
    figure.set_label("Regret against the horizon for " + ", ".join(learners))
    return figure


def colours(learners: Sequence[str]) -> dict[str, str]:
    """Return a colour for each label: the learner's own for the first that bears its name."""
    spare = iter(OTHERS * len(learners))
    taken: dict[str, str] = {}
    for label in learners:
        own = COLOURS.get(label.split(":")[0])
        taken[label] = own if own and own not in taken.values() else next(spare)
    return taken
