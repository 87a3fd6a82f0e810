"""One seed, many streams: each its own, and the same at any time and in any process."""

import subprocess
import sys

import numpy as np
import pytest

from duelli import _rng


def first_draws(*arguments):
    return _rng.stream(*arguments).random(4).tolist()


def test_a_stream_is_the_same_each_time():
    assert first_draws(3, "arms", 5) == first_draws(3, "arms", 5)


def test_a_stream_is_the_same_in_another_process():
    code = "from duelli import _rng; print(_rng.stream(3, 'arms', 5).random(4).tolist())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(first_draws(3, "arms", 5))


def test_streams_of_different_addresses_differ():
    addresses = [(seed, name) for seed in (0, 1, 2**40) for name in _rng.STREAMS]
    addresses += [(0, "order", 1), (0, "order", 1, 2), (0, "order", 2), (0, "order", 2, 1)]
    assert len({tuple(first_draws(*address)) for address in addresses}) == len(addresses)


def test_no_two_streams_share_a_number():
    assert len(set(_rng.STREAMS.values())) == len(_rng.STREAMS)


def test_the_published_numbers_of_the_streams_stay():
    published = ("start", "order", "engine", "arms", "witness", "trial", "coins")
    assert [_rng.STREAMS[name] for name in published] == list(range(7))


def test_drawing_from_one_stream_leaves_another_alone():
    one, other = _rng.stream(0, "arms"), _rng.stream(0, "coins")
    one.random(1000)
    assert other.random(4).tolist() == first_draws(0, "coins")


def test_trials_have_different_seeds():
    seeds = {_rng.trial_seed(seed, trial) for seed in range(3) for trial in range(100)}
    assert len(seeds) == 300


def test_the_seed_of_a_trial_is_a_seed():
    seed = _rng.trial_seed(0, 7)
    assert _rng.check_seed(seed) == seed


def test_a_large_seed_is_a_seed():
    assert _rng.check_seed(2**200) == 2**200


@pytest.mark.parametrize("seed", [-1, 0.5, float("nan")])
def test_a_number_that_is_not_a_seed_is_refused(seed):
    with pytest.raises(ValueError, match=r"^seed must be a whole number of at least 0; got "):
        _rng.check_seed(seed)


@pytest.mark.parametrize("seed", [None, "7", np.random.RandomState(0)])
def test_what_is_not_a_number_is_not_a_seed(seed):
    with pytest.raises(TypeError, match=r"^seed must be a whole number of at least 0; got "):
        _rng.check_seed(seed)


def test_the_words_of_a_key_are_those_of_splitmix64():
    # The first outputs of the published generator with the state 1234567, whose word i is ours
    # at index i + 1, since it adds the constant before it mixes.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [_rng.word(1234567, i) for i in (1, 2, 3)] == published


def test_a_unit_lies_in_the_unit_interval():
    key = _rng.key(0, "arms")
    units = [_rng.unit(key, i) for i in range(10_000)]
    assert 0 <= min(units) < 0.001
    assert 0.999 < max(units) < 1


def test_below_reaches_every_number_and_no_other():
    key = _rng.key(0, "witness")
    assert {_rng.below(key, i, 7) for i in range(1000)} == set(range(7))


def test_below_one_is_zero():
    assert _rng.below(_rng.key(0, "witness"), 5, 1) == 0


def test_a_turn_draws_the_same_whatever_was_drawn_before():
    turns, again = _rng.Turns(5), _rng.Turns(5)
    again.at(3).standard_gamma(2.0, 7)
    again.at(8).integers(9, size=3, dtype=np.uint32)  # half a word is left over
    first = (
        turns.at(4).integers(9, size=4, dtype=np.uint32).tolist(),
        turns.at(4).random(4).tolist(),
    )
    second = (
        again.at(4).integers(9, size=4, dtype=np.uint32).tolist(),
        again.at(4).random(4).tolist(),
    )
    assert first == second


def test_turns_and_keys_draw_different_numbers():
    drawn = [_rng.Turns(key).at(turn).random() for key in range(10) for turn in range(100)]
    assert len(set(drawn)) == 1000
    # The mean of 1000 uniforms is off by 0.045 = 5 standard errors with chance < 1e-6.
    assert abs(np.mean(drawn) - 0.5) < 0.045
