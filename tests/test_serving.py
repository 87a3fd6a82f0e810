"""The duels of a step: pure functions of seed, step and number, with random, balanced sides."""

import itertools
import json
import math
import random

import numpy as np
import pytest

from duelli import _rng
from duelli.blocks import Block
from duelli.serving import OpenStep, outcome_of, serving_key

KEY = serving_key(7)
STEP = (
    Block((0.0, 0.25), 0.25, (0.9, 0.9), 37),
    Block.pair((0.1, 0.2), (0.3, 0.4), 5),
    Block((0.5, 0.5), 0.5, (0.0, 1.0), 58),
)


def opened(step=STEP, number=3, key=KEY):
    return OpenStep(step, number, key)


def test_a_duel_does_not_depend_on_what_was_asked_or_answered_before():
    fresh, used = opened(), opened()
    for i in range(0, 100, 3):
        used.duel(i)
        used.take(i, 1.0)
    assert [fresh.duel(i) for i in range(100)] == [used.duel(i) for i in range(100)]


@pytest.mark.parametrize(("number", "key"), [(4, KEY), (3, serving_key(8))])
def test_another_step_or_seed_gives_other_arms_and_other_sides(number, key):
    ours, theirs = opened(), opened(number=number, key=key)
    assert all(ours.duel(i).left != theirs.duel(i).left for i in range(37))
    sides = [[step.left_first(i) for i in range(100)] for step in (ours, theirs)]
    assert sides[0] != sides[1]


def test_the_left_arms_lie_in_their_cubes_and_differ():
    step = opened()
    arms = [step.duel(i).left for i in range(37)]
    assert len(set(arms)) == 37
    assert all(0 <= x <= 0.25 and 0.25 <= y <= 0.5 for x, y in arms)


def test_the_arms_of_a_single_pair_are_the_pair():
    step = opened()
    assert {step.duel(i)[:2] for i in range(37, 42)} == {((0.1, 0.2), (0.3, 0.4))}


def test_the_left_arms_are_uniform_in_their_cube():
    step = OpenStep((Block((0.0,), 1.0, (0.5,), 20_000),), 0, KEY)
    arms = np.sort(step.duels(0, 20_000).left[:, 0])
    distance = np.abs(arms - np.arange(1, 20_001) / 20_000).max()
    # Dvoretzky, Kiefer, Wolfowitz: a correct build fails with probability below 1e-6.
    assert distance < math.sqrt(math.log(2e6) / (2 * 20_000)) + 1 / 20_000


@pytest.mark.parametrize("total", [1, 2, 3, 8, 101])
@pytest.mark.parametrize("number", range(20))
def test_the_sides_are_balanced_within_a_step(total, number):
    step = OpenStep((Block.pair((0.1,), (0.2,), total),), number, KEY)
    assert abs(sum(step.left_first(i) for i in range(total)) - total / 2) <= 0.5


def test_the_sides_are_balanced_within_a_step_of_many_small_blocks():
    step = OpenStep(tuple(Block.pair((0.1,), (0.2,), 1) for _ in range(50)), 0, KEY)
    assert sum(step.left_first(i) for i in range(50)) == 25


def test_the_side_of_the_first_duel_is_a_fair_coin():
    first = [OpenStep((Block.pair((0.1,), (0.2,)),), s, KEY).left_first(0) for s in range(4000)]
    # Hoeffding: a correct build fails with probability below 1e-6.
    assert abs(np.mean(first) - 0.5) < math.sqrt(math.log(2e6) / (2 * 4000))


@pytest.mark.parametrize("first", [0, 1, 36, 37, 41, 42, 99])
def test_many_duels_at_once_are_the_same_duels(first):
    step = opened()
    duels = step.duels(first, 10)
    singles = [step.duel(i) for i in range(first, first + len(duels.left))]
    assert [tuple(row) for row in duels.left.tolist()] == [each.left for each in singles]
    assert duels.left_first.tolist() == [each.left_first for each in singles]
    assert {each.reference for each in singles} == {duels.reference}


