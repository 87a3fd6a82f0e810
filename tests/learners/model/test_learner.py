"""PreferenceModel from outside: what it asks, what it finds, what it remembers."""

import json
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from duelli.blocks import Tally
from duelli.learners.model import PreferenceModel, choice, laplace, learner
from duelli.learners.model import pool as pools
from duelli.learners.model.pool import MOST_PAIRS
from duelli.learners.model.states import PACKED_UNITS, packed
from duelli.testing.coins import CoinFlips

from .samples import arms_of, best_of, fitted_pool, quadratic, questions, run_of, serve

PAIRS = ("left", "right", "wins", "n", "differences")


def told(model, coins):
    """Answer a step with coins, and return its blocks."""
    step = model.ask()
    model.tell([coins.play(block).tally for block in step])
    return step


def far_on(duels, **inputs):
    """Return a learner as it is after many duels of one pair, without playing them."""
    fresh = PreferenceModel(**inputs)
    left, right = (list(packed(np.full((1, fresh.config.dim), x))) for x in (1 / 3, 2 / 3))
    pair = {"left": left, "right": right, "wins": [duels / 2], "n": [duels]}
    far = {"duels": duels, "steps": 1, "differences": [0.0], **pair}
    return PreferenceModel.from_state(fresh.config, {**fresh.state(), **far})


# What it asks.


def test_the_first_pair_lies_about_the_middle_or_the_start():
    for start, centre in [(None, (0.5, 0.5)), ((0.3, 0.6), (0.3, 0.6))]:
        (block,) = PreferenceModel(dim=2, start=start, repeat="allowed").ask()
        middle = [(x + y) / 2 for x, y in zip(block.low, block.reference, strict=True)]
        assert middle == pytest.approx(centre, abs=1e-9)


def test_it_recommends_the_start_before_any_duel():
    assert PreferenceModel(dim=2, start=(0.25, 0.75)).recommend() == (0.25, 0.75)


def test_it_remembers_no_pair_before_any_duel():
    state = PreferenceModel(dim=2, start=(0.25, 0.75)).state()
    assert [state[name] for name in PAIRS] == [[]] * len(PAIRS)


# Steps of a few duels ask one pair for each; those of 50 ask some pairs for several.
NEVER = [(1, 4), (2, 10), (1, 50), (2, 50)]
ONE_BY_ONE = [pytest.param(dim, 1, marks=pytest.mark.slow) for dim in (1, 2)]


@pytest.mark.parametrize(("dim", "batch"), [*NEVER, *ONE_BY_ONE])
def test_no_question_is_asked_twice(dim, batch):
    # Arms are drawn from 10^5 places of an axis or more: two of 300 pairs are the same with
    # probability below 1e-5.
    asked = questions(run_of(dim, 300, batch=batch))
    assert len(asked) == 300
    assert [pair for pair, times in Counter(asked).items() if times > 1] == []


def test_a_pair_that_is_varied_is_hardly_another_one():
    inputs = {"dim": 2, "batch": 50, "start": (0.4, 0.6)}
    steps = [PreferenceModel(repeat=repeat, **inputs).ask() for repeat in ("never", "allowed")]
    for varied, exact in zip(*steps, strict=True):
        for x, y in [(varied.low, exact.low), (varied.reference, exact.reference)]:
            assert x != y
            # A cube of one size about a point that has moved by one size along each axis.
            assert x == pytest.approx(y, abs=1.6 * learner.JITTER)


@pytest.mark.parametrize("repeat", ["never", "allowed"])
@pytest.mark.parametrize("dim", [1, 2])
def test_no_arm_meets_itself(dim, repeat):
    assert min(len(pair) for pair in questions(run_of(dim, 300, batch=50, repeat=repeat))) == 2


def test_where_it_is_allowed_a_question_is_asked_again():
    asked = questions(run_of(1, 300, batch=50, repeat="allowed"))
    assert max(Counter(asked).values()) > 1


def test_where_it_is_allowed_every_block_is_a_single_pair():
    for step in run_of(2, 300, batch=50, repeat="allowed").steps:
        assert {block.edge for block in step} == {0.0}


@pytest.mark.parametrize("dim", [1, 2])
@pytest.mark.parametrize("duels", [0, choice.OPENING])
def test_a_batch_of_16_has_16_distinct_pairs(dim, duels):
    model = far_on(duels, dim=dim, batch=16) if duels else PreferenceModel(dim=dim, batch=16)
    run = serve(model, quadratic((0.4,) * dim), duels=duels + 16)
    assert [block.n for block in run.steps[0]] == [1] * 16
    assert len(set(questions(run))) == 16


