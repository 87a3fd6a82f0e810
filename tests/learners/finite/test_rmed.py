"""RMED1: the printed algorithm duel by duel, with the self-duels in blocks."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paper.naive_duels import Rmed

from duelli import _rng
from duelli.learners.finite import Rmed1, RmedConfig

from .matrices import Matrix, Script, arithmetic, one_by_one, played, sure

USES = ("best", "opponent", "target")
CASES = {
    "seed": st.integers(0, 10**6),
    "arms": st.integers(2, 5),
    "step": st.sampled_from([0.0, 0.1, 0.2]),
    "horizon": st.integers(1, 400),
    "tie": st.sampled_from([0.0, 0.4]),
}


def picks(learner):
    """Return the draws of a learner, for the naive algorithm."""
    keys = dict(zip(USES, learner._keys, strict=True))

    def pick(use, t, options):
        return options[_rng.below(keys[use], t, len(options))] if len(options) > 1 else options[0]

    return pick


def both(learner, variant, chances, seed, tie):
    """Return the duels of a learner and of the naive algorithm, given the same outcomes."""
    horizon, arms = learner.horizon, learner.num_arms
    naive = Script(learner.grid, chances, seed, tie).play_out(
        Rmed(arms, horizon, picks(learner), variant).play(), horizon
    )
    return one_by_one(played(learner, Script(learner.grid, chances, seed, tie))), naive


@settings(max_examples=20, deadline=None, derandomize=True)
@given(**CASES)
def test_plays_the_duels_of_the_printed_algorithm(seed, arms, step, horizon, tie):
    learner = Rmed1(dim=1, cells=arms, horizon=horizon, seed=seed)
    ours, naive = both(learner, "1", np.clip(arithmetic(arms, step), 0, 1), seed, tie)
    assert ours == naive


def test_plays_the_duels_of_the_printed_algorithm_while_one_arm_is_left():
    learner = Rmed1(dim=1, cells=3, horizon=1500, factor=0.3)
    engine = Script(learner.grid, sure(3))
    naive = Script(learner.grid, sure(3)).play_out(Rmed(3, 1500, picks(learner)).play(), 1500)
    meetings = played(learner, engine)
    assert one_by_one(meetings) == naive
    assert max(n for _, _, n in meetings) > 50  # there are blocks to speak of


@pytest.mark.parametrize(
    ("cells", "dim", "slack"), [(4, 1, 1.2168), (8, 1, 2.4504), (16, 2, 81.18)]
)
def test_the_slack_has_the_printed_values(cells, dim, slack):
    assert RmedConfig(dim=dim, cells=cells, horizon=100).slack == pytest.approx(slack, rel=1e-4)


def test_every_pair_meets_once_in_one_step():
    step = Rmed1(dim=2, cells=3, horizon=1000).ask()
    assert len(step) == len({(block.low, block.reference) for block in step}) == 36
    assert {block.n for block in step} == {1}


def test_the_horizon_may_end_before_all_pairs_have_met():
    assert len(Rmed1(dim=2, cells=3, horizon=10).ask()) == 10


def test_sure_losers_leave_the_sweeps_once_their_divergence_exceeds_the_bound():
    learner = Rmed1(dim=1, cells=4, horizon=10_000)
    engine = Script(learner.grid, sure(4))
    while step := learner.ask():
        if learner.state()["waiting"] == [0] and not learner.state()["chosen"]:
            break
        learner.tell([engine.play(block).tally for block in step])
    totals, t = learner._state.divergences.totals, learner.duels
    assert totals[0] == 0.0
    assert all(total > math.log(t) + learner.config.slack for total in totals[1:])
    # A loser that lost n duels has I = n ln 2: the last one leaves with the first n that exceeds.
    assert t < 200


def test_the_best_arm_takes_part_in_nearly_all_sweeps():
    """It was missing from 0 of some 10 000 sweeps in 40 such runs; 1 in 100 would be too many."""
    sweeps = missed = 0
    for seed in range(5):
        learner = Rmed1(dim=1, cells=5, horizon=2000, seed=seed)
        engine, before = Matrix(learner.grid, arithmetic(5, 0.1), seed), None
        while step := learner.ask():
            state = learner._state
            if not state.chosen and before != state.waiting:
                sweeps, missed = sweeps + 1, missed + (0 not in state.named.nonzero()[0])
            before = state.waiting[1:]
            learner.tell([engine.play(block).tally for block in step])
    assert sweeps > 100
    assert missed <= sweeps / 100


def test_a_self_duel_changes_no_count():
    learner = Rmed1(dim=1, cells=2, horizon=1000)
    pairs = played(learner, Script(learner.grid, sure(2)))
    assert sum(n for i, j, n in pairs if i == j) > 900
    wins = np.array(learner.state()["wins"])
    assert wins.sum() == sum(n for i, j, n in pairs if i != j)
    assert not wins.diagonal().any()


def test_a_negative_factor_is_refused():
    with pytest.raises(ValueError, match="factor must be at least 0; got -1"):
        Rmed1(dim=1, horizon=10, factor=-1)
