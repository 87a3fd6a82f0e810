"""Seeds of engines: any whole number, kept to the last digit."""

import numpy as np
import pytest

from duelli import _rng
from duelli.engines import ENGINES, SIMULATED


@pytest.mark.parametrize("seed", [1.0, np.int64(1), np.float64(1), np.uint8(1)])
def test_a_whole_number_of_any_kind_is_a_python_int(seed):
    checked = _rng.check_seed(seed)
    assert (checked, type(checked)) == (1, int)


@pytest.mark.parametrize("seed", [2**53 + 1, np.int64(2**53 + 1), np.uint64(2**64 - 1)])
def test_a_large_seed_is_kept_to_the_last_digit(seed):
    assert _rng.check_seed(seed) == int(seed)


def test_a_truth_value_is_no_seed():
    with pytest.raises(TypeError, match=r"^seed must be a whole number of at least 0; got "):
        _rng.check_seed(True)


def test_every_engine_is_simulated_except_the_callback():
    assert {**SIMULATED, "callback": ENGINES["callback"]} == ENGINES
    assert list(ENGINES) == ["collapsed", "per_duel", "callback"]
