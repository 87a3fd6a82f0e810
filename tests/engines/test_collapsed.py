"""collapsed: blocks of any size at once."""

import gc
import math
import weakref

import numpy as np
import pytest

import duelli
from duelli.blocks import Block
from duelli.duels import DuelModel
from duelli.engines import Collapsed, _by_numpy, collapsed
from duelli.errors import DuelliError
from duelli.landscapes import landscape
from duelli.learners.arc import ArcDuelli


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


@pytest.mark.parametrize("dim", [20, 50])
def test_pairs_may_have_any_number_of_dimensions(dim):
    engine = Collapsed(sum_of(dim))
    wins = engine.play(Block((1.0,) * dim, 0.0, (0.0,) * dim, 10**6)).tally.wins
    # ρ(1) = 0.73106; the rate is off by 6 standard deviations with a probability of 2e-9.
    assert abs(wins / 10**6 - 0.731059) < 6 * 0.00044343


def test_a_pair_of_many_dimensions_may_have_any_number_of_duels():
    engine = Collapsed(sum_of(50))
    assert engine.play(Block((1.0,) * 50, 0.0, (0.0,) * 50, 10**15)).tally.n == 10**15


@pytest.mark.parametrize("n", [1, 7, 300])
def test_cubes_of_many_dimensions_are_played_duel_by_duel(n):
    block = Block((0.25,) * 12, 0.5, (0.5,) * 12, n)
    played = Collapsed(sum_of(12)).play(block)
    assert played.tally.n == n
    assert type(played.tally.wins) is int
    assert all(0.25 <= x <= 0.75 for x in played.tally.witness)


def test_the_regret_of_a_cube_of_many_dimensions_is_that_of_its_arms():
    model = sum_of(12)
    played = Collapsed(model).play(Block((0.25,) * 12, 0.5, (0.5,) * 12, 1))
    witness = played.tally.witness
    assert played.regret == pytest.approx(model.regret(witness, (0.5,) * 12), rel=1e-12)
    assert played.weak_regret == pytest.approx(model.weak_regret(witness, (0.5,) * 12), rel=1e-12)


def test_a_large_block_of_many_dimensions_is_refused():
    with pytest.raises(DuelliError, match="got 10,000,001 in 9; use per_duel"):
        Collapsed(sum_of(9)).play(Block((0.0,) * 9, 0.5, (0.25,) * 9, 10**7 + 1))


KINKS = (0.31, 0.72, 0.17, 0.58, 0.43)


def kinked():
    """A utility with a kink along each axis, which no mesh of cubes can follow in 5 dimensions."""
    return DuelModel(
        landscape(lambda x: 1 - 0.2 * abs(x - KINKS).sum(axis=1), 5, best_arm=KINKS), "linear"
    )


def mean_distance(kink):
    """The mean of abs(x - kink) over [0, 1]."""
    return (kink**2 + (1 - kink) ** 2) / 2


@pytest.mark.parametrize("n", [300, 10**5])
def test_kinks_in_five_dimensions_are_played_with_their_law(n):
    model = kinked()
    f_mean = 1 - 0.2 * sum(map(mean_distance, KINKS))
    p = model.link.at(f_mean - model.landscape.utility_at((0.9,) * 5))  # the link is linear
    engine, block = Collapsed(model, seed=1), Block((0.0,) * 5, 1.0, (0.9,) * 5, n)
    plays = [engine.play(block) for _ in range(20)]
    rate = sum(play.tally.wins for play in plays) / (20 * n)
    # 6 standard deviations: fails a correct build with a probability of 2e-9.
    assert abs(rate - p) < 6 * math.sqrt(p * (1 - p) / (20 * n))


def test_the_paper_s_learner_runs_on_kinks_in_five_dimensions():
    learner = ArcDuelli(dim=5, horizon=10**6, slope_max=0.25)
    assert duelli.simulate(learner, kinked()).cumulative_regret > 0
    assert learner.duels == 10**6


def test_a_trial_on_kinks_does_not_depend_on_the_trials_before_it():
    blocks = [Block((0.0,) * 5, 1.0, (x,) * 5, n) for x in (0.2, 0.9) for n in (300, 40_000)]
    blocks += [Block((0.5,) * 5, 0.25, (0.9,) * 5, 5000), blocks[0]]
    shared, fresh = kinked(), kinked()
    for seed in range(3):
        engine = Collapsed(shared, seed=seed)
        used = [engine.play(block) for block in (*blocks, *reversed(blocks))]
    engine = Collapsed(fresh, seed=2)
    assert [engine.play(block) for block in (*blocks, *reversed(blocks))] == used


def test_a_smooth_cube_of_five_dimensions_is_not_played_duel_by_duel(monkeypatch):
    monkeypatch.setattr(_by_numpy, "play_all", None)
    assert Collapsed(sum_of(5)).play(Block((0.0,) * 5, 1.0, (0.5,) * 5, 10**12)).tally.n == 10**12


def test_a_large_block_of_a_rough_utility_is_refused():
    stripes = landscape(lambda x: np.sign(np.sin(1e5 * x[:, 0])) / 2, 1, best_arm=(1e-6,))
    with pytest.raises(DuelliError, match="too rough for the collapsed engine; use per_duel"):
        Collapsed(DuelModel(stripes)).play(Block((0.0,), 1.0, (0.5,), 10**12))


def test_a_smaller_block_of_a_rough_utility_is_played_duel_by_duel():
    stripes = landscape(lambda x: np.sign(np.sin(1e5 * x[:, 0])) / 2, 1, best_arm=(1e-6,))
    model = DuelModel(stripes)
    wins = Collapsed(model).play(Block((0.0,), 1.0, (1e-6,), 10**6)).tally.wins
    # The arm is on a high stripe or, as often, on a low one, which is 1 below the reference.
    p = (0.5 + model.link.at(-1.0)) / 2
    # 6 standard deviations: fails a correct build with a probability of 2e-9. The shares of the
    # stripes differ by less than their width, 3e-5, which is a fiftieth of that.
    assert abs(wins / 10**6 - p) < 6 * math.sqrt(p * (1 - p) / 10**6)


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
