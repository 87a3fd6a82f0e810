"""How many duels a learner plays, and of which arms."""

import pytest

from duelli.driver import play
from duelli.testing.coins import CoinFlips
from duelli.testing.learner.plays import MakeLearner, blocks_of


class Horizons:
    """Part of `LearnerKit`."""

    @pytest.mark.parametrize("horizon", [1, 2, 10, 1000, 100_000])
    def test_plays_exactly_the_horizon(self, make: MakeLearner, horizon: int) -> None:
        assert sum(block.n for block in blocks_of(make(horizon))) == horizon

    @pytest.mark.parametrize("chance", [0.0, 0.1, 0.9, 1.0])
    def test_plays_exactly_the_horizon_however_the_duels_end(
        self, make: MakeLearner, chance: float
    ) -> None:
        coins = CoinFlips(chance=chance)
        assert sum(block.n for step, _ in play(make(1000), coins) for block in step) == 1000

    @pytest.mark.parametrize("horizon", [1, 1000])
    def test_says_its_horizon(self, make: MakeLearner, horizon: int) -> None:
        assert make(horizon).horizon == horizon

    @pytest.mark.parametrize("horizon", [1, 2, 10, 1000])
    def test_asks_for_nothing_once_the_horizon_is_used_up(
        self, make: MakeLearner, horizon: int
    ) -> None:
        learner = make(horizon)
        for _ in play(learner, CoinFlips()):
            pass
        assert learner.ask() == ()

    def test_asks_for_arms_of_its_own_dimension(self, make: MakeLearner) -> None:
        learner = make(1000)
        assert {len(block.low) for block in blocks_of(learner)} == {learner.dim}

    def test_counts_the_duels_that_it_was_told_of(self, make: MakeLearner) -> None:
        learner, duels = make(1000), 0
        for step, _ in play(learner, CoinFlips()):
            duels += sum(block.n for block in step)
            assert learner.duels == duels

    def test_the_same_seed_gives_the_same_blocks(self, make: MakeLearner) -> None:
        same = list(blocks_of(make(1000))) == list(blocks_of(make(1000)))
        assert same, "two learners with the same inputs ask different blocks"
