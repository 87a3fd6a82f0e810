"""Which states are refused, and what the messages name."""

import json
import math
from dataclasses import replace

import pytest

from duelli.learners.model import PreferenceModel
from duelli.learners.model.checks import MOST_DIFFERENCE, check_state
from duelli.learners.model.config import ARM_UNITS
from duelli.learners.model.evidence import SCALES, SPREADS
from duelli.learners.model.pool import MOST_PAIRS

from .samples import run_of


def learner():
    return run_of(2, 30, batch=5).learner


def with_first(name, value):
    """Return a change of the first entry of a list."""
    return lambda state: {name: [value, *state[name][1:]]}


def without_first(name):
    """Return a change that leaves out the first entry of a list."""
    return lambda state: {name: state[name][1:]}


PAIRS = ("left", "right", "wins", "n", "differences")
FARTHEST = 256**4 - 1  # the point (1, 1), with two bytes for each coordinate
CHANGES = {
    "too few scales": (lambda s: {"scales": s["scales"][:1]}, r"state.scales must have 2 entries"),
    "a scale below": (with_first("scales", SCALES[0] - 0.1), r"state.scales must lie in \["),
    "a scale above": (with_first("scales", SCALES[1] + 0.1), r"state.scales must lie in \["),
    "a spread below": (lambda _: {"spread": SPREADS[0] - 0.1}, r"state.spread must lie in \["),
    "a spread above": (lambda _: {"spread": SPREADS[1] + 0.1}, r"state.spread must lie in \["),
    "a left point less": (without_first("left"), r"state.left must have \d+ entries"),
    "a right point less": (without_first("right"), r"state.right must have \d+ entries"),
    "wins of a pair less": (without_first("wins"), r"state.wins must have \d+ entries"),
    "a difference less": (without_first("differences"), r"state.differences must have \d+ entries"),
    "a difference too many": (
        lambda s: {"differences": [*s["differences"], 0]},
        r"state.differences must have \d+ entries",
    ),
    "duels of a pair less": (without_first("n"), r"state.left must have \d+ entries"),
    "a left point outside": (
        with_first("left", FARTHEST + 1),
        "state.left must be points of 4 bytes",
    ),
    "a right point outside": (with_first("right", FARTHEST + 1), "state.right must be points of"),
    "a negative left place": (with_first("left", -1), r"state.left\[0\] must be a whole number"),
    "a negative right place": (with_first("right", -1), r"state.right\[0\] must be a whole number"),
    "a fraction of a left place": (with_first("left", 0.5), r"state.left\[0\] must be a whole"),
    "a fraction of a right place": (with_first("right", 0.5), r"state.right\[0\] must be a whole"),
    "a huge difference": (
        with_first("differences", 2 * MOST_DIFFERENCE),
        r"state.differences must lie in \[",
    ),
    "a huge negative difference": (
        with_first("differences", -2 * MOST_DIFFERENCE),
        r"state.differences must lie in \[",
    ),
    "no number": (with_first("differences", math.nan), r"state.differences\[0\] must be"),
    "more wins than duels": (with_first("wins", 100), "state.wins and n must describe duels"),
    "negative wins": (with_first("wins", -1), "state.wins and n must describe duels"),
    "a pair without duels": (
        lambda s: {**with_first("n", 0)(s), **with_first("wins", 0)(s)},
        "state.wins and n must describe duels",
    ),
    "a part of a duel": (with_first("n", 1.5), r"state.n\[0\] must be a whole number"),
    "more duels of pairs than of all": (
        lambda s: with_first("n", s["n"][0] + 1)(s),
        "state.n must add up to 30; got 31",
    ),
    "fewer duels of pairs than of all": (
        lambda s: {name: s[name][:-1] for name in PAIRS},
        r"state.n must add up to 30; got \d+",
    ),
    "no pairs at all": (lambda _: {name: [] for name in PAIRS}, "state.n must add up to 30; got 0"),
    "more singles than duels": (
        lambda _: {"singles": 31},
        "state.squares and singles must fit 30 duels; got 30.0, 31",
    ),
    "more squares than singles": (
        lambda _: {"squares": 30.5},
        "state.squares and singles must fit 30 duels; got 30.5, 30",
    ),
    "negative squares": (
        lambda _: {"squares": -0.5},
        "state.squares and singles must fit 30 duels; got -0.5, 30",
    ),
    "no steps": (lambda _: {"steps": 0}, "state.steps must fit 30 duels; got 0"),
    "more steps than duels": (lambda _: {"steps": 31}, "state.steps must fit 30 duels; got 31"),
    "an incumbent outside": (
        lambda _: {"incumbent": [2 * ARM_UNITS, 0]},
        r"state.incumbent must lie in \[0, 1\]\^2",
    ),
    "an incumbent of another box": (
        lambda _: {"incumbent": [0]},
        "state.incumbent must have shape",
    ),
    "too many duels": (lambda _: {"duels": 31}, "state.duels must be at most the horizon 30"),
    "an unknown phase": (lambda _: {"phase": "models"}, "state.phase must be"),
}


