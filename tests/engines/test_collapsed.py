"""collapsed: blocks of any size at once."""

import gc
import math
import weakref

import numpy as np
import pytest

from duelli.blocks import Block
from duelli.duels import DuelModel
from duelli.engines import Collapsed, collapsed
from duelli.landscapes import landscape


def test_a_block_of_1e15_duels_is_played():
    # The win rate is 1/2 within 12 standard deviations: fails with probability below 1e-30.
    play = Collapsed(DuelModel("sharp")).play(Block((0.5, 0.5), 0.0, (0.5, 0.5), 10**15))
    assert abs(play.tally.wins / 10**15 - 0.5) < 12 * 0.5 / math.sqrt(10**15)


def test_wins_are_whole_numbers():
    engine = Collapsed(DuelModel("sharp"))
    assert isinstance(engine.play(Block((0.0, 0.0), 1.0, (0.5, 0.5), 10**6)).tally.wins, int)


def test_a_single_duel_is_the_witness_s_own():
    # f is 0 on the left and 1 on the right; the judge is steep enough never to err.
    step = landscape(lambda x: np.clip(1e3 * (x[:, 0] - 0.5), 0, 1), 1, best_arm=(1.0,))
    engine = Collapsed(DuelModel(step, "logistic:200"))
    plays = [engine.play(Block((0.0,), 1.0, (0.5005,), 1)).tally for _ in range(200)]
    assert all(play.wins == (play.witness[0] > 0.5005) for play in plays)


@pytest.mark.parametrize(("cube", "wins"), [((0.25, 0.0), 1000), ((0.75, 0.75), 0)])
def test_a_link_that_is_cut_off_decides_every_duel(cube, wins):
    model = DuelModel("two_cones_scaled", "linear")
    reference = (0.9, 0.9) if wins else (0.3, 0.1)
    assert Collapsed(model).play(Block(cube, 0.125, reference, 1000)).tally.wins == wins


def test_the_regret_of_a_cube_is_its_expectation():
    model = DuelModel(landscape(lambda x: x[:, 0] / 2, 1, best_arm=(1.0,)), "linear")
    play = Collapsed(model).play(Block((0.5,), 0.5, (0.75,), 1000))
    # Δ(x*, x) = (1 - x) / 4: its mean over [1/2, 1] is 1/16, and so it is at 3/4.
    assert play.regret == pytest.approx(1000 * (1 / 16 + 1 / 16), rel=1e-12)


def test_the_weak_regret_of_a_cube_is_its_expectation():
    model = DuelModel(landscape(lambda x: x[:, 0] / 2, 1, best_arm=(1.0,)), "linear")
    play = Collapsed(model).play(Block((0.5,), 0.5, (0.75,), 1000))
    # min((1 - x) / 4, 1/16) over [1/2, 1]: half of it 1/16, half of it 1/32 on average.
    assert play.weak_regret == pytest.approx(1000 * 3 / 64, rel=1e-3)


def test_a_utility_that_is_not_finite_is_named():
    broken = landscape(lambda x: np.where(x[:, 0] > 0.9, np.nan, x[:, 0]), 1, best_arm=(0.9,))
    with pytest.raises(ValueError, match="utility must be finite; got nan at"):
        Collapsed(DuelModel(broken)).play(Block((0.5,), 0.5, (0.25,), 100))


def test_a_model_is_not_kept_alive_by_its_meshes():
    model = DuelModel("sharp")
    Collapsed(model).play(Block((0.0, 0.0), 1.0, (0.9, 0.9), 100))
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


def sum_of(dim):
    return DuelModel(landscape(lambda x: x.sum(axis=1) / dim, dim, best_arm=(1.0,) * dim))


def test_pairs_may_have_any_number_of_dimensions():
    engine = Collapsed(sum_of(20))
    wins = engine.play(Block((1.0,) * 20, 0.0, (0.0,) * 20, 10**6)).tally.wins
    # ρ(1) = 0.73106; the rate is off by 6 standard deviations with a probability of 2e-9.
    assert abs(wins / 10**6 - 0.731059) < 6 * 0.00044343


def test_cubes_of_more_than_8_dimensions_are_refused_when_they_are_played():
    engine = Collapsed(sum_of(9))
    engine.play(Block((0.5,) * 9, 0.0, (0.25,) * 9, 10))
    with pytest.raises(ValueError, match="takes at most 8 dimensions; got 9; use per_duel"):
        engine.play(Block((0.0,) * 9, 0.5, (0.25,) * 9, 10))


def test_pairs_need_no_mesh():
    model = DuelModel("sharp")
    Collapsed(model).play(Block((0.2, 0.2), 0.0, (0.9, 0.9), 10))
    assert model not in collapsed._MESHES


def test_a_single_pair_is_won_with_its_probability():
    model = DuelModel("two_cones_scaled")
    engine, block = Collapsed(model), Block((0.4, 0.2), 0.0, (0.5, 0.2), 1)
    wins = sum(engine.play(block).tally.wins for _ in range(20_000))
    p = model.win_prob(block.low, block.reference)
    # 6 standard deviations: fails a correct build with a probability of 2e-9.
    assert abs(wins / 20_000 - p) < 6 * math.sqrt(p * (1 - p) / 20_000)


def test_the_wins_of_a_single_pair_are_whole_numbers():
    engine = Collapsed(DuelModel("sharp"))
    assert type(engine.play(Block((0.2, 0.2), 0.0, (0.9, 0.9), 1)).tally.wins) is int
