"""Epochs of 2, 4, 8, ... turns."""

import itertools

from duelli.learners.scalar.epochs import begins_at, epoch_at, half_over


def test_the_epochs_have_2_4_8_turns():
    numbers = [epoch_at(count).number for count in range(2 + 4 + 8 + 16)]
    assert [(n, len(list(turns))) for n, turns in itertools.groupby(numbers)] == [
        (1, 2),
        (2, 4),
        (3, 8),
        (4, 16),
    ]


def test_an_epoch_knows_its_start_and_length():
    assert epoch_at(13) == (3, 6, 8)
    assert epoch_at(14) == (4, 14, 16)


def test_an_epoch_begins_where_the_last_one_ends():
    assert [count for count in range(40) if begins_at(count)] == [0, 2, 6, 14, 30]


def test_half_of_an_epoch_is_over_in_its_middle():
    assert [count for count in range(6, 14) if half_over(count)] == [10, 11, 12, 13]