@pytest.mark.parametrize("seed", range(3))
def test_where_repeats_are_allowed_the_blocks_of_a_step_are_distinct_after_the_opening(seed):
    model = run_of(2, choice.OPENING, seed, batch=25, repeat="allowed").learner
    state = model.state()
    model = PreferenceModel(dim=2, batch=30, repeat="allowed", seed=seed)
    step = PreferenceModel.from_state(model.config, state).ask()
    assert len({frozenset((block.low, block.reference)) for block in step}) == len(step) == 30


@pytest.mark.parametrize("batch", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_200_duels_are_at_least_100_distinct_pairs(batch):
    # Pairs count as the same if they are the same in hundredths: tiny changes are none.
    run = run_of(2, 200, batch=batch)
    coarse = {
        frozenset(tuple(round(x, 2) for x in arm) for arm in (duel.left, duel.reference))
        for duel in run.duels
    }
    assert len(coarse) >= 100


@pytest.mark.parametrize("dim", [1, 2])
def test_all_that_is_asked_lies_in_the_box_and_near_the_walls_too(dim):
    corner = PreferenceModel(dim=dim, horizon=120, batch=10, start=(1.0,) * dim)
    run = serve(corner, quadratic((1.0,) * dim))
    arms = [arm for duel in run.duels for arm in (duel.left, duel.reference)]
    assert all(0 <= x <= 1 for arm in arms for x in arm)
    assert max(min(arm) for arm in arms) > 0.99


# Steps.


def test_a_step_has_at_least_the_batch_and_grows_with_the_duels():
    sizes = [
        sum(block.n for block in far_on(duels, dim=1, batch=3).ask())
        for duels in (1, 10 * learner.GROWTH, 20 * learner.GROWTH, 10**6)
    ]
    assert sizes[0] == 3
    assert all(one < two for one, two in pairwise(sizes))


def test_the_steps_of_a_run_never_shrink_before_its_end():
    sizes = [sum(block.n for block in step) for step in run_of(1, 300, batch=4).steps[:-1]]
    assert sizes[0] == 4
    assert sizes == sorted(sizes)


def test_a_large_step_shares_its_duels_evenly_among_its_pairs():
    step = far_on(10, dim=2, batch=1000).ask()
    counts = [block.n for block in step]
    assert (sum(counts), len(counts)) == (1000, learner.MOST_PAIRS)
    assert max(counts) - min(counts) <= 1


def test_it_plays_exactly_the_horizon():
    run = run_of(2, 30, batch=7)
    assert (len(run.duels), run.learner.ask()) == (30, ())


def test_a_run_can_be_extended():
    model, coins = PreferenceModel(dim=1, horizon=10, batch=10), CoinFlips()
    told(model, coins)
    assert model.ask() == ()
    model.extend(25)
    while model.ask():
        told(model, coins)
    assert model.duels == 25


# What it finds.

CLOSE_ENOUGH, RUNS, MISSES = 0.12, 6, 2


@pytest.mark.slow
def test_it_finds_the_best_point_of_a_clear_quadratic():
    # Points that miss along one axis by 0.12 win against the best one in 43 of 100 duels. None
    # of 80 other runs missed by more than that, so that a run does with probability below 0.04
    # (at 95% confidence), and 3 of 6 do with probability below 2e-3.
    misses = 0
    for seed in range(RUNS):
        point = run_of(2, 200, seed, batch=8).learner.recommend()
        away = [abs(x - y) for x, y in zip(point, best_of(seed, 2), strict=True)]
        misses += max(away) > CLOSE_ENOUGH
    assert misses <= MISSES


SURE = 600.0  # a utility so steep that its judge is hardly ever wrong


def cone(best):
    return lambda x: -SURE * max(abs(a - b) for a, b in zip(x, best, strict=True))


@pytest.mark.parametrize("best", [0.95, 1.0, 0.2])
@pytest.mark.parametrize("seed", range(3))
def test_a_judge_who_is_hardly_ever_wrong_leads_it_far_from_the_middle(best, seed):
    # Such a judge never shows how much better a point is, however often it wins.
    model = PreferenceModel(dim=1, horizon=150, seed=seed)
    (point,) = serve(model, cone((best,)), seed).learner.recommend()
    assert point == pytest.approx(best, abs=0.02)


@pytest.mark.parametrize("seed", range(3))
def test_a_judge_who_is_hardly_ever_wrong_leads_it_far_from_the_start(seed):
    model = PreferenceModel(dim=2, horizon=150, seed=seed, start=(1.0, 0.9))
    point = serve(model, cone((0.3, 0.4)), seed).learner.recommend()
    assert point == pytest.approx((0.3, 0.4), abs=0.02)


def test_the_middle_would_not_pass_for_the_best_point():
    bests = [best_of(seed, 2) for seed in range(RUNS)]
    assert sum(max(abs(x - 0.5) for x in best) > CLOSE_ENOUGH for best in bests) > MISSES


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_after_5000_duels_it_is_close_to_the_best_point(seed):
    point = run_of(2, 5000, seed, batch=50).learner.recommend()
    assert point == pytest.approx(best_of(seed, 2), abs=0.04)


# What it remembers.


@pytest.mark.parametrize("repeat", ["never", pytest.param("allowed", marks=pytest.mark.slow)])
def test_a_run_restored_at_every_step_asks_the_same(repeat, monkeypatch):
    monkeypatch.setattr(choice, "OPENING", 30)  # so that the run has both ways to ask
    whole = PreferenceModel(dim=2, horizon=60, repeat=repeat, seed=3)
    pieces, asked, coins = PreferenceModel(**vars_of(whole)), [], CoinFlips(seed=5)
    while whole.ask():
        asked.append((told(whole, coins), whole.state()))
    assert whole.duels == 60
    coins = CoinFlips(seed=5)
    for step, state in asked:
        pieces = PreferenceModel.from_state(pieces.config, json.loads(json.dumps(pieces.state())))
        assert told(pieces, coins) == step
        assert pieces.state() == state
    assert pieces.recommend() == whole.recommend()


def vars_of(model):
    return {name: getattr(model.config, name) for name in model.config.__slots__}


def test_the_seed_changes_what_is_asked():
    assert len({PreferenceModel(dim=2, seed=seed).ask() for seed in range(5)}) == 5


def test_a_step_does_not_ask_what_the_step_before_asked():
    model, coins = PreferenceModel(dim=2, batch=5, repeat="allowed"), CoinFlips()
    assert told(model, coins) != model.ask()


def test_the_state_is_below_64_kb_after_1000_duels_in_8_dimensions():
    state = run_of(8, 1000, batch=40).learner.state()
    assert state["duels"] == 1000
    assert len(json.dumps(state)) < 64 * 1024


def answered(model, wins):
    """Answer every block of a step with this share of wins, and return the blocks."""
    step = model.ask()
    model.tell([Tally(block.n, wins * block.n, block.low) for block in step])
    return step


@pytest.mark.parametrize(("batch", "repeat"), [(5, "never"), (5, "allowed"), (90, "never")])
def test_it_remembers_the_pairs_that_it_asked_with_their_duels(batch, repeat, monkeypatch):
    monkeypatch.setattr(pools, "CLOSE", 0.0)  # so that no two are one
    model = PreferenceModel(dim=2, batch=batch, repeat=repeat)
    step = answered(model, 0.75)
    pool = model._state.pool
    middles = [[x + block.edge / 2 for x in block.low] for block in step]
    assert pool.left == pytest.approx(np.array(middles), abs=1 / PACKED_UNITS)
    references = np.array([block.reference for block in step])
    assert pool.right == pytest.approx(references, abs=1 / PACKED_UNITS)
    assert pool.n.tolist() == [block.n for block in step]
    assert pool.wins.tolist() == [0.75 * block.n for block in step]


def test_a_pair_that_comes_again_is_not_remembered_twice():
    run = run_of(1, 300, batch=50, repeat="allowed")
    assert len(run.learner.state()["n"]) <= len(set(questions(run))) < 300


@pytest.fixture
def exact(monkeypatch):
    """Let Newton's method go on until nothing changes."""
    monkeypatch.setattr(laplace, "TOLERANCE", 1e-13)
    monkeypatch.setattr(laplace, "CLOSE", 0.0)


@pytest.mark.usefixtures("exact")
def test_the_differences_that_it_remembers_are_the_most_probable_ones():
    state = serve(PreferenceModel(dim=2, horizon=30, batch=5), quadratic((0.3, 0.6))).learner._state
    expected = fitted_pool(state.prior, state.pool).differences
    assert state.pool.differences == pytest.approx(expected, abs=1e-5)
    assert np.abs(expected).max() > 0.1  # so that nothing would not pass


@pytest.mark.usefixtures("exact")
def test_its_differences_are_fitted_to_draws_that_are_as_many_as_it_saw():
    model, outcomes = PreferenceModel(dim=2, batch=32), [0.5] * 20 + [1.0] * 12
    for _ in range(3):
        step = model.ask()
        model.tell([Tally(1, won, block.low) for won, block in zip(outcomes, step, strict=True)])
    state = model._state
    fits = [fitted_pool(state.prior, state.pool, nu).differences for nu in (state.ties, 0.0)]
    assert state.pool.differences == pytest.approx(fits[0], abs=1e-5)
    assert np.abs(fits[0] - fits[1]).max() > 1e-3  # so that the draws matter


@pytest.mark.parametrize("duels", [30, MOST_PAIRS + 150])
def test_all_duels_are_remembered(duels):
    batch = 5 if duels == 30 else 10
    assert sum(run_of(2, duels, batch=batch).learner.state()["n"]) == duels


def test_there_are_no_more_than_the_most_pairs_after_many_duels():
    run = run_of(2, MOST_PAIRS + 150, batch=10)
    assert len(set(questions(run))) == MOST_PAIRS + 150
    assert len(run.learner.state()["n"]) <= MOST_PAIRS


def test_pairs_are_merged_by_what_the_model_believes_of_their_points(monkeypatch):
    model, coins, seen = PreferenceModel(dim=2, batch=10), CoinFlips(), []
    monkeypatch.setattr(pools, "CLOSE", 0.0)  # so that no two are one
    for module, name in [(pools, "MOST_PAIRS"), (learner, "MOST_REMEMBERED")]:
        monkeypatch.setattr(module, name, 15)

    def watched(pool, scales, utilities):
        seen.append((pool, scales.tolist(), utilities))
        return pools.reduced(pool, scales, utilities)

    monkeypatch.setattr(learner, "reduced", watched)
    told(model, coins)
    assert seen == []
    before = PreferenceModel.from_state(model.config, model.state())
    told(model, coins)
    ((pool, scales, utilities),) = seen
    assert scales == list(before._state.scales)
    lead, _ = before.believed(np.vstack([pool.left, pool.right]))
    assert utilities - utilities[0] == pytest.approx(lead - lead[0], abs=1e-9)
    assert len(model.state()["n"]) == 15


@pytest.mark.slow
def test_there_are_never_more_than_the_most_pairs_in_20_000_duels():
    model, coins = PreferenceModel(dim=3, horizon=20_000, batch=100), CoinFlips()
    while model.ask():
        told(model, coins)
        assert len(model.state()["n"]) <= MOST_PAIRS
    assert model.duels == sum(model.state()["n"]) == 20_000
    assert len(json.dumps(model.state())) < 128 * 1024


def test_draws_are_counted():
    # Three in four duels are drawn.
    sure, drawn = (PreferenceModel(dim=2, batch=8) for _ in range(2))
    for model, draws in [(sure, 0), (drawn, 6)]:
        step = model.ask()
        outcomes = [0.5] * draws + [1.0] * (8 - draws)
        model.tell([Tally(1, won, block.low) for won, block in zip(outcomes, step, strict=True)])
    states = [model._state for model in (sure, drawn)]
    assert [(state.squares, state.singles) for state in states] == [(8, 8), (2, 8)]
    assert states[1].ties > states[0].ties == 0


def test_what_it_believes_counts_its_draws():
    model = PreferenceModel(dim=2, batch=8)
    step = model.ask()
    outcomes = [0.5] * 6 + [1.0] * 2
    model.tell([Tally(1, won, block.low) for won, block in zip(outcomes, step, strict=True)])
    assert learner.posterior(model._state).ties == model._state.ties > 0


def test_pairs_of_several_duels_do_not_say_how_many_are_drawn():
    model = PreferenceModel(dim=2, batch=2 * learner.MOST_PAIRS)
    answered(model, 0.5)
    assert (model._state.squares, model._state.singles) == (0, 0)


def test_what_it_believes_is_relative_to_the_incumbent():
    model = run_of(2, 30, batch=5).learner
    points, best = arms_of(6, 2), np.array([model.recommend()])
    mean, covariance = learner.posterior(model._state).mean_and_covariance(
        np.vstack([points, best])
    )
    lead, deviation = model.believed(points)
    own = covariance.diagonal()
    assert lead == pytest.approx(mean[:-1] - mean[-1], abs=1e-9)
    assert deviation**2 == pytest.approx(own[:-1] + own[-1] - 2 * covariance[:-1, -1], abs=1e-9)


def test_the_bits_grow_with_the_pairs():
    fresh, run = PreferenceModel(dim=2), run_of(2, 30, batch=5)
    pairs = len(run.learner.state()["n"])
    assert fresh.state_bits() > 0
    # Four coordinates of 16 bits, wins, duels and a difference.
    assert run.learner.state_bits() == fresh.state_bits() + (4 * 16 + 3 * 64) * pairs


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"repeat": "often"}, "repeat must be one of allowed, never; got 'often'"),
        ({"batch": 0}, "batch must be a whole number of at least 1; got 0"),
        ({"dim": 0}, "dim must be a whole number of at least 1; got 0"),
        ({"horizon": 0}, "horizon must be a whole number of at least 1; got 0"),
        ({"start": (0.5,)}, r"start must have shape \(2,\)"),
        ({"start": (0.5, 1.5)}, r"start must lie in \[0, 1\]\^2"),
    ],
)
def test_wrong_inputs_are_named(inputs, message):
    with pytest.raises(ValueError, match=message):
        PreferenceModel(**{"dim": 2, "horizon": 100, **inputs})
