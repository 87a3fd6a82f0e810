"""Wins of all pairs: the arm that leads, and what cannot be."""

import numpy as np
import pytest

from duelli.learners.finite.pair_counts import Standings, bits_of, check_square, check_wins


def leader(wins):
    """Return the Copeland winner, of several the one with the largest share of wins."""
    ahead = [(row > column).sum() for row, column in zip(wins, wins.T, strict=True)]
    shares = wins.sum(axis=1) / np.maximum((wins + wins.T).sum(axis=1), 1)
    return max(range(len(wins)), key=lambda i: (ahead[i], shares[i]))


def test_the_leader_is_the_same_whether_counted_at_once_or_step_by_step():
    rng = np.random.default_rng(0)
    wins = np.zeros((5, 5))
    standings = Standings(wins)
    for _ in range(300):
        i, j = rng.choice(5, 2, replace=False).tolist()
        n = int(rng.integers(1, 4))
        standings.add(i, j, n, float(rng.integers(0, 2 * n + 1)) / 2)
        assert standings.best(0) == leader(wins)
        assert (Standings(wins.copy())._scores == standings._scores).all()


def test_the_middle_leads_before_the_first_duel():
    assert Standings(np.zeros((4, 4))).best(2) == 2


@pytest.mark.parametrize(
    ("wins", "duels", "message"),
    [
        (np.zeros((3, 3)), 5, "state.wins must have 2 rows, one for each arm; got 3"),
        (np.eye(2), 5, "state.wins must be 0 for an arm against itself"),
        (np.array([[0, 0.5], [0, 0]]), 5, "must add up to whole numbers of duels"),
        (np.array([[0, 5.0], [1, 0]]), 5, "state.duels must be at least the 6 duels of state.wins"),
    ],
)
def test_wins_that_cannot_be_are_refused(wins, duels, message):
    with pytest.raises(ValueError, match=message):
        check_wins(wins, 2, duels)


def test_halves_that_add_up_are_taken():
    check_wins(np.array([[0, 0.5], [0.5, 0]]), 2, 1)


def test_a_table_has_no_more_duels_than_a_run_can_have():
    with pytest.raises(ValueError, match=r"wins must hold at most 1e\+18 duels; got 1e\+300"):
        check_square("wins", np.full((2, 2), 1e300))


def test_a_table_must_be_square():
    with pytest.raises(ValueError, match=r"wins must have as many rows as columns; got the shape"):
        check_square("wins", np.zeros((2, 3)))


def test_two_counts_are_remembered_for_each_pair():
    wins = np.zeros((3, 3))
    assert bits_of(wins) == 0
    wins[0, 1] = 3  # three duels: two bits for each count
    assert bits_of(wins) == 4
