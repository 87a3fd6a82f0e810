"""A learner that is asked for one pair at a time."""

from itertools import islice

import pytest

from duelli.driver import play
from duelli.learners.one_by_one import OneByOne
from duelli.testing.coins import CoinFlips
from duelli.testing.learner.plays import MakeLearner, blocks_of, through_json


class SinglePairs:
    """Part of `LearnerKit`."""

    @pytest.mark.parametrize("horizon", [1, 2, 10, 1000])
    def test_one_by_one_plays_as_many_duels(self, make: MakeLearner, horizon: int) -> None:
        assert sum(1 for _ in blocks_of(OneByOne(make(horizon)))) == horizon

    def test_one_by_one_asks_for_single_pairs_only(self, make: MakeLearner) -> None:
        pairs = list(blocks_of(OneByOne(make(100))))
        assert {(pair.n, pair.edge) for pair in pairs} == {(1, 0.0)}

    @pytest.mark.parametrize("told", [1, 2, 7, 100, 299])
    def test_one_by_one_goes_on_from_its_state_within_a_block(
        self, make: MakeLearner, told: int
    ) -> None:
        learner = OneByOne(make(300), seed=3)
        for _ in islice(play(learner, CoinFlips(seed=1)), told):
            pass
        again = OneByOne.from_state(learner.config, through_json(learner.state()))
        same = list(blocks_of(again)) == list(blocks_of(learner))
        assert same, "a restored learner asks other blocks"
