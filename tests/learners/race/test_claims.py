"""What ArcRace claims for its arm, when it withdraws that, and which states it refuses."""

import json
from dataclasses import replace
from itertools import islice

import pytest

from duelli import ArcRace, DuelModel, landscape, simulate
from duelli.blocks import Tally
from duelli.driver import play
from duelli.learners.race import checks, polish, scan
from duelli.learners.race.states import Commit, Confirm, Local, Polish, Scan
from duelli.testing import CoinFlips

from .samples import HORIZON, config_of, memory_of

CONFIG = config_of(2)
BOX = {"low": (0.25, 0.5), "high": (0.5, 0.625)}


def learner_with(config=CONFIG, state=None, **fields):
    learner = ArcRace(**{name: getattr(config, name) for name in config.__slots__})
    learner._state = state or Commit(memory=memory_of((0.5, 0.5), duels=1000, **fields))
    return learner


def test_the_answer_is_what_the_memory_holds():
    answer = learner_with(**BOX, spent=0.02, done=2).best()
    assert (answer.arm, answer.low, answer.high) == ((0.5, 0.5), *BOX.values())
    assert (answer.edge, answer.gap_low, answer.gap_high) == (0.25, 0.0, 0.25 * 0.25)
    assert (answer.confidence, answer.duels) == (0.98, 1000)


def test_text_and_numbers_say_the_same():  # R6
    answer = learner_with(**BOX, spent=0.02, done=2).best()
    assert answer.enough
    assert answer.text == (
        "After 2 rounds and 1,000 duels the best arm beats this one with probability of at most "
        "0.562, at confidence 0.98."
    )
    few = learner_with(spent=0.02, done=1).best()
    assert (few.enough, few.gap_high) == (False, 0.125)
    assert few.text.startswith("After 1 round and 1,000 duels: not enough duels yet")
    assert few.text.endswith("its gap is at most 0.125, at confidence 0.98.")


@pytest.mark.parametrize(("certified", "enough"), [(0.124, True), (0.125, False)])
def test_the_duels_are_enough_where_they_halve_what_was_known(certified, enough):
    answer = learner_with(anchor=(0.5, 0.5), certified=certified, low=(0, 0), high=(1, 1)).best()
    assert answer.enough == enough
    assert ("not enough" in answer.text) != enough


def test_arms_closer_than_one_half_can_be_told_apart_at_best():
    assert learner_with(final=True, horizon_now=1001).best().tied_within == 0.5
    memory = memory_of((0.5, 0.5), duels=1000, final=True)
    answer = learner_with(state=Commit(memory=memory)).best()
    assert answer.tied_within == polish.stop_drop(memory, CONFIG) < 0.5


def test_a_refuted_slope_withdraws_the_claim_and_says_what_to_do():  # R4
    answer = learner_with(**BOX, spent=0.02, steepest=0.6).best()
    assert (answer.confidence, answer.gap_high, answer.enough) == (0.0, 0.5, False)
    assert (answer.low, answer.high, answer.arm) == ((0.0, 0.0), (1.0, 1.0), (0.5, 0.5))
    assert "After 1,000 duels" in answer.text
    assert "at least 2.4 times as fast as slope_max and lipschitz allow" in answer.text
    assert "Run again with a larger lipschitz constant" in answer.text


def test_a_slope_that_is_just_allowed_refutes_nothing():
    assert learner_with(**BOX, spent=0.02, steepest=0.25).best().confidence == 0.98
    steep = replace(CONFIG, lipschitz=3.0)
    assert learner_with(steep, **BOX, spent=0.02, steepest=0.6).best().confidence == 0.98


def test_an_empty_box_withdraws_the_claim_and_says_what_to_do():  # R3
    answer = learner_with(**BOX, spent=0.02, refuted=True).best()
    assert (answer.confidence, answer.gap_high, answer.edge) == (0.0, 0.5, 1.0)
    assert "two rounds ruled out the whole box between them" in answer.text
    assert "Run again with a larger lipschitz constant" in answer.text


def test_a_lipschitz_constant_that_is_far_too_small_is_noticed():
    steep = landscape(lambda xs: 6 * (1 - abs(xs[:, 0] - 0.3)), 1, best_arm=(0.3,), lipschitz=6.0)
    model = DuelModel(steep)
    inputs = {"dim": 1, "horizon": 10**6, "slope_max": model.link.slope_max}
    wrong, right = ArcRace(**inputs, lipschitz=1.0), ArcRace(**inputs, lipschitz=6.0)
    for learner in (wrong, right):
        simulate(learner, model)
    assert (wrong.best().confidence, right.best().confidence > 0.9) == (0.0, True)
    assert "refute" in wrong.best().text


