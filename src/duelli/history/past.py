"""The steps that were told, and their way to JSON and back."""

from array import array
from typing import Any, NamedTuple

from duelli import _check
from duelli.blocks import Block, Step
from duelli.cubes import Arm
from duelli.serving import OpenStep, outcomes_as_json


class PastStep(NamedTuple):
    """A step that was told: its number, its blocks, and the outcomes of their left arms.

    ``answer`` is the arm that the learner recommended after it; None while the step is open.
    """

    number: int
    step: Step
    outcomes: tuple["array[float]", ...]
    answer: Arm | None


def past_as_json(past: PastStep) -> list[Any]:
    """Return a step that was told as JSON: number, blocks, outcomes, answer."""
    assert past.answer is not None  # a step that is open is not past
    blocks = [[list(b.low), b.edge, list(b.reference), b.n] for b in past.step]
    outcomes = [outcomes_as_json(each) for each in past.outcomes]
    return [past.number, blocks, outcomes, list(past.answer)]


def past_from_json(value: Any, dim: int) -> PastStep:
    """Return the step that `past_as_json` wrote; refuse what cannot be one."""
    name = "an entry of history"
    if not isinstance(value, list) or len(value) != 4 or not isinstance(value[1], list):
        raise ValueError(f"{name} must be a number, blocks, outcomes and an answer; got {value!r}")
    step = tuple(_block(entry, dim) for entry in value[1])
    if not step:
        raise ValueError(f"{name} must have at least one block; got none")
    opened = OpenStep(step, _check.whole(f"the number of {name}", value[0]), 0)
    opened.restore(value[2])
    answer = _check.arm(f"the answer of {name}", value[3], dim)
    return PastStep(opened.number, step, opened.outcomes, answer)


def _block(entry: Any, dim: int) -> Block:
    if not isinstance(entry, list) or len(entry) != 4:
        raise ValueError(f"a block of history must have 4 entries; got {entry!r}")
    low, reference = (_check.arm("a block of history", entry[k], dim) for k in (0, 2))
    return Block(low, _check.real("the edge of a block of history", entry[1]), reference, entry[3])
