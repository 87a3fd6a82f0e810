"""The engines answer the same blocks with the same law.

Wins and witness have a law that can be written down: the witness is uniform in the cube, its own
duel is won with its own probability, and the other n - 1 with the mean probability p. Each engine
is held to that law, and so agrees with every other. Where there is no formula, as after a whole
run, the engines are compared with each other.

Each test fails a correct build with a probability of less than 1e-6: it makes fewer than 20
comparisons, each at the level LEVEL. The seeds are fixed.
"""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import duelli
from duelli._arrays import lattice
from duelli.blocks import Block
from duelli.duels import DuelModel
from duelli.engines import Collapsed, PerDuel
from duelli.engines._quadrature import UnsettledError
from duelli.landscapes import LANDSCAPES, landscape
from duelli.learners.arc import ArcDuelli
from duelli.links import LINKS

pytestmark = pytest.mark.slow

LEVEL = 1e-6 / 20


def by_numpy(model, *, seed):
    engine = PerDuel(model, seed=seed)
    engine._series = None  # no polynomial, no compiled loop
    return engine


class NoMeshes:
    def of(self, *_):
        raise UnsettledError


def duel_by_duel(model, *, seed):
    engine = Collapsed(model, seed=seed)
    engine._meshes = NoMeshes()  # as if no mean ever settled
    return engine


ENGINES = {
    "per_duel": PerDuel,
    "per_duel_by_numpy": by_numpy,
    "collapsed": Collapsed,
    "collapsed_duel_by_duel": duel_by_duel,
}
every_engine = pytest.mark.parametrize("make", ENGINES.values(), ids=ENGINES)

MODELS = {
    "cone": DuelModel("two_cones"),
    "maximum_norm": DuelModel("two_cones_linf", "probit"),
    "ring": DuelModel("ridge", "logistic:10"),
    "wide": DuelModel("two_cones_scaled", "linear"),
    "line": DuelModel(landscape(lambda x: -abs(x[:, 0] - 0.4), 1, best_arm=(0.4,)), "tanh"),
    "four": DuelModel("two_cones_4d", "arctan"),
}
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def block_of(model, n):
    """A cube with a kink or the best arm in it, against an arm at some distance."""
    dim = model.landscape.dim
    return Block((0.25, 0.0, 0.5, 0.5)[:dim], 0.5, (0.6,) * dim, n)


def grid_of(block, cells):
    """Midpoints of a fine grid over the block's cube, shape (points, dim)."""
    ticks = (np.arange(cells) + 0.5) / cells
    return np.array(block.low) + block.edge * lattice(ticks, len(block.low))


CELLS = {1: 20_000, 2: 400, 4: 20}  # an axis: errors far below what the counts can show


def win_probs(model, block):
    """Return arms spread evenly over the cube and their win probabilities."""
    arms = grid_of(block, CELLS[len(block.low)])
    return arms, model.win_prob(arms, np.array([block.reference]))


def plays_of(make, model, block, count, seed=11):
    engine = make(model, seed=seed)
    return [engine.play(block) for _ in range(count)]


def chi_square(observed, expected):
    """Return the p-value of counts against expected ones; rare outcomes are taken together."""
    observed, expected = np.ravel(observed), np.ravel(expected)
    rare = expected < 10
    seen = np.append(observed[~rare], observed[rare].sum())
    due = np.append(expected[~rare], expected[rare].sum())
    keep = due > 0
    assert seen[~keep].sum() == 0, "an outcome of probability 0"
    statistic = ((seen[keep] - due[keep]) ** 2 / due[keep]).sum()
    return stats.chi2.sf(statistic, keep.sum() - 1)


@every_engine
@every_model
def test_wins_are_binomial(model, make):
    block, count = block_of(model, 100), 3000
    wins = [int(play.tally.wins) for play in plays_of(make, model, block, count)]
    p = win_probs(model, block)[1].mean()
    expected = count * stats.binom.pmf(np.arange(block.n + 1), block.n, p)
    assert chi_square(np.bincount(wins, minlength=block.n + 1), expected) > LEVEL


@every_engine
@every_model
def test_each_coordinate_of_the_witness_is_uniform(model, make):
    block = block_of(model, 7)
    witnesses = np.array([play.tally.witness for play in plays_of(make, model, block, 3000)])
    units = (witnesses - np.array(block.low)) / block.edge
    worst = min(stats.kstest(column, "uniform").pvalue for column in units.T)
    assert worst > LEVEL


@every_engine
@every_model
def test_the_coordinates_of_the_witness_are_independent(model, make):
    block = block_of(model, 7)
    witnesses = np.array([play.tally.witness for play in plays_of(make, model, block, 3000)])
    upper = witnesses > np.array(block.low) + block.edge / 2
    cells = upper @ (1 << np.arange(upper.shape[1]))
    observed = np.bincount(cells, minlength=2 ** upper.shape[1])
    assert chi_square(observed, np.full(len(observed), len(cells) / len(observed))) > LEVEL


