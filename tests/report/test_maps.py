"""The maps: reference arms where the trials say, and the squares that were really visited."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.colors import to_hex

from duelli import cubes
from duelli.driver import play
from duelli.engines import ENGINES
from duelli.experiments.trials import make_learner, model_of
from duelli.landscapes import LANDSCAPES
from duelli.report import figures, style, trees

from .samples import arc, experiment_of, filtered, results_of, row, table_of


def panel(name, runs, results):
    return figures.draw(table_of(*runs, rows=results, panels=(name,)))[name]


def collection(axes, kind):
    return next(found for found in axes.collections if type(found) is kind)


def marked(axes, label):
    """Return the points drawn under a label."""
    found = next(each for each in axes.collections if each.get_label() == label)
    return np.asarray(found.get_offsets())


def copied(run):
    """Return the run with a landscape of its own for each trial."""
    return replace(run, setting=replace(run.setting, copies=True))


@pytest.fixture(scope="module")
def arms(small):
    return figures.draw(small)["arms"]


def test_every_trial_has_a_trajectory(arms, results):
    paths = collection(arms.axes[0], LineCollection).get_segments()
    assert len(paths) == len(results["ARC-DuelLi"])


def test_a_trajectory_is_the_reference_arms_in_order(arms, results):
    path = collection(arms.axes[0], LineCollection).get_segments()[0]
    expected = [entry["reference"] for entry in results["ARC-DuelLi"][0]["rounds"]]
    np.testing.assert_allclose(path, expected)


def test_the_final_arms_are_marked(arms, results):
    expected = [trial["rounds"][-1]["reference"] for trial in results["ARC-DuelLi"]]
    np.testing.assert_allclose(marked(arms.axes[0], "final $X^M$"), expected)


def test_the_best_arm_is_marked(arms):
    np.testing.assert_allclose(marked(arms.axes[0], "best arm $x^*$"), [(0.3, 0.1)])


def test_the_start_is_marked_where_it_is_given(arms):
    starts = [line for line in arms.axes[0].get_lines() if line.get_label() == "start $X^0$"]
    assert [line.get_xydata().tolist() for line in starts] == [[[0.9, 0.9]]]


def test_no_start_is_marked_where_it_is_drawn_at_random():
    axes = panel("arms", [arc()], {"ARC-DuelLi": [row()]}).axes[0]
    assert "start $X^0$" not in [line.get_label() for line in axes.get_lines()]


def test_every_run_that_goes_by_rounds_has_its_own_map(arms):
    titles = [axes.get_title(loc="left") for axes in arms.axes]
    assert [title for title in titles if title] == [
        "ARC-DuelLi, 4 trials",
        "maximum norm, 4 trials",
    ]


def test_the_arms_have_the_colour_of_their_run(arms, small):
    drawn = collection(arms.axes[0], LineCollection).get_colors()[0]
    assert to_hex(drawn).upper() == style.looks_of(small.runs)["ARC-DuelLi"].color


def test_the_scaled_box_is_shown_in_its_own_units():
    run = arc(landscape="two_cones_scaled")
    axes = panel("arms", [run], {run.label: [row()]}).axes[0]
    np.testing.assert_allclose(marked(axes, "final $X^M$"), [(2.0, 2.0)])
    assert axes.get_xlim() == (0, 10)


def test_the_contours_are_those_of_the_utility():
    axes = panel("arms", [arc()], {"ARC-DuelLi": [row()]}).axes[0]
    heights = next(c for c in axes.collections if hasattr(c, "zmax"))
    assert heights.zmax == pytest.approx(LANDSCAPES["two_cones"].best_utility, abs=1e-6)


@pytest.mark.parametrize(
    ("run", "rows"),
    [
        (arc(landscape="two_cones_3d"), [row()]),
        (arc(), [row(gaps=())]),
        (filtered("ARC-DuelLi"), [row()]),
        (copied(arc()), [row()]),
    ],
    ids=["three dimensions", "no round", "not by rounds", "one copy per trial"],
)
def test_arms_that_have_no_map_are_said_to_have_none(run, rows):
    figure = panel("arms", [run], {run.label: rows})
    assert figure.get_label() == "no reference arm in two dimensions to draw"


def unfinished_walk(run, seed):
    """Return the corners of the cubes of the round that was not finished, as they were played."""
    model, learner = model_of("two_cones", "logistic"), make_learner(run.setting, seed=seed)
    engine = ENGINES["collapsed"](model, seed=seed)
    walk, before = [], learner.progress()
    for (block,), _ in play(learner, engine):
        if before.phase == "explore":
            walk.append((block.low, block.edge))
        after = learner.progress()
        if after.rounds_done > before.rounds_done:
            walk = []
        before = after
    return walk


MILLION = arc(horizon=10**6)


@pytest.fixture(scope="module", params=["lexicographic", "random"])
def million(request):
    """A run of a million duels, which leaves a round unfinished, in both orders."""
    return arc(horizon=10**6, order=request.param)


@pytest.fixture(scope="module")
def trial(million):
    return results_of(experiment_of(million))["ARC-DuelLi"][0]


def test_the_squares_are_those_that_were_played(million, trial):
    paths = trees.squares(trial["unfinished"]["visited"], 4)
    drawn = {(cubes.low(path, 2), cubes.edge(path)) for path in paths}
    played = {(low, edge) for low, edge in unfinished_walk(million, seed=0) if edge == 1 / 8}
    assert drawn == played


def test_a_square_lies_where_its_cube_does(million, trial):
    axes = panel("tree", [million], {million.label: [trial]}).axes[0]
    corners = np.array(
        [path.vertices[:4] for path in collection(axes, PatchCollection).get_paths()]
    )
    deepest = trees.squares(trial["unfinished"]["visited"], 4)
    assert len(corners) == trial["unfinished"]["active"][-1]
    np.testing.assert_allclose(corners.min(axis=1), [cubes.low(path, 2) for path in deepest])
    np.testing.assert_allclose(corners.max(axis=1) - corners.min(axis=1), 1 / 8)


def test_squares_of_the_scaled_box_are_in_its_units(trial):
    run = arc(landscape="two_cones_scaled")
    axes = panel("tree", [run], {run.label: [trial]}).axes[0]
    square = collection(axes, PatchCollection).get_paths()[0].vertices
    np.testing.assert_allclose(np.ptp(square, axis=0), 10 / 8)


def test_the_title_says_how_much_was_spent_and_on_what():
    trial = results_of(experiment_of(MILLION))["ARC-DuelLi"][0]
    title = panel("tree", [MILLION], {MILLION.label: [trial]}).axes[0].get_title(loc="left")
    assert title == "Round 4 is not finished: 49 of 64 squares,\n90% of the horizon"


def test_the_share_is_what_was_explored_after_the_last_round():
    made = row(gaps=(0.1, 0.05), duels_explored=90)  # the second round ends at 20 of 100 duels
    assert trees.unfinished_share(made) == pytest.approx(0.7)


def test_without_a_round_all_that_was_explored_was_in_vain():
    assert trees.unfinished_share(row(gaps=(), duels_explored=90)) == pytest.approx(0.9)


def in_three():
    return row(best_arm=[0.2, 0.2, 0.2])


@pytest.mark.parametrize(
    ("run", "made"),
    [
        (arc(landscape="two_cones_3d"), in_three()),
        (copied(arc()), row()),
        (arc(), row(unfinished={"active": [1, 4, 5]})),
    ],
    ids=["three dimensions", "copies", "too many squares to keep"],
)
def test_where_there_is_no_map_the_cubes_are_counted_by_depth(run, made):
    axes = panel("tree", [run], {run.label: [made]}).axes[0]
    assert axes.get_xlabel() == "depth $h$"


def test_the_bars_are_the_mean_counts_of_the_trials():
    run = copied(arc())
    rows = [row(unfinished={"active": [1, 4, 10]}), row(unfinished={"active": [1, 2]})]
    every, visited = panel("tree", [run], {run.label: rows}).axes[0].containers
    assert [bar.get_height() for bar in visited] == [1, 3, 5]
    assert [bar.get_height() for bar in every] == [1, 4, 16]


def test_without_an_unfinished_round_the_tree_says_so():
    figure = panel("tree", [arc()], {"ARC-DuelLi": [row(unfinished=None)]})
    assert figure.get_label() == "no round was left unfinished"
