"""LearnerKit: what every learner must hold to, and the coins that it is played with."""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import pytest

from duelli import _rng
from duelli.blocks import Block, Played, Step, Tally
from duelli.driver import play
from duelli.errors import OutOfTurnError
from duelli.learners.one_by_one import OneByOne

MakeLearner = Callable[[int], Any]


class CoinFlips:
    """An engine without a truth: each duel is a coin, and the regret is 0.

    Args:
        chance: The probability with which the left arm wins.
        seed: Seed of all random draws.
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
        assert {len(block.low) for block in _blocks(learner)} == {learner.dim}

    def test_ask_returns_the_same_step_until_it_is_told(self, make: MakeLearner) -> None:
        learner = make(1000)
        for once, twice in _steps_asked_twice(learner):
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

    def test_goes_on_from_its_state_after_every_step(self, make: MakeLearner) -> None:
        learner, coins, blocks = make(1000), CoinFlips(), []
        while step := learner.ask():
            blocks.extend(step)
            learner.tell([coins.play(block).tally for block in step])
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

    def test_a_step_that_was_asked_is_asked_again_after_a_restart(self, make: MakeLearner) -> None:
        learner = make(1000)
        step = learner.ask()
        assert _restored(learner).ask() == step

    def test_a_restored_learner_recommends_the_same_arm(self, make: MakeLearner) -> None:
        learner = make(1000)
        for _ in play(learner, CoinFlips()):
            assert _restored(learner).recommend() == learner.recommend()

    def test_tell_before_ask_is_out_of_turn(self, make: MakeLearner) -> None:
        learner = make(1000)
        tallies = [CoinFlips().play(block).tally for block in make(1000).ask()]
        with pytest.raises(OutOfTurnError, match=r"call ask\(\) first"):
            learner.tell(tallies)

    def test_a_second_tell_is_out_of_turn(self, make: MakeLearner) -> None:
        learner = make(1000)
        tallies = _tallies(learner.ask())
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
            learner.tell([Tally(block.n + 1, 0, block.low), *_tallies(rest)])

    def test_a_missing_tally_is_refused(self, make: MakeLearner) -> None:
        learner = make(1000)
        step = learner.ask()
        with pytest.raises(ValueError, match=f"tallies must have {len(step)} entries"):
            learner.tell(_tallies(step)[:-1])

    @pytest.mark.parametrize("beyond", [2.0, -1.0, float("nan")])
    def test_a_witness_outside_the_cube_is_refused(self, make: MakeLearner, beyond: float) -> None:
        learner = make(1000)
        block, *rest = learner.ask()
        with pytest.raises(ValueError, match=r"witness must lie in the block's cube"):
            learner.tell([Tally(block.n, 0, (*block.low[:-1], beyond)), *_tallies(rest)])

    def test_a_witness_of_another_dimension_is_refused(self, make: MakeLearner) -> None:
        learner = make(1000)
        block, *rest = learner.ask()
        with pytest.raises(ValueError, match=r"tallies\[0\]\.witness"):
            learner.tell([Tally(block.n, 0, (*block.low, 0.5)), *_tallies(rest)])

    def test_a_refused_tally_changes_nothing(self, make: MakeLearner) -> None:
        learner = make(1000)
        step, before = learner.ask(), learner.state()
        n, low = step[-1].n, step[-1].low
        for tally in (Tally(n + 1, 0, low), Tally(n, 0, (2.0,) * learner.dim)):
            with pytest.raises(ValueError, match="tallies"):
                learner.tell([*_tallies(step[:-1]), tally])
        assert (learner.ask(), learner.state()) == (step, before)

    def test_its_answer_names_the_arm_that_it_recommends(self, make: MakeLearner) -> None:
        learner = make(1000)
        for _ in play(learner, CoinFlips()):
            answer = learner.best()
            assert (answer.arm, answer.duels) == (learner.recommend(), learner.duels)
            assert 0 <= answer.gap_low <= answer.gap_high <= 0.5
            assert answer.text

    def test_counts_the_duels_that_it_was_told_of(self, make: MakeLearner) -> None:
        learner, duels = make(1000), 0
        for step, _ in play(learner, CoinFlips()):
            duels += sum(block.n for block in step)
            assert learner.duels == duels

    @pytest.mark.parametrize("broken", [-1, 10**30, 0.5, "x", None, [], {}, True])
    def test_a_state_with_a_broken_entry_is_refused_or_can_be_played(
        self, make: MakeLearner, broken: Any
    ) -> None:
        learner = make(2000)
        for _ in islice(play(learner, CoinFlips(seed=2)), 4):
            pass
        for state in _broken_states(learner.state(), broken):
            _refused_or_played(learner, state)

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
        again = OneByOne.from_state(learner.config, _through_json(learner.state()))
        assert list(_blocks(again)) == list(_blocks(learner))


def _blocks(learner: Any) -> Iterator[Block]:
    """Yield the blocks that ``learner`` asks for when fair coins answer."""
    for step, _ in play(learner, CoinFlips()):
        yield from step


def _tallies(step: Sequence[Block]) -> list[Tally]:
    coins = CoinFlips()
    return [coins.play(block).tally for block in step]


def _steps_asked_twice(learner: Any) -> Iterator[tuple[Step, Step]]:
    while step := learner.ask():
        yield step, learner.ask()
        learner.tell(_tallies(step))


def _broken_states(state: Any, broken: Any) -> Iterator[dict[str, Any]]:
    """Yield copies of a state in which one entry, at any depth, is ``broken`` or missing."""
    for path in _paths(state):
        again = _through_json(state)
        *above, last = path
        inner = again
        for key in above:
            inner = inner[key]
        inner[last] = broken
        yield again
        if isinstance(inner, dict):
            del inner[last]
            yield again


def _paths(value: Any) -> Iterator[tuple[Any, ...]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(entries)[:12]:  # a long list is more of the same
        yield (key,)
        if isinstance(inner, dict | list):
            yield from ((key, *rest) for rest in _paths(inner))


def _refused_or_played(learner: Any, state: dict[str, Any]) -> None:
    """Restore a broken state: one clear error, or a run that ends."""
    try:
        again = type(learner).from_state(learner.config, state)
    except (ValueError, TypeError) as error:
        assert str(error)  # noqa: PT017 (either outcome is fine, a silent error is not)
        return
    for _ in islice(play(again, CoinFlips()), 10_000):
        assert again.duels <= again.horizon
    assert again.ask() == ()


def _through_json(state: dict[str, Any]) -> Any:
    return json.loads(json.dumps(state))


def _restored(learner: Any) -> Any:
    return type(learner).from_state(learner.config, _through_json(learner.state()))


def _in_box(arm: Any, dim: int) -> bool:
    return len(arm) == dim and all(0 <= entry <= 1 for entry in arm)
