"""ScalarKit: what every learner of rewards must hold to."""

from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from duelli.driver import play_scalar
from duelli.errors import OutOfTurnError
from duelli.testing.coins import CoinRewards
from duelli.testing.learner.broken import BROKEN, broken_states
from duelli.testing.learner.plays import restored, through_json

MakeScalar = Callable[[int], Any]  # horizon -> a fresh learner of rewards


class ScalarKit:
    """Subclass it and give it a ``make`` fixture: horizon in, fresh learner of rewards out.

    The learner must have its inputs as ``config``, and ``from_state(config, state)``.

        class TestMyLearner(ScalarKit):
            @pytest.fixture
            def make(self):
                return lambda horizon: MyLearner(dim=2, horizon=horizon, seed=0)
    """

    @pytest.mark.parametrize("horizon", [1, 2, 10, 1000])
    def test_pulls_exactly_the_horizon(self, make: MakeScalar, horizon: int) -> None:
        learner = make(horizon)
        assert len(_arms(learner)) == learner.horizon

    @pytest.mark.parametrize("chance", [0.0, 0.1, 1.0])
    def test_pulls_exactly_the_horizon_whatever_the_rewards(
        self, make: MakeScalar, chance: float
    ) -> None:
        learner = make(300)
        assert len(_arms(learner, CoinRewards(chance=chance))) == learner.horizon

    def test_says_its_horizon(self, make: MakeScalar) -> None:
        horizons = [make(horizon).horizon for horizon in (1, 30)]
        assert horizons[1] == 30 * horizons[0]

    @pytest.mark.parametrize("horizon", [1, 2, 10])
    def test_pulls_nothing_once_the_horizon_is_used_up(
        self, make: MakeScalar, horizon: int
    ) -> None:
        learner = make(horizon)
        _arms(learner)
        assert learner.pull() is None

    def test_pulls_arms_of_the_box(self, make: MakeScalar) -> None:
        learner = make(300)
        assert all(_in_box(arm, learner.dim) for arm in _arms(learner))

    def test_recommends_an_arm_of_the_box(self, make: MakeScalar) -> None:
        learner = make(300)
        assert _in_box(learner.recommend(), learner.dim)
        for _ in play_scalar(learner, CoinRewards()):
            assert _in_box(learner.recommend(), learner.dim)

    def test_the_same_seed_gives_the_same_pulls(self, make: MakeScalar) -> None:
        same = _arms(make(300)) == _arms(make(300))
        assert same, "two learners with the same inputs pull different arms"

    def test_pull_returns_the_same_arm_until_it_is_updated(self, make: MakeScalar) -> None:
        learner, coins = make(300), CoinRewards()
        while (arm := learner.pull()) is not None:
            assert learner.pull() == arm
            learner.update(coins(arm))

    def test_pulling_does_not_change_the_state(self, make: MakeScalar) -> None:
        learner = make(300)
        for _ in islice(play_scalar(learner, CoinRewards()), 50):
            before = learner.state()
            learner.pull()
            assert learner.state() == before

    def test_update_before_pull_is_out_of_turn(self, make: MakeScalar) -> None:
        with pytest.raises(OutOfTurnError, match=r"call pull\(\) first"):
            make(10).update(1.0)

    def test_a_second_update_is_out_of_turn(self, make: MakeScalar) -> None:
        learner = make(10)
        learner.pull()
        learner.update(1.0)
        with pytest.raises(OutOfTurnError, match=r"call pull\(\) first"):
            learner.update(1.0)

    def test_an_update_after_the_end_is_out_of_turn(self, make: MakeScalar) -> None:
        learner = make(2)
        _arms(learner)
        learner.pull()
        with pytest.raises(OutOfTurnError, match=r"call pull\(\) first"):
            learner.update(1.0)

    @pytest.mark.parametrize("reward", [-0.1, 1.1, float("nan"), float("inf"), "x", None])
    def test_a_reward_outside_of_0_and_1_is_refused_and_changes_nothing(
        self, make: MakeScalar, reward: Any
    ) -> None:
        learner = make(10)
        arm, before = learner.pull(), learner.state()
        with pytest.raises((ValueError, TypeError), match="reward must be"):
            learner.update(reward)
        assert (learner.pull(), learner.state()) == (arm, before)

    def test_the_state_survives_json(self, make: MakeScalar) -> None:
        learner = make(300)
        for _ in play_scalar(learner, CoinRewards()):
            state = learner.state()
            assert through_json(state) == state

    def test_goes_on_from_its_state_after_every_pull(self, make: MakeScalar) -> None:
        learner, coins = make(200), CoinRewards()
        arms: list[Any] = []
        most = learner.horizon + 1  # one that forgets its pulls would never end
        while len(arms) < most and (arm := learner.pull()) is not None:
            arms.append(arm)
            learner.update(coins(arm))
            learner = restored(learner)
        same = arms == _arms(make(200))  # as a bool: a diff of two long lists takes minutes
        assert same, "a learner that is restored after every pull pulls other arms"

    @pytest.mark.parametrize("told", [1, 7, 100, 900])
    def test_goes_on_from_its_state_in_the_middle_of_a_run(
        self, make: MakeScalar, told: int
    ) -> None:
        learner = make(1000)
        for _ in islice(play_scalar(learner, CoinRewards(seed=1)), told):
            pass
        same = _arms(restored(learner)) == _arms(learner)
        assert same, f"after {told} pulls a restored learner pulls other arms"

    def test_an_arm_that_was_pulled_is_pulled_again_after_a_restart(self, make: MakeScalar) -> None:
        learner = make(300)
        for _ in islice(play_scalar(learner, CoinRewards()), 20):
            assert restored(learner).pull() == learner.pull()

    def test_a_restored_learner_recommends_the_same_arm(self, make: MakeScalar) -> None:
        learner = make(300)
        for _ in islice(play_scalar(learner, CoinRewards()), 100):
            assert restored(learner).recommend() == learner.recommend()

    @pytest.mark.parametrize("broken", BROKEN)
    def test_a_state_with_a_broken_entry_is_refused_or_can_be_played(
        self, make: MakeScalar, broken: Any
    ) -> None:
        learner = make(120)
        for _ in islice(play_scalar(learner, CoinRewards(seed=2)), 40):
            pass
        for state in broken_states(learner.state(), broken):
            _refused_or_played(learner, state)


def _arms(learner: Any, coins: Any = None) -> list[Any]:
    """Return the arms that a learner pulls when coins are the rewards, one too many at most."""
    pulled = islice(play_scalar(learner, coins or CoinRewards()), learner.horizon + 1)
    return [arm for arm, _ in pulled]


def _in_box(arm: Any, dim: int) -> bool:
    return len(arm) == dim and all(0 <= entry <= 1 for entry in arm)


def _refused_or_played(learner: Any, state: dict[str, Any]) -> None:
    """Restore a broken state: one clear error, or a run that ends."""
    try:
        again = type(learner).from_state(learner.config, state)
    except (ValueError, TypeError) as error:
        assert str(error)  # noqa: PT017 (either outcome is fine, a silent error is not)
        return
    assert len(_arms(again)) <= again.horizon
    assert again.pull() is None
