"""SAVAGE: the printed algorithm, with all duels that cannot decide anything in one step."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paper.naive_duels import savage

from duelli import _rng
from duelli.learners.finite import Savage, SavageConfig

from .matrices import Matrix, Script, arithmetic, played, sure


def picks(learner):
    """Return the order of the pairs of a sweep, for the naive algorithm."""

    def pick(_use, sweep, options):
        index = _rng.word(learner._key, sweep)
        words = _rng.mixed(np.array(options, dtype=np.uint64), index)
        return options[int(words.argmin())]

    return pick


@settings(max_examples=15, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    arms=st.integers(2, 5),
    step=st.sampled_from([0.1, 0.25, 0.4]),
    horizon=st.sampled_from([1, 30, 500, 900]),
    winner=st.sampled_from(["condorcet", "copeland"]),
    tie=st.sampled_from([0.0, 0.3]),
)
def test_plays_the_duels_of_the_printed_algorithm(seed, arms, step, horizon, winner, tie):
    learner = Savage(dim=1, cells=arms, horizon=horizon, winner=winner, seed=seed)
    chances = np.clip(arithmetic(arms, step), 0, 1)
    naive = Script(learner.grid, chances, seed, tie).play_out(
        savage(arms, horizon, picks(learner), winner), horizon
    )
    pairs = played(learner, Script(learner.grid, chances, seed, tie))
    ours = Counter()
    for i, j, n in pairs:
        ours[i, j] += n * (i != j)
    assert +ours == Counter(naive)
    if len(naive) < horizon:  # it had settled before the end
        assert learner.progress().phase == "cleanup"
        assert pairs[-1] == (*[learner.grid.index(learner.recommend())] * 2, horizon - len(naive))


def test_the_width_has_the_printed_value():
    assert 2 * SavageConfig(dim=1, cells=4, horizon=10**4).width == pytest.approx(20.906, abs=5e-4)


def test_a_sure_loser_is_out_after_42_duels():
    learner = Savage(dim=1, cells=4, horizon=10**4)
    engine = Script(learner.grid, sure(4))
    assert {block.n for block in learner.ask()} == {41}
    learner.tell([engine.play(block).tally for block in learner.ask()])
    assert learner.progress().rounds_done == 0
    while learner.progress().rounds_done == 0:
        learner.tell([engine.play(block).tally for block in learner.ask()])
    decided = {(i, j) for i, j, n in engine.pairs if n == 1}
    assert learner._state.n.max() == 42
    assert decided
    played(learner, engine)
    assert learner.recommend() == learner.grid.centre(0)
    assert learner._state.n.max() == 42


@pytest.mark.parametrize("winner", ["condorcet", "copeland"])
def test_commits_to_the_best_arm(winner):
    learner = Savage(dim=1, cells=4, horizon=20_000, winner=winner)
    pairs = played(learner, Matrix(learner.grid, arithmetic(4, 0.15)))
    assert pairs[-1][:2] == (0, 0)
    assert learner.progress().phase == "cleanup"


def test_the_copeland_winner_need_not_beat_everyone():
    chances = np.full((4, 4), 0.5)
    for i, j in [(0, 1), (0, 3), (1, 2), (1, 3), (2, 0), (3, 2)]:  # nobody beats all others
        chances[i, j], chances[j, i] = 1.0, 0.0
    learner = Savage(dim=1, cells=4, horizon=10**4, winner="copeland")
    played(learner, Script(learner.grid, chances))
    assert learner.recommend() in {learner.grid.centre(0), learner.grid.centre(1)}
    assert learner.progress().phase == "cleanup"


def test_ties_never_end_the_exploration():
    learner = Savage(dim=1, cells=3, horizon=5000)
    pairs = played(learner, Script(learner.grid, np.full((3, 3), 0.5), tie=1.0))
    assert all(i != j for i, j, _ in pairs)
    assert len(pairs) < 100  # in few blocks


def test_a_huge_horizon_does_not_overflow():
    learner = Savage(dim=2, cells=8, horizon=10**18)
    assert learner.ask()[0].n == pytest.approx(2 * (np.log(64 * 63) + 36 * np.log(10)), rel=0.02)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n": [1, 1]}, "state.n and state.wins must have 3 entries"),
        ({"n": [0.5, 1, 1]}, "state.n must hold whole numbers, 3 in all at most"),
        ({"n": [2, 1, 1]}, "state.n must hold whole numbers, 3 in all at most"),
        ({"wins": [2, 0, 0]}, "state.wins no larger ones"),
    ],
)
def test_a_state_that_cannot_be_is_refused(changes, message):
    learner = Savage(dim=1, cells=3, horizon=100)
    state = {"phase": "savage", "duels": 3, "n": [1, 1, 1], "wins": [1, 0, 0], **changes}
    with pytest.raises(ValueError, match=message):
        Savage.from_state(learner.config, state)


def test_an_unknown_winner_is_refused():
    with pytest.raises(ValueError, match="winner must be one of condorcet, copeland; got 'borda'"):
        Savage(dim=1, horizon=100, winner="borda")
