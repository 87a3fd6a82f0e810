"""The figures and the table of a contest: regret and gap of the answer, for any learners."""

from dataclasses import replace

import pytest

from duelli.record.results import Score
from duelli.record.stats import Mean, Spread
from duelli.report import contests, figures, style
from duelli.report.sections import section

from .samples import arc, row, table_of


def score(label, horizon=1000, regret=50.0, landscape="sharp", gap=(0.01, 0.04), middle=0.3):
    means = Mean(regret, 1.0, 5.0), Mean(9.0, 1.0, 5.0), Mean(0.02, 0.0, 0.0)
    return Score(
        landscape, label, label.split(":")[0], horizon, *means, Spread(*gap), Spread(middle, 0.4)
    )


SCORES = [
    score(label, horizon, regret * horizon / 1000, landscape)
    for landscape in ("sharp", "flat")
    for label, regret in (("one", 50.0), ("two", 70.0))
    for horizon in (1000, 10_000)
]


def panels(figure):
    return [axes for axes in figure.axes if axes.get_visible()]


def test_each_landscape_has_a_panel_for_the_regret_and_one_for_the_gap():
    figure = contests.draw(SCORES)
    assert len(panels(figure)) == 4
    titles = [axes.get_title(loc="left") for axes in panels(figure)]
    assert [title for title in titles if title] == ["sharp", "flat"]


def test_a_line_is_the_mean_regret_of_a_learner():
    drawn = panels(contests.draw(SCORES))[0].containers[1].lines[0]
    assert drawn.get_ydata().tolist() == [70.0, 700.0]
    assert drawn.get_xdata() == pytest.approx([1000, 10_000], rel=0.05)


def test_the_gap_is_the_median_with_a_bar_to_the_worst():
    below = contests.draw([score("one"), score("two")]).axes[1]
    assert below.containers[0].lines[0].get_ydata().tolist() == [0.01]
    (segment,) = below.containers[0].lines[2][0].get_segments()
    assert segment[:, 1] == pytest.approx([0.01, 0.04])


def test_equal_scores_stand_side_by_side_and_say_so():
    figure = contests.draw([score("one"), score("two")])
    first, second = (c.lines[0].get_xdata()[0] for c in figure.axes[0].containers)
    assert first < 1000 < second
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["one", "two (same curve)"]


@pytest.mark.parametrize("landscapes", [1, 2, 3, 5])
def test_the_legend_overprints_nothing(landscapes):
    scores = [
        score(label, landscape=f"landscape_{k}")
        for k in range(landscapes)
        for label in ("arc_duelli", "arc_race", "interleaved_filter")
    ]
    figure = contests.draw(scores)
    with style.styled():
        figure.draw_without_rendering()
    legend = figure.legends[0].get_window_extent()
    for axes in panels(figure):
        assert not legend.overlaps(axes.get_tightbbox())


def test_a_gap_of_zero_can_be_drawn():
    figure = contests.draw([score("one", gap=(0.0, 0.0)), score("two", gap=(0.0, 0.2))])
    below = figure.axes[1]
    assert below.get_yscale() == "symlog"
    assert -0.1 < below.get_ylim()[0] < 0


def run_on(landscape, learner):
    run = arc(f"{learner} on {landscape}", landscape)
    return replace(run, setting=replace(run.setting, copies=True))


@pytest.fixture
def table():
    runs = [run_on(name, who) for name in ("flat", "two_peaks") for who in ("A", "B")]
    regrets = (30.0, 10.0, 80.0, 20.0)
    rows = {
        run.label: [row(curve=((100, regret),), gaps=(gap,)) for gap in (0.1, 0.2, 0.4)]
        for run, regret in zip(runs, regrets, strict=True)
    }
    return table_of(*runs, rows=rows, panels=("contest",))


def test_the_table_of_a_contest_has_regret_ratio_and_gap(table):
    shown = section(table, {})
    assert shown.columns[5] == "times the regret of B"
    assert shown.rows[0] == ("flat", "A", "2e4", "3", "30 ± 0", "3", "0.2", "0.4")
    assert [cells[5] for cells in shown.rows] == ["3", "1", "4", "1"]
    assert shown.rows[2][0] == "two peaks"


def test_the_panel_of_a_contest_shows_every_learner_on_every_landscape(table):
    figure = figures.draw(table)["contest"]
    left, right = figure.axes
    assert [tick.get_text() for tick in left.get_yticklabels()] == ["flat", "two peaks"]
    assert [c.lines[0].get_xdata().tolist() for c in left.containers] == [[30, 80], [10, 20]]
    assert right.get_lines()[0].get_xdata().tolist() == [0.2, 0.2]
    assert figures.png(figure)
