"""The contract kits can fail: each catches the fault that it is there for."""

from dataclasses import replace

import numpy as np
import pytest

from duelli import ArcDuelli, Block, Played, Tally, landscape
from duelli.engines import Collapsed
from duelli.learners.scalar.ucb1 import Ucb1
from duelli.links import Link, Logistic
from duelli.testing import (
    CoinFlips,
    CoinRewards,
    EngineKit,
    LandscapeKit,
    LearnerKit,
    LinkKit,
    ScalarKit,
)
from duelli.testing.engine.models import BLOCKS, MODELS

CAUGHT = (AssertionError, pytest.fail.Exception)


class Arc(ArcDuelli):
    """A learner with nothing wrong, for faults to be put into."""

    @classmethod
    def make(cls, horizon):
        return cls(dim=2, horizon=horizon, slope_max=0.25)


class Overspending(Arc):
    @classmethod
    def make(cls, horizon):
        return super().make(horizon + 1)


class Restless(Arc):
    def ask(self):
        self._pending = None
        if step := super().ask():
            self._turn = 1 - getattr(self, "_turn", 0)
            self._pending = (replace(step[0], reference=(float(self._turn), 0.5)),)
        return self._pending


class Unseeded(Arc):
    made = 0

    @classmethod
    def make(cls, horizon):
        cls.made += 1
        return cls(dim=2, horizon=horizon, slope_max=0.25, seed=cls.made)


class Tupled(Arc):
    def state(self):
        return {**super().state(), "extra": (1, 2)}


class Forgetful(Arc):
    @classmethod
    def from_state(cls, config, _):
        return cls.make(config.horizon)


class Credulous(Arc):
    def tell(self, tallies):
        if step := self.ask():
            wins = tallies[0].wins if tallies else 0
            super().tell([Tally(step[0].n, min(wins, step[0].n), step[0].low)])


class Astray(Arc):
    def recommend(self):
        return (0.5, 1.5)


class Miscounting(Arc):
    @property
    def duels(self):
        return super().duels + 1


class Unlimited(Arc):
    """Takes a state of more duels than the horizon has."""

    def _read(self, state):
        own, self.config = self.config, replace(self.config, horizon=10**18)
        try:
            return super()._read(state)
        finally:
            self.config = own


class Boastful(Arc):
    def best(self):
        return replace(super().best(), gap_low=0.7)


class Memoryless(Arc):
    def state_bits(self):
        return 0


LEARNER_FAULTS = [
    ("test_plays_exactly_the_horizon", Overspending, (10,)),
    ("test_says_its_horizon", Overspending, (10,)),
    ("test_ask_returns_the_same_step_until_it_is_told", Restless, ()),
    ("test_the_same_seed_gives_the_same_blocks", Unseeded, ()),
    ("test_the_state_survives_json", Tupled, ()),
    ("test_goes_on_from_its_state_in_the_middle_of_a_run", Forgetful, (3,)),
    ("test_tell_before_ask_is_out_of_turn", Credulous, ()),
    ("test_a_second_tell_is_out_of_turn", Credulous, ()),
    ("test_a_tell_after_the_end_is_out_of_turn", Credulous, ()),
    ("test_a_tally_of_another_size_is_refused", Credulous, ()),
    ("test_a_missing_tally_is_refused", Credulous, ()),
    ("test_counts_the_duels_that_it_was_told_of", Miscounting, ()),
    ("test_its_answer_names_the_arm_that_it_recommends", Boastful, ()),
    ("test_a_state_with_a_broken_entry_is_refused_or_can_be_played", Unlimited, (10**15,)),
    ("test_a_witness_outside_the_cube_is_refused", Credulous, (2.0,)),
    ("test_a_refused_tally_changes_nothing", Credulous, ()),
    ("test_recommends_an_arm_of_the_box", Astray, ()),
    ("test_remembers_a_positive_number_of_bits", Memoryless, ()),
]


