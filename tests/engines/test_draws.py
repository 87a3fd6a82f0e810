"""What a duel draws: the words of its number, and nothing else."""

import numpy as np
import pytest
from scipy import stats

from duelli import _rng
from duelli.engines import _draws

KEY = _rng.key(7, "engine")


def test_they_are_the_words_of_the_key():
    expected = [_rng.unit(KEY, index) for index in range(15, 24)]
    assert _draws.uniforms(KEY, 5, 3, 3).ravel().tolist() == expected


def test_duels_far_into_a_block_draw_the_words_of_their_number():
    first = 10**18
    expected = [_rng.unit(KEY, 3 * first + i) for i in range(6)]
    assert _draws.uniforms(KEY, first, 2, 3).ravel().tolist() == expected


def test_they_do_not_depend_on_how_many_are_drawn_at_once():
    pieces = [_draws.uniforms(KEY, first, 10, 3) for first in range(0, 100, 10)]
    assert (np.concatenate(pieces) == _draws.uniforms(KEY, 0, 100, 3)).all()


def test_they_lie_in_the_half_open_unit_interval():
    units = _draws.uniforms(KEY, 0, 200_000, 3)
    assert 0 <= units.min() < units.max() < 1


@pytest.mark.parametrize("column", range(3))
def test_each_word_of_a_duel_is_uniform(column):
    # Fails a correct build with probability 1e-7 a column.
    units = _draws.uniforms(KEY, 0, 50_000, 3)
    assert stats.kstest(units[:, column], "uniform").pvalue > 1e-7


def test_the_words_of_a_duel_are_uncorrelated():
    # A correlation of 6 / √n has a probability of 2e-9 a pair.
    units = _draws.uniforms(KEY, 0, 50_000, 3)
    correlations = np.corrcoef(units.T)[np.triu_indices(3, 1)]
    assert np.abs(correlations).max() < 6 / np.sqrt(50_000)


def test_consecutive_duels_are_uncorrelated():
    units = _draws.uniforms(KEY, 0, 50_001, 1).ravel()
    assert abs(np.corrcoef(units[1:], units[:-1])[0, 1]) < 6 / np.sqrt(50_000)
