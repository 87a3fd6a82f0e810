"""The figures of an arena: what is drawn is what the tables say."""

import numpy as np
import pytest
from arenas import arena, entry

from duelli.record.results import MIDDLE
from duelli.report import arena_figures as figures
from duelli.report import style
from duelli.report.arena_looks import PALE, coloured, looks

LARGE = 10**6
REGRETS = {"arc_race": 100.0, "auto": 300.0, "arc_duelli": 900.0, "p": 110.0, "q": 120.0, "r": 5e3}
PLACES = ("flat", "sharp")


def entries_of(main="regret", horizons=(1000, LARGE)):
    return [
        entry(
            label,
            (0.9 * regret, 1.1 * regret),
            (regret / 2e4, regret / 1e4),
            landscape=landscape,
            horizon=horizon,
        )
        for label, regret in REGRETS.items()
        for landscape in PLACES
        for horizon in horizons
        if (label, horizon) != ("auto", LARGE) or main == "gap"
    ]


@pytest.fixture(scope="module")
def table():
    return arena(entries_of())


@pytest.fixture(scope="module")
def practice():
    return arena(entries_of("gap", (50, 200)), main="gap")


def drawn(table, figure, *words):
    return figure(table, *words, looks(table, coloured(table)))


def line_of(axes, table, label):
    """Return the curve of a learner, by its colour."""
    colour = coloured(table)[label]
    return next(line for line in axes.get_lines() if line.get_color() == colour)


def test_regret_over_all_is_that_over_the_least(table):
    (axes,) = drawn(table, figures.over_all, "regret").axes
    line = line_of(axes, table, "arc_duelli")
    assert line.get_xdata().tolist() == [1000, LARGE]
    assert line.get_ydata() == pytest.approx([9.0, 9.0])
    assert line_of(axes, table, "auto").get_xdata().tolist() == [1000]


def test_who_is_absent_somewhere_is_not_drawn_over_all(table):
    some = entry("arc_race:grid", 50.0, 0.01, landscape="flat", horizon=LARGE)
    wider = arena([*table.entries, some])
    lines = [drawn(each, figures.over_all, "regret").axes[0].get_lines() for each in (table, wider)]
    assert len(lines[0]) == len(lines[1])


def test_the_gap_over_all_is_the_geometric_mean(practice):
    (axes,) = drawn(practice, figures.over_all, "gap").axes
    assert line_of(axes, practice, "auto").get_ydata() == pytest.approx([0.0225, 0.0225])


def test_bars_are_one_standard_error_long(table):
    (axes,) = drawn(table, figures.over_all, "regret").axes
    bars = next(c for c in axes.containers if c.lines[2][0].get_color()[0].tolist() == rgba(table))
    error = np.log(1.1 / 0.9) / 2 / np.sqrt(2)  # of two trials on two landscapes
    segment = bars.lines[2][0].get_segments()[0]
    assert segment[:, 1] == pytest.approx([np.exp(-error), np.exp(error)])


def rgba(table):
    from matplotlib.colors import to_rgba

    return list(to_rgba(coloured(table)["arc_race"]))


def test_every_coloured_learner_and_the_middle_are_named_and_no_other(table):
    (axes,) = drawn(table, figures.over_all, "regret").axes
    named = {text.get_text() for text in axes.texts}
    assert named == {*coloured(table), MIDDLE}
    assert "r" not in named


def test_others_are_grey_and_without_bars(table):
    (axes,) = drawn(table, figures.over_all, "regret").axes
    grey = [line for line in axes.get_lines() if line.get_color() == PALE]
    assert len(grey) == len(REGRETS) - len(coloured(table))
    assert len(axes.containers) == len(coloured(table))


def test_a_landscape_has_the_regret_per_duel_above_and_the_gap_below(table):
    above, below = drawn(table, figures.one_landscape, "flat").axes
    curve = line_of(above, table, "arc_race")
    assert curve.get_xdata().tolist() == [10, LARGE // 2, LARGE]  # without the first duels
    assert curve.get_ydata() == pytest.approx(1e-4)
    gaps = line_of(below, table, "arc_race")
    assert gaps.get_ydata() == pytest.approx([0.0075, 0.0075])
    assert above.get_title(loc="left") == "flat"


def test_who_stops_early_has_the_curve_of_its_longest_trials(table):
    above, _ = drawn(table, figures.one_landscape, "flat").axes
    assert line_of(above, table, "auto").get_xdata()[-1] == 1000


def test_a_problem_has_the_gap_only(practice):
    (axes,) = drawn(practice, figures.one_landscape, "flat").axes
    assert axes.get_ylabel() == "gap of the answer"


def test_bars_of_gaps_go_from_the_best_to_the_worst_trial(practice):
    (axes,) = drawn(practice, figures.one_landscape, "flat").axes
    segments = [c.lines[2][0].get_segments()[0][:, 1].tolist() for c in axes.containers]
    assert pytest.approx([0.015, 0.03]) in segments  # of auto


def test_the_worst_trials_of_coloured_learners_are_inside():
    found = [entry("arc_race", 1.0, (0.01, 0.01, 0.3)), entry("spsa", 1.0, 0.01)]
    table = arena(found, main="gap", middle=0.01)
    (axes,) = drawn(table, figures.one_landscape, "flat").axes
    assert axes.get_ylim()[1] > 0.3


def test_the_middle_is_a_dashed_line_in_every_panel(table):
    for axes in drawn(table, figures.one_landscape, "flat").axes:
        (dashed,) = [line for line in axes.get_lines() if line.is_dashed()]
        assert len(set(dashed.get_ydata())) == 1
    assert dashed.get_ydata()[0] == pytest.approx(0.3)


def test_no_regret_at_all_is_drawn_at_the_lower_edge():
    table = arena([entry("arc_race", 0.0, 0.0), entry("spsa", 50.0, 0.1)], middle=0.0)
    for axes in drawn(table, figures.one_landscape, "flat").axes:
        heights = np.concatenate([line.get_ydata() for line in axes.get_lines()])
        assert (heights >= axes.get_ylim()[0] * (1 - 1e-9)).all()


def test_a_figure_says_in_words_what_it_shows(table):
    said = drawn(table, figures.over_all, "regret").get_label()
    assert said.startswith("Regret over all landscapes")
    assert "arc_race 1, " in said


def test_names_and_panels_do_not_overprint():
    labels = [f"a_learner_with_a_name_{k}" for k in range(25)]
    table = arena(
        entry(label, 100.0 + k, 0.01 + 1e-4 * k, horizon=horizon)
        for k, label in enumerate(["arc_race", "auto", "arc_duelli", *labels])
        for horizon in (1000, 10**4, LARGE)
    )
    figure = drawn(table, figures.one_landscape, "flat")
    with style.styled():
        figure.draw_without_rendering()
    above, below = figure.axes
    assert not above.get_tightbbox().overlaps(below.get_tightbbox())
    for axes in figure.axes:
        boxes = [text.get_window_extent() for text in axes.texts]
        assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])
        assert all(figure.bbox.contains(box.x1 - 1, box.y0 + 1) for box in boxes)
