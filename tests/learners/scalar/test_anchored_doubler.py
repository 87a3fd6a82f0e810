"""The anchored Doubler: one opponent per epoch, reservoirs, and blocks."""

import itertools
from collections import Counter

import pytest
from scipy import stats

from duelli.blocks import Tally
from duelli.duels import DuelModel
from duelli.engines import Collapsed
from duelli.learners.scalar import AnchoredDoubler
from duelli.learners.scalar.base import Pulls
from duelli.learners.scalar.epochs import epoch_at
from duelli.testing import CoinFlips

from .duels import duelled, linear
from .rewards import cone
from .test_doubler import epochs


@pytest.mark.parametrize("scalar", ["hoo", "ucb1", "zooming"])
def test_the_opponent_of_an_epoch_is_one_arm_of_the_epoch_before(scalar):
    learner = AnchoredDoubler(dim=1, horizon=500, scalar=scalar, lipschitz=8.0)
    parts = epochs(list(duelled(learner, linear(cone))))
    for before, part in itertools.pairwise(parts):
        (anchor,) = {y for _, y, _ in part}
        assert anchor in {x for x, _, _ in before}


def test_the_next_opponent_is_uniform_among_the_arms_of_an_epoch():
    # Fails a correct build with probability 1e-6: a chi-squared test of its place in the epoch,
    # where every arm is another one.
    places = Counter()
    for seed in range(600):
        learner = AnchoredDoubler(dim=1, horizon=15, scalar="hoo", seed=seed)
        *_, before, part = epochs(list(duelled(learner, linear(cone), seed)))
        places[[x for x, _, _ in before].index(part[0][1])] += 1
    assert stats.chisquare([places[i] for i in range(8)]).pvalue > 1e-6


def test_a_block_counts_as_often_as_it_has_duels():
    # Fails a correct build with probability 1e-6: an exact binomial test. Blocks of 1 and of 63
    # duels in one epoch; the witness of the first is the next opponent in 1 of 64 runs.
    first, runs = 0, 800
    for seed in range(runs):
        learner = AnchoredDoubler(dim=1, horizon=200, scalar="log_li", seed=seed)
        learner._state.scalars[0] = scalar = _Blocks([1, 63])
        learner._state.duels = learner._state.turns = 62
        for witness in ((0.25,), (0.75,)):
            (block,) = learner.ask()
            learner.tell([Tally(block.n, 0, witness)])
        assert scalar.sizes == []
        first += learner._state.anchor == (0.25,)
    assert stats.binomtest(first, runs, 1 / 64).pvalue > 1e-6


class _Blocks:
    """A scalar learner that pulls the whole box, in blocks of given sizes."""

    def __init__(self, sizes):
        self.sizes, self.pulls = sizes, 0

    def pull_many(self, _):
        return Pulls((0.0,), 1.0, self.sizes[0])

    def update_many(self, _, n):
        self.pulls += n
        self.sizes.pop(0)

    def recommend(self):
        return (0.5,)


def test_cubes_are_played_as_blocks():
    learner, coins, steps = AnchoredDoubler(dim=2, horizon=10**6, scalar="log_li"), CoinFlips(), 0
    while step := learner.ask():
        learner.tell([coins.play(step[0]).tally])
        steps += 1
    assert learner.duels == 10**6
    assert steps < 1000


def test_blocks_never_cross_the_end_of_an_epoch():
    learner, coins = AnchoredDoubler(dim=2, horizon=10**5, scalar="d_blin"), CoinFlips()
    while step := learner.ask():
        epoch, begun = epoch_at(learner.duels), learner.duels
        assert begun + step[0].n <= epoch.start + epoch.length
        learner.tell([coins.play(step[0]).tally])


def test_with_log_li_it_remembers_few_bits():
    bits = []
    for horizon in (10**4, 10**8):
        learner = AnchoredDoubler(dim=2, horizon=horizon, scalar="log_li", slope_max=0.25)
        engine, most = Collapsed(DuelModel("two_cones"), seed=0), 0
        while step := learner.ask():
            learner.tell([engine.play(step[0]).tally])
            most = max(most, learner.state_bits())
        bits.append(most)
    assert bits[1] < 1.5 * bits[0] < 1500


@pytest.mark.parametrize(("duels", "there"), [(6, False), (9, True)])
def test_a_state_whose_candidate_does_not_fit_is_refused(duels, there):
    learner = AnchoredDoubler(dim=1, horizon=20)
    for _ in duelled(learner, linear(cone), most=duels):
        pass
    state = learner.state()
    assert (state["candidate"] is not None) == there
    wrong = {**state, "candidate": None if there else [0.5]}
    with pytest.raises(ValueError, match=r"state\.candidate must be there within an epoch"):
        AnchoredDoubler.from_state(learner.config, wrong)
