"""HOO against a transcription of its pseudo-code that works out every bound in each pull."""

import math

import pytest
from scipy import stats

from duelli.learners.scalar.hoo import Hoo
from duelli.learners.scalar.tree import depths_of

from .rewards import bernoulli, cone, distance, pulled


class NaiveHoo:
    """The strategy as printed, with ln T: cells are strings of halves, all of them in a dict."""

    def __init__(self, dim, horizon, lipschitz, deepest=math.inf):
        self.dim, self.deepest = dim, deepest
        self.width, self.nu, self.rho = 2 * math.log(horizon), 2 * lipschitz, 2 ** (-1 / dim)
        self.rewards, self.bounds = {"": []}, {}

    def bound(self, cell):
        return self.bounds.get(cell, math.inf)

    def path(self, coin):
        cell, path = "", [""]
        while cell in self.rewards and len(cell) < self.deepest:
            low, high = self.bound(cell + "0"), self.bound(cell + "1")
            upper = coin(len(cell)) if low == high else high > low
            cell += "01"[upper]
            path.append(cell)
        return path

    def learn(self, path, reward):
        for cell in path:
            self.rewards.setdefault(cell, []).append(reward)
        for cell in sorted(self.rewards, key=len, reverse=True):
            if not (seen := self.rewards[cell]):
                continue
            mean, bonus = sum(seen) / len(seen), self.nu * self.rho ** len(cell)
            upper = mean + math.sqrt(self.width / len(seen)) + bonus
            below = max(self.bound(cell + "0"), self.bound(cell + "1"))
            self.bounds[cell] = upper if len(cell) == self.deepest else min(upper, below)

    def centre(self, cell):
        low, high = [0.0] * self.dim, [1.0] * self.dim
        for depth, half in enumerate(cell):
            axis = depth % self.dim
            middle = (low[axis] + high[axis]) / 2
            (low if half == "1" else high)[axis] = middle
        return tuple((a + b) / 2 for a, b in zip(low, high, strict=True))


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_it_pulls_what_the_printed_strategy_pulls(dim):
    learner, reward = Hoo(dim=dim, horizon=400, lipschitz=0.7), bernoulli(cone, dim)
    naive = NaiveHoo(dim, 400, 0.7)
    while (arm := learner.pull()) is not None:
        path = naive.path(learner._coin)
        assert arm == naive.centre(path[-1])
        value = reward(arm)
        naive.learn(path, value)
        learner.update(value)


def test_each_pull_adds_one_cell():
    learner = Hoo(dim=2, horizon=300)
    pulled(learner)
    assert len(learner.state()["links"]) == 300


def test_no_arm_is_pulled_twice_and_the_root_never():
    arms = pulled(Hoo(dim=2, horizon=300))
    assert len(set(arms)) == 300
    assert (0.5, 0.5) not in arms


def test_the_axes_take_their_turn():
    learner = Hoo(dim=2, horizon=3)
    shallow = [arm for arm in pulled(learner) if 0.5 in arm]
    assert shallow
    assert all(arm[1] == 0.5 and arm[0] in (0.25, 0.75) for arm in shallow)


def test_cells_are_as_small_as_the_bonus_says():
    # ν1 ρ^h bounds how much the mean reward changes across a cell: L times its diameter.
    config = Hoo(dim=3, horizon=10, lipschitz=2.0).config
    for depth in range(20):
        diameter = 2.0 ** -(depth // 3)  # the axis that has its turn last is the longest
        bonus = config.first_bonus * config.bonus_ratio**depth
        assert 2.0 * diameter <= bonus * (1 + 1e-12)


def test_ties_are_broken_at_random():
    # Fails a correct build with probability 1e-6: an exact binomial test.
    first = [Hoo(dim=1, horizon=10, seed=seed).pull() for seed in range(400)]
    assert stats.binomtest(first.count((0.25,)), 400, 0.5).pvalue > 1e-6


def test_it_recommends_a_point_near_the_best_arm():
    learner = Hoo(dim=2, horizon=5000)
    pulled(learner)
    assert distance(learner.recommend(), (0.3, 0.1)) < 0.1


def test_before_the_first_pull_it_recommends_the_middle():
    assert Hoo(dim=2, horizon=10).recommend() == (0.5, 0.5)


def test_a_longer_run_has_wider_bounds():
    widths = [Hoo(dim=1, horizon=horizon).config.width for horizon in (1, 10, 1000)]
    assert widths == [0, 2 * math.log(10), 2 * math.log(1000)]


def test_a_reward_costs_work_on_its_path_only(monkeypatch):
    learner, calls = Hoo(dim=1, horizon=2000), []
    original = Hoo._bound
    monkeypatch.setattr(
        Hoo, "_bound", lambda self, node, depth: calls.append(1) or original(self, node, depth)
    )
    pulled(learner)
    depth = max(depths_of(learner._state))
    assert len(calls) <= 2000 * depth
    assert depth < 60
