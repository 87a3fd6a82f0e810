"""Entries and arenas: what is made of the trials."""

import pytest
from arenas import arena, entry, row

from duelli.record.arena import Cost, Entry, Point
from duelli.record.results import MIDDLE, Cell
from duelli.record.stats import Mean, Spread

CELL = Cell("flat", "spsa:bold", "spsa", 100)


def test_an_entry_is_made_of_its_trials():
    found = Entry.of(CELL, [row(100, 30.0, 0.1), row(100, 50.0, 0.3)])
    assert (found.label, found.landscape, found.horizon) == ("spsa:bold", "flat", 100)
    assert found.score.learner == "spsa"
    assert (found.regrets, found.gaps) == ((30.0, 50.0), (0.1, 0.3))
    assert found.score.regret == Mean.of([30.0, 50.0])
    assert found.score.gap == Spread(0.2, 0.3)


def test_the_cost_is_the_time_per_duel_that_was_played_and_the_largest_state():
    rows = [
        row(40, 1.0, 0.1, learner_seconds=0.3, state_bytes=7, state_bits=50),
        row(60, 1.0, 0.1, learner_seconds=0.2, state_bytes=9, state_bits=30),
    ]
    found = Entry.of(CELL, rows)
    assert found.cost == Cost(pytest.approx(0.005), 9, 50)
    assert found.duels == 50
    assert found.regret_per_duel == pytest.approx(1 / 50)


def test_a_learner_that_asked_for_no_duel_has_no_regret_per_duel():
    nothing = {"horizon": 0, "learner_seconds": 0.002, "curve": []}
    found = Entry.of(CELL, [{**row(100, 0.0, 0.1), **nothing}])
    assert (found.duels, found.regret_per_duel) == (0, 0.0)
    assert found.cost.seconds == 0.002


def test_the_curve_has_the_checkpoints_that_all_trials_have():
    points = ([(1, 1.0), (5, 4.0), (9, 8.0)], [(1, 3.0), (5, 6.0), (7, 7.0)])
    rows = [
        row(9, 1.0, 0.1, curve=[{"duels": t, "cumulative_regret": r} for t, r in each])
        for each in points
    ]
    deviation = pytest.approx(2**0.5)
    assert Entry.of(CELL, rows).curve == (Point(1, 2.0, deviation), Point(5, 5.0, deviation))


def test_the_middle_has_the_regret_of_duels_against_itself_and_no_cost():
    found = Entry.of_middle(CELL, [row(100, 1.0, 0.1, middle=0.2), row(100, 2.0, 0.1, middle=0.4)])
    assert found.label == MIDDLE
    assert found.regrets == pytest.approx((40.0, 80.0))  # T times two gaps
    assert found.gaps == (0.2, 0.4)
    assert found.score.gap == Spread(pytest.approx(0.3), 0.4)
    assert found.cost is None
    assert found.regret_per_duel == pytest.approx(0.6)


ENTRIES = [
    entry(label, landscape=landscape, horizon=horizon)
    for label in ("a", "b")
    for landscape in ("flat", "sharp")
    for horizon in (10, 100)
]


def test_entries_are_found_by_landscape_horizon_and_label():
    table = arena(ENTRIES)
    assert len(table.at()) == 8
    assert len(table.at(landscape="flat")) == 4
    assert len(table.at(landscape="flat", horizon=10)) == 2
    (found,) = table.at(landscape="sharp", horizon=100, label="b")
    assert (found.landscape, found.horizon, found.label) == ("sharp", 100, "b")


def test_the_middle_is_found_by_landscape_and_horizon():
    table = arena(ENTRIES, middle={"flat": 0.1, "sharp": 0.2})
    assert table.middle("sharp", 10).gaps == (0.2,)
    assert [each.landscape for each in table.middles_at(100)] == ["flat", "sharp"]
