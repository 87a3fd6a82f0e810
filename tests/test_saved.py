"""Saved runs: self-describing, checked whole, refused in one clear sentence."""

import copy
import json
import random

import pytest
from judges import hash_judge
from registered import learner_names

import duelli
from duelli import Run, SavedRunError, saved

SMALL = {
    "clop": {"batch": 28},
    "comp_gp_ucb": {"batch": 28, "candidates": 20},
    "kernel_self_sparring": {"batch": 28, "candidates": 20},
    "interleaved_filter": {"cells": 3},  # else 4096 arms
    "preference_model": {"batch": 28},  # few steps take little time
    "auto": {"batch": 28, "handover": 56},
    "multi_sbm": {"cells": 2},  # it remembers every pair of arms
}
SHORT = ("anchored_doubler", "doubler", "multi_sbm", "sparring")  # each duel is a step of its own
BOX = {"a": (0.0, 1.0), "b": (1, 9, "int"), "c": ["p", "q"], "d": 3}


def begun(told=30, learner="arc_race", horizon=400):
    inputs = SMALL.get(learner, {})
    run = Run(BOX, horizon=horizon, learner=learner, link="logistic", lipschitz=1.0, inputs=inputs)
    for _ in range(told):
        pair = run.ask()[0]
        run.tell(pair.id, pair.x["a"] > pair.y["a"])
    return run


def played_on(run, most=1000):
    """Judge up to ``most`` more duels; a horizon that was made huge is valid, and has no end."""
    for _ in range(most):
        if not (pairs := run.ask()):
            assert run.done
            break
        run.tell(pairs[0].id, repr(pairs[0].x) > repr(pairs[0].y))
    assert run.duels <= run.horizon


def resealed(value):
    """Return a changed saved run with a checksum that fits, as a careful tamperer would."""
    again = {key: entry for key, entry in value.items() if key != "checksum"}
    try:
        return {**again, "checksum": saved.checksum_of(again)}
    except (SavedRunError, KeyError):
        return {**again, "checksum": 0}


def places(value, path=()):
    """Yield the path of every entry, at any depth; long lists are looked at in their beginning."""
    entries = list(value.items()) if isinstance(value, dict) else list(enumerate(value))[:4]
    for key, inner in entries:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*path, key))


def changed(value, path, change):
    again = copy.deepcopy(value)
    *above, last = path
    inner = again
    for key in above:
        inner = inner[key]
    change(inner, last)
    return again


CHANGES = {
    "dropped": lambda inner, key: inner.pop(key),
    "negated": lambda inner, key: inner.__setitem__(key, _negated(inner[key])),
    "made huge": lambda inner, key: inner.__setitem__(key, 10**40),
    "made a huge float": lambda inner, key: inner.__setitem__(key, 1e300),
    "made a text": lambda inner, key: inner.__setitem__(key, "seven"),
    "made null": lambda inner, key: inner.__setitem__(key, None),
    "made a list": lambda inner, key: inner.__setitem__(key, [1, 2, 3]),
    "made an object": lambda inner, key: inner.__setitem__(key, {"a": 1}),
    "made true": lambda inner, key: inner.__setitem__(key, True),
    "made 1e12": lambda inner, key: inner.__setitem__(key, 10**12),
    "made half": lambda inner, key: inner.__setitem__(key, 0.5),
}


def _negated(value):
    return -value - 1 if isinstance(value, int | float) else -1


def refused_or_valid(value):
    try:
        run = Run.from_saved(value)
    except SavedRunError as error:
        message = str(error)
    else:
        message = ""
    if message:
        assert len(message.splitlines()) == 1
        return "refused"
    played_on(run)
    assert run.best().text
    return "valid"


