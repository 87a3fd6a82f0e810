"""ArcRace from outside: what it asks, what it remembers, what it claims."""

import itertools
import json
import math

import pytest

from duelli import LANDSCAPES, ArcRace, DuelModel, play, simulate
from duelli.cubes import contains
from duelli.engines import ENGINES
from duelli.landscapes import shifted_copy
from duelli.learners.race import SLACKS
from duelli.testing.watch import eliminations


def race(model, **inputs):
    given = {"dim": model.landscape.dim, "slope_max": model.link.slope_max}
    return ArcRace(**{**given, "lipschitz": model.landscape.lipschitz, **inputs})


def run(model, seed=0, **inputs):
    learner = race(model, **inputs)
    return learner, simulate(learner, model, seed=seed, duels=10**6)


MODEL = DuelModel("two_cones")


def test_the_first_reference_is_the_middle_or_the_start():
    assert race(MODEL, horizon=100).ask().reference == (0.5, 0.5)
    assert race(MODEL, horizon=100, start=(0.25, 0.75)).ask().reference == (0.25, 0.75)


def test_cleanup_is_one_block_of_the_reference_against_itself():
    learner = race(MODEL, horizon=10**6)
    blocks = [block for block, _ in play(learner, ENGINES["collapsed"](MODEL))]
    assert blocks[-1].low == blocks[-1].reference == learner.recommend()
    assert blocks[-2].low != blocks[-2].reference


@pytest.mark.parametrize("min_block", [8, 64, 500])
def test_no_block_is_smaller_than_asked_while_it_can_be_helped(min_block):
    learner = race(MODEL, horizon=10**6, min_block=min_block)
    sizes, left = [], 10**6
    for block, _ in play(learner, ENGINES["collapsed"](MODEL)):
        if left > 8 * min_block:  # at the very end there may be too few duels left
            sizes.append(block.n)
        left -= block.n
    assert min(sizes) >= min_block


def test_cubes_are_played_at_their_centres_against_one_reference_a_round():
    learner = race(MODEL, horizon=10**8)
    references = {}
    before = learner.state()
    for block, _ in play(learner, ENGINES["collapsed"](MODEL)):
        if before["phase"] == "explore":
            assert block.edge == 0
            references.setdefault(before["begun"], set()).add(block.reference)
        before = learner.state()
    assert references
    assert all(len(found) == 1 for found in references.values())


def test_cubes_are_eliminated():
    assert len(list(eliminations(race(MODEL, horizon=10**10), MODEL, 0))) > 10


@pytest.mark.parametrize("name", sorted(LANDSCAPES))
def test_the_region_holds_a_best_arm(name):
    model = DuelModel(shifted_copy(LANDSCAPES[name], 5))
    learner, _ = run(model, horizon=10**6)
    answer = learner.best()
    best = model.landscape.best_arm
    assert all(a <= x <= a + answer.edge for a, x in zip(answer.low, best, strict=True))
    assert model.gap_to_best(answer.arm) <= answer.gap_high


def test_a_state_saved_in_the_middle_of_a_scan_claims_the_same_in_the_end():
    engine = ENGINES["collapsed"](MODEL, seed=0)
    learner = race(MODEL, horizon=10**10)
    for _ in play(learner, engine):
        state = learner.state()
        if state["phase"] == "explore" and state["begun"] == 3 and len(state["path"]) > 3:
            break
    twin = ArcRace.from_state(learner.config, json.loads(json.dumps(learner.state())))
    assert twin._state == learner._state
    assert twin._state.seen_low is not None


def test_the_answer_gets_sharper_with_more_duels():
    highs = []
    for horizon in (10**3, 10**10):
        learner = race(MODEL, horizon=horizon)
        simulate(learner, MODEL)
        highs.append(learner.best())
    assert not highs[0].enough
    assert "not enough duels yet" in highs[0].text
    assert highs[1].enough
    assert highs[1].gap_high < highs[0].gap_high


def test_confidence_is_at_least_one_minus_delta():
    learner, _ = run(MODEL, horizon=10**6, failure_prob=0.1)
    assert 0.9 <= learner.best().confidence < 1


def test_boldness_lowers_the_claimed_confidence():
    careful, bold = (run(MODEL, horizon=10**6, caution=c)[0].best() for c in (1.0, 0.3))
    assert bold.confidence < careful.confidence


