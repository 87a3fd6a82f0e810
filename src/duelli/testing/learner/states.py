"""A learner's state: the learner goes on from it as if nothing had happened."""

from itertools import islice

import pytest

from duelli.driver import play
from duelli.testing.coins import CoinFlips
from duelli.testing.learner.plays import MakeLearner, blocks_of, restored, through_json


class States:
    """Part of `LearnerKit`."""

    def test_the_state_survives_json(self, make: MakeLearner) -> None:
        learner = make(1000)
        for _ in play(learner, CoinFlips()):
            state = learner.state()
            assert through_json(state) == state

    def test_asking_does_not_change_the_state(self, make: MakeLearner) -> None:
        learner = make(1000)
        before = learner.state()
        learner.ask()
        assert learner.state() == before

    def test_goes_on_from_its_state_after_every_step(self, make: MakeLearner) -> None:
        learner, coins, blocks = make(1000), CoinFlips(), []
        while step := learner.ask():
            blocks.extend(step)
            learner.tell([coins.play(block).tally for block in step])
            learner = restored(learner)
        same = blocks == list(
            blocks_of(make(1000))
        )  # as a bool: a diff of long lists takes minutes
        assert same, "a learner that is restored after every step asks other blocks"

    @pytest.mark.parametrize("told", [1, 3, 8, 20])
    def test_goes_on_from_its_state_in_the_middle_of_a_run(
        self, make: MakeLearner, told: int
    ) -> None:
        learner = make(20_000)
        for _ in islice(play(learner, CoinFlips(seed=1)), told):
            pass
        again = restored(learner)
        same = list(blocks_of(again)) == list(blocks_of(learner))
        assert same, "a restored learner asks other blocks"

    def test_a_step_that_was_asked_is_asked_again_after_a_restart(self, make: MakeLearner) -> None:
        learner = make(1000)
        step = learner.ask()
        assert restored(learner).ask() == step

    def test_a_restored_learner_recommends_the_same_arm(self, make: MakeLearner) -> None:
        learner = make(1000)
        for _ in play(learner, CoinFlips()):
            assert restored(learner).recommend() == learner.recommend()

    def test_remembers_a_positive_number_of_bits(self, make: MakeLearner) -> None:
        learner = make(1000)
        assert learner.state_bits() > 0
        for _ in play(learner, CoinFlips()):
            assert learner.state_bits() > 0
