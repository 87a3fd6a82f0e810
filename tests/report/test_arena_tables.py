"""The tables of an arena: sorted by rank, with the middle of the box in each."""

import pytest
from arenas import arena, entry

from duelli.record.arena import Absence, Cost
from duelli.record.results import MIDDLE
from duelli.report.arena_tables import (
    absence_rows,
    landscape_table,
    rough,
    size,
    standings_table,
    winners_table,
)

LARGE = 10**6
NUMBERS = {  # landscape -> label -> regret, gap
    "flat": {"arc_race": (100.0, 0.02), "spsa": (200.0, 0.01), "clop": (300.0, 0.04)},
    "sharp": {"arc_race": (100.0, 0.02), "spsa": (50.0, 0.01), "clop": (300.0, 0.04)},
    "ridge": {"arc_race": (100.0, 0.02), "spsa": (400.0, 0.01), "clop": (300.0, 0.04)},
}
MIDDLES = {"flat": 7.5e-5, "sharp": 1.25e-4, "ridge": 7.5e-5}  # regrets of 150 and 250 at 1e6


def entries_of(horizon=LARGE, numbers=NUMBERS, **more):
    return [
        entry(label, regret, gap, landscape=landscape, horizon=horizon, **more)
        for landscape, found in numbers.items()
        for label, (regret, gap) in found.items()
    ]


@pytest.fixture
def table():
    return arena([*entries_of(1000), *entries_of()], middle=MIDDLES)


def by_head(rows):
    return {cells[0]: cells for cells in rows}


def test_standings_are_sorted_by_the_mean_rank_with_the_middle_where_it_would_be(table):
    columns, rows = standings_table(table, LARGE)
    assert [cells[0] for cells in rows] == ["arc_race", "spsa", MIDDLE, "clop"]
    assert columns[:4] == ("learner", "place", "mean rank", "first on")
    assert [cells[1] for cells in rows] == ["1", "2", "–", "3"]
    assert [cells[2] for cells in rows] == ["1.33", "2", "2.33", "2.67"]
    assert [cells[3] for cells in rows] == ["2 of 3", "1 of 3", "0 of 3", "0 of 3"]


def test_standings_have_the_regret_over_the_least_and_the_gap(table):
    columns, rows = standings_table(table, LARGE)
    cells = dict(zip(columns, by_head(rows)["arc_race"], strict=True))
    assert cells["regret, times the least"] == "1.26"  # the cube root of 1 · 2 · 1
    assert cells["gap of the answer"] == "0.02"
    assert cells["mean rank by gap"] == "2"
    middle = dict(zip(columns, by_head(rows)[MIDDLE], strict=True))
    assert middle["gap of the answer"] == "8.9e-5"
    assert middle["regret, times the least"] == "2.24"  # of 1.5 · 5 · 1.5


def test_standings_by_gap_have_the_gap_itself_and_the_regret_of_a_duel():
    found = arena(entries_of(200), middle=0.3, main="gap")
    columns, rows = standings_table(found, 200)
    assert [cells[0] for cells in rows] == ["spsa", "arc_race", "clop", MIDDLE]
    cells = dict(zip(columns, by_head(rows)["arc_race"], strict=True))
    assert (cells["gap of the answer"], cells["times the smallest"]) == ("0.02", "2")
    assert cells["regret per duel"] == "0.5"
    assert by_head(rows)[MIDDLE][columns.index("regret per duel")] == "0.6"


def test_standings_have_the_cost_of_every_learner_and_none_of_the_middle():
    found = arena(
        [
            entry("a", landscape=name, horizon=10, learner_seconds=s, state_bytes=b, state_bits=9)
            for name, s, b in (("flat", 0.02, 1234), ("sharp", 0.04, 999))
        ],
        memory={("a", 10): 34_567, ("a", 20): 1, ("b", 10): 1},
    )
    _, rows = standings_table(found, 10)
    assert by_head(rows)["a"][-4:] == ("3 ms", "35 kB", "1,234", "9")
    assert by_head(rows)[MIDDLE][-4:] == ("–", "–", "–", "–")


def test_memory_that_was_not_measured_is_a_dash():
    columns, rows = standings_table(arena([entry("a")]), 1000)
    assert by_head(rows)["a"][columns.index("memory, peak")] == "–"


@pytest.mark.parametrize(
    ("count", "text"),
    [(7, "7 bytes"), (1000, "1 kB"), (34_567, "35 kB"), (9_291_859, "9.3 MB"), (2e9, "2 GB")],
)
def test_sizes_have_two_digits_and_a_unit(count, text):
    assert size(count) == text


def test_a_learner_without_bits_shows_none():
    _, rows = standings_table(arena([entry("a", state_bits=0)]), 1000)
    assert by_head(rows)["a"][-1] == "–"


