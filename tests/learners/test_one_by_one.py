"""OneByOne: the steps of a learner, duel by duel. The contract kit pins the rest."""

import json
from itertools import islice

import numpy as np
import pytest
from scipy import stats

import duelli
from duelli.blocks import Tally
from duelli.errors import OutOfTurnError
from duelli.learners.arc import ArcDuelli
from duelli.learners.one_by_one import OneByOne
from duelli.testing import CoinFlips

INPUTS = {"dim": 2, "horizon": 10**4, "slope_max": 0.25, "start": (0.9, 0.9)}


def one_by_one(seed=0, **inputs):
    return OneByOne(ArcDuelli(**{**INPUTS, **inputs}), seed=seed)


class Told(ArcDuelli):
    """Keeps the tallies that it is told."""

    def __init__(self, **inputs):
        super().__init__(**inputs)
        self.tallies = []

    def tell(self, tallies):
        self.tallies += tallies
        super().tell(tallies)


def test_a_block_is_told_once_all_of_its_duels_are():
    inner = Told(**INPUTS)
    n, learner = inner.ask()[0].n, OneByOne(inner)
    for _ in islice(duelli.play(learner, CoinFlips()), n - 1):
        pass
    assert inner.tallies == []


def test_outcomes_add_up_to_the_block_s_wins():
    inner = Told(**INPUTS)
    n, learner = inner.ask()[0].n, OneByOne(inner)
    for k in range(n):
        learner.ask()
        learner.tell_outcome(k % 3 == 0)
    assert inner.tallies[0].wins == sum(k % 3 == 0 for k in range(n))


def test_a_tie_counts_half():
    inner = Told(**INPUTS)
    n, learner = inner.ask()[0].n, OneByOne(inner)
    for _ in range(n):
        learner.ask()
        learner.tell_outcome(0.5)
    assert inner.tallies[0].wins == n / 2


def test_the_witness_is_one_of_the_arms():
    inner = Told(**INPUTS)
    n, learner = inner.ask()[0].n, OneByOne(inner)
    arms = [block.low for (block,), _ in islice(duelli.play(learner, CoinFlips()), n)]
    assert inner.tallies[0].witness in arms


@pytest.mark.slow
def test_the_witness_has_any_place_with_the_same_chance():
    # A horizon of 276 has blocks of 138: fails a correct build with probability 1e-7.
    places = []
    for seed in range(400):
        inner = Told(dim=1, horizon=276, slope_max=0.25)
        n, learner = inner.ask()[0].n, OneByOne(inner, seed=seed)
        arms = [block.low for (block,), _ in islice(duelli.play(learner, CoinFlips()), n)]
        places.append((arms.index(inner.tallies[0].witness) + 0.5) / n)
    assert stats.kstest(places, "uniform").pvalue > 1e-7


def test_the_arms_are_uniform_in_the_cube():
    # Fails a correct build with probability 2e-7.
    learner = one_by_one(horizon=10**8)
    arms = [block.low for (block,), _ in islice(duelli.play(learner, CoinFlips()), 343)]
    worst = min(stats.kstest(column, "uniform").pvalue for column in np.array(arms).T)
    assert worst > 1e-7


def test_every_duel_is_against_the_reference():
    learner = one_by_one()
    blocks = [block for (block,), _ in islice(duelli.play(learner, CoinFlips()), 100)]
    assert {block.reference for block in blocks} == {(0.9, 0.9)}


def test_cleanup_duels_are_the_reference_against_itself():
    *_, ((last,), _) = duelli.play(one_by_one(horizon=500), CoinFlips())
    assert last.low == last.reference


def test_the_arm_of_a_duel_depends_on_seed_and_number_alone():
    one, two = one_by_one(seed=5), one_by_one(seed=5)
    first = [block.low for (block,), _ in islice(duelli.play(one, CoinFlips(chance=0.1)), 343)]
    second = [block.low for (block,), _ in islice(duelli.play(two, CoinFlips(chance=0.9)), 343)]
    assert first == second


def test_another_seed_draws_other_arms():
    assert one_by_one(seed=1).ask() != one_by_one(seed=2).ask()


def test_its_state_is_json():
    learner = one_by_one()
    for _ in islice(duelli.play(learner, CoinFlips()), 250):
        pass
    assert json.loads(json.dumps(learner.state())) == learner.state()


def test_a_duel_that_was_asked_is_asked_again_after_a_restart():
    learner = one_by_one(seed=2)
    for _ in islice(duelli.play(learner, CoinFlips()), 37):
        pass
    asked = learner.ask()
    again = OneByOne.from_state(learner.config, learner.state())
    assert again.ask() == asked