@pytest.mark.parametrize(("test", "faulty", "arguments"), LEARNER_FAULTS)
def test_a_faulty_learner_is_caught(test, faulty, arguments):
    with pytest.raises(CAUGHT):
        getattr(LearnerKit(), test)(faulty.make, *arguments)


def test_a_learner_that_forgets_its_state_within_a_block_is_refused():
    kit, test = LearnerKit(), "test_one_by_one_goes_on_from_its_state_within_a_block"
    with pytest.raises(ValueError, match=r"state\.duels must lie in"):
        getattr(kit, test)(Forgetful.make, 299)


class Ucb(Ucb1):
    """A learner of rewards with nothing wrong, for faults to be put into."""

    @classmethod
    def make(cls, horizon):
        return cls(dim=2, horizon=horizon, cells=3)


class PullsOneMore(Ucb):
    def pull(self):
        if self._state.pulls == self.config.horizon and not hasattr(self, "_last"):
            self._last = True
            self._pending = (0.5, 0.5)
        return super().pull()


class WrongHorizon(Ucb):
    @classmethod
    def make(cls, horizon):
        return super().make(horizon + 1)


class Endless(Ucb):
    """Ends once, and then goes on."""

    def pull(self):
        if (arm := super().pull()) is None:
            self._ends = getattr(self, "_ends", 0) + 1
        return (0.5, 0.5) if arm is None and self._ends > 1 else arm


class Adrift(Ucb):
    def _next_arm(self):
        return (super()._next_arm()[0], 1.5)


class RecommendsOutside(Ucb):
    def recommend(self):
        return (0.5,)


class UnseededUcb(Ucb):
    made = 0

    @classmethod
    def make(cls, horizon):
        cls.made += 1
        return cls(dim=2, horizon=horizon, cells=3, seed=cls.made)


class RestlessUcb(Ucb):
    def pull(self):
        self._pending = None
        arm = super().pull()
        self._turn = 1 - getattr(self, "_turn", 0)
        return arm and (float(self._turn), arm[1])


class Hasty(Ucb):
    def pull(self):
        self._state.sums[0] += 0.25
        return super().pull()


class CredulousUcb(Ucb):
    def update(self, reward):
        if self._pending is None:
            self._pending = (0.5, 0.5)
        super().update(reward)


class Clipping(Ucb):
    def update(self, reward):
        number = reward if isinstance(reward, float) else 0.0
        super().update(min(max(number, 0.0), 1.0))


class Consuming(Ucb):
    def update(self, reward):
        try:
            super().update(reward)
        except (ValueError, TypeError):
            self._pending = None
            self._state.pulls += 1
            raise


class TupledUcb(Ucb):
    def state(self):
        return {**super().state(), "extra": (1, 2)}


class ForgetfulUcb(Ucb):
    @classmethod
    def from_state(cls, config, _):
        return cls.make(config.horizon)


class Trusting(Ucb):
    """Takes a state as it comes."""

    @classmethod
    def from_state(cls, config, state):
        learner = cls.make(config.horizon)
        learner._state.pulls = state["pulls"]
        return learner