def corner_of(block, arms):
    """Return for each arm in which of the 2^dim halves of the cube it lies."""
    upper = np.asarray(arms) > np.array(block.low) + block.edge / 2
    return upper @ (1 << np.arange(len(block.low)))


def joint_law(model, block):
    """Return P(wins, corner of the witness) of two duels, shape (3, 2^dim)."""
    arms, probs = win_probs(model, block)
    corners, cells, p = corner_of(block, arms), 2 ** len(block.low), probs.mean()
    own = np.array([probs[corners == cell].mean() for cell in range(cells)])
    return np.array([(1 - own) * (1 - p), own * (1 - p) + (1 - own) * p, own * p]) / cells


@every_engine
@every_model
def test_wins_and_witness_are_exact_jointly(model, make):
    # In two duels the witness has half a say, so that neglecting the dependence would show.
    block, count = block_of(model, 2), 6000
    observed = np.zeros((3, 2 ** len(block.low)))
    for play in plays_of(make, model, block, count):
        observed[int(play.tally.wins), corner_of(block, play.tally.witness)] += 1
    assert chi_square(observed, count * joint_law(model, block)) > LEVEL


def test_the_joint_law_finds_out_a_witness_that_has_no_say():
    # The check of the check, on the model whose win probabilities differ most.
    law, count = joint_law(MODELS["wide"], block_of(MODELS["wide"], 2)), 6000
    independent = count * law.sum(axis=1, keepdims=True) * law.sum(axis=0)
    assert chi_square(independent, count * law) < LEVEL


def mean_slack(values, block):
    """Return how far the mean of ``values`` may be off: by chance, or by the quadrature.

    The quadrature may cost a hundredth of the noise of the block's win rate, a duel.
    """
    by_chance = stats.norm.isf(LEVEL / 2) * np.std(values, ddof=1) / np.sqrt(len(values))
    return by_chance + block.n * 0.01 * 0.5 / np.sqrt(block.n)


@every_engine
@every_model
def test_mean_regret(model, make):
    block = block_of(model, 100)
    regrets = [play.regret for play in plays_of(make, model, block, 2000)]
    arms, _ = win_probs(model, block)
    expected = block.n * (model.gap_to_best(arms).mean() + model.gap_to_best(block.reference))
    assert abs(np.mean(regrets) - expected) < mean_slack(regrets, block)


@every_engine
@every_model
def test_mean_weak_regret(model, make):
    block = block_of(model, 100)
    regrets = [play.weak_regret for play in plays_of(make, model, block, 2000)]
    arms, _ = win_probs(model, block)
    expected = block.n * model.weak_regret(arms, np.array([block.reference])).mean()
    assert abs(np.mean(regrets) - expected) < mean_slack(regrets, block)


@every_engine
@pytest.mark.parametrize("name", ["cone", "ring"])
def test_cleanup_blocks_are_fair_coins(name, make):
    model, count = MODELS[name], 3000
    arm = (0.9, 0.9)
    wins = [int(p.tally.wins) for p in plays_of(make, model, Block(arm, 0.0, arm, 40), count)]
    expected = count * stats.binom.pmf(np.arange(41), 40, 0.5)
    assert chi_square(np.bincount(wins, minlength=41), expected) > LEVEL


def references(make, model):
    """Return X^2 of 300 runs of 10^4 duels: two rounds, and the choice among four cubes."""
    chosen = []
    for seed in range(300):
        learner = ArcDuelli(dim=2, horizon=10**4, slope_max=0.25, start=(0.9, 0.9))
        for _ in duelli.play(learner, make(model, seed=seed)):
            pass
        chosen.append(learner.recommend())
    return np.array(chosen)


def test_whole_runs_choose_their_reference_with_the_same_law():
    chosen = [references(make, MODELS["cone"]) for make in ENGINES.values()]
    worst = min(
        stats.ks_2samp(chosen[i][:, axis], chosen[j][:, axis]).pvalue
        for i, j in combinations(range(len(chosen)), 2)
        for axis in (0, 1)
    )
    assert worst > LEVEL


PAIRS = [*((name, "logistic") for name in LANDSCAPES), *(("two_cones", link) for link in LINKS)]


@pytest.mark.parametrize(("name", "link"), PAIRS)
def test_the_compiled_loop_and_numpy_play_the_same_duels(name, link):
    model = DuelModel(name, link)
    block = block_of(model, 4000)
    one, two = PerDuel(model, seed=5), by_numpy(model, seed=5)
    tallies = [(one.play(block).tally, two.play(block).tally) for _ in range(3)]
    assert [a for a, _ in tallies] == [b for _, b in tallies]


@pytest.mark.parametrize(("name", "link"), PAIRS)
def test_the_compiled_loop_and_numpy_count_the_same_regret(name, link):
    model = DuelModel(name, link)
    block = block_of(model, 4000)
    one, two = PerDuel(model, seed=5).play(block), by_numpy(model, seed=5).play(block)
    assert (one.regret, one.weak_regret) == pytest.approx((two.regret, two.weak_regret), rel=1e-11)
