"""Who wins where: each sentence is true for the numbers of a planted table."""

import pytest
from arenas import arena, entry

from duelli.report.winners import (
    champion_sentence,
    factor_text,
    headline,
    landscape_sentence,
    measure_of,
)

CLOSE = (0.999, 1.001)  # two trials that hardly differ
WIDE = (0.5, 1.5)


def entries_of(numbers, spread=CLOSE, what="regrets"):
    """Return entries of {horizon: {landscape: {label: number}}}, with two trials each."""
    return [
        entry(
            label,
            landscape=landscape,
            horizon=horizon,
            **{what: tuple(number * factor for factor in spread)},
        )
        for horizon, places in numbers.items()
        for landscape, found in places.items()
        for label, number in found.items()
    ]


def table(numbers, spread=CLOSE, **more):
    return arena(entries_of(numbers, spread), **more)


LARGE = 10**6
WON = {"arc_race": 100.0, "spsa": 250.0, "clop": 400.0}
LOST = {"arc_race": 300.0, "spsa": 100.0, "clop": 400.0}


def test_a_sentence_names_the_winner_its_number_and_the_next():
    said = landscape_sentence(table({LARGE: {"flat": WON}}), "flat")
    assert said == (
        "On flat, the least regret is that of arc_race at T = 1e6 "
        "(100 ± 0.1; spsa is next with 2.5 times as much)."
    )


def test_a_difference_within_the_errors_is_not_called_clear():
    said = landscape_sentence(table({LARGE: {"flat": {"a": 100.0, "b": 104.0}}}, WIDE), "flat")
    assert "(100 ± 50, not clearly less than that of b, 1.04 times as much)" in said


def test_one_winner_at_several_horizons_is_named_once():
    numbers = {1000: {"flat": LOST}, 10**4: {"flat": LOST}, LARGE: {"flat": WON}}
    said = landscape_sentence(table(numbers), "flat")
    assert said.count("that of") == 1
    assert said.index("spsa at T = 1000") < said.index("and T = 1e4") < said.index("; of arc_race")


def test_equal_winners_are_named_together():
    numbers = {1000: {"flat": {"auto": 10.0, "preference_model": 10.0, "spsa": 30.0}}}
    said = landscape_sentence(table(numbers), "flat")
    assert "that of auto and preference_model at T = 1000" in said
    assert "spsa is next with 3 times as much" in said


def test_the_middle_of_the_box_is_named_where_it_has_less_than_the_winner():
    numbers = {1000: {"flat": WON}, LARGE: {"flat": WON}}
    said = landscape_sentence(table(numbers, middle=0.01), "flat")  # 2 T times 0.01
    assert said.endswith(
        "; the middle of the box, which takes no duels, has less at T = 1000 (20 ± 0)."
    )
    assert "middle" not in landscape_sentence(table(numbers, middle=0.4), "flat")


def test_no_factor_is_told_where_the_winner_has_as_good_as_none():
    numbers = {LARGE: {"plateau": {"spsa": 0.0, "arc_race": 900.0}}}
    said = landscape_sentence(table(numbers, middle=0.3), "plateau")
    assert "spsa at T = 1e6 (0 ± 0, as good as none; arc_race is next with 900 ± 0.9)" in said
    lost = champion_sentence(table(numbers), LARGE)
    assert "It does not lead on plateau (spsa: as good as none, 0 ± 0 against 900 ± 0.9)." in lost


def test_one_trial_has_no_error_to_tell():
    found = table({LARGE: {"flat": {"arc_race": 300.0, "spsa": 100.0}}}, spread=(1.0,))
    assert "(100, not clearly less than that of arc_race, 3 times as much)" in landscape_sentence(
        found, "flat"
    )
    assert "100 against 300" in champion_sentence(found, LARGE)


def test_a_learner_alone_has_nobody_behind_it():
    assert "(5 ± 0.005; nobody has more)" in landscape_sentence(
        table({LARGE: {"flat": {"spsa": 5.0}}}, smallest=1e-9), "flat"
    )


def test_gaps_are_told_by_their_medians():
    found = entries_of({50: {"wavy/1": {"auto": 0.1, "spsa": 0.15}}}, what="gaps")
    said = landscape_sentence(arena(found, main="gap"), "wavy/1")
    assert said == (
        "On wavy/1, the smallest gap is that of auto at T = 50 "
        "(0.1; spsa is next with 1.5 times as much)."
    )


def test_a_landscape_on_which_nobody_plays_says_so():
    found = table({LARGE: {"flat": WON}}, landscapes=("flat", "sharp"))
    assert landscape_sentence(found, "sharp") == "On sharp nobody plays."


PLACES = {"flat": WON, "sharp": WON, "ridge": LOST}


def test_the_champion_is_said_to_lead_where_it_does_and_not_where_it_does_not():
    assert champion_sentence(table({LARGE: PLACES}), LARGE) == (
        "At T = 1e6, arc_race has the least regret on 2 of 3 landscapes, and place 1 by mean rank "
        "(1.33). It does not lead on ridge (spsa: 3 times less, 100 ± 0.1 against 300 ± 0.3)."
    )


def test_a_champion_that_leads_everywhere_is_not_said_to_lose():
    said = champion_sentence(table({LARGE: {"flat": WON, "sharp": WON}}), LARGE)
    assert said == (
        "At T = 1e6, arc_race has the least regret on 2 of 2 landscapes, and place 1 by mean rank "
        "(1)."
    )