SCALAR_FAULTS = [
    ("test_pulls_exactly_the_horizon", PullsOneMore, (10,)),
    ("test_pulls_exactly_the_horizon_whatever_the_rewards", PullsOneMore, (0.1,)),
    ("test_says_its_horizon", WrongHorizon, ()),
    ("test_pulls_nothing_once_the_horizon_is_used_up", Endless, (2,)),
    ("test_pulls_arms_of_the_box", Adrift, ()),
    ("test_recommends_an_arm_of_the_box", RecommendsOutside, ()),
    ("test_the_same_seed_gives_the_same_pulls", UnseededUcb, ()),
    ("test_pull_returns_the_same_arm_until_it_is_updated", RestlessUcb, ()),
    ("test_pulling_does_not_change_the_state", Hasty, ()),
    ("test_update_before_pull_is_out_of_turn", CredulousUcb, ()),
    ("test_a_second_update_is_out_of_turn", CredulousUcb, ()),
    ("test_an_update_after_the_end_is_out_of_turn", CredulousUcb, ()),
    ("test_a_reward_outside_of_0_and_1_is_refused_and_changes_nothing", Clipping, (1.1,)),
    ("test_a_reward_outside_of_0_and_1_is_refused_and_changes_nothing", Consuming, (1.1,)),
    ("test_the_state_survives_json", TupledUcb, ()),
    ("test_goes_on_from_its_state_after_every_pull", ForgetfulUcb, ()),
    ("test_goes_on_from_its_state_in_the_middle_of_a_run", ForgetfulUcb, (7,)),
    ("test_an_arm_that_was_pulled_is_pulled_again_after_a_restart", ForgetfulUcb, ()),
    ("test_a_restored_learner_recommends_the_same_arm", ForgetfulUcb, ()),
    ("test_a_state_with_a_broken_entry_is_refused_or_can_be_played", Trusting, (None,)),
]


@pytest.mark.parametrize(("test", "faulty", "arguments"), SCALAR_FAULTS)
def test_a_faulty_learner_of_rewards_is_caught(test, faulty, arguments):
    getattr(ScalarKit(), test)(Ucb.make, *arguments)
    with pytest.raises((*CAUGHT, TypeError)):
        getattr(ScalarKit(), test)(faulty.make, *arguments)


def test_every_test_of_the_scalar_kit_has_a_fault_that_it_catches():
    tests = {name for name in dir(ScalarKit) if name.startswith("test_")}
    assert tests == {test for test, _, _ in SCALAR_FAULTS}


def altered(change):
    """Return a maker of engines whose every play is passed through ``change``."""

    class Altered(Collapsed):
        def play(self, block):
            return change(super().play(block), block)

    return lambda model, seed: Altered(model, seed=seed)


def too_many_wins(play, block):
    return replace(play, tally=replace(play.tally, wins=min(play.tally.wins * 1.05, block.n)))


def short_by_one(play, block):
    return replace(play, tally=Tally(max(block.n - 1, 1), 0, play.tally.witness))


def at_the_corner(play, block):
    return replace(play, tally=replace(play.tally, witness=block.low))


def beyond_the_cube(play, block):
    return replace(play, tally=replace(play.tally, witness=tuple(1.5 for _ in block.low)))


def averaged(play, _):
    return Played(play.tally, play.regret / 2, play.weak_regret)


def doubly_weak(play, _):
    return Played(play.tally, play.regret, 2 * play.weak_regret)


CONES = MODELS["cones"]
ENGINE_FAULTS = [
    ("test_tallies_as_many_duels_as_were_asked", short_by_one, (BLOCKS["box"],)),
    ("test_the_witness_lies_in_the_cube", beyond_the_cube, (BLOCKS["cube"],)),
    ("test_the_witness_is_another_one_each_time", at_the_corner, ()),
    ("test_the_win_rate_is_within_hoeffdings_bound", too_many_wins, (CONES,)),
    ("test_the_win_rate_of_a_pair_is_within_hoeffdings_bound", too_many_wins, (CONES,)),
    ("test_an_arm_against_itself_wins_half_of_the_duels", too_many_wins, ()),
    ("test_the_regrets_are_those_of_the_model", averaged, (CONES,)),
    ("test_the_regrets_of_a_pair_are_those_of_the_model", doubly_weak, (CONES,)),
    ("test_the_weak_regret_is_at_most_half_of_the_regret", doubly_weak, (BLOCKS["self"],)),
]


@pytest.mark.parametrize(("test", "fault", "arguments"), ENGINE_FAULTS)
def test_a_faulty_engine_is_caught(test, fault, arguments):
    with pytest.raises(CAUGHT):
        getattr(EngineKit(), test)(altered(fault), *arguments)