def test_many_duels_span_blocks():
    step = opened()
    left, references, sides = step.many(30, 30)
    singles = [step.duel(i) for i in range(30, 60)]
    assert [tuple(row) for row in left.tolist()] == [each.left for each in singles]
    assert [tuple(row) for row in references.tolist()] == [each.reference for each in singles]
    assert sides.tolist() == [each.left_first for each in singles]


def test_the_tallies_do_not_depend_on_the_order_of_the_answers():
    outcomes = [random.Random(i).choice([0.0, 0.5, 1.0, outcome_of("o", 0.3)]) for i in range(100)]
    tallies = []
    for seed in range(5):
        step, order = opened(), list(range(100))
        random.Random(seed).shuffle(order)
        for i in order:
            step.take(i, outcomes[i])
        tallies.append(step.tallies())
    assert all(each == tallies[0] for each in tallies)
    assert tallies[0][1].wins == sum(outcomes[37:42])
    assert [tally.n for tally in tallies[0]] == [37, 5, 58]


def test_many_outcomes_at_once_make_the_same_tallies():
    outcomes = np.array([i % 3 / 2 for i in range(100)])
    one, many, mixed = opened(), opened(), opened()
    for i in range(100):
        one.take(i, outcomes[i])
    many.take_many(0, outcomes[:50])
    many.take_many(50, outcomes[50:])
    mixed.take(20, outcomes[20])
    mixed.take_many(0, outcomes[:20])
    mixed.take_many(21, outcomes[21:])
    assert one.tallies() == many.tallies() == mixed.tallies()


def test_the_witness_is_one_of_the_left_arms_each_with_the_same_chance():
    block, counts = Block((0.0,), 1.0, (0.5,), 4), [0] * 4
    for number in range(4000):
        step = OpenStep((block,), number, KEY)
        arms = [step.duel(i).left for i in range(4)]
        step.take_many(0, np.zeros(4))
        counts[arms.index(step.tallies()[0].witness)] += 1
    # Hoeffding for each of the four: a correct build fails with probability below 1e-5.
    assert max(abs(count / 4000 - 0.25) for count in counts) < math.sqrt(math.log(8e5) / 8000)


def test_an_outcome_is_taken_once():
    step = opened()
    step.take(5, 1.0)
    with pytest.raises(ValueError, match="duel 5 of step 3 was answered before"):
        step.take(5, 0.0)
    assert (step.answered, step.has(5), step.has(4)) == (1, True, False)


@pytest.mark.parametrize("i", [-1, 100, 10**9])
def test_a_duel_outside_the_step_is_refused(i):
    with pytest.raises(ValueError, match=f"must be below 100; got {i}"):
        opened().take(i, 1.0)


@pytest.mark.parametrize("answered", [(), (0,), (3, 1), (99,), tuple(range(50))])
def test_the_outcomes_survive_json(answered):
    step, again = opened(), opened()
    for i in answered:
        step.take(i, [1.0, 0.5, 0.0][i % 3])
    again.restore(step.as_json())
    assert again.as_json() == step.as_json()
    assert again.answered == len(answered)


@pytest.mark.parametrize(
    "outcomes",
    [None, [], [[], []], [[], [], [], []], [[2], [], []], [["1"], [], []], [[], [1] * 6, []], 3],
)
def test_outcomes_that_do_not_fit_are_refused(outcomes):
    with pytest.raises((ValueError, TypeError), match="outcomes"):
        opened().restore(outcomes)


@pytest.mark.parametrize(
    ("value", "outcome"),
    [(True, 1.0), (False, 0.0), (1, 1.0), (0.5, 0.5), (np.True_, 1.0), (np.float64(0.25), 0.25)],
)
def test_what_counts_as_an_outcome(value, outcome):
    assert outcome_of("outcome", value) == outcome