def test_the_confidence_is_what_was_spent():  # R5
    careful = config_of(1, horizon=10**9, caution=2.0)
    learner = ArcRace(**{name: getattr(careful, name) for name in careful.__slots__})
    model = DuelModel(landscape(lambda xs: 1 - abs(xs[:, 0] - 0.3), 1, best_arm=(0.3,)))
    simulate(learner, model)
    assert learner.best().confidence == 1 - learner._state.memory.spent > 0.95


# Memory.

OLD = Local(step=0.01, drop=0.001, shape=(1.0, 0.125, 0.5), trend=(0.5, -4.0), sweeps=9)
SETTLED = replace(OLD, settled=(0.05, 0.02), sweeps=30)


def scanning(**fields):
    memory = memory_of((0.5, 0.5), round=5, begun=1, duels=10, **fields.pop("memory", {}))
    given = {"deadline": 5, "cost_limit": None, "deeper": 2, "alive_before": 1}
    return Scan(memory=memory, **{**given, **fields})


def test_the_bits_of_a_state_are_those_of_its_parts():
    word = HORIZON.bit_length()
    corners = 4 * 2 * 1
    arms = 32 * 2
    memory = memory_of((0.5, 0.5))
    assert learner_with(state=Commit(memory=memory)).state_bits() == arms + corners + 21 * word
    anchored = memory_of((0.5, 0.5), anchor=(0.5, 0.5), shape=(1.0, 0.0, 1.0))
    bits = learner_with(state=Commit(memory=anchored)).state_bits()
    assert bits == 2 * arms + corners + 21 * word + 60
    around = Polish(memory=memory, home=(0.5, 0.5), start=0, deadline=1)
    assert learner_with(state=around).state_bits() == 2 * arms + corners + 21 * word
    both = replace(around, rival_to=(0.25, 0.25))
    assert learner_with(state=both).state_bits() == 3 * arms + corners + 21 * word
    shaped = replace(both, old_local=OLD)  # three numbers of a shape, two of a trend
    assert learner_with(state=shaped).state_bits() == 3 * arms + corners + 21 * word + 100
    for long in (replace(shaped, old_local=SETTLED), replace(around, memory=with_local(SETTLED))):
        plain = replace(
            long, **{"old_local": OLD} if long.old_local else {"memory": with_local(OLD)}
        )
        more = learner_with(state=long).state_bits() - learner_with(state=plain).state_bits()
        assert more == 2 * word
    bits = learner_with(state=scanning(best=(0.1, 0.1))).state_bits()
    assert bits == 2 * arms + 5 * 2 * 5 + 21 * word


def with_local(local):
    return replace(memory_of((0.5, 0.5)), local=local)


# States that no run can be in.


def saved(state):
    return json.loads(json.dumps(learner_with(state=state).state()))


def confirming(old=(0.25, 0.25), **fields):
    memory = memory_of((0.5, 0.5))
    return Confirm(memory=memory, old=old, rival=True, lead=0.0, deadline=9, **fields)


def around(**fields):
    memory = memory_of((0.5, 0.5), **{"drop": 0.01, **fields})
    return Polish(memory=memory, home=(0.5, 0.5), start=0, deadline=1)


AROUND = around()
FINE = [
    AROUND,
    around(drop=0.5, trend=(4.0, -4.0)),
    around(drop=checks.MIN_DROP),
    around(settled=(checks.MAX_STEP, 0.5)),
    around(settled=(1e-9, checks.MIN_DROP), sweeps=99),
    around(shape=(checks.MIN_AXIS, 0.0, checks.MAX_AXIS)),
    replace(AROUND, rival_to=(0.25, 0.25), old_local=OLD),
    replace(AROUND, rival_to=(0.25, 0.25), old_local=SETTLED),
    confirming(n=3, wins=3.0),
    confirming(old_local=OLD),
    scanning(path=(0, 1, 2, 3), n=3, wins=0.0),
    Commit(memory=memory_of((0.5, 0.5), round=checks.MAX_ROUND, begun=1, done=1)),
    Commit(memory=memory_of((0.5, 0.5), step=checks.MIN_STEP, shape=(1.0, 0.0, 1.0))),
    Commit(memory=memory_of((0.5, 0.5), step=checks.MAX_STEP)),
]


