"""Entrants: each learner plays as far as it can, and what it cannot is told."""

from dataclasses import replace

import pytest

from duelli.experiments.compare import Contest
from duelli.experiments.entrants import entrants
from duelli.experiments.limits import LIMITS, Limit
from duelli.experiments.presets import ARENAS
from duelli.learners import LEARNERS
from duelli.record.arena import Absence

CONTEST = Contest(
    landscapes=("wavy/1", "cone/2", "quadratic/8"),
    learners={"spsa": ("spsa", {}), "grid": ("interleaved_filter", {})},
    horizons=(50, 200),
    trials=2,
    timed=True,
)
COST = "plays in at most 3 dimensions here, because of its cost"


def cells(parts):
    return {
        (label, landscape, horizon)
        for part in parts
        for label in part.learners
        for landscape in part.landscapes
        for horizon in part.horizons
    }


def test_all_is_played_that_can_be():
    parts, absences = entrants(CONTEST)
    assert cells(parts) == {
        (label, landscape, horizon)
        for label in ("spsa", "grid")
        for landscape in CONTEST.landscapes
        for horizon in (50, 200)
        if (label, landscape) != ("grid", "quadratic/8")
    }
    assert absences == tuple(Absence("grid", t, ("quadratic/8",), COST) for t in (50, 200))


def test_a_part_is_a_contest_like_the_whole():
    part = entrants(CONTEST)[0][0]
    assert replace(part, learners={}, landscapes=(), horizons=()) == replace(
        CONTEST, learners={}, landscapes=(), horizons=()
    )


def test_no_learner_plays_more_duels_than_its_limit(monkeypatch):
    monkeypatch.setitem(LIMITS, "spsa", Limit(60))
    parts, absences = entrants(CONTEST)
    assert ("spsa", "cone/2", 50) in cells(parts)
    assert ("spsa", "cone/2", 200) not in cells(parts)
    why = "plays at most 60 duels here, because of its cost"
    assert Absence("spsa", 200, CONTEST.landscapes, why) in absences


def test_the_limit_is_that_of_the_learner_and_not_of_its_label(monkeypatch):
    monkeypatch.setitem(LIMITS, "interleaved_filter", Limit(60))
    assert ("grid", "cone/2", 200) not in cells(entrants(CONTEST)[0])


def test_what_a_learner_refuses_is_told_in_its_own_words(monkeypatch):
    setting, why = Contest.setting, "dim must be at most 7; got 8"

    def picky(self, landscape, label, horizon):
        if (landscape, label) == ("quadratic/8", "spsa"):
            raise ValueError(why)
        return setting(self, landscape, label, horizon)

    monkeypatch.setattr(Contest, "setting", picky)
    _, absences = entrants(replace(CONTEST, learners={"spsa": ("spsa", {})}))
    assert absences == tuple(Absence("spsa", t, ("quadratic/8",), why) for t in (50, 200))


def test_what_a_learner_refuses_of_the_users_inputs_is_an_error():
    wrong = replace(CONTEST, learners={"spsa": ("spsa", {"gains": "none at all"})})
    with pytest.raises(ValueError, match="gains must be one of"):
        entrants(wrong)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"landscapes": ("nowhere",)}, "landscape must be one of"),
        ({"landscapes": ("cone/77",)}, "problem must be one of"),
        ({"learners": {"nobody": ("nobody", {})}}, "learner must be one of"),
        ({"horizons": (0,)}, "horizon must be a whole number of at least 1"),
        ({"link": "bt"}, "link must be one of"),
        ({"clarity": "dim"}, "clarity must be one of"),
        ({"engine": "callback"}, "engine must be one of"),
    ],
)
def test_a_mistake_is_not_taken_for_a_refusal(change, message):
    with pytest.raises(ValueError, match=message):
        entrants(replace(CONTEST, **change))


@pytest.mark.parametrize("name", ARENAS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_of_the_registry_can_enter_each_arena(learner, name):
    preset = ARENAS[name]
    contest = Contest(
        landscapes=preset.landscapes,
        learners={learner: (learner, {})},
        horizons=preset.horizons,
        trials=1,
    )
    parts, absences = entrants(contest)
    assert parts or "cost" in {each.reason.split()[-1] for each in absences}
    total = len(preset.landscapes) * len(preset.horizons)
    assert len(cells(parts)) + sum(len(each.landscapes) for each in absences) == total
