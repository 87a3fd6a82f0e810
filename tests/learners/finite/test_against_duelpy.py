"""Our learners beside those of duelpy 1.0.0: the same where it follows the papers, and where not.

duelpy is another implementation, by other people. Where both follow the paper, the same outcomes
give the same duels, or the same history the same statistics. Where duelpy does not, a test shows
what the paper's formula gives for a small history, that we have it, and that duelpy does not.
"""

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest
from paper.naive_duels import coin_divergence, divergences, likely_winners, rates_of

from duelli.learners.finite import (
    BeatTheMean,
    DoubleThompsonSampling,
    InterleavedFilter,
    Rmed1,
    Rmed2,
    Rucb,
    Savage,
    WinnerStays,
    winner_stays,
)
from duelli.learners.finite import beat_the_mean as mean

from .matrices import Script, arithmetic, one_by_one, played, sure

pytest.importorskip("duelpy")
FILE = Path(__file__).parents[3] / "benchmarks" / "_duelpy.py"  # which makes it run with NumPy 2


@pytest.fixture(scope="module")
def duelpy():
    spec = importlib.util.spec_from_file_location("_duelpy", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.algorithms()


class Scripted:
    """A source of outcomes for duelpy; it notes the pairs."""

    def __init__(self, arms, script):
        self.arms, self.script, self.pairs = list(range(arms)), script, []

    def get_arms(self):
        return self.arms.copy()

    def get_num_arms(self):
        return len(self.arms)

    def duel(self, arm_i_index, arm_j_index):
        pair = int(arm_i_index), int(arm_j_index)
        self.pairs.append(pair)
        return bool(self.script.outcome(*pair) == 1.0)


class First:
    """A source of randomness that takes the first of several choices."""

    def choice(self, options, p=None):  # noqa: ARG002 (duelpy's names)
        return next(iter(options))

    def shuffle(self, options):
        """Leave the order as it is."""


def entered(algorithm, wins):
    """Enter these wins into the counts of one of duelpy's algorithms."""
    for i, j in np.argwhere(wins > 0).tolist():
        for _ in range(int(wins[i, j])):
            algorithm.preference_estimate.enter_sample(i, j, True)
    return algorithm


WINS = np.array([[0, 4, 9, 6], [2, 0, 5, 7], [1, 3, 0, 2], [3, 1, 6, 0]], dtype=float)
DUELS = int(WINS.sum())


def made(kind, name, **inputs):
    """Return a learner of ours that has the wins of `WINS`."""
    config = kind(dim=1, cells=4, horizon=10**5, **inputs).config
    state = {"phase": name, "duels": DUELS, "wins": WINS.tolist()}
    more = {
        "rucb": {"best": None},
        "rmed": {"waiting": [0, 1, 2, 3], "chosen": []},
        "thompson": {},
    }
    return kind.from_state(config, {**state, **more[name]})


# Where both agree


@pytest.mark.parametrize("seed", range(5))
def test_winner_stays_plays_the_same_duels(duelpy, monkeypatch, seed):
    monkeypatch.setattr(winner_stays, "one_of", lambda arms, _key, _index: int(arms[0]))
    learner = WinnerStays(dim=1, cells=6, horizon=2000)
    chances = arithmetic(6, 0.08)
    ours = one_by_one(played(learner, Script(learner.grid, chances, seed)))
    theirs = Scripted(6, Script(learner.grid, chances, seed))
    algorithm = duelpy.WinnerStaysWeakRegret(theirs, time_horizon=2000, random_state=First())
    algorithm.run()
    assert ours == theirs.pairs
    assert learner.state()["scores"] == algorithm.win_deltas.tolist()


def test_winner_stays_for_strong_regret_plays_the_same_duels_if_each_is_a_period(
    duelpy, monkeypatch
):
    monkeypatch.setattr(winner_stays, "one_of", lambda arms, _key, _index: int(arms[0]))
    learner = WinnerStays(dim=1, cells=4, horizon=500, beta=1.2, period="duel")
    ours = one_by_one(played(learner, Script(learner.grid, sure(4))))
    theirs = Scripted(4, Script(learner.grid, sure(4)))
    duelpy.WinnerStaysStrongRegret(
        theirs, time_horizon=500, exploitation_factor=1.2, random_state=First()
    ).run()
    assert ours == theirs.pairs


@pytest.mark.parametrize("seed", range(3))
def test_the_interleaved_filter_plays_the_same_matches(duelpy, seed):
    """duelpy has the first variant, without the pruning of the second."""
    horizon, arms, chances = 8000, 4, np.clip(arithmetic(4, 0.3), 0, 1)
    learner = InterleavedFilter(dim=1, cells=arms, horizon=horizon, variant=1, start=(0.0,))
    ours = Script(learner.grid, chances, seed)
    played(learner, ours)
    theirs = Scripted(arms, Script(learner.grid, chances, seed))
    algorithm = duelpy.InterleavedFiltering(theirs, horizon, random_state=First())
    algorithm.run()
    assert sorted(tuple(sorted(p)) for p in one_by_one(ours.pairs)) == sorted(
        tuple(sorted(p)) for p in theirs.pairs
    )
    assert learner.grid.index(learner.recommend()) == algorithm.candidate_arm


def test_rucb_has_the_same_upper_bounds_up_to_one(duelpy):
    learner = made(Rucb, "rucb")
    theirs = entered(duelpy.RelativeUCB(Scripted(4, None)), WINS)
    theirs.time_step = DUELS + 1
    theirs._update_confidence_radius()
    width, state = math.sqrt(0.51 * math.log(DUELS + 1)), learner._state
    ours = np.array([state.rates[c] + width * state.widths[c] for c in range(4)]).T
    upper = theirs.preference_estimate.get_upper_estimate_matrix().preferences
    np.testing.assert_allclose(np.minimum(ours, 1), upper)
    possible = [i for i in range(4) if all(upper[i] >= 0.5)]
    level = 0.51 * math.log(DUELS + 1)
    assert np.flatnonzero(state.bounds.beaten(level) == 0).tolist() == possible


def test_thompson_sampling_has_the_same_likely_winners(duelpy):
    theirs = entered(duelpy.DoubleThompsonSampling(Scripted(4, None), time_horizon=10**5), WINS)
    theirs.time_step = t = DUELS + 1
    theirs._update_confidence_radius()
    found = theirs.preference_estimate.get_upper_estimate_matrix().get_copeland_winners()
    beaten = made(DoubleThompsonSampling, "thompson")._state.bounds.beaten(0.51 * math.log(t))
    assert set(np.flatnonzero(beaten == beaten.min()).tolist()) == set(map(int, found))


def test_rmed_has_the_same_rates_and_slack(duelpy):
    learner = made(Rmed1, "rmed")
    theirs = entered(duelpy.Rmed1(Scripted(4, None), time_horizon=10**5), WINS)
    estimates = theirs.preference_estimate.get_mean_estimate_matrix().preferences
    np.testing.assert_allclose(learner._state.divergences.rates, estimates)
    assert learner.config.slack == pytest.approx(theirs.divergence_tolerance(4))


def means(duelpy, seed, step=0.25, coef=1.0, stop=10**4):
    """Feed both the duels that duelpy asks for, until the first arm leaves."""
    arms, horizon = 4, 10**4
    learner = BeatTheMean(dim=1, cells=arms, horizon=horizon, coef=coef, meets_itself=False)
    script = Script(learner.grid, np.clip(arithmetic(arms, step), 0, 1), seed)
    feedback = Scripted(arms, script)
    theirs = duelpy.BeatTheMeanBandit(
        feedback, horizon, random_state=np.random.RandomState(seed), gamma=math.sqrt(coef / 3)
    )
    state = learner._state
    while len(state.left) == arms and state.duels < stop:
        history = theirs.comparison_history
        before = history.wins.copy()
        theirs.explore()
        b, other = feedback.pairs[-1]
        state.duels += 1
        learner._learn(state, b, other, float(history.wins[b, other] - before[b, other]))
    return learner, theirs.comparison_history


@pytest.mark.parametrize("seed", range(3))
def test_beat_the_mean_counts_and_drops_the_same_until_the_first_arm_leaves(duelpy, seed):
    """It credits the arm that asks, and nobody else; older versions of duelpy did not."""
    for stop in (1, 10, 100, 400):
        learner, history = means(duelpy, seed, stop=stop)
        state = learner._state
        if len(state.left) == 4:
            np.testing.assert_allclose(state.rates, history.probability_estimate)
            bound = mean.width(learner._scale, state.extremes()[2])
            assert history.confidence_radius(history.get_min_comparison()) == pytest.approx(bound)
    learner, history = means(duelpy, seed)
    assert np.flatnonzero(history.working_set).tolist() == list(learner._state.left)


# Where duelpy departs from the papers


def test_duelpys_beat_the_mean_does_not_forget_the_duels_with_an_arm_that_has_left(duelpy):
    learner, history = means(duelpy, 0)
    state = learner._state
    left = list(state.left)
    n = history.comparisons[:, left].sum(axis=1)[left]
    wins = history.wins[:, left].sum(axis=1)[left]
    np.testing.assert_allclose(state.rates[left], wins / n)  # the paper's P̂
    assert np.abs(history.probability_estimate[left] - wins / n).max() > 0.01


def test_duelpys_rucb_counts_every_duel_as_a_win_of_the_champion(duelpy):
    class Lost(Scripted):
        def duel(self, arm_i_index, arm_j_index):
            self.pairs.append((int(arm_i_index), int(arm_j_index)))
            return False

    theirs = duelpy.RelativeUCB(Lost(3, None), random_state=np.random.RandomState(0))
    theirs.step()
    ((c, d),) = theirs.wrapped_feedback.feedback_mechanism.pairs
    assert theirs.preference_estimate.wins[c, d] == 1  # although it lost
    learner = Rucb(dim=1, cells=3, horizon=10)
    (i, j, _), *_ = learner._meetings(10)
    learner._state.duels += 1
    learner._take(i, j, 1, 0.0)
    assert learner._state.wins[j, i] == 1


def test_duelpys_rucb_never_lets_the_champion_meet_itself(duelpy):
    wins = np.zeros((3, 3))
    wins[0, 1] = wins[0, 2] = 50
    feedback = Scripted(3, Script(None, sure(3)))
    theirs = entered(duelpy.RelativeUCB(feedback, random_state=First()), wins)
    theirs.time_step = 100
    theirs.step()
    (c, d) = feedback.pairs[-1]
    assert (c, d) == (0, 1)
    upper = [0.5, *(0.0 + math.sqrt(0.51 * math.log(101) / 50) for _ in range(2))]  # U_j0
    assert max(upper) == upper[0]  # so that d should be 0
    state = {"phase": "rucb", "duels": 100, "best": None, "wins": wins.tolist()}
    learner = Rucb.from_state(Rucb(dim=1, cells=3, horizon=10**4).config, state)
    assert learner._meetings(100)[0][:2] == (0, 0)


def test_duelpys_savage_is_sure_after_one_duel(duelpy):
    """Its scaling of the failure probability turns the logarithm around."""
    theirs = duelpy.Savage(Scripted(4, None), failure_probability=1e-4, time_horizon=10**4)
    assert theirs.preference_estimate.confidence_radius(1) == 0
    ours = Savage(dim=1, cells=4, horizon=10**4)
    width = math.sqrt(ours.config.width / 1)  # c(1)
    assert width == pytest.approx(math.sqrt(math.log(4 * 3 * 10**4 * 10**4) / 2))
    feedback = Scripted(4, Script(ours.grid, sure(4)))
    theirs = duelpy.Savage(feedback, failure_probability=1e-4, time_horizon=10**4)
    while not theirs.exploration_finished():
        theirs.explore()
    assert len(feedback.pairs) <= 6
    played(ours, Script(ours.grid, sure(4)))
    assert ours._state.n.sum() >= 41 * 6


def test_duelpys_rmed_leaves_out_most_opponents_of_an_arm(duelpy):
    theirs = entered(duelpy.Rmed1(Scripted(4, None), time_horizon=10**5), WINS)
    theirs._get_candidate_target(2)
    truth = divergences(WINS)
    np.testing.assert_allclose(made(Rmed1, "rmed")._state.divergences.totals, truth)
    rates = rates_of(WINS)
    better = {j for j in range(4) if j != 2 and rates[2, j] <= 0.5}
    assert better == {0, 1, 3}
    assert theirs.opponent_set < better
    assert abs(theirs.empirical_divergence[2] - truth[2]) > 0.1


def test_duelpys_rmed2_turns_the_regret_of_a_pair_around(duelpy):
    theirs = entered(duelpy.Rmed2(Scripted(4, None), time_horizon=10**5), WINS)
    theirs.best_arm = 0
    rates, learner = rates_of(WINS), made(Rmed2, "rmed")
    costs = {
        j: (rates[0, 2] + rates[0, j] - 1) / coin_divergence(rates[2, j])
        for j in range(4)
        if rates[2, j] < 0.5
    }
    for j, cost in costs.items():
        assert theirs.empirical_divergence_plus(2, j) == pytest.approx(-cost)
    assert learner._target_of(2, 0, DUELS) == min(costs, key=costs.get)


def test_duelpys_thompson_sampling_looks_for_the_weakest_challenger(duelpy):
    """It samples row a, how often a beats i, where the paper has column a, how often i beats a."""
    wins = np.zeros((3, 3))
    wins[0, 1], wins[1, 0] = 20, 20  # an even rival
    wins[0, 2], wins[2, 0] = 14, 8  # a weaker one
    _, lower = likely_winners(wins, 63)
    assert (lower[:, 0] <= 0.5).all()  # either may be chosen
    theirs = entered(
        duelpy.DoubleThompsonSampling(
            Scripted(3, None), time_horizon=10**5, random_state=np.random.RandomState(0)
        ),
        wins,
    )
    theirs.time_step = 63
    theirs._update_confidence_radius()
    found = [int(theirs._choose_second_candidate(0)) for _ in range(200)]
    assert found.count(2) > 100
    state = {"phase": "thompson", "duels": 62, "wins": wins.tolist()}
    config = DoubleThompsonSampling(dim=1, cells=3, horizon=10**4).config
    beliefs = DoubleThompsonSampling.from_state(config, state)._state.beliefs
    draws = np.random.default_rng(0)
    theta = beliefs.sampled_against(np.zeros(4000, dtype=np.intp), draws)
    # θ'_i0 has the mean (w_i0 + 1) / (n + 2); off by 0.01 = 6 standard errors with chance < 1e-6.
    assert theta.mean(axis=0).tolist() == pytest.approx([0.5, 21 / 42, 9 / 24], abs=0.01)
    assert (theta.argmax(axis=1) == 2).mean() < 0.25