@pytest.mark.parametrize("state", FINE)
def test_a_state_that_a_run_can_be_in_is_taken(state):
    assert ArcRace.from_state(CONFIG, saved(state))._state == state


def with_memory(**fields):
    return Commit(memory=memory_of((0.5, 0.5), **fields))


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (around(drop=0.0), "state.memory.local.drop must be positive in a polish; got 0"),
        (around(drop=0.51), r"state.memory.local.drop must be 0 or lie in .*; got 0.51"),
        (around(drop=2.0**-41), "state.memory.local.drop must be 0 or lie in"),
        (with_memory(drop=-0.1), "state.memory.local.drop must be 0 or lie in"),
        (
            around(settled=(0.1,)),
            r"state.memory.local.settled must have 2 entries or none; got \(0.1,\)",
        ),
        (around(settled=(0.1, 0.1, 0.1)), "state.memory.local.settled must have 2 entries or none"),
        (
            around(settled=(0.0, 0.1)),
            r"state.memory.local.settled must have a half-axis in \(0, 0.5\] and a drop in "
            r"\[9.09495e-13, 0.5\]; got \(0.0, 0.1\)",
        ),
        (around(settled=(0.51, 0.1)), "state.memory.local.settled must have a half-axis in"),
        (around(settled=(-0.1, 0.1)), "state.memory.local.settled must have a half-axis in"),
        (around(settled=(0.1, 0.0)), "state.memory.local.settled must have a half-axis in"),
        (around(settled=(0.1, 0.51)), "state.memory.local.settled must have a half-axis in"),
        (around(settled=(0.1, 2.0**-41)), "state.memory.local.settled must have a half-axis in"),
        (
            with_memory(drop=0.0, settled=(0.1, 0.1)),
            r"state.memory.local.settled must be empty where the drop is 0; got \(0.1, 0.1\)",
        ),
        (
            confirming(old_local=replace(SETTLED, settled=(1.0, 0.1))),
            "state.old_local.settled must have a half-axis in",
        ),
        (
            around(shape=(0.0, 0.0, 1.0)),
            r"state.memory.local.shape must have half-axes in \[0.0078125, 1.25\]; got \(0.0, 0",
        ),
        (around(shape=(1.0, 0.0, 0.007)), "state.memory.local.shape must have half-axes in"),
        (around(shape=(1.0, 1.0, 1.0)), "state.memory.local.shape must have half-axes in"),
        (around(shape=(1.0, 0.0, 1.3)), "state.memory.local.shape must have half-axes in"),
        (around(shape=(-1.0, 0.0, 1.0)), "state.memory.local.shape must have half-axes in"),
        (around(trend=(1.0,)), r"state.memory.local.trend must have 2 entries or none; got"),
        (around(trend=(0.0, 4.5)), r"state.memory.local.trend must lie in \[-4, 4\]"),
        (confirming(old_local=replace(OLD, drop=0.6)), "state.old_local.drop must be 0 or lie in"),
        (confirming(n=3, wins=4.0), r"state.wins must lie in \[0, n\] = \[0, 3\]; got 4"),
        (scanning(n=3, wins=4.0), r"state.wins must lie in \[0, n\] = \[0, 3\]; got 4"),
        (confirming(old=(0.5, 0.5)), "state.old must differ from the reference"),
        (scanning(path=(0,) * 5), "state.path must be shorter than the round 5"),
        (with_memory(round=0), r"state.memory.round must lie in \[1, 64\]; got 0"),
        (with_memory(round=65), r"state.memory.round must lie in \[1, 64\]; got 65"),
        (with_memory(step=2.0**-25), "state.memory.local.step must lie in"),
        (with_memory(step=0.51), "state.memory.local.step must lie in"),
        (
            with_memory(shape=(1.0, 0.5)),
            r"state.memory.local.shape must have 3 entries or none; got \(1.0, 0.5\)",
        ),
        (replace(AROUND, old_local=replace(OLD, step=0.51)), "state.old_local.step must lie in"),
        (confirming(old_local=replace(OLD, step=2.0**-25)), "state.old_local.step must lie in"),
        (
            replace(AROUND, old_local=replace(OLD, shape=(1.0,))),
            r"state.old_local.shape must have 3 entries or none; got \(1.0,\)",
        ),
        (
            confirming(old_local=replace(OLD, shape=(1.0,) * 4)),
            "state.old_local.shape must have 3 entries or none",
        ),
        (with_memory(done=2, begun=1), "state.memory.done must be at most 1, the rounds begun"),
        (with_memory(begun=2), "state.memory.begun must be at most 1, as every round but the last"),
        (with_memory(horizon_now=999), "state.memory.horizon_now must be the horizon 1000000"),
    ],
)
def test_a_state_that_no_run_can_be_in_is_refused(state, message):
    with pytest.raises(ValueError, match=message):
        ArcRace.from_state(CONFIG, saved(state))