def test_a_restart_in_a_block_leads_to_the_same_end():
    straight, broken = (one_by_one(seed=2, horizon=2000) for _ in range(2))
    for _ in duelli.play(straight, CoinFlips(chance=1.0)):
        pass
    for _ in islice(duelli.play(broken, CoinFlips(chance=1.0)), 1234):
        pass
    again = OneByOne.from_state(broken.config, broken.state())
    for _ in duelli.play(again, CoinFlips(chance=1.0)):
        pass
    assert again.state() == straight.state()


def test_it_counts_duels():
    learner = one_by_one()
    for _ in islice(duelli.play(learner, CoinFlips()), 400):
        pass
    assert learner.duels == 400


def test_its_bits_are_the_learner_s_and_two_for_each_outcome_of_the_open_step():
    learner = one_by_one()
    n = learner.learner.ask()[0].n
    for _ in islice(duelli.play(learner, CoinFlips()), n + 9):
        pass
    counters = (n + 9).bit_length() + 1  # the duels, and the one step that was told
    assert learner.state_bits() - learner.learner.state_bits() == counters + 2 * 9


@pytest.mark.parametrize("outcome", [-0.1, 1.1, float("nan")])
def test_an_outcome_outside_the_unit_interval_is_refused(outcome):
    learner = one_by_one()
    learner.ask()
    with pytest.raises(ValueError, match="outcome must"):
        learner.tell_outcome(outcome)


@pytest.mark.parametrize("outcome", [None, "x", [1]])
def test_an_outcome_that_is_no_number_is_refused(outcome):
    learner = one_by_one()
    learner.ask()
    with pytest.raises(TypeError, match="outcome must be True, False or a number in"):
        learner.tell_outcome(outcome)


def test_an_outcome_before_the_duel_is_out_of_turn():
    with pytest.raises(OutOfTurnError, match=r"call ask\(\) first"):
        one_by_one().tell_outcome(True)


def test_a_tally_of_another_arm_is_refused():
    learner = one_by_one()
    (block,) = learner.ask()
    with pytest.raises(ValueError, match=r"tallies\[0\]\.witness must lie in the block's cube"):
        learner.tell([Tally(1, 1, tuple(1 - x for x in block.low))])


def test_it_recommends_what_the_learner_recommends():
    assert one_by_one().recommend() == (0.9, 0.9)


def begun(duels, **inputs):
    learner = one_by_one(**inputs)
    for _ in islice(duelli.play(learner, CoinFlips()), duels):
        pass
    return learner


def test_asking_does_not_change_the_state():
    learner = begun(0)
    before = learner.state()
    learner.ask()
    assert learner.state() == before


def test_a_learner_that_has_duelled_before_keeps_its_own_count():
    inner = ArcDuelli(**INPUTS)
    for _ in islice(duelli.play(inner, CoinFlips()), 1):
        pass
    learner = OneByOne(inner)
    for _ in islice(duelli.play(learner, CoinFlips()), 5):
        pass
    again = OneByOne.from_state(learner.config, learner.state())
    assert again.duels == learner.duels == 5


N = ArcDuelli(**INPUTS).ask()[0].n  # the duels of the first step


@pytest.mark.parametrize(
    ("duels", "change", "message"),
    [
        (9, {"duels": 10}, r"^state.duels must lie in \[9, 9\]; got 10"),
        (9, {"duels": 8}, r"^state.duels must lie in \[9, 9\]; got 8"),
        (9, {"steps": 1}, r"^state.duels must lie in \[10, 9\]; got 9"),
        (9, {"steps": -1}, "^state.steps must be a whole number of at least 0; got -1"),
        (2, {"outcomes": [[1, None, 1]]}, "^state.outcomes must be those of the first duels"),
        (2, {"outcomes": [[None, 1, 1]]}, "^state.outcomes must be those of the first duels"),
        (2, {"outcomes": [[1] * N]}, "^state.outcomes must be those of the first duels"),
        (10**4, {"outcomes": [[1]]}, "^state.outcomes must be None after the last duel"),
    ],
)
def test_a_state_that_cannot_be_is_refused(duels, change, message):
    learner = begun(duels)
    with pytest.raises(ValueError, match=message):
        OneByOne.from_state(learner.config, {**learner.state(), **change})


@pytest.mark.parametrize("name", ["learner", "duels", "steps", "outcomes"])
def test_a_state_without_an_entry_is_refused(name):
    learner = begun(3)
    state = {key: value for key, value in learner.state().items() if key != name}
    with pytest.raises(ValueError, match=f"state must hold '{name}'; it is missing"):
        OneByOne.from_state(learner.config, state)