@pytest.mark.parametrize("value", ["1", None, 2, -0.1, math.nan, [1], "x"])
def test_what_does_not(value):
    with pytest.raises((TypeError, ValueError), match=r"outcome must be True, False or a number"):
        outcome_of("outcome", value)


def test_sums_of_odd_outcomes_do_not_depend_on_their_order():
    values = [outcome_of("o", v) for v in (0.1, 0.2, 0.3, 0.7, 1 / 3)]
    assert len({sum(order) for order in itertools.permutations(values)}) == 1


# What duel i, its side and the witness are made of: runs that were saved rely on it.


def test_a_duel_owns_its_words_of_the_key_of_the_step():
    step, key = opened(), _rng.word(KEY, 3)
    for i in (0, 1, 7, 36):
        x, y = (_rng.unit(key, 3 * i + k) for k in range(2))
        assert step.duel(i).left == (0.25 * x, 0.25 + 0.25 * y)
        coin = _rng.word(key, 3 * (i - i % 2) + 2) >> 63
        assert step.left_first(i) == bool(coin) ^ bool(i % 2)


def test_the_witness_of_a_block_is_chosen_by_a_word_of_its_own():
    step, key = opened(), _rng.word(KEY, 3)
    step.take_many(0, np.zeros(100))
    for b, (first, tally) in enumerate(zip((0, 37, 42), step.tallies(), strict=True)):
        place = first + _rng.below(key, -1 - b, tally.n)
        assert tally.witness == step.duel(place).left


# Which duels still have no outcome.


def unanswered(answered, first, most):
    """Count by hand."""
    count = 0
    while count < most and first + count < 100 and first + count not in answered:
        count += 1
    return count


@pytest.mark.parametrize(
    "answered", [(), (0,), (36,), (37,), (99,), (10, 50), (38, 41, 60), tuple(range(37)), (5, 3)]
)
def test_the_duels_without_an_outcome_are_counted_up_to_the_first_that_has_one(answered):
    step = opened()
    for i in answered:
        step.take(i, 1.0)
    for first in (0, 1, 4, 20, 36, 37, 40, 42, 61, 99):
        for most in (1, 2, 5, 16, 17, 40, 200):
            assert step.unanswered_from(first, most) == unanswered(answered, first, most)


def test_outcomes_are_written_as_whole_numbers_where_they_are():
    step = opened()
    for i, outcome in ((0, 1.0), (2, 0.5), (3, 0.0)):
        step.take(i, outcome)
    assert json.dumps(step.as_json()) == "[[1, null, 0.5, 0], [], []]"


def test_a_step_is_full_when_every_duel_has_its_outcome():
    step = opened()
    step.take_many(0, np.ones(99))
    assert not step.full
    step.take(99, 1.0)
    assert step.full
    assert step.outcomes[1].tolist() == [1.0] * 5
    assert [step.first_of(b) for b in range(3)] == [0, 37, 42]


def test_many_duels_are_as_many_as_asked_for_up_to_the_end_of_the_block():
    step = opened()
    assert [len(step.duels(first, 10).left) for first in (0, 27, 28, 41, 95)] == [10, 10, 9, 1, 5]
    assert len(step.duels(42).left) == 58


def test_an_outcome_between_two_units_is_rounded_to_the_nearest():
    assert outcome_of("o", 0.3) == round(0.3 * 2**20) / 2**20
    with pytest.raises(TypeError, match=r"must be True, False or a number in .*; got 'x'"):
        outcome_of("o", "x")
    with pytest.raises(ValueError, match=r"must be True, False or a number in .*; got nan"):
        outcome_of("o", math.nan)


def test_outcomes_that_come_back_are_those_of_their_block():
    step = opened()
    step.restore([[1, None], [], [0.25]])
    assert [step.has(i) for i in (0, 1, 37, 42, 43)] == [True, False, False, True, False]
    with pytest.raises(ValueError, match=r"outcomes\[1\] must be a list of at most 5"):
        opened().restore([[], [0] * 6, []])
    opened().restore([[], [0] * 5, []])