def test_without_a_horizon_any_horizon_may_be_pretended():
    endless = replace(CONFIG, horizon=None)
    state = with_memory(horizon_now=999)
    assert ArcRace.from_state(endless, saved(state))._state == state


@pytest.mark.parametrize("dim", [1, 2, 9])
def test_every_state_of_a_run_survives_json(dim):
    config = config_of(dim)
    learner = ArcRace(**{name: getattr(config, name) for name in config.__slots__})
    seen = set()
    for _ in play(learner, CoinFlips(seed=dim)):
        state = json.loads(json.dumps(learner.state()))
        seen.add(len(state["memory"]["local"]["settled"]))
        assert ArcRace.from_state(config, state)._state == learner._state
    assert seen == {0, 2}
    assert 1 <= polish._power(learner._state.memory.local, dim) <= polish.MOST_POWER


@pytest.mark.parametrize("reference", [(0.5, 0.5), (0.0, 0.5)])
def test_a_step_never_grows_into_a_state_that_is_refused(reference):
    # The longest step and the largest growth, just before the half-axis is kept.
    shape, trend = (checks.MAX_AXIS, 0.0, checks.MAX_AXIS), (4.0, 4.0)
    fields = {"step": checks.MAX_STEP, "shape": shape, "trend": trend, "sweeps": 11, "drop": 0.01}
    memory = memory_of(reference, **fields)
    learner = learner_with(state=Polish(memory=memory, home=reference, start=0, deadline=HORIZON))
    learner.tell([Tally(block.n, 0.75 * block.n, block.low) for block in learner.ask()])
    local = learner._state.memory.local
    assert local.step == polish.FIRST_STEP
    assert len(local.settled) == 2
    assert ArcRace.from_state(CONFIG, saved(learner._state))._state == learner._state


@pytest.mark.parametrize("slope", [0.01, 0.05, 0.25, 1.0, 7.0])
def test_a_cell_has_no_more_looks_than_its_certificate_counts(slope):
    config = config_of(1, horizon=None, slope_max=slope, min_block=1)
    for depth in range(2, 24):
        memory = memory_of((1.0,), round=depth)
        given = {"deadline": 1, "cost_limit": None, "deeper": 1, "alive_before": 1}
        state, looks = Scan(memory=memory, path=(0,) * (depth - 1), **given), 0
        while state.n < scan.cap(memory, depth, config):
            state, looks = replace(state, n=state.n + scan.block(state, config).n), looks + 1
        assert looks <= scan.LAST_LOOKS


# What may stand in the place of a number of a saved state.
OTHERS = (0, -1, 1, 0.5, 1e-300, -1e-300, 1e12, 1e300)


def changed(state, name, k, value):
    """Return the saved state with another number: that of the local model, or one of its tuples."""
    local = state["memory"]["local"]
    other = value if k is None else [*local[name][:k], value, *local[name][k + 1 :]]
    return {**state, "memory": {**state["memory"], "local": {**local, name: other}}}


@pytest.mark.parametrize("value", OTHERS)
@pytest.mark.parametrize("phase", [Polish, Commit])
def test_a_local_model_with_another_number_is_refused_or_can_be_played(phase, value):
    memory, taken = replace(with_local(SETTLED), horizon_now=10**9), 0
    config = replace(CONFIG, horizon=None)
    more = {"home": (0.5, 0.5), "start": 0, "deadline": 1} if phase is Polish else {}
    state = saved(phase(memory=memory, **more))
    places = [("step", None), ("drop", None), ("sweeps", None)]
    places += [(name, k) for name in ("shape", "settled", "trend") for k in range(2)]
    for name, k in places:
        try:
            learner = ArcRace.from_state(config, changed(state, name, k, value))
        except (ValueError, TypeError):
            continue
        taken += 1
        for step, _ in islice(play(learner, CoinFlips()), 4):
            assert step
    assert taken or value == 1e300
