"""How the learners of an arena are drawn: few colours, and names that do not overprint."""

import numpy as np
import pytest
from arenas import arena, entry
from hypothesis import given
from hypothesis import strategies as st

from duelli.report import style
from duelli.report.arena_looks import PALE, coloured, looks, name_ends, spread_out
from duelli.report.style import CYCLE, Look


def crowd(count=30, horizons=(1000, 10**6)):
    """Return an arena with ranks at the first horizon that are the reverse of those at the last."""
    labels = ["arc_race", "auto", "arc_duelli", *(f"rival_{k}" for k in range(count - 3))]
    return arena(
        entry(label, 100.0 + (k if horizon == horizons[-1] else count - k), horizon=horizon)
        for k, label in enumerate(labels)
        for horizon in horizons
    )


def test_ours_and_the_best_of_each_horizon_have_colours():
    found = coloured(crowd())
    assert list(found)[:3] == ["arc_race", "auto", "arc_duelli"]
    assert set(list(found)[3:]) == {"rival_26", "rival_25"}  # of T = 1000; ours lead at 1e6
    assert len(set(found.values())) == len(found) <= len(CYCLE)


def test_there_are_never_more_colours_than_can_be_told_apart():
    horizons = tuple(10**k for k in range(3, 9))
    table = arena(
        entry(f"rival_{(k + 2 * n) % 20}", 1e4 + k, horizon=horizon)
        for n, horizon in enumerate(horizons)
        for k in range(20)
    )
    assert len(coloured(table)) == len(CYCLE)


def test_a_learner_of_ours_that_does_not_play_takes_no_colour():
    assert list(coloured(arena([entry("spsa"), entry("arc_race")]))) == ["arc_race", "spsa"]


def test_all_others_are_grey_and_lie_below():
    table = crowd()
    found = looks(table, coloured(table))
    assert set(found) == set(table.learners)
    colours = [look.color for look in found.values()]
    assert colours == sorted(colours, key=lambda colour: colour != PALE)
    assert colours.count(PALE) == 25


def test_heights_that_are_apart_stay():
    assert spread_out([0.5, 0.1, 0.9], 0.1) == pytest.approx([0.5, 0.1, 0.9])


def test_heights_that_are_close_move_apart_around_their_middle():
    assert spread_out([0.52, 0.5], 0.1) == pytest.approx([0.56, 0.46])
    assert spread_out([0.5, 0.5, 0.5], 0.1) == pytest.approx([0.4, 0.5, 0.6])


def test_heights_at_the_edge_move_inside():
    assert spread_out([0.0, 0.0, 1.0, 1.0], 0.1) == pytest.approx([0.0, 0.1, 0.9, 1.0])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_heights_are_inside_in_order_and_never_too_close(heights):
    least = 0.08
    placed = spread_out(heights, least)
    order = np.argsort(heights, kind="stable")
    ordered = np.array(placed)[order]
    assert ordered.min() >= -1e-9
    assert ordered.max() <= 1 + 1e-9
    assert (np.diff(ordered) >= least - 1e-9).all()


def test_names_do_not_overprint_each_other():
    with style.styled():
        figure = style.canvas(3.0)
        axes = figure.add_subplot()
        axes.set(xscale="log", yscale="log", xlim=(10, 1000), ylim=(0.01, 1))
        ends = {f"learner_{k}": (1000.0, 0.1) for k in range(7)}
        name_ends(axes, ends, {label: Look("#000000") for label in ends}, 0.78 * 3.0)
        figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in axes.texts]
    assert len(boxes) == 7
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])