@pytest.mark.parametrize(("change", "message"), CHANGES.values(), ids=CHANGES)
def test_a_state_that_cannot_be_is_refused_by_name(change, message):
    state = learner().state()
    with pytest.raises(ValueError, match=message):
        PreferenceModel.from_state(learner().config, {**state, **change(state)})


def test_pairs_before_any_duel_are_refused():
    fresh, state = PreferenceModel(dim=2), learner().state()
    pairs = {name: state[name] for name in PAIRS}
    with pytest.raises(ValueError, match=r"state.n must add up to 0; got 30"):
        PreferenceModel.from_state(fresh.config, {**fresh.state(), **pairs})


def test_a_state_without_pairs_is_accepted_before_any_duel():
    fresh = PreferenceModel(dim=2)
    check_state(fresh._state, 2)
    assert PreferenceModel.from_state(fresh.config, fresh.state()).state() == fresh.state()


@pytest.mark.parametrize("name", PreferenceModel(dim=2).state())
def test_a_missing_entry_is_named(name):
    state = learner().state()
    del state[name]
    with pytest.raises((TypeError, ValueError), match=name):
        PreferenceModel.from_state(learner().config, state)


def test_a_state_of_another_dimension_is_refused():
    with pytest.raises(ValueError, match="state"):
        PreferenceModel.from_state({"dim": 3}, learner().state())


def test_a_refused_state_leaves_the_learner_as_it_was():
    state = learner().state()
    with pytest.raises(ValueError, match="spread"):
        PreferenceModel.from_state(learner().config, {**state, "spread": 99})
    assert learner().state() == state


@pytest.mark.parametrize(("dim", "duels"), [(1, 150), (2, 150), (2, MOST_PAIRS + 150)])
def test_the_state_of_a_run_is_accepted(dim, duels):
    run = run_of(dim, duels, batch=10)
    check_state(run.learner._state, dim)
    PreferenceModel.from_state(run.learner.config, json.loads(json.dumps(run.learner.state())))


@pytest.mark.parametrize("bound", [0, 1])
def test_the_bounds_themselves_are_accepted(bound):
    state = PreferenceModel(dim=2)._state
    check_state(replace(state, scales=(SCALES[bound],) * 2, spread=SPREADS[bound]), 2)


@pytest.mark.parametrize("corner", [0, FARTHEST])
@pytest.mark.parametrize("wins", [0, 30])
def test_pairs_at_their_bounds_are_accepted(corner, wins):
    state, away = learner()._state, FARTHEST - corner
    difference = MOST_DIFFERENCE if corner else -MOST_DIFFERENCE
    one = {"left": (corner,), "right": (away,), "differences": (difference,)}
    check_state(replace(state, **one, wins=(wins,), n=(30,)), 2)
