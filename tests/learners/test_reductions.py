"""A dueling learner on scalar rewards: Theorem 6.1, pathwise and in law."""

import numpy as np
import pytest
from scipy import stats

from duelli.duels import DuelModel
from duelli.errors import OutOfTurnError
from duelli.landscapes import landscape
from duelli.learners.arc import ArcDuelli
from duelli.learners.one_by_one import OneByOne
from duelli.learners.race import ArcRace
from duelli.learners.reductions import ScalarFromDuels

BEST = 0.8


def mean_reward(arm):
    """μ on [0, 1]^2, between 0 and 1."""
    return 0.9 - 0.5 * abs(arm[0] - BEST) - 0.4 * abs(arm[1] - BEST)


MODEL = DuelModel(
    landscape(
        lambda x: 0.9 - 0.5 * abs(x[:, 0] - BEST) - 0.4 * abs(x[:, 1] - BEST),
        2,
        best_arm=(BEST, BEST),
    ),
    "linear",
)


def arc(horizon, seed=0):
    return ArcDuelli(dim=2, horizon=horizon, slope_max=0.5, seed=seed)


def watched_outcomes(reduced):
    """Return a list that will hold what the inner learner is told, duel by duel."""
    told, tell = [], reduced._duels.tell_outcome

    def tell_and_note(outcome):
        told.append(outcome)
        tell(outcome)

    reduced._duels.tell_outcome = tell_and_note
    return told


class Transcript:
    """A scalar run: the arms that were pulled, and the duels' outcomes that they made."""

    def __init__(self, horizon, seed=0):
        self.reduced = ScalarFromDuels(arc(horizon, seed), seed=seed)
        self.arms, self.outcomes = [], watched_outcomes(self.reduced)
        rng = np.random.default_rng(seed)
        while (arm := self.reduced.pull()) is not None:
            self.arms.append(arm)
            self.reduced.update(float(rng.random() < mean_reward(arm)))


@pytest.mark.parametrize("horizon", [1, 2, 300, 1000])
def test_it_pulls_twice_the_horizon(horizon):
    assert len(Transcript(horizon).arms) == 2 * horizon


def test_its_horizon_counts_pulls():
    assert ScalarFromDuels(arc(1000)).horizon == 2000


