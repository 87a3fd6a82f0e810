"""EngineKit: what every engine that plays out a `DuelModel` must hold to."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from duelli import cubes
from duelli._arrays import lattice
from duelli.blocks import Block
from duelli.duels import DuelModel
from duelli.landscapes import landscape

MakeEngine = Callable[[DuelModel, int], Any]


def _bump(xs: Any) -> Any:
    return 0.4 * np.exp(-3 * ((xs - (0.3, 0.6)) ** 2).sum(axis=1))


MODELS = {
    "cones": DuelModel("two_cones"),
    "steep": DuelModel("sharp", "logistic:10"),
    "deep": DuelModel("two_cones_3d", "linear"),
    "custom": DuelModel(landscape(_bump, 2, best_arm=(0.3, 0.6)), "arctan"),
}
CONES = MODELS["cones"]
BLOCKS = {
    "box": Block((0.0, 0.0), 1.0, (0.9, 0.9), 1000),
    "cube": Block((0.25, 0.125), 0.125, (0.3, 0.1), 77),
    "one": Block((0.5, 0.0), 0.5, (0.2, 0.7), 1),
    "pair": Block((0.4, 0.2), 0.0, (0.9, 0.9), 500),
    "one_pair": Block((1.0, 1.0), 0.0, (0.0, 0.0), 1),
    "self": Block((0.6, 0.6), 0.0, (0.6, 0.6), 64),
}
ERROR = 1e-9  # a correct engine fails the test of its win rate with at most this probability


class EngineKit:
    """Subclass it and give it a ``make`` fixture: model and seed in, fresh engine out.

    class TestMyEngine(EngineKit):
        @pytest.fixture
        def make(self):
            return lambda model, seed: MyEngine(model, seed=seed)
    """

    @pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
    def test_tallies_as_many_duels_as_were_asked(self, make: MakeEngine, block: Block) -> None:
        assert make(CONES, 0).play(block).tally.n == block.n

    @pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
    def test_the_wins_lie_between_none_and_all(self, make: MakeEngine, block: Block) -> None:
        engine = make(CONES, 0)
        wins = [engine.play(block).tally.wins for _ in range(20)]
        assert 0 <= min(wins) <= max(wins) <= block.n

    @pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
    def test_the_witness_lies_in_the_cube(self, make: MakeEngine, block: Block) -> None:
        engine = make(CONES, 0)
        for _ in range(20):
            witness = engine.play(block).tally.witness
            assert len(witness) == len(block.low)
            assert cubes.within(block.low, block.edge, witness)

    def test_the_witness_is_another_one_each_time(self, make: MakeEngine) -> None:
        engine = make(CONES, 0)
        assert len({engine.play(BLOCKS["cube"]).tally.witness for _ in range(20)}) == 20

    def test_a_single_arm_is_its_own_witness(self, make: MakeEngine) -> None:
        assert make(CONES, 0).play(BLOCKS["pair"]).tally.witness == BLOCKS["pair"].low

    def test_the_same_seed_gives_the_same_plays(self, make: MakeEngine) -> None:
        assert _plays(make(CONES, 7)) == _plays(make(CONES, 7))

    def test_another_seed_gives_other_plays(self, make: MakeEngine) -> None:
        assert _plays(make(CONES, 7)) != _plays(make(CONES, 8))

    def test_interleaved_engines_do_not_disturb_each_other(self, make: MakeEngine) -> None:
        alone = _plays(make(CONES, 1)), _plays(make(CONES, 2))
        first, second = make(CONES, 1), make(CONES, 2)
        pairs = [(first.play(block), second.play(block)) for block in BLOCKS.values()]
        assert ([a for a, _ in pairs], [b for _, b in pairs]) == alone

    def test_what_was_played_on_a_model_does_not_change_what_comes(self, make: MakeEngine) -> None:
        used, fresh = (DuelModel("two_peaks", "logistic:30") for _ in range(2))
        for n in (10, 10**4, 10**6):
            make(used, 3).play(Block((0.0, 0.0), 1.0, (0.8, 0.75), n))
        assert _plays(make(used, 1)) == _plays(make(fresh, 1))

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

    def test_a_whole_float_is_the_same_seed_as_the_int(self, make: Any) -> None:
        assert _plays(make(CONES, 7.0)) == _plays(make(CONES, 7))

    def test_neighbouring_large_seeds_are_told_apart(self, make: MakeEngine) -> None:
        assert _plays(make(CONES, 2**53)) != _plays(make(CONES, 2**53 + 1))

    @pytest.mark.parametrize("seed", [-1, 1.5])
    def test_a_number_that_is_no_seed_is_refused(self, make: Any, seed: float) -> None:
        with pytest.raises(ValueError, match="seed must be a whole number of at least 0; got"):
            make(CONES, seed)


def _plays(engine: Any) -> list[Any]:
    return [engine.play(block) for block in BLOCKS.values()]


def _mean(block: Block, quantity: Any) -> float:
    """Return the mean of a quantity of the duels of ``block`` by the midpoint rule.

    Some 10^5 points leave an error far below the bounds that it is used in.
    """
    dim = len(block.low)
    side = int(100_000 ** (1 / dim))
    ticks = (np.arange(side) + 0.5) / side
    arms = np.array(block.low) + block.edge * lattice(ticks, dim)
    return float(np.mean(quantity(arms, block.reference)))
