"""What a learner recommends and claims, and where it says that it stands."""

from typing import Any

from duelli.driver import play
from duelli.testing.coins import CoinFlips
from duelli.testing.learner.plays import MakeLearner


class Answers:
    """Part of `LearnerKit`."""

    def test_its_answer_names_the_arm_that_it_recommends(self, make: MakeLearner) -> None:
        learner = make(1000)
        for _ in play(learner, CoinFlips()):
            answer = learner.best()
            assert (answer.arm, answer.duels) == (learner.recommend(), learner.duels)
            assert 0 <= answer.gap_low <= answer.gap_high <= 0.5
            assert answer.text

    def test_recommends_an_arm_of_the_box(self, make: MakeLearner) -> None:
        learner = make(1000)
        assert _in_box(learner.recommend(), learner.dim)
        for _ in play(learner, CoinFlips()):
            assert _in_box(learner.recommend(), learner.dim)

    def test_the_rounds_done_never_fall(self, make: MakeLearner) -> None:
        learner = make(20_000)
        done = [learner.progress().rounds_done for _ in play(learner, CoinFlips())]
        assert done == sorted(done)


def _in_box(arm: Any, dim: int) -> bool:
    return len(arm) == dim and all(0 <= entry <= 1 for entry in arm)
