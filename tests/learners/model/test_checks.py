"""Which states are refused, and what the messages name."""

import json
import math
from dataclasses import replace

import pytest

from duelli.learners.model import PreferenceModel
from duelli.learners.model.checks import check_state
from duelli.learners.model.config import ARM_UNITS
from duelli.learners.model.evidence import SCALES, SPREADS

from .samples import run_of


def learner():
    return run_of(2, 30, batch=5).learner


def with_first(name, value):
    """Return a change of the first entry of a list."""
    return lambda state: {name: [value, *state[name][1:]]}


CHANGES = {
    "too few scales": (lambda s: {"scales": s["scales"][:1]}, r"state.scales must have 2 entries"),
    "a scale below": (with_first("scales", SCALES[0] - 0.1), r"state.scales must lie in \["),
    "a scale above": (with_first("scales", SCALES[1] + 0.1), r"state.scales must lie in \["),
    "a spread below": (lambda _: {"spread": SPREADS[0] - 0.1}, r"state.spread must lie in \["),
    "a spread above": (lambda _: {"spread": SPREADS[1] + 0.1}, r"state.spread must lie in \["),
    "half an arm": (lambda s: {"places": s["places"][1:]}, r"state.places must have \d+ entries"),
    "an arm outside": (with_first("places", 2 * ARM_UNITS), r"state.places must lie in \["),
    "a negative place": (with_first("places", -1), r"state.places\[0\] must be a whole number"),
    "a fraction of a place": (with_first("places", 0.5), r"state.places\[0\] must be a whole"),
    "a huge utility": (with_first("utilities", 1e9), r"state.utilities must lie in \["),
    "no number": (with_first("utilities", math.nan), r"state.utilities\[0\] must be"),
    "a utility too many": (lambda s: {"utilities": [*s["utilities"], 0]}, "state.places must have"),
    "one left arm less": (lambda s: {"left": s["left"][1:]}, r"state.left must have \d+ entries"),
    "one right arm less": (lambda s: {"right": s["right"][1:]}, r"state.right must have \d+ "),
    "wins of a pair less": (lambda s: {"wins": s["wins"][1:]}, r"state.wins must have \d+ entries"),
    "a pair of one arm": (lambda s: {"left": s["right"]}, "state.left, right, wins and n must"),
    "a pair the wrong way": (
        lambda s: {"left": s["right"], "right": s["left"]},
        "state.left, right, wins and n must",
    ),
    "an arm that is not": (with_first("right", 10**6), "state.left, right, wins and n must"),
    "more wins than duels": (with_first("wins", 100), "state.left, right, wins and n must"),
    "negative wins": (with_first("wins", -1), "state.left, right, wins and n must"),
    "a pair without duels": (
        lambda s: {**with_first("n", 0)(s), **with_first("wins", 0)(s)},
        "state.left, right, wins and n must",
    ),
    "a pair twice": (
        lambda s: {name: [*s[name], s[name][0]] for name in ("left", "right", "wins", "n")},
        "state.left and right must hold each pair once",
    ),
    "more duels of pairs than of all": (with_first("n", 10**6), "state.n must add up to at most"),
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


def test_a_state_without_arms_is_refused():
    fresh = PreferenceModel(dim=2)
    empty = {"places": [], "utilities": []}
    with pytest.raises(ValueError, match=r"state.utilities must hold one arm at least"):
        PreferenceModel.from_state(fresh.config, {**fresh.state(), **empty})


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


@pytest.mark.parametrize("dim", [1, 2])
def test_every_state_of_a_run_is_accepted(dim):
    run = run_of(dim, 150, batch=10)
    check_state(run.learner._state, dim)
    PreferenceModel.from_state(run.learner.config, json.loads(json.dumps(run.learner.state())))


@pytest.mark.parametrize("bound", [0, 1])
def test_the_bounds_themselves_are_accepted(bound):
    state = PreferenceModel(dim=2)._state
    check_state(replace(state, scales=(SCALES[bound],) * 2, spread=SPREADS[bound]), 2)