@pytest.mark.parametrize("seed", range(3))
def test_regret_is_twice_that_of_the_duels_pathwise(seed):
    arms = np.array(Transcript(1000, seed).arms)
    scalar = (mean_reward((BEST, BEST)) - mean_reward(arms.T)).sum()
    duels = MODEL.regret(arms[::2], arms[1::2]).sum()
    assert scalar == pytest.approx(2 * duels, rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_the_learner_duels_the_arms_that_were_pulled(seed):
    # The same learner, fed with the same outcomes duel by duel, asks for the same pairs.
    run = Transcript(1000, seed)
    direct, pairs = OneByOne(arc(1000, seed), seed=seed), []
    for outcome in run.outcomes:
        (duel,) = direct.ask()
        pairs += [duel.low, duel.reference]
        direct.tell_outcome(outcome)
    assert pairs == run.arms


def outcomes(mean_x, mean_y, count):
    """Return the outcomes of duels between an arm of mean ``mean_x`` and one of ``mean_y``."""
    reduced = ScalarFromDuels(arc(count), seed=3)
    told = watched_outcomes(reduced)
    rng = np.random.default_rng(4)
    for _ in range(count):
        for mean in (mean_x, mean_y):
            reduced.pull()
            reduced.update(int(rng.random() < mean))
    return told


@pytest.mark.parametrize(("mean_x", "mean_y"), [(0.9, 0.2), (0.5, 0.5), (0.0, 1.0), (0.3, 0.1)])
def test_outcomes_have_the_law_of_the_linear_link(mean_x, mean_y):
    # Fails a correct build with probability 1e-7 a case: an exact binomial test.
    wins = outcomes(mean_x, mean_y, 4000)
    p = (1 + mean_x - mean_y) / 2
    assert stats.binomtest(int(sum(wins)), len(wins), p).pvalue > 1e-7


def test_equal_rewards_are_decided_by_a_fair_coin():
    # Fails a correct build with probability 1e-7.
    wins = outcomes(1.0, 1.0, 4000)
    assert stats.binomtest(int(sum(wins)), len(wins), 0.5).pvalue > 1e-7


def test_every_outcome_is_a_win_or_a_loss():
    assert set(outcomes(0.5, 0.5, 300)) == {0.0, 1.0}


def test_the_same_seed_gives_the_same_pulls():
    assert Transcript(500, seed=1).arms == Transcript(500, seed=1).arms


def test_a_pull_is_the_same_until_it_is_updated():
    reduced = ScalarFromDuels(arc(10))
    assert reduced.pull() == reduced.pull()


def test_the_second_pull_is_the_reference():
    reduced = ScalarFromDuels(ArcDuelli(dim=2, horizon=1000, slope_max=0.5, start=(0.3, 0.7)))
    reduced.pull()
    reduced.update(1)
    assert reduced.pull() == (0.3, 0.7)


def test_pulls_are_counted_one_by_one():
    reduced = ScalarFromDuels(arc(1000))
    counts = []
    for _ in range(3):
        reduced.pull()
        reduced.update(0)
        counts.append(reduced.pulls)
    assert counts == [1, 2, 3]


def test_update_before_pull_is_out_of_turn():
    with pytest.raises(OutOfTurnError, match="no pull pending; call pull"):
        ScalarFromDuels(arc(10)).update(1)


def test_update_twice_is_out_of_turn():
    reduced = ScalarFromDuels(arc(10))
    reduced.pull()
    reduced.update(1)
    with pytest.raises(OutOfTurnError, match="no pull pending; call pull"):
        reduced.update(1)


def test_update_after_the_end_is_out_of_turn():
    reduced = Transcript(5).reduced
    reduced.pull()
    with pytest.raises(OutOfTurnError, match="no pull pending; call pull"):
        reduced.update(1)


@pytest.mark.parametrize("reward", [-1, 2, float("nan")])
def test_rewards_outside_of_0_and_1_are_refused(reward):
    reduced = ScalarFromDuels(arc(10))
    reduced.pull()
    with pytest.raises(
        ValueError, match=r"reward must be True, False or a number in \[0, 1\]; got"
    ):
        reduced.update(reward)


def test_a_refused_reward_can_be_given_again():
    reduced = ScalarFromDuels(arc(10))
    reduced.pull()
    with pytest.raises(ValueError, match="reward must be"):
        reduced.update(7)
    reduced.update(1)
    assert reduced.pulls == 1


def drawn(reward_x, reward_y, count):
    """Return the outcomes of duels between arms whose rewards are always the same two numbers."""
    reduced = ScalarFromDuels(arc(count), seed=3)
    told = watched_outcomes(reduced)
    for _ in range(count):
        for reward in (reward_x, reward_y):
            reduced.pull()
            reduced.update(reward)
    return told


@pytest.mark.parametrize(("x", "y"), [(0.9, 0.2), (0.5, 0.5), (0.3, 0.1), (0.0, 0.6), (1.0, 0.5)])
def test_rewards_between_0_and_1_keep_the_law_of_the_linear_link(x, y):
    # Fails a correct build with probability 1e-7 a case: an exact binomial test.
    wins = drawn(x, y, 4000)
    assert stats.binomtest(int(sum(wins)), len(wins), (1 + x - y) / 2).pvalue > 1e-7


def test_the_larger_of_two_rewards_does_not_always_win():
    # To compare the rewards themselves is another link (F51).
    assert set(drawn(0.9, 0.2, 300)) == {0.0, 1.0}


def first_reward(reward, seed):
    """Return what a first reward is drawn as."""
    reduced = ScalarFromDuels(arc(10), seed=seed)
    reduced.pull()
    reduced.update(reward)
    return reduced.state()["first"]


def test_the_first_reward_of_a_duel_is_part_of_the_state():
    # Fails a correct build with probability 1e-7: an exact binomial test.
    drawn = [first_reward(0.25, seed) for seed in range(400)]
    assert stats.binomtest(sum(drawn), 400, 0.25).pvalue > 1e-7
    assert [first_reward(reward, 0) for reward in (0, 1, False, True)] == [0, 1, 0, 1]


def test_the_draws_of_a_duel_are_independent():
    # One half of the duels have two rewards that differ, and the first one says who wins; in the
    # other half a coin agrees with it every other time. Fails a correct build with chance 1e-7.
    reduced = ScalarFromDuels(arc(4000), seed=3)
    told, firsts = watched_outcomes(reduced), []
    for _ in range(4000):
        reduced.pull()
        reduced.update(0.5)
        firsts.append(reduced.state()["first"])
        reduced.pull()
        reduced.update(0.5)
    both = sum(won == first for won, first in zip(told, firsts, strict=True))
    assert stats.binomtest(both, 4000, 0.75).pvalue > 1e-7


def begun(pulls, horizon=300):
    """Return a learner that has made so many pulls, all of them with the reward 1."""
    reduced = ScalarFromDuels(arc(horizon))
    for _ in range(pulls):
        reduced.pull()
        reduced.update(1)
    return reduced


def test_the_state_is_that_of_the_duels_and_the_first_reward():
    state = begun(7).state()
    assert state["first"] == 1
    assert state["duels"]["duels"] == 3
    assert sorted(state) == ["duels", "first"]


@pytest.mark.parametrize("pulls", [0, 1, 6, 7, 600])
def test_a_restored_learner_has_the_same_state_and_pulls(pulls):
    reduced = begun(pulls)
    again = ScalarFromDuels.from_state(reduced.config, reduced.state())
    assert again.state() == reduced.state()
    assert (again.pulls, again.pull()) == (reduced.pulls, reduced.pull())


@pytest.mark.parametrize("first", [7, -1, "x", 0.5, True, [], {}])
def test_a_first_reward_that_cannot_be_is_refused(first):
    reduced = begun(3)
    with pytest.raises(ValueError, match=r"^state.first must be 0, 1 or None; got "):
        ScalarFromDuels.from_state(reduced.config, {**reduced.state(), "first": first})


def test_a_first_reward_after_the_end_is_refused():
    reduced = begun(600)
    with pytest.raises(ValueError, match=r"^state.first must be None after the last duel; got 1"):
        ScalarFromDuels.from_state(reduced.config, {**reduced.state(), "first": 1})


@pytest.mark.parametrize(
    ("state", "error", "message"),
    [
        ([], TypeError, r"state must be a JSON object; got \[\]"),
        ({"first": None}, ValueError, "state must hold 'duels'; it is missing"),
        ({"duels": {}, "first": None, "x": 1}, ValueError, "state may hold duels, first; got x"),
        ({"duels": None, "first": None}, TypeError, "state must be a JSON object; got None"),
    ],
)
def test_a_state_that_is_not_one_is_refused(state, error, message):
    with pytest.raises(error, match=message):
        ScalarFromDuels.from_state(begun(0).config, state)


def test_it_shows_its_learner_and_its_bits():
    reduced = begun(3)
    assert repr(reduced).startswith("ScalarFromDuels(ArcDuelli(dim=2, horizon=300, ")
    assert repr(reduced).endswith(", seed=0)")
    assert reduced.state_bits() == reduced._duels.state_bits() + 2


def test_a_learner_without_a_horizon_makes_one_without_a_horizon():
    reduced = ScalarFromDuels(ArcRace(dim=1, slope_max=0.5, horizon=None))
    assert reduced.horizon is None
    assert reduced.pull() is not None


def test_it_recommends_what_the_learner_recommends():
    reduced = Transcript(300).reduced
    assert reduced.recommend() == reduced._duels.learner.recommend()
