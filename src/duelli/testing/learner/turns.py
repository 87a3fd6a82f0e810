"""The turns of ask and tell, and the tallies that are refused."""

from collections.abc import Iterator
from typing import Any

import pytest

from duelli.blocks import Step, Tally
from duelli.driver import play
from duelli.errors import OutOfTurnError
from duelli.testing.coins import CoinFlips
from duelli.testing.learner.plays import MakeLearner, tallies_of


class Turns:
    """Part of `LearnerKit`."""

    def test_ask_returns_the_same_step_until_it_is_told(self, make: MakeLearner) -> None:
        learner = make(1000)
        for once, twice in _steps_asked_twice(learner):
            assert once == twice

    def test_tell_before_ask_is_out_of_turn(self, make: MakeLearner) -> None:
        learner = make(1000)
        tallies = [CoinFlips().play(block).tally for block in make(1000).ask()]
        with pytest.raises(OutOfTurnError, match=r"call ask\(\) first"):
            learner.tell(tallies)

    def test_a_second_tell_is_out_of_turn(self, make: MakeLearner) -> None:
        learner = make(1000)
        tallies = tallies_of(learner.ask())
        learner.tell(tallies)
        with pytest.raises(OutOfTurnError, match=r"call ask\(\) first"):
            learner.tell(tallies)

    def test_a_tell_after_the_end_is_out_of_turn(self, make: MakeLearner) -> None:
        learner = make(2)
        last = list(play(learner, CoinFlips()))[-1][1]
        learner.ask()
        with pytest.raises(OutOfTurnError, match="after the run has ended"):
            learner.tell([each.tally for each in last])

    def test_a_tally_of_another_size_is_refused(self, make: MakeLearner) -> None:
        learner = make(1000)
        block, *rest = learner.ask()
        with pytest.raises(ValueError, match=rf"tallies\[0\]\.n must be {block.n}"):
            learner.tell([Tally(block.n + 1, 0, block.low), *tallies_of(rest)])

    def test_a_missing_tally_is_refused(self, make: MakeLearner) -> None:
        learner = make(1000)
        step = learner.ask()
        with pytest.raises(ValueError, match=f"tallies must have {len(step)} entries"):
            learner.tell(tallies_of(step)[:-1])

    @pytest.mark.parametrize("beyond", [2.0, -1.0, float("nan")])
    def test_a_witness_outside_the_cube_is_refused(self, make: MakeLearner, beyond: float) -> None:
        learner = make(1000)
        block, *rest = learner.ask()
        with pytest.raises(ValueError, match=r"witness must lie in the block's cube"):
            learner.tell([Tally(block.n, 0, (*block.low[:-1], beyond)), *tallies_of(rest)])

    def test_a_witness_of_another_dimension_is_refused(self, make: MakeLearner) -> None:
        learner = make(1000)
        block, *rest = learner.ask()
        with pytest.raises(ValueError, match=r"tallies\[0\]\.witness"):
            learner.tell([Tally(block.n, 0, (*block.low, 0.5)), *tallies_of(rest)])

    def test_a_refused_tally_changes_nothing(self, make: MakeLearner) -> None:
        learner = make(1000)
        step, before = learner.ask(), learner.state()
        n, low = step[-1].n, step[-1].low
        for tally in (Tally(n + 1, 0, low), Tally(n, 0, (2.0,) * learner.dim)):
            with pytest.raises(ValueError, match="tallies"):
                learner.tell([*tallies_of(step[:-1]), tally])
        assert (learner.ask(), learner.state()) == (step, before)


def _steps_asked_twice(learner: Any) -> Iterator[tuple[Step, Step]]:
    while step := learner.ask():
        yield step, learner.ask()
        learner.tell(tallies_of(step))
