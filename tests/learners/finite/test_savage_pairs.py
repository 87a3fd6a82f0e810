"""The pairs of SAVAGE: which matter, and which meet next."""

import numpy as np
import pytest

from duelli.learners.finite.savage_pairs import PairSweeps


def sweeps(arms=4, *, n=None, wins=None, width=8.1, winner="condorcet"):
    pairs = arms * (arms - 1) // 2
    n = np.zeros(pairs) if n is None else np.array(n, dtype=float)
    wins = n / 2 if wins is None else np.array(wins, dtype=float)
    return PairSweeps(arms, n, wins, width=width, winner=winner, key=7)


def test_every_pair_has_its_number():
    found = sweeps(5)
    for pair, (i, j) in enumerate(zip(found.left.tolist(), found.right.tolist(), strict=True)):
        assert found.number(i, j) == pair


def test_all_pairs_meet_as_often_as_nothing_can_be_decided():
    """A lead of n/2 passes √(8.1 n) with n > 32.4."""
    assert sweeps().meetings(10**6) == [(pair, 32) for pair in range(6)]


def test_the_duels_that_are_left_are_shared_evenly():
    assert sweeps().meetings(20) == [(pair, 3) for pair in range(6)]
    assert len({pair for pair, n in sweeps().meetings(5)}) == 5


def test_a_step_ends_with_a_pair_that_can_be_decided():
    found = sweeps(n=[32] * 6, wins=[32, 32, 32, 16, 16, 16])
    meetings = found.meetings(10**6)
    last, _ = meetings[-1]
    assert last in (0, 1, 2)
    assert all(pair in (3, 4, 5) for pair, _ in meetings[:-1])


def test_an_arm_that_lost_takes_its_pairs_with_it():
    found = sweeps(n=[32] * 6, wins=[32, 16, 16, 16, 16, 16])
    found.add(0, 1, 1.0)  # arm 0 beats arm 1
    assert found.relevant.tolist() == [False, True, True, False, False, True]
    assert (found.won.tolist(), found.lost.tolist()) == ([1, 0, 0, 0], [0, 1, 0, 0])
    assert found.decided == 1


def test_a_decided_pair_alone_does_not_settle_the_copeland_winner():
    found = sweeps(n=[32] * 6, wins=[32, 16, 16, 16, 16, 16], winner="copeland")
    found.add(0, 1, 1.0)
    assert found.relevant.tolist() == [False, True, True, True, True, True]


def test_pairs_of_two_arms_without_hope_do_not_matter():
    n = [33, 33, 33, 33, 33, 10]
    wins = [33, 33, 33, 33, 33, 5]  # 0 beats all, 1 beats 2 and 3
    found = sweeps(n=n, wins=wins, winner="copeland")
    assert not found.relevant.any()
    assert found.leader() == 0


def test_a_restored_table_knows_what_was_decided_in_any_order():
    """Arm 1 beat arm 2 first, and lost to arm 0 later."""
    n, wins = [34, 33, 33, 33, 33, 33], [34, 17, 16, 33, 16, 16]
    found = sweeps(n=n, wins=wins)
    assert found.lost.tolist() == [0, 1, 1, 0]
    assert np.flatnonzero(found.relevant).tolist() == [2]


@pytest.mark.parametrize("sweep", [0, 1, 2])
def test_the_order_of_a_sweep_is_random_but_fixed(sweep):
    n = [sweep] * 5 + [sweep + 1]
    first, second = (sweeps(n=n, width=0.01).meetings(100) for _ in range(2))
    assert first == second


def test_nothing_meets_once_all_is_settled():
    found = sweeps(2, n=[33], wins=[33])
    assert found.meetings(100) == []