def test_those_with_a_better_mean_rank_are_named():
    numbers = {LARGE: {"flat": LOST, "sharp": LOST}}
    assert "place 2 by mean rank (2), behind spsa (1)." in champion_sentence(table(numbers), LARGE)


def test_of_many_that_are_better_only_three_are_named():
    rivals = {f"rival_{k}": 100.0 + k for k in range(6)}
    said = champion_sentence(table({LARGE: {"flat": {**rivals, "arc_race": 999.0}}}), LARGE)
    assert "place 7 by mean rank (7)" in said
    assert "behind rival_0 (1), rival_1 (2), rival_2 (3) and 3 more." in said


def test_small_horizons_are_the_business_of_auto():
    numbers = {1000: {"flat": {"auto": 50.0, "arc_race": 10.0}}}
    said = champion_sentence(table(numbers), 1000)
    assert said.startswith("At T = 1000, auto has the least regret on 0 of 1 landscapes")
    assert "flat (arc_race: 5 times less, 10 ± 0.01 against 50 ± 0.05)" in said


def test_a_champion_that_does_not_play_is_said_not_to():
    said = champion_sentence(table({1000: {"flat": {"spsa": 1.0}}}), 1000)
    assert said == "At T = 1000, auto does not play."


def test_a_champion_that_plays_on_some_landscapes_only_has_no_place():
    numbers = {LARGE: {"flat": WON, "sharp": {"spsa": 5.0}}}
    said = champion_sentence(table(numbers), LARGE)
    assert "on 1 of 1 landscapes, and does not play on the others." in said


def test_equal_numbers_are_a_lead_for_both():
    numbers = {1000: {"flat": {"auto": 10.0, "preference_model": 10.0}}}
    assert "on 1 of 1 landscapes" in champion_sentence(table(numbers), 1000)


def test_the_champion_is_said_not_to_beat_the_middle_where_it_does_not():
    found = table({LARGE: PLACES}, middle={"flat": 1e-5, "sharp": 0.1, "ridge": 1.5e-4})
    # Against itself the middle has the regret 20, 2e5 and 300.
    said = champion_sentence(found, LARGE)
    assert said.endswith("It has no less regret than the middle of the box on flat and ridge.")


def test_a_number_as_good_as_none_is_not_held_against_the_champion():
    found = table({LARGE: {"flat": {"arc_race": 0.0, "spsa": 50.0}}}, middle=0.0)
    assert "middle" not in champion_sentence(found, LARGE)


def test_many_lost_places_are_summed_up_by_the_median_and_the_worst():
    factors = (1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 8.0, 1.2)
    places = {
        f"place_{k}": {"arc_race": 100.0 * factor, "spsa": 100.0}
        for k, factor in enumerate(factors)
    }
    said = champion_sentence(table({LARGE: {**places, "home": WON}}), LARGE)
    assert "has the least regret on 1 of 10 landscapes" in said
    assert (
        "On the 9 where it does not lead, the best has 3 times less in the median, and the "
        "difference is largest on place_7 (spsa: 8 times less, 100 ± 0.1 against 800 ± 0.8)."
    ) in said


def test_the_gap_of_the_answer_can_be_asked_for_beside_the_regret():
    found = arena(
        [entry("arc_race", 10.0, 0.02, horizon=LARGE), entry("spsa", 20.0, 0.01, horizon=LARGE)]
    )
    assert "has the least regret on 1 of 1" in champion_sentence(found, LARGE)
    said = champion_sentence(found, LARGE, "gap")
    assert "has the smallest gap on 0 of 1 landscapes" in said
    assert "flat (spsa: 2 times less, 0.01 against 0.02)" in said


def test_the_headline_has_the_best_mean_rank_of_each_horizon():
    numbers = {1000: {"flat": LOST, "sharp": LOST}, LARGE: PLACES}
    assert headline(table(numbers)).startswith(
        "The best mean rank by regret is that of spsa at T = 1000 (1); of arc_race at T = 1e6 "
        "(1.33). The smallest geometric mean is that of "
    )


def test_the_headline_has_the_smallest_geometric_mean_of_each_horizon():
    # a is ahead in two of three places by little, b in one by much.
    near, far = {"a": 100.0, "b": 150.0}, {"a": 1e5, "b": 100.0}
    said = headline(table({LARGE: {"flat": near, "sharp": near, "ridge": far}}))
    assert "mean rank by regret is that of a at T = 1e6" in said
    assert "geometric mean is that of b at T = 1e6 (131)." in said


def test_the_headline_names_all_who_share_the_first_place():
    numbers = {LARGE: {"flat": {"a": 1.0, "b": 1.0}}}
    assert "of a and b at T = 1e6 (1.5)" in headline(table(numbers, smallest=1e-9))


def test_the_headline_of_an_empty_arena_says_so():
    assert headline(arena([])) == "No learner plays at these horizons."


@pytest.mark.parametrize(
    ("factor", "text"),
    [(1.0, "1.00"), (1.004, "1.00"), (1.038, "1.04"), (1.26, "1.3"), (41.9, "42"), (1e5, "1e5")],
)
def test_a_factor_close_to_one_has_more_digits(factor, text):
    assert factor_text(factor) == text


def test_the_measure_is_the_main_one_unless_it_is_named():
    found = arena([entry("a")], main="gap", smallest=0.5)
    assert (measure_of(found).name, measure_of(found).smallest) == ("gap", 0.5)
    assert measure_of(found, "regret").name == "regret"