def test_without_a_horizon_it_keeps_improving():
    learner = race(MODEL)
    engine = ENGINES["collapsed"](MODEL, seed=2)
    gaps, goal = [], 10**3
    for _ in play(learner, engine):
        if learner.state()["duels"] >= goal:
            gaps.append(float(MODEL.gap_to_best(learner.recommend())))
            goal *= 10
        if goal > 10**8:
            break
    assert gaps[-1] < 0.002
    assert gaps[-1] < gaps[0]


def test_without_a_horizon_the_regret_is_close_to_that_with_one():
    known = simulate(race(MODEL, horizon=10**7), MODEL, seed=1).cumulative_regret
    unknown = simulate(race(MODEL), MODEL, seed=1, duels=10**7).cumulative_regret
    assert unknown < 3 * known


@pytest.mark.parametrize(
    ("dim", "horizon", "pay"),
    [(4, 10**12, 0.003), (4, 10**12, 0.0), (2, 10**8, None), (1, 10**6, None)],
)
def test_state_stays_small(dim, horizon, pay, monkeypatch):
    names = {1: None, 2: "two_cones", 4: "two_cones_4d"}
    model = DuelModel(names[dim]) if names[dim] else _line()
    learner = race(model, horizon=horizon)
    longest = bits = 0
    if dim == 4:  # with no scan it soon comes to the last polish, whose numbers are the largest
        monkeypatch.setattr("duelli.learners.race.machine.PAY", pay)
    # A deep scan in four dimensions has many cubes; its state is as long after the first of them.
    for _ in itertools.islice(play(learner, ENGINES["collapsed"](model)), 20_000):
        text = json.dumps(learner.state(), separators=(",", ":"))
        longest, bits = max(longest, len(text)), max(bits, learner.state_bits())
    assert longest < 512
    assert bits < 40 * dim * math.log2(horizon)


def _line():
    from duelli import landscape

    return DuelModel(landscape(lambda xs: 1 - abs(xs[:, 0] - 0.37), 1, best_arm=(0.37,)))


def test_state_is_plain_json_and_goes_on_bit_for_bit():
    model, rest = MODEL, []
    learner = race(model, horizon=10**7)
    engine = ENGINES["collapsed"](model, seed=3)
    for count, _ in enumerate(play(learner, engine)):
        if count == 200:
            break
    saved = json.loads(json.dumps(learner.state()))
    assert saved == learner.state()
    for twin in (learner, ArcRace.from_state(learner.config, saved)):
        coin = iter(range(10**9))
        blocks = []
        for _ in range(300):
            block = twin.ask()
            if block is None:
                break
            from duelli import Tally

            wins = block.n * (0.3 + 0.3 * (next(coin) % 2))
            twin.tell(Tally(block.n, wins, block.low))
            blocks.append(block)
        rest.append(blocks)
    assert rest[0] == rest[1]


@pytest.mark.parametrize("slack", SLACKS)
def test_it_plays_its_horizon_without_any_one_slack(slack):
    learner = race(MODEL, horizon=10**6, without=(slack,))
    assert simulate(learner, MODEL).horizon == 10**6


def test_a_rival_is_not_recommended_before_it_has_won():
    model = DuelModel("two_peaks")
    learner = race(model, horizon=10**8, start=(0.8, 0.75))
    rivals = 0
    for _ in play(learner, ENGINES["collapsed"](model)):
        state = learner.state()
        reference = state.get("rival_to") or (state.get("rival") and state["old"])
        if reference:
            rivals += 1
            assert learner.recommend() == tuple(x / 2**32 for x in reference)
    assert rivals > 0


def test_the_second_peak_does_not_keep_it():
    model = DuelModel("two_peaks")
    gaps = []
    for seed in range(5):
        learner = race(model, horizon=10**8, start=(0.8, 0.75))
        gaps.append(simulate(learner, model, seed=seed).final_gap)
    assert max(gaps) < 0.0075  # the second peak is worse by that


def test_eliminated_cubes_never_hold_the_best_arm_here():
    model = DuelModel(shifted_copy(LANDSCAPES["sharp"], 11))
    lost = list(eliminations(race(model, horizon=10**10), model, seed=4))
    assert lost
    assert not any(contains(path, model.landscape.best_arm) for path in lost)
