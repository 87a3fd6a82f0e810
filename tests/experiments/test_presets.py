"""Presets: all that they name exists, and they suit what they are for."""

import pytest

from duelli.experiments.presets import ARENAS, LARGE, PRESETS, SEVEN, SMALL, preset_for
from duelli.landscapes import LANDSCAPES, PROBLEMS
from duelli.landscapes.practice import GROUPS
from duelli.learners import LEARNERS


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_all_that_a_preset_names_exists(preset):
    assert set(preset.landscapes) <= set(PROBLEMS)
    assert set(preset.learners) <= set(LEARNERS)
    assert len(set(preset.landscapes)) == len(preset.landscapes) >= 8


def test_the_small_problems_go_from_one_to_eight_dimensions_and_half_of_them_were_held_back():
    dims = [int(name.split("/")[1]) for name in SMALL.landscapes]
    assert (min(dims), max(dims)) == (1, 8)
    held_back = set(SMALL.landscapes) & set(GROUPS["held back"])
    assert len(held_back) == len(SMALL.landscapes) / 2


def test_practice_problems_have_few_duels_and_other_landscapes_many():
    assert preset_for(("bumpy/2", "cone/2")) is SMALL
    assert preset_for(("bumpy/2", "sharp")) is LARGE
    assert max(SMALL.horizons) < min(LARGE.horizons)


def test_arenas_have_all_learners():
    assert all(preset.learners == tuple(LEARNERS) for preset in ARENAS.values())


def test_the_arena_of_the_paper_has_its_planar_landscapes_from_1e3_to_1e8_duels():
    paper = ARENAS["paper"]
    assert paper.landscapes == SEVEN
    assert {LANDSCAPES[name].dim for name in SEVEN} == {2}
    assert (min(paper.horizons), max(paper.horizons)) == (10**3, 10**8)
    assert paper.main == "regret"


def test_the_arena_of_practice_has_all_practice_problems():
    practice = ARENAS["practice"]
    assert practice.landscapes == PROBLEMS
    assert practice.horizons == SMALL.horizons
    assert practice.main == "gap"
