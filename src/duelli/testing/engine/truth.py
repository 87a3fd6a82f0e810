"""Win rates and regrets: those of the model, up to chance."""

import math
from typing import Any

import numpy as np
import pytest

from duelli._arrays import lattice
from duelli.blocks import Block
from duelli.duels import DuelModel
from duelli.testing.engine.models import BLOCKS, CONES, MODELS, MakeEngine

ERROR = 1e-9  # a correct engine fails the test of its win rate with at most this probability


class Truth:
    """Part of `EngineKit`."""

    @pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
    def test_the_win_rate_is_within_hoeffdings_bound(
        self, make: MakeEngine, model: DuelModel
    ) -> None:
        n, dim = 100_000, model.landscape.dim
        block = Block((0.25,) * dim, 0.5, (0.75,) * dim, n)
        rate = make(model, 11).play(block).tally.wins / n
        bound = math.sqrt(math.log(2 / ERROR) / (2 * n))
        assert abs(rate - _mean(block, model.win_prob)) < bound

    @pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
    def test_the_win_rate_of_a_pair_is_within_hoeffdings_bound(
        self, make: MakeEngine, model: DuelModel
    ) -> None:
        n, x, y = 100_000, (0.25,) * model.landscape.dim, (0.5,) * model.landscape.dim
        rate = make(model, 12).play(Block(x, 0.0, y, n)).tally.wins / n
        bound = math.sqrt(math.log(2 / ERROR) / (2 * n))
        assert abs(rate - model.win_prob(x, y)) < bound

    @pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
    def test_the_regrets_are_those_of_the_model(self, make: MakeEngine, model: DuelModel) -> None:
        n, dim = 100_000, model.landscape.dim
        block = Block((0.25,) * dim, 0.5, (0.75,) * dim, n)
        played = make(model, 13).play(block)
        # A duel's regret lies in [0, 1], its weak regret in [0, 1/2]: Hoeffding again.
        bound = math.sqrt(math.log(2 / ERROR) / (2 * n))
        assert abs(played.regret / n - _mean(block, model.regret)) < bound
        assert abs(played.weak_regret / n - _mean(block, model.weak_regret)) < bound / 2

    @pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
    def test_the_regrets_of_a_pair_are_those_of_the_model(
        self, make: MakeEngine, model: DuelModel
    ) -> None:
        x, y = (0.25,) * model.landscape.dim, (0.5,) * model.landscape.dim
        played = make(model, 0).play(Block(x, 0.0, y, 10))
        assert played.regret == pytest.approx(10 * model.regret(x, y), rel=1e-9)
        assert played.weak_regret == pytest.approx(10 * model.weak_regret(x, y), rel=1e-9)

    @pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
    def test_the_weak_regret_is_at_most_half_of_the_regret(
        self, make: MakeEngine, block: Block
    ) -> None:
        played, rounding = make(CONES, 0).play(block), 1e-9 * block.n
        assert -rounding <= played.weak_regret <= played.regret / 2 + rounding

    @pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
    def test_the_best_arm_against_itself_costs_nothing(
        self, make: MakeEngine, model: DuelModel
    ) -> None:
        best = model.landscape.best_arm
        played = make(model, 0).play(Block(best, 0.0, best, 1000))
        assert (played.regret, played.weak_regret) == pytest.approx((0.0, 0.0), abs=1e-9)

    def test_an_arm_against_itself_wins_half_of_the_duels(self, make: MakeEngine) -> None:
        n, arm = 100_000, (0.6, 0.6)
        rate = make(CONES, 14).play(Block(arm, 0.0, arm, n)).tally.wins / n
        assert abs(rate - 0.5) < math.sqrt(math.log(2 / ERROR) / (2 * n))


def _mean(block: Block, quantity: Any) -> float:
    """Return the mean of a quantity of the duels of ``block`` by the midpoint rule.

    Some 10^5 points leave an error far below the bounds that it is used in.
    """
    dim = len(block.low)
    side = int(100_000 ** (1 / dim))
    ticks = (np.arange(side) + 0.5) / side
    arms = np.array(block.low) + block.edge * lattice(ticks, dim)
    return float(np.mean(quantity(arms, block.reference)))
