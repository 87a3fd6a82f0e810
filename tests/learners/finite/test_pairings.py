"""Pairings: everybody meets somebody else in each pass, nobody twice, all equally often."""

from collections import Counter

import pytest

from duelli.learners.finite.pairings import MOST_PASSES, Pairings

SIZES = [2, 3, 4, 5, 8, 9, 16, 31]


def all_pairs(pairings):
    return [pairings.pair(k) for k in range(pairings.count)]


@pytest.mark.parametrize("size", SIZES)
def test_with_enough_duels_everybody_meets_everybody_once(size):
    pairs = all_pairs(Pairings(range(size), 10**6))
    met = Counter(frozenset((i, j)) for i, j, _ in pairs)
    assert len(met) == len(pairs) == size * (size - 1) // 2
    assert all(len(pair) == 2 for pair in met)


@pytest.mark.parametrize("size", SIZES)
def test_nobody_plays_twice_in_a_pass(size):
    pairs, half = all_pairs(Pairings(range(size), 10**6)), size // 2
    for first in range(0, len(pairs), half):
        players = [player for i, j, _ in pairs[first : first + half] for player in (i, j)]
        assert len(set(players)) == 2 * half


@pytest.mark.parametrize("size", [100, 101])
def test_there_is_a_limit_to_the_opponents_of_a_player(size):
    pairings = Pairings(range(size), 10**6)
    assert pairings.count == size // 2 * MOST_PASSES
    met = Counter(player for i, j, _ in all_pairs(pairings) for player in (i, j))
    assert max(met.values()) == MOST_PASSES
    assert min(met.values()) >= MOST_PASSES - 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("duels", [1, 2, 7, 30, 1001, 10**18])
def test_all_duels_are_played_and_spread_evenly(size, duels):
    pairings = Pairings(range(size), duels)
    numbers = [n for _, _, n in all_pairs(pairings)]
    assert sum(numbers) == pairings.duels_before(pairings.count) == duels
    assert min(numbers) >= 1
    assert max(numbers) - min(numbers) <= 1
    assert sum(pairings.games()) == 2 * duels


def test_a_last_pass_that_is_cut_short_leaves_some_one_duel_behind():
    assert sorted(set(Pairings(range(8), 10).games())) == [2, 3]


def test_the_order_says_who_sits_where():
    seats, order = all_pairs(Pairings(range(5), 100)), [3, 1, 4, 0, 2]
    assert all_pairs(Pairings(order, 100)) == [(order[i], order[j], n) for i, j, n in seats]
