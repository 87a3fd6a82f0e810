"""The curves: their points are the means of the trials, their bands one standard deviation."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.ticker import MaxNLocator

from duelli.experiments.reproduce import truth_of
from duelli.report import curves, figures, horizons

from .samples import arc, filtered, row, table_of


def panel(name, *groups, runs=None):
    """Draw one panel of runs of ARC-DuelLi, with one group of rows each."""
    runs = runs or [arc(f"run {k}") for k in range(len(groups))]
    results = {run.label: rows for run, rows in zip(runs, groups, strict=True)}
    return figures.draw(table_of(*runs, rows=results, panels=(name,)))[name]


def band(axes, place=0):
    """Return one band as x -> (lowest, highest)."""
    drawn = [c for c in axes.collections if isinstance(c, PolyCollection)]
    points = drawn[place].get_paths()[0].vertices
    return {
        float(x): (points[points[:, 0] == x, 1].min(), points[points[:, 0] == x, 1].max())
        for x in np.unique(points[:, 0])
    }


GAPS = [row(gaps=(0.1, 0.04)), row(gaps=(0.2, 0.02))]
CURVES = [
    row(curve=((1, 1.0), (100, 50.0), (10_000, 800.0))),
    row(curve=((1, 2.0), (100, 70.0), (10_000, 1000.0))),
]


def test_the_gap_is_the_mean_of_the_trials():
    axes = panel("gap", GAPS).axes[0]
    np.testing.assert_allclose(axes.get_lines()[0].get_xydata(), [[1, 0.15], [2, 0.03]])


def test_the_band_of_the_gap_is_one_standard_deviation():
    found = band(panel("gap", GAPS).axes[0])
    expected = [(0.15 - 0.1 / 2**0.5, 0.15 + 0.1 / 2**0.5), (0.03 - 0.02 / 2**0.5, 0.04414)]
    np.testing.assert_allclose([found[1.0], found[2.0]], expected, rtol=1e-3)


def test_the_gap_has_a_logarithmic_axis():
    assert panel("gap", GAPS).axes[0].get_yscale() == "log"


def test_the_gap_has_a_linear_axis_where_a_mean_is_zero():
    flat = [row(gaps=(0.1, 0.0)), row(gaps=(0.2, 0.0))]
    assert panel("gap", flat).axes[0].get_yscale() == "linear"


def test_a_band_that_reaches_below_zero_is_cut_by_the_axis_alone():
    wide = [row(gaps=(0.1, 0.001)), row(gaps=(0.2, 0.5)), row(gaps=(0.2, 0.001))]
    figure = panel("gap", wide)
    figures.png(figure)  # any warning is an error
    assert band(figure.axes[0])[2.0][0] < 0 < figure.axes[0].get_ylim()[0]


def test_rounds_are_whole_numbers():
    locator = panel("gap", GAPS).axes[0].xaxis.get_major_locator()
    assert isinstance(locator, MaxNLocator)
    assert set(locator.tick_values(1, 5)) <= set(range(8))


def test_only_rounds_that_every_trial_completed_are_shown():
    axes = panel("gap", [row(gaps=(0.1, 0.05, 0.02)), row(gaps=(0.1, 0.05))]).axes[0]
    assert axes.get_lines()[0].get_xdata().tolist() == [1, 2]


def test_without_a_completed_round_the_gap_says_so():
    figure = panel("gap", [row(gaps=()), row()])
    assert figure.get_label() == "no round was completed in every trial"


def test_the_gap_is_drawn_for_runs_that_go_by_rounds_only():
    figure = panel("gap", GAPS, GAPS, runs=[arc(), filtered()])
    labels = figure.axes[0].get_legend_handles_labels()[1]
    assert labels == ["ARC-DuelLi"]


def test_a_curve_that_lies_on_another_says_so():
    labels = panel("gap", GAPS, GAPS).axes[0].get_legend_handles_labels()[1]
    assert labels == ["run 0", "run 1 (same curve)"]


def test_curves_that_differ_do_not_say_that_they_are_the_same():
    other = [row(gaps=(0.1, 0.05)), row(gaps=(0.2, 0.03))]
    labels = panel("gap", GAPS, other).axes[0].get_legend_handles_labels()[1]
    assert labels == ["run 0", "run 1"]


@pytest.mark.parametrize(("name", "scale"), [("regret", 1.0), ("weak_regret", 1 / 3)])
@pytest.mark.parametrize("place", [0, 1])
def test_regret_is_the_mean_of_the_trials(name, scale, place):
    axes = panel(name, CURVES).axes[place]
    expected = [[1, 1.5 * scale], [100, 60 * scale], [10_000, 900 * scale]]
    np.testing.assert_allclose(axes.get_lines()[0].get_xydata(), expected)


@pytest.mark.parametrize(("name", "scale"), [("regret", 1.0), ("weak_regret", 1 / 3)])
def test_the_band_of_regret_is_one_standard_deviation(name, scale):
    found = band(panel(name, CURVES).axes[0])[10_000.0]
    np.testing.assert_allclose(found, (scale * (900 - 200 / 2**0.5), scale * (900 + 200 / 2**0.5)))


def test_regret_of_real_trials_is_their_mean(small, results):
    axes = figures.draw(small)["regret"].axes[0]
    line = next(found for found in axes.get_lines() if found.get_label() == "IF2, 4x4")
    final = [trial["cumulative_regret"] for trial in results["IF2, 4x4"]]
    assert line.get_ydata()[-1] == pytest.approx(np.mean(final))


def test_a_single_trial_has_no_band():
    assert not panel("regret", CURVES[:1]).axes[0].collections


def test_regret_is_shown_on_linear_and_on_logarithmic_axes():
    scales = [(axes.get_xscale(), axes.get_yscale()) for axes in panel("regret", CURVES).axes]
    assert scales == [("linear", "linear"), ("log", "log")]


def test_regret_ends_at_the_last_duel():
    assert [axes.get_xlim()[1] for axes in panel("regret", CURVES).axes] == [10_000, 10_000]


def test_the_line_of_slope_one_lies_above_all_curves():
    steep = [row(curve=((1, 5.0), (100, 90.0), (10_000, 100.0)))]
    *drawn, guide = panel("regret", CURVES, steep).axes[1].get_lines()
    slope = guide.get_ydata()[0] / guide.get_xdata()[0]
    assert all((found.get_ydata() < slope * found.get_xdata()).all() for found in drawn)


def test_runs_of_different_length_share_a_panel():
    longer = [row(curve=((1, 1.0), (1000, 90.0), (100_000, 100.0)))]
    assert panel("regret", CURVES, longer).axes[0].get_xlim()[1] == 100_000


def test_regret_that_is_zero_throughout_can_be_drawn():
    assert figures.png(panel("regret", [row(curve=((1, 0.0), (10, 0.0)))]))


def test_a_single_duel_can_be_drawn():
    assert figures.png(panel("regret", [row(curve=((1, 0.1),))]))


def power_law(exponent):
    """Return runs and rows whose regret is 2 T^exponent, one above and one below by a tenth."""
    runs = [arc(f"T = 1e{p}", horizon=10**p, order="random") for p in (3, 2, 4)]
    ends = [2.0 * run.setting.horizon**exponent for run in runs]
    groups = [[row(curve=((1, f * end),)) for f in (0.9, 1.1)] for end in ends]
    return panel("scaling", *groups, runs=runs)


def test_regret_against_the_horizon_is_in_order_of_the_horizon():
    line = power_law(0.5).axes[0].get_lines()[0]
    np.testing.assert_allclose(
        line.get_xydata(), [[1e2, 20], [1e3, 2000**0.5 * 2**0.5], [1e4, 200]]
    )


def test_regret_against_the_horizon_has_one_standard_deviation():
    container = power_law(0.5).axes[0].containers[0]
    segments = np.array(container.lines[2][0].get_segments())
    np.testing.assert_allclose(segments[0, :, 1], 20 * (1 + np.array([-1, 1]) * 0.2 / 2**0.5))


def test_the_horizon_and_its_regret_are_on_logarithmic_axes():
    axes = power_law(0.5).axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


@pytest.mark.parametrize("exponent", [0.5, 0.75, 1.0])
def test_a_power_law_shows_its_exponent(exponent):
    line = power_law(exponent).axes[1].get_lines()[0]
    np.testing.assert_allclose(line.get_ydata(), [exponent, exponent])


def test_the_theoretical_line_has_the_slope_of_the_theorem():
    theory = power_law(1.0).axes[0].get_lines()[-1]
    (x0, y0), (x1, y1) = theory.get_xydata()
    assert np.log(y1 / y0) / np.log(x1 / x0) == pytest.approx(0.5)


@pytest.mark.parametrize(("landscape", "exponent"), [("two_cones", 1 / 2), ("flat", 7 / 10)])
def test_the_exponent_of_the_theorem_follows_from_the_zooming_dimension(landscape, exponent):
    assert horizons.theoretical_exponent(truth_of(landscape)) == pytest.approx(exponent)


def test_copies_have_no_theoretical_line():
    run = arc("T")
    copied = replace(run, setting=replace(run.setting, copies=True))
    figure = panel("scaling", [row(), row()], runs=[copied])
    words = [text.get_text() for axes in figure.axes for text in axes.texts]
    assert "linear" in words
    assert not any("theory" in word for word in words)


def test_the_error_of_an_exponent_comes_from_both_ends():
    _, _, errors = horizons.local_exponents(
        np.array([1.0, np.e]), np.array([1.0, 2.0]), np.array([0.03, 0.08])
    )
    np.testing.assert_allclose(errors, [0.05])


def test_a_single_horizon_can_be_drawn():
    figure = panel("scaling", [row(), row()], runs=[arc()])
    assert figures.png(figure)


def test_one_trial_has_no_deviation():
    assert curves.spread(np.array([[1.0, 2.0]]))[1].tolist() == [0.0, 0.0]