@pytest.mark.parametrize("learner", learner_names())
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_saved_run_is_refused_or_can_be_played(learner, change):
    horizon = 120 if "batch" in SMALL.get(learner, {}) else 16 if learner in SHORT else 400
    value = begun(told=min(30, horizon // 2), learner=learner, horizon=horizon).saved()
    outcomes = {refused_or_valid(resealed(changed(value, p, change))) for p in places(value)}
    assert "refused" in outcomes


@pytest.mark.parametrize("seed", range(5))
def test_several_changes_at_once_are_refused_or_can_be_played(seed):
    rng = random.Random(seed)
    value, outcomes = begun(told=rng.randrange(1, 200)).saved(), set()
    for _ in range(30):
        again = value
        for _ in range(rng.randrange(2, 5)):
            again = changed(again, rng.choice(list(places(again))), rng.choice([*CHANGES.values()]))
        outcomes.add(refused_or_valid(resealed(again)))
    assert "refused" in outcomes


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_any_change_is_seen_by_the_checksum(change):
    value = begun().saved()
    for path in places(value):
        again = changed(value, path, change)
        if again != value:
            with pytest.raises(SavedRunError):
                Run.from_saved(again)


def test_a_run_that_was_not_changed_is_accepted():
    run = begun()
    assert Run.from_saved(run.saved()).saved() == run.saved()


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (None, "must be a JSON object; got null"),
        ([], "must be a JSON object; got a list"),
        ({}, "format must be 'duelli run'; got None"),
        ({"learner": {}, "played": 3, "duels": 9}, "states of duelli 0.1 cannot be continued"),
        ({"phase": "polish"}, "states of duelli 0.1 cannot be continued"),
        ({"format": "duelli run", "version": 0}, "continue it with the release of duelli"),
    ],
)
def test_what_is_no_saved_run_says_why(value, why):
    with pytest.raises(SavedRunError, match=why):
        Run.from_saved(value)


@pytest.mark.parametrize(
    "text", ["", "{", "[1, 2", "\x00", "NaN", "[" * 100_000, "1" * 10_000], ids=range(7)
)
def test_a_file_that_holds_no_saved_run_is_named(tmp_path, text):
    path = tmp_path / "run.json"
    path.write_text(text)
    with pytest.raises(SavedRunError):
        duelli.load(path)


def test_a_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        duelli.load(tmp_path / "none.json")


def test_it_describes_itself():
    value = begun().saved()
    assert value["format"] == "duelli run"
    assert value["version"] == saved.VERSION
    assert value["learner"] == "arc_race"
    assert value["inputs"]["horizon"] == 400


def test_a_saved_run_is_small():
    run = Run([(0.0, 1.0)] * 2, learner="arc_race", horizon=100_000, keep_history=False)
    for _ in range(3000):
        pair = run.ask()[0]
        run.tell(pair.id, hash_judge(pair.x, pair.y))
    value = run.saved()
    assert len(json.dumps(value["state"])) < 768


@pytest.mark.parametrize(
    ("other", "name"),
    [
        ({"learner": "interleaved_filter"}, "learner"),
        ({"seed": 1}, "seed"),
        ({"aim": "regret"}, "aim"),
        ({"link": "probit"}, "input 'slope_max'"),
        ({"inputs": {"caution": 0.5}}, "input 'caution'"),
    ],
)
def test_another_call_is_refused_with_what_differs(other, name):
    value = begun().saved()
    usual = {"learner": "arc_race", "link": "logistic", "lipschitz": 1.0, "horizon": 400}
    call = {**usual, **other}
    with pytest.raises(SavedRunError, match=f"must have the same {name}"):
        duelli.optimize(lambda *_: True, BOX, saved=value, **call)


def test_another_box_is_refused():
    box = {**BOX, "a": (0.0, 2.0)}
    with pytest.raises(SavedRunError, match="must have the same box"):
        duelli.optimize(
            lambda *_: True,
            box,
            saved=begun().saved(),
            learner="arc_race",
            horizon=400,
            link="logistic",
            lipschitz=1.0,
        )


def test_a_history_of_another_number_of_duels_is_refused():
    run = Run([(0.0, 1.0)] * 2, learner="arc_race", horizon=400)
    for _ in range(200):
        pair = run.ask()[0]
        run.tell(pair.id, hash_judge(pair.x, pair.y))
    value = run.saved()
    value["history"][0][1][0][3] += 1
    with pytest.raises(SavedRunError, match="history must hold"):
        Run.from_saved(resealed(value))


@pytest.mark.parametrize("answer", [[0.5], [0.5, 2.0], "x", None])
def test_an_answer_in_the_history_that_is_no_arm_is_refused(answer):
    run = Run([(0.0, 1.0)] * 2, learner="arc_race", horizon=200)
    while run.steps == 0:
        run.tell(run.ask()[0].id, "x")
    value = run.saved()
    value["history"][0][3] = answer
    with pytest.raises(SavedRunError, match="the answer of an entry of history"):
        Run.from_saved(resealed(value))
