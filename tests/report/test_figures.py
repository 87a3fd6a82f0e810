"""The panels of an experiment: which are drawn, in which colours, and how they are kept."""

import struct
import subprocess
import sys

import matplotlib as mpl
import pytest
from matplotlib.colors import to_hex

from duelli.experiments.paper import EXPERIMENTS
from duelli.report import figures, style

from .samples import arc, experiment_of, filtered, row

DRAWS_CURVES = [e for e in EXPERIMENTS.values() if {"gap", "regret"} & set(e.panels)]


def line(axes, label):
    return next(found for found in axes.get_lines() if found.get_label() == label)


@pytest.fixture(scope="module")
def drawn(small, results):
    return figures.draw(small, results)


def test_every_panel_of_the_paper_can_be_drawn():
    asked = {name for experiment in EXPERIMENTS.values() for name in experiment.panels}
    assert asked <= set(figures.PANELS)


def test_every_panel_has_a_caption():
    assert set(figures.CAPTIONS) == set(figures.PANELS)


def test_the_panels_come_in_the_order_of_the_experiment(small, drawn):
    assert tuple(drawn) == small.panels


@pytest.mark.parametrize("results", [{}, {"ARC-DuelLi": []}])
def test_nothing_is_drawn_before_anything_is_finished(small, results):
    assert figures.draw(small, results) == {}


def test_an_unknown_panel_is_refused():
    experiment = experiment_of(arc(), panels=("pie",))
    with pytest.raises(ValueError, match=r"panel must be one of arms, .*; got 'pie'"):
        figures.draw(experiment, {"ARC-DuelLi": [row()]})


def test_a_run_that_is_not_finished_is_left_out(small, results):
    part = {label: rows for label, rows in results.items() if label != "IF2, 4x4"}
    axes = figures.draw(small, part)["regret"].axes[0]
    assert axes.get_legend_handles_labels()[1] == ["ARC-DuelLi", "maximum norm"]


def test_every_figure_says_in_words_what_it_shows(drawn):
    assert all(len(figure.get_label()) > 20 for figure in drawn.values())


@pytest.mark.parametrize("label", ["ARC-DuelLi", "maximum norm"])
def test_a_run_has_one_colour_in_all_panels(drawn, label):
    axes = drawn["gap"].axes[0], *drawn["regret"].axes, *drawn["weak_regret"].axes
    assert len({to_hex(line(each, label).get_color()) for each in axes}) == 1


def test_a_run_keeps_its_colour_while_others_are_not_finished(small, results):
    part = {"maximum norm": results["maximum norm"]}
    axes = figures.draw(small, part)["gap"].axes[0]
    assert line(axes, "maximum norm").get_color() == style.looks(small)["maximum norm"].color


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=lambda found: found.id)
def test_the_first_run_of_a_learner_has_its_own_colour(experiment):
    own = {"arc_duelli": style.BLUE, "interleaved_filter": style.VERMILION}
    first = {run.setting.learner: run.label for run in reversed(experiment.runs)}
    looks = style.looks(experiment)
    assert {learner: looks[label].color for learner, label in first.items()} == {
        learner: own[learner] for learner in first
    }


@pytest.mark.parametrize("experiment", DRAWS_CURVES, ids=lambda found: found.id)
def test_no_two_runs_of_an_experiment_look_alike(experiment):
    looks = style.looks(experiment)
    assert len({(look.color, look.dashes) for look in looks.values()}) == len(experiment.runs)


def test_a_learner_that_nobody_has_given_a_colour_has_one():
    class Other:
        label = "other"

        class setting:  # noqa: N801 (an attribute of a run)
            learner = "newcomer"

    class Contest:
        runs = (*experiment_of(arc(), filtered()).runs, Other)

    assert len({look.color for look in style.looks(Contest).values()}) == 3


@pytest.fixture
def saved(small, results, tmp_path):
    figure = figures.draw(small, results)["gap"]
    figures.save(figure, tmp_path / "figures", "gap")
    return tmp_path / "figures"


def test_a_figure_is_kept_as_png_and_svg_and_nothing_else(saved):
    assert sorted(path.name for path in saved.iterdir()) == ["gap.png", "gap.svg"]


def test_the_png_has_the_common_width(saved):
    width, _ = struct.unpack(">II", (saved / "gap.png").read_bytes()[16:24])
    assert width == round(style.WIDTH * style.DPI)


@pytest.mark.parametrize("name", ["gap.png", "gap.svg"])
def test_the_same_trials_give_the_same_file(saved, small, results, tmp_path, name):
    figures.save(figures.draw(small, results)["gap"], tmp_path / "again", "gap")
    assert (tmp_path / "again" / name).read_bytes() == (saved / name).read_bytes()


def test_the_svg_has_no_date(saved):
    assert "<dc:date>" not in (saved / "gap.svg").read_text()


def test_the_svg_needs_no_font(saved):
    assert "<text" not in (saved / "gap.svg").read_text()


def test_settings_of_the_user_do_not_change_a_figure(small, results):
    plain = figures.png(figures.draw(small, results)["gap"])
    with mpl.rc_context({"font.size": 20, "axes.grid": True}):
        assert figures.png(figures.draw(small, results)["gap"]) == plain


def test_settings_of_the_user_are_left_as_they_were(small, results):
    before = dict(mpl.rcParams)
    figures.png(figures.draw(small, results)["gap"])
    assert dict(mpl.rcParams) == before


def test_drawing_needs_no_screen_and_no_pyplot():
    code = "import sys, duelli.report.page; print('matplotlib.pyplot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
