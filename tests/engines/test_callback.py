"""callback: the user's own function, in the user's own units."""

import math
import tracemalloc

import numpy as np
import pytest

from duelli.blocks import Block
from duelli.boxes import Box
from duelli.engines import Callback
from duelli.errors import DuelFailedError
from duelli.serving import CHUNK

BOX = Box({"depth": (1, 9), "rate": (1e-4, 1e-1, "log")})
PLAIN = Box([(0, 10), (-1, 1)])
BLOCK = Block((0.25, 0.5), 0.25, (0.0, 1.0), 50)
LONG = Block((0.25, 0.5), 0.25, (0.0, 1.0), 2 * CHUNK + 5)
REFERENCE = {"depth": 1.0, "rate": 1e-1}  # that of BLOCK in BOX


def tie(x, y):  # noqa: ARG001 (the signature of a duel)
    return 0.5


def higher(x, y):
    """The point with the larger first coordinate wins, which is always the one of the cube."""
    return x[0] > y[0]


def many_higher(xs, ys):
    return xs[:, 0] > ys[:, 0]


def pairs_of(box, block, seed=0):
    """Return the pairs that the user is asked about, the point shown first as the first."""
    pairs = []
    Callback(box, duel=lambda x, y: pairs.append((x, y)) or True, seed=seed).play(block)
    return pairs


def lefts_of(pairs):
    """Return the points of the cube; the other one of each pair is the reference."""
    return [y if x == REFERENCE else x for x, y in pairs]


def test_points_of_a_named_box_are_dicts():
    assert pairs_of(BOX, BLOCK)[0][0].keys() == {"depth", "rate"}


def test_points_of_a_plain_box_are_arrays():
    assert isinstance(pairs_of(PLAIN, BLOCK)[0][0], np.ndarray)


def test_the_reference_is_one_of_the_two_in_the_user_s_units():
    assert all((x == REFERENCE) != (y == REFERENCE) for x, y in pairs_of(BOX, BLOCK))


def test_each_side_is_shown_first_in_half_of_the_duels():
    assert sum(x == REFERENCE for x, _ in pairs_of(BOX, BLOCK)) == BLOCK.n / 2


def test_the_sides_do_not_just_alternate():
    sides = [x == REFERENCE for x, _ in pairs_of(BOX, BLOCK)]
    assert len({sides[i] for i in range(0, BLOCK.n, 2)}) == 2


def test_points_lie_in_the_cube_in_the_user_s_units():
    depths = [x["depth"] for x in lefts_of(pairs_of(BOX, BLOCK))]
    assert 3 <= min(depths) < max(depths) <= 5


def test_a_log_scale_is_one():
    rates = [x["rate"] for x in lefts_of(pairs_of(BOX, BLOCK))]
    assert 10**-2.5 * (1 - 1e-9) <= min(rates) < max(rates) <= 10**-1.75 * (1 + 1e-9)


def test_every_duel_is_asked_once():
    assert len(pairs_of(BOX, BLOCK)) == BLOCK.n


def test_wins_are_those_of_the_cube_whichever_side_it_is_shown_on():
    middle = 3.75
    wins = sum(max(x[0], y[0]) > middle for x, y in pairs_of(PLAIN, BLOCK))  # the other is at 0
    # The reference, at 0, beats a point of the lower half, and loses to one of the upper half.
    engine = Callback(PLAIN, duel=lambda x, y: x[0] == 0 if max(x[0], y[0]) <= middle else x[0] > 0)
    assert engine.play(BLOCK).tally.wins == wins
    assert 0 < wins < BLOCK.n


def test_a_tie_counts_half():
    assert Callback(PLAIN, duel=tie).play(BLOCK).tally.wins == 25


@pytest.mark.parametrize("kind", [bool, int, float, np.bool_, np.float32])
def test_a_win_may_be_any_kind_of_one(kind):
    engine = Callback(PLAIN, duel=lambda x, y: kind(higher(x, y)))
    assert engine.play(BLOCK).tally.wins == 50


def test_a_judge_who_always_takes_the_first_gives_each_side_half():
    engine = Callback(PLAIN, duel=lambda x, y: True)  # noqa: ARG005
    assert engine.play(BLOCK).tally.wins == 25


def test_the_regret_is_unknown():
    played = Callback(PLAIN, duel=tie).play(BLOCK)
    assert math.isnan(played.regret)
    assert math.isnan(played.weak_regret)


def test_the_witness_is_one_of_the_points():
    witness = Callback(BOX, duel=tie).play(BLOCK).tally.witness
    assert BOX.to_raw(witness) in lefts_of(pairs_of(BOX, BLOCK))


def test_the_same_seed_asks_about_the_same_points():
    assert pairs_of(BOX, BLOCK, seed=3) == pairs_of(BOX, BLOCK, seed=3)


def test_another_seed_asks_about_others():
    assert pairs_of(BOX, BLOCK, seed=3) != pairs_of(BOX, BLOCK, seed=4)


