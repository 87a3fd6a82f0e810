"""The figure of a contest on practice problems: a panel for each, one for all, and the middle."""

import pytest

from duelli.record.results import overall_gaps, overall_middle
from duelli.report import figures, practice, style

from .test_contests import panels, score

PROBLEMS = ("wavy/1", "two_cones/2", "quadratic/8")
MEDIANS = {50: 0.2, 200: 0.1, 1000: 0.0}
SCORES = [
    score(label, horizon, landscape=problem, gap=(factor * gap, 0.4), middle=0.1 * (k + 1))
    for k, problem in enumerate(PROBLEMS)
    for label, factor in (("spsa", 1.0), ("preference_model", 0.5))
    for horizon, gap in MEDIANS.items()
]


def line_called(axes, label):
    (line,) = [line for line in axes.get_lines() if line.get_label() == label]
    return line


def test_each_problem_has_a_panel_and_all_of_them_one():
    titles = [axes.get_title(loc="left") for axes in panels(practice.draw(SCORES))]
    assert titles == ["wavy/1", "two cones/2", "quadratic/8", "all, geometric mean"]


def test_a_line_is_the_median_gap_and_no_gap_is_drawn_at_the_smallest():
    line = line_called(panels(practice.draw(SCORES))[1], "preference_model")
    assert line.get_xdata().tolist() == [50, 200, 1000]
    assert line.get_ydata() == pytest.approx([0.1, 0.05, 1e-3])


def test_the_middle_of_the_box_is_a_dashed_line_in_every_panel():
    drawn = [line_called(axes, practice.MIDDLE) for axes in panels(practice.draw(SCORES))]
    heights = [line.get_ydata()[0] for line in drawn]
    assert heights == pytest.approx([0.1, 0.2, 0.3, (0.1 * 0.2 * 0.3) ** (1 / 3)])
    assert all(line.is_dashed() for line in drawn)


def test_the_last_panel_has_the_geometric_means():
    mean = panels(practice.draw(SCORES))[-1]
    assert line_called(mean, "spsa").get_ydata() == pytest.approx([0.2, 0.1, 1e-3])


def test_geometric_means_are_those_of_the_medians_over_landscapes():
    scores = [
        score("a", landscape=f"l{k}", gap=(g, 0.5), middle=g) for k, g in enumerate((0.4, 0.1))
    ]
    assert overall_gaps(scores) == {("a", 1000): pytest.approx(0.2)}
    assert overall_middle(scores * 2) == pytest.approx(0.2)


@pytest.mark.parametrize("count", [1, 2, 4, 5, 8])
def test_nothing_overprints_the_legend_or_another_panel(count):
    labels = ("spsa", "successive_halving", "arc_race", "preference_model", "auto")
    scores = [
        score(label, horizon, landscape=f"rotated_quadratic/{k}")
        for k in range(count)
        for label in labels
        for horizon in (50, 200, 1000)
    ]
    figure = practice.draw(scores)
    with style.styled():
        figure.draw_without_rendering()
    boxes = [axes.get_tightbbox() for axes in panels(figure)]
    assert len(boxes) == count + 1
    legend = figure.legends[0].get_window_extent()
    assert not any(legend.overlaps(box) for box in boxes)
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == [practice.MIDDLE, *labels]


def test_every_column_has_the_duels_below_it():
    figure = practice.draw(SCORES)
    named = [axes.get_xlabel() for axes in panels(figure)]
    assert named == ["", "duels", "duels", "duels"]


def test_the_figure_can_be_saved(tmp_path):
    assert figures.save(practice.draw(SCORES[:1]), tmp_path, "compare").exists()
