"""The figure of a run with a real judge."""

import sys

import numpy as np
import pytest
from judges import hash_judge
from matplotlib.figure import Figure

import duelli

BOX = {"rate": (1e-4, 1e-1, "log"), "depth": (1, 9, "int"), "solver": ["adam", "sgd"], "seed": 7}


def prefers_depth(x, y):
    return x["depth"] >= y["depth"]


@pytest.fixture(scope="module")
def result():
    return duelli.optimize(prefers_depth, BOX, learner="arc_race", horizon=300)


def test_every_free_parameter_has_a_panel(result):
    figure = result.plot()
    assert isinstance(figure, Figure)
    names = [axes.get_ylabel() for axes in figure.axes]
    assert names == ["rate", "depth", "solver", "first\nwins"]


def test_every_judged_point_is_drawn(result):
    lines = {line.get_label(): line for line in result.plot().axes[1].get_lines()}
    drawn = sum(
        np.isfinite(lines[name].get_ydata()).sum() for name in ("challenger won", "challenger lost")
    )
    assert drawn == len(lines["reference"].get_ydata()) == result.duels


def test_the_best_value_is_marked(result):
    lines = {line.get_label(): line for line in result.plot().axes[1].get_lines()}
    assert set(lines["best"].get_ydata()) == {result.best["depth"]}


def test_the_answer_is_drawn_as_it_came_about(result):
    lines = {line.get_label(): line for line in result.plot().axes[1].get_lines()}
    answers = result.history.answers()
    assert list(lines["answer"].get_xdata()) == [duels for duels, _ in answers]
    assert list(lines["answer"].get_ydata()) == [point["depth"] for _, point in answers]


def test_choices_are_named(result):
    labels = [label.get_text() for label in result.plot().axes[2].get_yticklabels()]
    assert labels == ["adam", "sgd"]


def test_the_figure_is_written(result, tmp_path):
    result.plot(tmp_path / "run.png")
    assert (tmp_path / "run.png").stat().st_size > 5000


def test_a_box_without_names_is_drawn():
    result = duelli.optimize(hash_judge, [(0.0, 1.0)] * 2, learner="arc_race", horizon=60)
    assert len(result.plot().axes) == 3


@pytest.fixture(scope="module")
def believed():
    names = {"rate": (1e-4, 1e-1, "log"), "depth": (1, 9, "int"), "solver": ["adam", "sgd"]}
    return duelli.optimize(prefers_depth, names, learner="preference_model", horizon=150)


def test_a_model_is_drawn_as_one_slice_per_parameter(believed):
    labels = [axes.get_xlabel() for axes in believed.plot().axes]
    assert labels[-3:] == ["rate", "depth", "solver"]


def test_a_slice_has_one_place_for_each_whole_number(believed):
    (slice_of_depth,) = (each for each in believed.belief.slices if each.name == "depth")
    assert slice_of_depth.values == tuple(range(1, 10))
    assert slice_of_depth.mean[-1] > slice_of_depth.mean[0]  # the judge prefers depth


def test_a_slice_is_relative_to_the_best_point(believed):
    rate = believed.belief.slices[0]
    nearest = np.abs(np.log(rate.values) - np.log(believed.best["rate"])).argmin()
    assert abs(rate.mean[nearest]) < 0.05
    assert rate.deviation[nearest] < 0.2 * rate.deviation.max()


def test_a_model_of_two_parameters_is_drawn_as_a_map():
    result = duelli.optimize(hash_judge, [(0.0, 1.0)] * 2, learner="preference_model", horizon=20)
    assert result.belief.plane.shape == (41, 41)
    assert {"x1", "learnt utility, relative to the best point"} <= {
        text for axes in result.plot().axes for text in (axes.get_xlabel(), axes.get_ylabel())
    }


def test_the_map_shows_the_judged_points_and_the_answers():
    result = duelli.optimize(hash_judge, [(0.0, 1.0)] * 2, learner="preference_model", horizon=20)
    (axes,) = (axes for axes in result.plot().axes if axes.get_xlabel() == "x1")
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert len(lines["judged"].get_xdata()) == 2 * result.duels
    answers = [point for _, point in result.history.answers()]
    assert lines["answer"].get_xydata().tolist() == [list(point) for point in answers]
    assert lines["best"].get_xydata()[0].tolist() == list(result.best)


def test_a_learner_without_a_model_has_no_belief(result):
    assert result.belief is None


def test_a_run_without_duels_says_so():
    result = duelli.optimize(hash_judge, [(0.0, 1.0)] * 6, learner="arc_race", horizon=1)
    assert result.duels == 0
    assert result.plot().get_label() == "no judged pair was kept"


def test_without_matplotlib_the_extra_is_named(result, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("duelli.report")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'duelli\[report\]'"):
        result.plot()


def test_ties_are_drawn_as_ties():
    ties = duelli.optimize(lambda x, y: 0.5, {"a": (0.0, 1.0)}, horizon=30)  # noqa: ARG005
    lines = {line.get_label(): line for line in ties.plot().axes[0].get_lines()}
    drawn = {name: int(np.isfinite(line.get_ydata()).sum()) for name, line in lines.items()}
    assert drawn["tie"] == 30
    assert drawn["challenger won"] == drawn["challenger lost"] == 0


def test_without_ties_there_is_no_word_of_them(result):
    assert "tie" not in {line.get_label() for line in result.plot().axes[1].get_lines()}


def test_a_figure_that_leaves_parameters_out_says_so():
    wide = duelli.optimize(hash_judge, {f"p{k}": (0.0, 1.0) for k in range(12)}, horizon=5)
    texts = [text.get_text() for part in wide.plot().subfigs for text in part.texts]
    titles = [part.get_suptitle() for part in wide.plot().subfigs]
    assert "the first 10 of 12 parameters" in texts + titles


def test_no_line_is_drawn_between_choices():
    box = {"kind": ["a", "b", "c"], "p": (0.0, 1.0), "q": (0.0, 1.0)}
    figure = duelli.optimize(lambda x, y: x["p"] > y["p"], box, horizon=20).plot()
    drawn = {axes.get_xlabel(): axes for axes in figure.axes}
    styles = {line.get_linestyle() for line in drawn["kind"].get_lines()} - {":"}
    assert "-" not in styles
    assert any(line.get_linestyle() == "-" for line in drawn["p"].get_lines())
