"""The sweeps of RMED: who is waiting, and who is chosen for the next sweep."""

import numpy as np
import pytest

from duelli.learners.finite.rmed_state import RmedState, Sweep


def likely(*arms):
    found = np.zeros(4, dtype=bool)
    found[list(arms)] = True
    return found


def test_arms_join_once_their_turn_is_over():
    state = RmedState(duels=0, waiting=(0, 1, 3), chosen=(), wins=np.zeros((4, 4)))
    sweep = Sweep(state.waiting, state.chosen, state.named)
    sweep.advance(likely(1, 2))  # 0 had its turn and is not likely; 1 is waiting; 2 joins
    assert (sweep.waiting, sweep.chosen) == ((1, 3), (2,))
    sweep.advance(likely(1, 2))
    assert (sweep.waiting, sweep.chosen) == ((3,), (2, 1))
    sweep.advance(likely(0, 1))
    assert (sweep.waiting, sweep.chosen) == ((0, 1, 2), ())


@pytest.mark.parametrize(
    ("waiting", "chosen"), [((), (1,)), ((0, 0), ()), ((0,), (0,)), ((4,), ()), ((0,), (9,))]
)
def test_a_sweep_that_cannot_be_is_refused(waiting, chosen):
    with pytest.raises(ValueError, match="must name different arms below 4, and one must be wait"):
        RmedState(duels=0, waiting=waiting, chosen=chosen, wins=np.zeros((4, 4)))