def test_an_engine_that_is_not_seeded_is_caught():
    seeds = iter(range(10))
    with pytest.raises(CAUGHT):
        EngineKit().test_the_same_seed_gives_the_same_plays(
            lambda model, _: Collapsed(model, seed=next(seeds))
        )


def test_engines_that_share_their_generator_are_caught():
    shared = Collapsed(CONES, seed=0)

    def make(model, seed):
        engine = Collapsed(model, seed=seed)
        engine._rng = shared._rng
        return engine

    with pytest.raises(CAUGHT):
        EngineKit().test_interleaved_engines_do_not_disturb_each_other(make)


class TooSteep(Logistic):
    """A link that is steeper than it says."""

    def _base(self, v):
        return 0.5 + 0.5 * np.tanh(0.6 * v)


class Lopsided(Logistic):
    def _base(self, v):
        return super()._base(v) ** 1.01


class Falling(Logistic):
    def _base(self, v):
        return 1 - super()._base(v)


class TwoFaced(Logistic):
    """A link that is another one for single floats."""

    def at(self, u):
        return super().at(1.01 * u)


@pytest.mark.parametrize(
    ("test", "faulty", "arguments"),
    [
        ("test_an_arm_ties_with_its_equal", Lopsided, ()),
        ("test_is_symmetric", Lopsided, ()),
        ("test_does_not_fall", Falling, ()),
        ("test_its_slopes_bound_all_difference_quotients", TooSteep, (1.0,)),
        ("test_one_float_has_the_same_probability_as_in_an_array", TwoFaced, ()),
    ],
)
def test_a_faulty_link_is_caught(test, faulty, arguments):
    assert isinstance(faulty(), Link)
    with pytest.raises(CAUGHT):
        getattr(LinkKit(), test)(faulty(), *arguments)


def hill(xs):
    return 1 - np.abs(xs - 0.3).max(axis=1)


@pytest.mark.parametrize(
    ("test", "inputs"),
    [
        ("test_no_arm_is_better_than_its_best_arm", {"best_arm": (0.3, 0.31)}),
        ("test_its_lipschitz_constant_bounds_all_difference_quotients", {"lipschitz": 0.95}),
        ("test_its_zooming_dimension_is_at_most_its_dimension", {"zooming_dim": 3}),
    ],
)
def test_a_faulty_landscape_is_caught(test, inputs):
    sound = landscape(hill, 2, best_arm=(0.3, 0.3))
    getattr(LandscapeKit(), test)(sound)
    with pytest.raises(CAUGHT):
        getattr(LandscapeKit(), test)(replace(sound, **inputs))


def test_a_landscape_whose_two_forms_differ_is_caught():
    faulty = replace(landscape(hill, 2), pointwise=lambda _: 0.5)
    with pytest.raises(CAUGHT):
        LandscapeKit().test_one_arm_and_many_agree(faulty)


def test_coin_flips_are_the_same_for_the_same_seed():
    block = Block((0.0, 0.0), 1.0, (0.5, 0.5), 100)
    assert CoinFlips(seed=4).play(block) == CoinFlips(seed=4).play(block)


@pytest.mark.parametrize(("chance", "wins"), [(0.0, 0), (1.0, 100)])
def test_coin_flips_have_the_chance_that_is_asked_for(chance, wins):
    block = Block((0.0, 0.0), 1.0, (0.5, 0.5), 100)
    assert CoinFlips(chance=chance).play(block).tally.wins == wins


@pytest.mark.parametrize(("chance", "reward"), [(0.0, 0.0), (1.0, 1.0)])
def test_coin_rewards_have_the_chance_that_is_asked_for(chance, reward):
    coins = CoinRewards(chance=chance)
    assert {coins((0.5,)) for _ in range(50)} == {reward}
