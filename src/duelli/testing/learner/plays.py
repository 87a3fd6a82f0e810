"""What the parts of the kit do with a learner: play it with coins, save it, restore it."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from duelli.blocks import Block, Tally
from duelli.driver import play
from duelli.testing.coins import CoinFlips

MakeLearner = Callable[[int], Any]  # horizon -> a fresh learner


def blocks_of(learner: Any) -> Iterator[Block]:
    """Yield the blocks that ``learner`` asks for when fair coins answer."""
    for step, _ in play(learner, CoinFlips()):
        yield from step


def tallies_of(step: Sequence[Block]) -> list[Tally]:
    """Return what fair coins make of a step."""
    coins = CoinFlips()
    return [coins.play(block).tally for block in step]


def through_json(state: dict[str, Any]) -> Any:
    """Return a state as it comes back from JSON."""
    return json.loads(json.dumps(state, allow_nan=False))


def restored(learner: Any) -> Any:
    """Return a learner that goes on from the state of this one."""
    return type(learner).from_state(learner.config, through_json(learner.state()))
