"""The panels of an experiment: which are drawn, in which colours, and how they are kept."""

import struct
import subprocess
import sys
from dataclasses import replace

import matplotlib as mpl
import pytest
from matplotlib.colors import to_hex

from duelli.experiments.paper import EXPERIMENTS
from duelli.report import figures, style

from .samples import arc, row, table_of

DRAWS_CURVES = [e for e in EXPERIMENTS.values() if {"gap", "regret"} & set(e.panels)]


def line(axes, label):
    return next(found for found in axes.get_lines() if found.get_label() == label)


@pytest.fixture(scope="module")
def drawn(small):
    return figures.draw(small)


def test_every_panel_of_the_paper_can_be_drawn():
    asked = {name for experiment in EXPERIMENTS.values() for name in experiment.panels}
    assert asked <= set(figures.PANELS)


def test_every_panel_has_a_caption():
    assert set(figures.CAPTIONS) == set(figures.PANELS)


def test_the_panels_come_in_the_order_of_the_experiment(small, drawn):
    assert tuple(drawn) == small.panels


def unfinished(table, *labels):
    """Return the experiment without the rows of some runs."""
    runs = tuple(replace(run, rows=()) if run.label in labels else run for run in table.runs)
    return replace(table, runs=runs)


def test_nothing_is_drawn_before_anything_is_finished(small):
    assert figures.draw(unfinished(small, *(run.label for run in small.runs))) == {}


def test_an_unknown_panel_is_refused():
    table = table_of(arc(), rows={"ARC-DuelLi": [row()]}, panels=("pie",))
    with pytest.raises(ValueError, match=r"panel must be one of arms, .*; got 'pie'"):
        figures.draw(table)


def test_a_run_that_is_not_finished_is_left_out(small):
    axes = figures.draw(unfinished(small, "IF2, 4x4"))["regret"].axes[0]
    assert axes.get_legend_handles_labels()[1] == ["ARC-DuelLi", "maximum norm"]


def test_every_figure_says_in_words_what_it_shows(drawn):
    assert all(len(figure.get_label()) > 20 for figure in drawn.values())


@pytest.mark.parametrize("label", ["ARC-DuelLi", "maximum norm"])
def test_a_run_has_one_colour_in_all_panels(drawn, label):
    axes = drawn["gap"].axes[0], *drawn["regret"].axes, *drawn["weak_regret"].axes
    assert len({to_hex(line(each, label).get_color()) for each in axes}) == 1


def test_a_run_keeps_its_colour_while_others_are_not_finished(small):
    axes = figures.draw(unfinished(small, "ARC-DuelLi", "IF2, 4x4"))["gap"].axes[0]
    expected = style.looks_of(small.runs)["maximum norm"].color
    assert line(axes, "maximum norm").get_color() == expected


def looks_of(experiment):
    return style.looks([(run.label, run.setting.learner) for run in experiment.runs])


@pytest.mark.parametrize("experiment", DRAWS_CURVES, ids=lambda each: each.id)
def test_the_first_run_of_the_first_learner_is_blue_and_of_the_second_vermilion(experiment):
    first = {run.setting.learner: run.label for run in reversed(experiment.runs)}
    order = list(dict.fromkeys(run.setting.learner for run in experiment.runs))
    looks = looks_of(experiment)
    colours = [looks[first[learner]].color for learner in order]
    assert colours == [style.BLUE, style.VERMILION][: len(order)]


@pytest.mark.parametrize("experiment", DRAWS_CURVES, ids=lambda each: each.id)
def test_no_two_runs_of_an_experiment_look_alike(experiment):
    looks = looks_of(experiment)
    assert len({(look.color, look.dashes) for look in looks.values()}) == len(experiment.runs)


@pytest.mark.parametrize("runs_each", [1, 2, 3])
def test_seven_learners_that_nobody_has_heard_of_can_be_told_apart(runs_each):
    runs = [(f"{k}, {n}", f"learner {k}") for k in range(7) for n in range(runs_each)]
    looks = style.looks(runs)
    assert list(looks) == [label for label, _ in runs]
    assert len({(look.color, look.dashes) for look in looks.values()}) == 7 * runs_each


def test_a_hundred_learners_have_looks():
    assert len(style.looks([(f"{k}", f"{k}") for k in range(100)])) == 100


def test_a_png_has_a_palette(small):
    assert figures.png(figures.draw(small)["arms"])[25] == 3  # the colour type in its header


@pytest.fixture
def saved(small, tmp_path):
    figure = figures.draw(small)["gap"]
    figures.save(figure, tmp_path / "figures", "gap")
    return tmp_path / "figures"


def test_a_figure_is_kept_as_png_and_svg_and_nothing_else(saved):
    assert sorted(path.name for path in saved.iterdir()) == ["gap.png", "gap.svg"]


def test_the_png_has_the_common_width(saved):
    width, _ = struct.unpack(">II", (saved / "gap.png").read_bytes()[16:24])
    assert width == round(style.WIDTH * style.DPI)


@pytest.mark.parametrize("name", ["gap.png", "gap.svg"])
def test_the_same_trials_give_the_same_file(saved, small, tmp_path, name):
    figures.save(figures.draw(small)["gap"], tmp_path / "again", "gap")
    assert (tmp_path / "again" / name).read_bytes() == (saved / name).read_bytes()


def test_the_svg_has_no_date(saved):
    assert "<dc:date>" not in (saved / "gap.svg").read_text()


def test_the_svg_needs_no_font(saved):
    assert "<text" not in (saved / "gap.svg").read_text()


def test_settings_of_the_user_do_not_change_a_figure(small):
    plain = figures.png(figures.draw(small)["gap"])
    with mpl.rc_context({"font.size": 20, "axes.grid": True}):
        assert figures.png(figures.draw(small)["gap"]) == plain


def test_settings_of_the_user_are_left_as_they_were(small):
    before = dict(mpl.rcParams)
    figures.png(figures.draw(small)["gap"])
    assert dict(mpl.rcParams) == before


def test_drawing_needs_no_screen_and_no_pyplot():
    code = "import sys, duelli.report.page; print('matplotlib.pyplot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
