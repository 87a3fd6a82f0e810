"""Why a learner does not lead: said only where it does not, with numbers of a planted table."""

import pytest
from arenas import arena, entry

from duelli.report.arena import page, summary
from duelli.report.reasons import reasons, why_not

LARGE = 10**6
HABIT = "arc_race scans the whole box."
REASONS = {("arc_race", "regret"): HABIT, ("arc_race", "gap"): "arc_race rests."}
BOTH = ("regret", "gap")
CLOSE = (0.999, 1.001)
WIDE = (0.5, 1.5)


def entries_of(places, spread=CLOSE, horizon=LARGE):
    """Return the entries of {landscape: {label: (regret, gap)}}."""
    return [
        entry(
            label,
            tuple(regret * factor for factor in spread),
            gap,
            landscape=landscape,
            horizon=horizon,
        )
        for landscape, found in places.items()
        for label, (regret, gap) in found.items()
    ]


def table(places, spread=CLOSE, **more):
    return arena(entries_of(places, spread), **{"reasons": REASONS, **more})


WON = {"arc_race": (100.0, 0.01), "spsa": (300.0, 0.02)}
LOST = {"arc_race": (300.0, 0.01), "spsa": (100.0, 0.04)}
WORSE = {"arc_race": (300.0, 0.04), "spsa": (100.0, 0.01)}


def test_nothing_is_said_where_the_champion_leads():
    assert why_not(table({"flat": WON, "sharp": WON}), "arc_race", "regret") == ""


def test_nothing_is_said_of_a_champion_that_does_not_play():
    assert why_not(table({"flat": {"spsa": (1.0, 0.1)}}), "arc_race", "regret") == ""


def test_the_habit_comes_first_and_then_what_the_gaps_show():
    assert why_not(table({"flat": LOST, "sharp": WON}), "arc_race", "regret") == (
        f"By regret: {HABIT} At T = 1e6: Its answer there has a gap that is 4 times smaller than "
        "the leader's."
    )


def test_the_habit_is_said_once_for_all_horizons_and_the_rest_for_each():
    entries = [*entries_of({"flat": LOST}), *entries_of({"flat": WORSE}, horizon=10**5)]
    more = entries_of({"flat": WON}, horizon=200_000)
    said = why_not(arena([*entries, *more], reasons=REASONS), "arc_race", "regret")
    assert said.count(HABIT) == 1
    assert said.index("At T = 1e5: Its answer has no") < said.index("At T = 1e6: Its answer there")
    assert "T = 2e5" not in said


def test_a_learner_is_asked_only_where_it_should_lead():
    few = arena(entries_of({"flat": {**LOST, "auto": (400.0, 0.1)}}, horizon=1000), reasons=REASONS)
    assert why_not(few, "arc_race", "regret") == ""
    assert why_not(few, "auto", "regret").startswith("By regret: At T = 1000: Its answer has")


def test_there_is_one_text_for_each_measure():
    found = reasons(table({"flat": {"arc_race": (300.0, 0.04), "spsa": (100.0, 0.01)}}), BOTH)
    assert [text.partition(" At T")[0] for text in found] == [
        f"By regret: {HABIT}",
        "By gap: arc_race rests.",
    ]


def test_answers_that_are_not_better_are_said_not_to_be():
    said = why_not(table({"flat": WORSE, "sharp": WORSE}), "arc_race", "regret")
    assert said.endswith("Its answer has no smaller gap than that of the leader there either.")


def test_an_answer_that_could_not_be_better_is_not_spoken_of():
    perfect = {"arc_race": (300.0, 0.0), "spsa": (100.0, 0.0)}
    assert "Its answer" not in why_not(table({"flat": perfect}), "arc_race", "regret")


def test_only_better_answers_count_for_the_factor():
    said = why_not(table({"flat": LOST, "sharp": WORSE, "ridge": WON}), "arc_race", "regret")
    assert (
        "On 1 of 2 its answer has a smaller gap than that of the leader, 4 times smaller in the "
        "median of these."
    ) in said


def test_where_the_middle_has_no_more_than_the_leader_no_search_pays():
    # Against itself the middle has the regret 100, 2e5 and 100; of ridge nothing is lost.
    middle = {"flat": 5e-5, "sharp": 0.1, "ridge": 5e-5}
    found = table({"flat": LOST, "sharp": LOST, "ridge": WON}, middle=middle)
    said = why_not(found, "arc_race", "regret")
    assert (
        "On flat no search pays: the middle of the box has no more regret than the leader." in said
    )
    assert "no search" not in why_not(table({"flat": LOST}, middle=0.1), "arc_race", "regret")


def test_the_middle_is_compared_by_the_gap_where_that_counts():
    said = why_not(table({"flat": WORSE}, middle=0.01), "arc_race", "gap")
    assert "the middle of the box has no larger gap than that of the leader." in said


def test_each_measure_has_its_own_reason():
    said = why_not(table({"flat": WORSE}), "arc_race", "gap")
    assert said.startswith("By gap: arc_race rests.")
    assert HABIT not in said
    assert "Its answer" not in said


def test_several_leaders_are_counted_and_the_most_frequent_is_named():
    other = {"arc_race": (300.0, 0.1), "clop": (100.0, 0.1)}
    said = why_not(table({"flat": LOST, "sharp": LOST, "ridge": other}), "arc_race", "regret")
    assert "No single rival is ahead; 2 learners lead instead, spsa most often, on 2." in said
    assert "rival is ahead" not in why_not(
        table({"flat": LOST, "sharp": LOST}), "arc_race", "regret"
    )
    two = table({"flat": LOST, "ridge": other})
    assert "2 learners lead instead, each on one." in why_not(two, "arc_race", "regret")


def test_differences_within_the_errors_are_counted():
    near = {"arc_race": (110.0, 0.1), "spsa": (100.0, 0.1)}
    said = why_not(table({"flat": near, "sharp": near}, WIDE), "arc_race", "regret")
    assert "On 2 of 2 the difference is not more than two standard errors." in said
    assert "standard errors" not in why_not(
        table({"flat": near, "sharp": near}), "arc_race", "regret"
    )
    alone = why_not(table({"flat": near}, WIDE), "arc_race", "regret")
    assert alone.endswith("The difference is not more than two standard errors.")


def test_one_trial_has_no_errors_to_speak_of():
    assert "standard errors" not in why_not(
        table({"flat": LOST}, spread=(1.0,)), "arc_race", "regret"
    )


@pytest.mark.parametrize("made", [page, summary])
def test_page_and_summary_say_why(made):
    assert HABIT in made(table({"flat": LOST, "sharp": WON}))
    assert HABIT not in made(table({"flat": WON, "sharp": WON}))
