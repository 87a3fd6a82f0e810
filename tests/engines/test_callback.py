"""callback: the user's own function, in the user's own units."""

import math
import tracemalloc

import numpy as np
import pytest

from duelli.blocks import Block
from duelli.boxes import Box
from duelli.engines import Callback, callback
from duelli.errors import DuelFailedError

BOX = Box({"depth": (1, 9), "rate": (1e-4, 1e-1, "log")})
PLAIN = Box([(0, 10), (-1, 1)])
BLOCK = Block((0.25, 0.5), 0.25, (0.0, 1.0), 50)


def always(x, y):  # noqa: ARG001 (the signature of a duel)
    return True


def pairs_of(box, block, seed=0):
    pairs = []
    Callback(box, duel=lambda x, y: pairs.append((x, y)) or True, seed=seed).play(block)
    return pairs


def test_points_of_a_named_box_are_dicts():
    assert pairs_of(BOX, BLOCK)[0][0].keys() == {"depth", "rate"}


def test_points_of_a_plain_box_are_arrays():
    assert isinstance(pairs_of(PLAIN, BLOCK)[0][0], np.ndarray)


def test_the_reference_is_given_in_the_user_s_units():
    assert pairs_of(BOX, BLOCK)[0][1] == {"depth": 1.0, "rate": 1e-1}


def test_points_lie_in_the_cube_in_the_user_s_units():
    depths = [x["depth"] for x, _ in pairs_of(BOX, BLOCK)]
    assert 3 <= min(depths) < max(depths) <= 5


def test_a_log_scale_is_one():
    rates = [x["rate"] for x, _ in pairs_of(BOX, BLOCK)]
    assert 10**-2.5 * (1 - 1e-9) <= min(rates) < max(rates) <= 10**-1.75 * (1 + 1e-9)


def test_every_duel_is_asked_once():
    assert len(pairs_of(BOX, BLOCK)) == BLOCK.n


def test_wins_are_counted():
    engine = Callback(PLAIN, duel=lambda x, y: x[0] > 3.75)  # noqa: ARG005
    xs = [x for x, _ in pairs_of(PLAIN, BLOCK)]
    assert engine.play(BLOCK).tally.wins == sum(x[0] > 3.75 for x in xs)


def test_a_tie_counts_half():
    assert Callback(PLAIN, duel=lambda x, y: 0.5).play(BLOCK).tally.wins == 25  # noqa: ARG005


@pytest.mark.parametrize("outcome", [True, 1, 1.0, np.bool_(True), np.float32(1)])
def test_a_win_may_be_any_kind_of_one(outcome):
    assert Callback(PLAIN, duel=lambda x, y: outcome).play(BLOCK).tally.wins == 50  # noqa: ARG005


def test_the_regret_is_unknown():
    play = Callback(PLAIN, duel=always).play(BLOCK)
    assert math.isnan(play.regret)
    assert math.isnan(play.weak_regret)


def test_the_witness_is_one_of_the_points():
    witness = Callback(PLAIN, duel=always).play(BLOCK).tally.witness
    xs = [x.tolist() for x, _ in pairs_of(PLAIN, BLOCK)]
    assert PLAIN.to_raw(witness).tolist() in xs


def test_the_same_seed_asks_about_the_same_points():
    assert pairs_of(BOX, BLOCK, seed=3) == pairs_of(BOX, BLOCK, seed=3)


def test_another_seed_asks_about_others():
    assert pairs_of(BOX, BLOCK, seed=3) != pairs_of(BOX, BLOCK, seed=4)


def test_a_second_block_has_points_of_its_own():
    xs = []
    engine = Callback(PLAIN, duel=lambda x, y: xs.append(x[0]) or True)  # noqa: ARG005
    engine.play(BLOCK)
    engine.play(BLOCK)
    assert len(set(xs)) == 100


def test_points_depend_on_the_number_of_the_duel_alone():
    xs, again = [], []
    engine = Callback(PLAIN, duel=lambda x, y: xs.append(x[0]) or True)  # noqa: ARG005
    engine.play(BLOCK)
    engine.play(BLOCK)
    later = Callback(PLAIN, duel=lambda x, y: again.append(x[0]) or True)  # noqa: ARG005
    later.duels = 50
    later.play(BLOCK)
    assert again == xs[50:]


def test_many_points_come_as_an_array_of_a_plain_box():
    shapes = []
    Callback(PLAIN, duel_many=lambda xs, y: shapes.append(xs.shape) or xs[:, 0] > y[0]).play(BLOCK)
    assert shapes == [(50, 2)]


def test_many_points_come_as_a_list_of_dicts_of_a_named_box():
    kinds = []

    def judge(xs, y):
        kinds.append((type(xs), type(xs[0])))
        return [x["depth"] > y["depth"] for x in xs]

    Callback(BOX, duel_many=judge).play(BLOCK)
    assert kinds == [(list, dict)]


def test_one_by_one_and_many_at_once_agree():
    one = Callback(PLAIN, duel=lambda x, y: x[0] + y[1] > 4.5)
    many = Callback(PLAIN, duel_many=lambda xs, y: xs[:, 0] + y[1] > 4.5)
    assert one.play(BLOCK).tally == many.play(BLOCK).tally


def test_long_blocks_come_in_pieces(monkeypatch):
    monkeypatch.setattr(callback, "CHUNK", 16)
    sizes = []
    Callback(PLAIN, duel_many=lambda xs, y: sizes.append(len(xs)) or xs[:, 0] > y[0]).play(BLOCK)
    assert sizes == [16, 16, 16, 2]


def test_pieces_do_not_change_the_tally(monkeypatch):
    def judge(xs, y):  # noqa: ARG001
        return xs[:, 0] > 3.75

    whole = Callback(PLAIN, duel_many=judge).play(BLOCK).tally
    monkeypatch.setattr(callback, "CHUNK", 16)
    assert Callback(PLAIN, duel_many=judge).play(BLOCK).tally == whole


def peak_memory(n):
    engine = Callback(PLAIN, duel_many=lambda xs, y: xs[:, 0] > y[0])
    tracemalloc.start()
    engine.play(Block((0.0, 0.0), 0.0, (0.5, 0.5), n))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_a_long_block_takes_no_more_memory_than_a_short_one(monkeypatch):
    monkeypatch.setattr(callback, "CHUNK", 500)
    assert peak_memory(8000) < 1.5 * peak_memory(1000)


def test_a_duel_that_raises_is_reported_with_its_number():
    engine = Callback(PLAIN, duel=lambda x, y: 1 / 0)  # noqa: ARG005
    engine.duels = 41
    with pytest.raises(
        DuelFailedError, match="duel raised ZeroDivisionError in duel 42: division by zero"
    ):
        engine.play(Block((0.5, 0.5), 0.0, (0.0, 0.0), 1))


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
def test_an_answer_that_is_no_outcome_is_refused(outcome):
    with pytest.raises(DuelFailedError, match="must return True, False or a number in"):
        Callback(PLAIN, duel=lambda x, y: outcome).play(BLOCK)  # noqa: ARG005


def test_a_failed_block_is_not_counted():
    engine = Callback(PLAIN, duel=lambda x, y: None)  # noqa: ARG005
    with pytest.raises(DuelFailedError):
        engine.play(BLOCK)
    assert engine.duels == 0
