"""Why a learner does not lead: said only where it does not, with numbers of a planted table."""

import pytest
from arenas import arena, entry

from duelli.report.arena import page, summary
from duelli.report.reasons import why_not

LARGE = 10**6
HABIT = "arc_race scans the whole box."
REASONS = {("arc_race", "regret"): HABIT, ("arc_race", "gap"): "arc_race rests."}
CLOSE = (0.999, 1.001)
WIDE = (0.5, 1.5)


def table(places, spread=CLOSE, **more):
    """Return the arena of {landscape: {label: (regret, gap)}}."""
    entries = [
        entry(
            label,
            tuple(regret * factor for factor in spread),
            gap,
            landscape=landscape,
            horizon=LARGE,
        )
        for landscape, found in places.items()
        for label, (regret, gap) in found.items()
    ]
    return arena(entries, **{"reasons": REASONS, **more})


WON = {"arc_race": (100.0, 0.01), "spsa": (300.0, 0.02)}
LOST = {"arc_race": (300.0, 0.01), "spsa": (100.0, 0.04)}
WORSE = {"arc_race": (300.0, 0.04), "spsa": (100.0, 0.01)}


def test_nothing_is_said_where_the_champion_leads():
    assert why_not(table({"flat": WON, "sharp": WON}), LARGE) == ""


def test_nothing_is_said_of_a_champion_that_does_not_play():
    assert why_not(table({"flat": {"spsa": (1.0, 0.1)}}), LARGE) == ""


def test_the_habit_comes_first_and_then_what_the_gaps_show():
    assert why_not(table({"flat": LOST, "sharp": WON}), LARGE) == (
        f"{HABIT} Its answer there has a gap that is 4 times smaller than the leader's."
    )


def test_answers_that_are_not_better_are_said_not_to_be():
    said = why_not(table({"flat": WORSE, "sharp": WORSE}), LARGE)
    assert said.endswith("Its answer has no smaller gap than that of the leader there either.")


def test_an_answer_that_could_not_be_better_is_not_spoken_of():
    perfect = {"arc_race": (300.0, 0.0), "spsa": (100.0, 0.0)}
    assert "Its answer" not in why_not(table({"flat": perfect}), LARGE)


def test_only_better_answers_count_for_the_factor():
    said = why_not(table({"flat": LOST, "sharp": WORSE, "ridge": WON}), LARGE)
    assert (
        "On 1 of 2 its answer has a smaller gap than that of the leader, 4 times smaller in the "
        "median of these."
    ) in said


def test_where_the_middle_has_no_more_than_the_leader_no_search_pays():
    # Against itself the middle has the regret 100, 2e5 and 100; of ridge nothing is lost.
    middle = {"flat": 5e-5, "sharp": 0.1, "ridge": 5e-5}
    found = table({"flat": LOST, "sharp": LOST, "ridge": WON}, middle=middle)
    said = why_not(found, LARGE)
    assert (
        "On flat no search pays: the middle of the box has no more regret than the leader." in said
    )
    assert "no search" not in why_not(table({"flat": LOST}, middle=0.1), LARGE)


def test_the_middle_is_compared_by_the_gap_where_that_counts():
    said = why_not(table({"flat": WORSE}, middle=0.01), LARGE, "gap")
    assert "the middle of the box has no larger gap than that of the leader." in said


def test_each_measure_has_its_own_reason():
    said = why_not(table({"flat": WORSE}), LARGE, "gap")
    assert said.startswith("arc_race rests.")
    assert HABIT not in said
    assert "Its answer" not in said


def test_several_leaders_are_counted_and_the_most_frequent_is_named():
    other = {"arc_race": (300.0, 0.1), "clop": (100.0, 0.1)}
    said = why_not(table({"flat": LOST, "sharp": LOST, "ridge": other}), LARGE)
    assert "No single rival is ahead: 2 learners lead instead, spsa most often, on 2." in said
    assert "rival is ahead" not in why_not(table({"flat": LOST, "sharp": LOST}), LARGE)
    assert "2 learners lead instead, each on one." in why_not(
        table({"flat": LOST, "ridge": other}), LARGE
    )


def test_differences_within_the_errors_are_counted():
    near = {"arc_race": (110.0, 0.1), "spsa": (100.0, 0.1)}
    said = why_not(table({"flat": near, "sharp": near}, WIDE), LARGE)
    assert "On 2 of 2 the difference is not more than two standard errors." in said
    assert "standard errors" not in why_not(table({"flat": near, "sharp": near}), LARGE)
    alone = why_not(table({"flat": near}, WIDE), LARGE)
    assert alone.endswith("The difference is not more than two standard errors.")


def test_one_trial_has_no_errors_to_speak_of():
    assert "standard errors" not in why_not(table({"flat": LOST}, spread=(1.0,)), LARGE)


@pytest.mark.parametrize("made", [page, summary])
def test_page_and_summary_say_why(made):
    assert HABIT in made(table({"flat": LOST, "sharp": WON}))
    assert HABIT not in made(table({"flat": WON, "sharp": WON}))
