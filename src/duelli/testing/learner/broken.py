"""A broken state: it is refused, or can be played."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from duelli.driver import play
from duelli.testing.coins import CoinFlips
from duelli.testing.learner.plays import MakeLearner, through_json

# Entries that no state should have.
BROKEN: tuple[Any, ...] = (-1, 10**30, 0.5, "x", None, [], {}, True)


class BrokenStates:
    """Part of `LearnerKit`."""

    @pytest.mark.parametrize("broken", BROKEN)
    def test_a_state_with_a_broken_entry_is_refused_or_can_be_played(
        self, make: MakeLearner, broken: Any
    ) -> None:
        learner = make(2000)
        for _ in islice(play(learner, CoinFlips(seed=2)), 4):
            pass
        for state in broken_states(learner.state(), broken):
            _refused_or_played(learner, state)


def broken_states(state: Any, broken: Any) -> Iterator[dict[str, Any]]:
    """Yield copies of a state in which one entry, at any depth, is ``broken`` or missing."""
    for path in _paths(state):
        again = through_json(state)
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