def points_of_the_second_block(first, second):
    points = []
    engine = Callback(BOX, duel=lambda x, y: points.append((x, y)) or True)
    engine.play(first)
    engine.play(second)
    return lefts_of(points[first.n :])


def test_a_second_block_has_points_of_its_own():
    first = [x["depth"] for x in lefts_of(pairs_of(BOX, BLOCK))]
    second = [x["depth"] for x in points_of_the_second_block(BLOCK, BLOCK)]
    assert len({*first, *second}) == 100


def test_points_depend_on_the_number_of_the_block_alone():
    other = Block((0.5, 0.0), 0.5, (0.0, 1.0), 7)
    second = points_of_the_second_block(BLOCK, BLOCK)
    assert points_of_the_second_block(other, BLOCK) == second


def test_many_points_come_as_arrays_of_a_plain_box():
    shapes = []
    Callback(
        PLAIN, duel_many=lambda xs, ys: shapes.append((xs.shape, ys.shape)) or many_higher(xs, ys)
    ).play(BLOCK)
    assert shapes == [((50, 2), (50, 2))]


def test_many_points_come_as_lists_of_dicts_of_a_named_box():
    kinds = []

    def judge(xs, ys):
        kinds.append((type(xs), type(xs[0]), type(ys), type(ys[0])))
        return [x["depth"] > y["depth"] for x, y in zip(xs, ys, strict=True)]

    Callback(BOX, duel_many=judge).play(BLOCK)
    assert kinds == [(list, dict, list, dict)]


def test_one_by_one_and_many_at_once_agree():
    one = Callback(PLAIN, duel=lambda x, y: x[0] + y[1] > 3.9)
    many = Callback(PLAIN, duel_many=lambda xs, ys: xs[:, 0] + ys[:, 1] > 3.9)
    tally = one.play(BLOCK).tally
    assert many.play(BLOCK).tally == tally
    assert 0 < tally.wins < BLOCK.n


def test_long_blocks_come_in_pieces():
    sizes = []
    Callback(PLAIN, duel_many=lambda xs, ys: sizes.append(len(xs)) or many_higher(xs, ys)).play(
        LONG
    )
    assert sizes == [CHUNK, CHUNK, 5]


@pytest.mark.slow
def test_pieces_do_not_change_the_tally():
    one = Callback(PLAIN, duel=lambda x, y: x[0] + y[1] > 3.9)
    many = Callback(PLAIN, duel_many=lambda xs, ys: xs[:, 0] + ys[:, 1] > 3.9)
    assert many.play(LONG).tally == one.play(LONG).tally


def peak_memory(n):
    engine = Callback(PLAIN, duel_many=many_higher)
    tracemalloc.start()
    engine.play(Block((0.0, 0.0), 0.0, (0.5, 0.5), n))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_a_long_block_keeps_outcomes_and_no_points():
    # An outcome takes 4 bytes, which are there up to three times while an array grows. The two
    # points of a duel would take 32. What a chunk needs for itself is in both and cancels.
    assert peak_memory(65 * CHUNK) - peak_memory(33 * CHUNK) < 3 * 4 * 32 * CHUNK


def test_a_duel_that_raises_is_reported_with_what_it_raised():
    engine = Callback(PLAIN, duel=lambda x, y: 1 / 0)  # noqa: ARG005
    with pytest.raises(DuelFailedError, match=r"^duel raised ZeroDivisionError: division by zero$"):
        engine.play(BLOCK)


@pytest.mark.parametrize("failures", [1, 2])
def test_a_duel_that_raises_is_called_again(failures):
    calls = []

    def flaky(x, y):
        calls.append(1)
        if len(calls) <= failures:
            raise ConnectionError
        return higher(x, y)

    engine = Callback(PLAIN, duel=flaky, retries=2)
    assert engine.play(BLOCK).tally.wins == 50
    assert len(calls) == 50 + failures


def test_the_cause_of_a_failure_is_kept():
    with pytest.raises(DuelFailedError) as caught:
        Callback(PLAIN, duel=lambda x, y: 1 / 0).play(BLOCK)  # noqa: ARG005
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_an_interrupt_is_no_failure():
    def stop(x, y):  # noqa: ARG001
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Callback(PLAIN, duel=stop).play(BLOCK)


@pytest.mark.parametrize("outcome", [None, "yes", 2, -0.1, math.nan, [True]])
def test_an_answer_that_is_not_an_outcome_is_refused(outcome):
    with pytest.raises(
        DuelFailedError,
        match=r"^the outcome that duel returns must be True, False or a number in \[0, 1\]; got ",
    ):
        Callback(PLAIN, duel=lambda x, y: outcome).play(BLOCK)  # noqa: ARG005


def test_a_failed_block_is_not_counted():
    engine = Callback(PLAIN, duel=lambda x, y: None)  # noqa: ARG005
    with pytest.raises(DuelFailedError):
        engine.play(BLOCK)
    assert engine.duels == 0