def test_who_is_absent_somewhere_comes_last_and_says_on_how_many_it_plays():
    few = {name: NUMBERS[name] for name in ("flat", "sharp")}
    some = [entry("grid", 1.0, 0.001, landscape=name, horizon=LARGE) for name in few]
    _, rows = standings_table(arena([*entries_of(), *some], middle=MIDDLES), LARGE)
    assert rows[-1][:4] == ("grid", "–", "1", "2 of 2 (plays on 2 of 3)")


def test_a_horizon_at_which_nobody_plays_has_no_rows(table):
    assert standings_table(table, 77)[1] == []


def test_numbers_of_a_landscape_are_sorted_by_rank_at_the_largest_horizon(table):
    columns, rows = landscape_table(table, "sharp")
    assert columns[:3] == ("learner", "regret, T = 1000", "regret, T = 1e6")
    assert columns[3:] == ("gap (median, worst), T = 1000", "gap (median, worst), T = 1e6")
    assert [cells[0] for cells in rows] == ["spsa", "arc_race", MIDDLE, "clop"]
    assert rows[0][2] == "1: 50"
    assert rows[1][4] == "2: 0.02, 0.02"
    assert rows[2][2] == "(3): 250"
    assert rows[2][1] == "(1): 0.25"


def test_numbers_by_gap_leave_the_regret_out():
    columns, rows = landscape_table(arena(entries_of(200), main="gap"), "flat")
    assert columns == ("learner", "gap (median, worst), T = 200")
    assert by_head(rows)[MIDDLE][1] == "(4): 0.3, 0.3"


def test_who_stops_early_comes_later_with_dashes():
    early = [entry("slow", 1.0, 0.001, landscape=name, horizon=1000) for name in NUMBERS]
    _, rows = landscape_table(arena([*entries_of(1000), *early, *entries_of()]), "flat")
    assert rows[-1] == ("slow", "1: 1", "–", "1: 0.001, 0.001", "–")


def test_a_mean_of_several_trials_has_its_standard_error():
    _, rows = landscape_table(arena([entry("a", (4.0, 6.0), (0.1, 0.3))]), "flat")
    assert by_head(rows)["a"][1:] == ("1: 5 ± 1", "1: 0.2, 0.3")


def test_equal_numbers_share_their_rank():
    found = arena([entry("a", 5.0), entry("b", 5.0)])
    _, rows = landscape_table(found, "flat")
    assert [by_head(rows)[name][1] for name in ("a", "b")] == ["1.5: 5", "1.5: 5"]


def test_winners_are_told_with_the_factor_to_the_next_and_the_champion_if_it_is_behind(table):
    columns, rows = winners_table(table)
    assert columns == ("landscape", "T = 1000", "T = 1e6", MIDDLE)
    assert rows[0] == ("flat", "arc_race (~2)", "arc_race (~2)", "1, 2")
    assert rows[1][2] == "spsa (~2); arc_race has rank 2 (2 times)"


def test_a_clear_winner_has_no_tilde():
    found = arena(
        [
            entry("arc_race", (100.0, 101.0), horizon=LARGE),
            entry("b", (300.0, 301.0), horizon=LARGE),
        ]
    )
    assert winners_table(found)[1][0][1] == "arc_race (3)"


def test_a_winner_with_as_good_as_none_has_no_factor():
    found = arena([entry("spsa", 0.0, horizon=LARGE), entry("arc_race", 9.0e3, horizon=LARGE)])
    assert winners_table(found)[1][0][1] == "spsa; arc_race has rank 2"


def test_a_landscape_without_players_has_dashes():
    found = arena(entries_of(), landscapes=("flat", "empty"))
    assert winners_table(found)[1][1] == ("empty", "–", "–")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(2.6, "3 s"), (0.0023, "2 ms"), (1.7e-5, "20 µs"), (3e-9, "3 ns"), (2.4e-10, "0.2 ns")],
)
def test_times_are_rough(seconds, text):
    assert rough(seconds) == text


def test_the_cost_has_its_parts_by_name():
    assert Cost(1.0, 2, 3)._asdict() == {"seconds": 1.0, "state_bytes": 2, "state_bits": 3}


def test_absences_are_told_once_for_all_horizons():
    landscapes = ("flat", "sharp", "ridge")
    absences = (
        Absence("slow", 1000, landscapes, "plays little"),
        Absence("slow", LARGE, landscapes, "plays little"),
        Absence("grid", LARGE, ("flat",), "refuses"),
    )
    found = arena(entries_of(), absences=absences)
    assert absence_rows(found) == [
        ("slow", "1000, 1e6", "all landscapes", "plays little"),
        ("grid", "1e6", "flat", "refuses"),
    ]
