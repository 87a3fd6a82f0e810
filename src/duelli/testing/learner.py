"""LearnerKit: what every learner must hold to, and the coins that it is played with."""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest

from duelli import _rng
from duelli.blocks import Block, Played, Tally
from duelli.driver import play
from duelli.errors import OutOfTurnError
from duelli.learners.one_by_one import OneByOne

MakeLearner = Callable[[int], Any]


class CoinFlips:
    """An engine without a truth: each duel is a coin, and the regret is 0.

    Args:
        chance: The probability with which the left arm wins.
        seed: Of all draws.
    """

    def __init__(self, *, chance: float = 0.5, seed: int = 0) -> None:
        self.chance = chance
        self._rng = _rng.stream(_rng.check_seed(seed), "coins")

    def play(self, block: Block) -> Played:
        """Flip a coin for each duel of ``block``."""
        wins = int(self._rng.binomial(block.n, self.chance))
        offsets = self._rng.random(len(block.low)).tolist()
        witness = tuple(a + block.edge * u for a, u in zip(block.low, offsets, strict=True))
        return Played(Tally(block.n, wins, witness), 0.0, 0.0)


class LearnerKit:
    """Subclass it and give it a ``make`` fixture: horizon in, fresh learner out.

    The learner must have its inputs as ``config``, and ``from_state(config, state)``.

        class TestMyLearner(LearnerKit):
            @pytest.fixture
            def make(self):
                return lambda horizon: MyLearner(dim=2, horizon=horizon, seed=0)
    """

    @pytest.mark.parametrize("horizon", [1, 2, 10, 1000, 100_000])
    def test_plays_exactly_the_horizon(self, make: MakeLearner, horizon: int) -> None:
        assert sum(block.n for block in _blocks(make(horizon))) == horizon

    @pytest.mark.parametrize("chance", [0.0, 0.1, 0.9, 1.0])
    def test_plays_exactly_the_horizon_however_the_duels_end(
        self, make: MakeLearner, chance: float
    ) -> None:
        coins = CoinFlips(chance=chance)
        assert sum(block.n for block, _ in play(make(1000), coins)) == 1000

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
        assert learner.ask() is None

    def test_asks_for_arms_of_its_own_dimension(self, make: MakeLearner) -> None:
        learner = make(1000)
        assert {len(block.low) for block in _blocks(learner)} == {learner.dim}

    def test_ask_returns_the_same_block_until_it_is_told(self, make: MakeLearner) -> None:
        learner = make(1000)
        for once, twice in _blocks_asked_twice(learner):
            assert once == twice

    def test_the_same_seed_gives_the_same_blocks(self, make: MakeLearner) -> None:
        assert list(_blocks(make(1000))) == list(_blocks(make(1000)))

    def test_the_state_survives_json(self, make: MakeLearner) -> None:
        learner = make(1000)
        for _ in play(learner, CoinFlips()):
            state = learner.state()
            assert _through_json(state) == state

    def test_asking_does_not_change_the_state(self, make: MakeLearner) -> None:
        learner = make(1000)
        before = learner.state()
        learner.ask()
        assert learner.state() == before

    def test_goes_on_from_its_state_after_every_block(self, make: MakeLearner) -> None:
        learner, coins, blocks = make(1000), CoinFlips(), []
        while (block := learner.ask()) is not None:
            blocks.append(block)
            learner.tell(coins.play(block).tally)
            learner = _restored(learner)
        assert blocks == list(_blocks(make(1000)))

    @pytest.mark.parametrize("told", [1, 3, 8, 20])
    def test_goes_on_from_its_state_in_the_middle_of_a_run(
        self, make: MakeLearner, told: int
    ) -> None:
        learner = make(20_000)
        for _ in islice(play(learner, CoinFlips(seed=1)), told):
            pass
        again = _restored(learner)
        assert list(_blocks(again)) == list(_blocks(learner))

    def test_a_block_that_was_asked_is_asked_again_after_a_restart(self, make: MakeLearner) -> None:
        learner = make(1000)
        block = learner.ask()
        assert _restored(learner).ask() == block

    def test_a_restored_learner_recommends_the_same_arm(self, make: MakeLearner) -> None:
        learner = make(1000)
        for _ in play(learner, CoinFlips()):
            assert _restored(learner).recommend() == learner.recommend()

    def test_tell_before_ask_is_out_of_turn(self, make: MakeLearner) -> None:
        learner = make(1000)
        tally = CoinFlips().play(make(1000).ask()).tally
        with pytest.raises(OutOfTurnError, match=r"call ask\(\) first"):
            learner.tell(tally)

    def test_a_second_tell_is_out_of_turn(self, make: MakeLearner) -> None:
        learner = make(1000)
        tally = CoinFlips().play(learner.ask()).tally
        learner.tell(tally)
        with pytest.raises(OutOfTurnError, match=r"call ask\(\) first"):
            learner.tell(tally)

    def test_a_tell_after_the_horizon_is_out_of_turn(self, make: MakeLearner) -> None:
        learner = make(2)
        last = list(play(learner, CoinFlips()))[-1][1]
        learner.ask()
        with pytest.raises(OutOfTurnError):
            learner.tell(last.tally)

    def test_a_tally_of_another_size_is_refused(self, make: MakeLearner) -> None:
        learner = make(1000)
        block = learner.ask()
        with pytest.raises(ValueError, match=f"tally.n must be {block.n}"):
            learner.tell(Tally(block.n + 1, 0, block.low))

    @pytest.mark.parametrize("beyond", [2.0, -1.0, float("nan")])
    def test_a_witness_outside_the_cube_is_refused(self, make: MakeLearner, beyond: float) -> None:
        learner = make(1000)
        block = learner.ask()
        with pytest.raises(ValueError, match=r"tally\.witness must lie in the block's cube"):
            learner.tell(Tally(block.n, 0, (*block.low[:-1], beyond)))

    def test_a_witness_of_another_dimension_is_refused(self, make: MakeLearner) -> None:
        learner = make(1000)
        block = learner.ask()
        with pytest.raises(ValueError, match=r"tally\.witness"):
            learner.tell(Tally(block.n, 0, (*block.low, 0.5)))

    def test_a_refused_tally_changes_nothing(self, make: MakeLearner) -> None:
        learner = make(1000)
        block, before = learner.ask(), learner.state()
        for tally in (Tally(block.n + 1, 0, block.low), Tally(block.n, 0, (2.0,) * learner.dim)):
            with pytest.raises(ValueError, match="tally"):
                learner.tell(tally)
        assert (learner.ask(), learner.state()) == (block, before)

    def test_recommends_an_arm_of_the_box(self, make: MakeLearner) -> None:
        learner = make(1000)
        assert _in_box(learner.recommend(), learner.dim)
        for _ in play(learner, CoinFlips()):
            assert _in_box(learner.recommend(), learner.dim)

    def test_the_rounds_done_never_fall(self, make: MakeLearner) -> None:
        learner = make(20_000)
        done = [learner.progress().rounds_done for _ in play(learner, CoinFlips())]
        assert done == sorted(done)

    def test_remembers_a_positive_number_of_bits(self, make: MakeLearner) -> None:
        learner = make(1000)
        assert learner.state_bits() > 0
        for _ in play(learner, CoinFlips()):
            assert learner.state_bits() > 0

    @pytest.mark.parametrize("horizon", [1, 2, 10, 1000])
    def test_one_by_one_plays_as_many_duels(self, make: MakeLearner, horizon: int) -> None:
        assert sum(1 for _ in _blocks(OneByOne(make(horizon)))) == horizon

    def test_one_by_one_asks_for_single_pairs_only(self, make: MakeLearner) -> None:
        pairs = list(_blocks(OneByOne(make(100))))
        assert {(pair.n, pair.edge) for pair in pairs} == {(1, 0.0)}

    @pytest.mark.parametrize("told", [1, 2, 7, 100, 299])
    def test_one_by_one_goes_on_from_its_state_within_a_block(
        self, make: MakeLearner, told: int
    ) -> None:
        learner = OneByOne(make(300), seed=3)
        for _ in islice(play(learner, CoinFlips(seed=1)), told):
            pass
        inner: Any = learner.learner
        state = _through_json(learner.state())
        kind: Any = type(inner)
        again = OneByOne.from_state(kind, inner.config, state, seed=3)
        assert list(_blocks(again)) == list(_blocks(learner))


def _blocks(learner: Any) -> Iterator[Block]:
    """Yield the blocks that ``learner`` asks for when fair coins answer."""
    for block, _ in play(learner, CoinFlips()):
        yield block


def _blocks_asked_twice(learner: Any) -> Iterator[tuple[Block | None, Block | None]]:
    coins = CoinFlips()
    while (block := learner.ask()) is not None:
        yield block, learner.ask()
        learner.tell(coins.play(block).tally)


def _through_json(state: dict[str, Any]) -> Any:
    return json.loads(json.dumps(state))


def _restored(learner: Any) -> Any:
    return type(learner).from_state(learner.config, _through_json(learner.state()))


def _in_box(arm: Any, dim: int) -> bool:
    return len(arm) == dim and all(0 <= entry <= 1 for entry in arm)
