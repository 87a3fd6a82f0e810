"""The duels of a step, one by one: who meets whom, which side is shown first, what came of it.

Duel i of a step is a pure function of the seed, the step's number and i, so that it does not
matter who asks for it, when, or how often. With d coordinates it owns the words i (d + 1) to
i (d + 1) + d of the step's key: one for each coordinate of its left arm, and one for its side. The
witness of block b is chosen by word -1 - b.

Judges, threads, a user's own loop and live clients are all served from here.
"""

import math
from array import array
from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from duelli import _check, _rng
from duelli.blocks import Block, Step, Tally
from duelli.cubes import Arm

# Outcomes are multiples of this, so that a sum does not depend on the order of its terms.
OUTCOME_UNIT = 2.0**-20
CHUNK = 1 << 14  # duels at a time where many are handled at once


class Duel(NamedTuple):
    """One duel of a step: the left arm, the reference, and whether the left arm is shown first."""

    left: Arm
    reference: Arm
    left_first: bool


class Duels(NamedTuple):
    """Several duels of one block, the left arms in rows of shape ``(n, dim)``."""

    left: npt.NDArray[np.float64]
    reference: Arm
    left_first: npt.NDArray[np.bool_]


def serving_key(seed: int) -> int:
    """Return the key from which the keys of all steps of a run follow."""
    return _rng.key(_rng.check_seed(seed), "serving")


def outcome_of(name: str, value: object) -> float:
    """Return an outcome as a number in [0, 1]: True is 1, a tie is 1/2."""
    if value is True or value is False:
        return 1.0 if value else 0.0
    if isinstance(value, np.bool_):
        return float(value)
    rule = f"{name} must be True, False or a number in [0, 1]; got {value!r}"
    try:
        number = _check.real(name, value)
    except TypeError:
        raise TypeError(rule) from None
    except ValueError:  # NaN or infinite
        raise ValueError(rule) from None
    if not 0 <= number <= 1:
        raise ValueError(rule)
    return round(number / OUTCOME_UNIT) * OUTCOME_UNIT


def outcomes_as_json(outcomes: "array[float]") -> list[float | None]:
    """Return outcomes as JSON has them; null where there is none yet."""
    return [None if math.isnan(o) else int(o) if o in (0.0, 1.0) else o for o in outcomes.tolist()]


class OpenStep:
    """A step whose duels are being judged; it takes outcomes in any order, each once.

    Args:
        step: The blocks.
        number: The number of the step in its run, from 0.
        key: The serving key of the run.
    """

    def __init__(self, step: Step, number: int, key: int) -> None:
        self.step, self.number = step, number
        self.answered = 0
        self._key = _rng.word(key, number)
        self._words = len(step[0].low) + 1
        self._firsts = [0, *accumulate(block.n for block in step)]  # the first duel of each block
        self._outcomes = tuple(array("f") for _ in step)  # NaN where there is none yet

    @property
    def total(self) -> int:
        """The number of duels of the step."""
        return self._firsts[-1]

    @property
    def full(self) -> bool:
        """Whether every duel has its outcome."""
        return self.answered == self.total

    @property
    def outcomes(self) -> tuple["array[float]", ...]:
        """The outcomes of each block's left arms so far; NaN where there is none yet."""
        return self._outcomes

    def block_of(self, i: int) -> int:
        """Return which block duel ``i`` belongs to."""
        if not 0 <= i < self.total:
            raise ValueError(f"a duel of step {self.number} must be below {self.total}; got {i}")
        return bisect_right(self._firsts, i) - 1

    def first_of(self, b: int) -> int:
        """Return the number of the first duel of block ``b``."""
        return self._firsts[b]

    def duel(self, i: int) -> Duel:
        """Return duel ``i`` of the step."""
        block = self.step[self.block_of(i)]
        return Duel(self._arm(block, i), block.reference, self.left_first(i))

    def left_first(self, i: int) -> bool:
        """Tell whether the left arm of duel ``i`` is shown first.

        A coin decides it for duel 2 j, and duel 2 j + 1 has it the other way round: the sides are
        random, and balanced within the step.
        """
        coin = _rng.word(self._key, (i - i % 2) * self._words + self._words - 1)
        return bool((coin >> 63) ^ (i & 1))

    def duels(self, first: int, most: int = CHUNK) -> Duels:
        """Return duels ``first``, first + 1, ... of the block that ``first`` belongs to."""
        b = self.block_of(first)
        block = self.step[b]
        count = min(most, self._firsts[b + 1] - first)
        even = first - first % 2  # the coin of a pair is that of its first duel
        words = _rng.units(self._key, even * self._words, (first - even + count) * self._words)
        words = words.reshape(-1, self._words)
        coins = np.repeat(words[::2, -1] >= 0.5, 2)[: len(words)]
        coins[1::2] ^= True
        left = np.array(block.low) + block.edge * words[:, :-1]
        return Duels(left[first - even :], block.reference, coins[first - even :])

    def take(self, i: int, outcome: float) -> None:
        """Take in the outcome of the left arm of duel ``i``: 1 if it won, 0 if not; only once."""
        b = self.block_of(i)
        outcomes, place = self._outcomes[b], i - self._firsts[b]
        if place < len(outcomes):
            if not math.isnan(outcomes[place]):
                raise ValueError(f"duel {i} of step {self.number} was answered before")
            outcomes[place] = outcome
        else:
            outcomes.extend([math.nan] * (place - len(outcomes)))
            outcomes.append(outcome)
        self.answered += 1

    def many(
        self, first: int, count: int
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """Return left arms, references and sides of ``count`` duels, whatever their blocks."""
        parts: list[Duels] = []
        place = first
        while place < first + count:
            parts.append(self.duels(place, first + count - place))
            place += len(parts[-1].left)
        references = [np.broadcast_to(part.reference, part.left.shape) for part in parts]
        left = np.concatenate([part.left for part in parts])
        sides = np.concatenate([part.left_first for part in parts])
        return left, np.concatenate(references), sides

    def take_many(self, first: int, outcomes: npt.NDArray[np.float64]) -> None:
        """Take in the outcomes of duels ``first``, first + 1, ..., none of which has one."""
        place, values = first, outcomes.astype(np.float32)
        while place < first + len(values):
            b = self.block_of(place)
            own, end = self._outcomes[b], min(self._firsts[b + 1], first + len(values))
            part = values[place - first : end - first]
            if len(own) == place - self._firsts[b]:  # served in order
                own.frombytes(part.tobytes())
                self.answered += len(part)
            else:
                for i, outcome in enumerate(part.tolist(), start=place):
                    self.take(i, outcome)
            place = end

    def unanswered_from(self, first: int, most: int) -> int:
        """Return how many duels from ``first`` on have no outcome, ``most`` at the most."""
        end = first
        while end < min(self.total, first + most):
            b = self.block_of(end)
            if not self._outcomes[b] or end - self._firsts[b] >= len(self._outcomes[b]):
                end = self._firsts[b + 1]
            elif self.has(end):
                break
            else:
                end += 1
        return min(end - first, most)

    def has(self, i: int) -> bool:
        """Tell whether duel ``i`` has its outcome."""
        b = self.block_of(i)
        outcomes, place = self._outcomes[b], i - self._firsts[b]
        return place < len(outcomes) and not math.isnan(outcomes[place])

    def tallies(self) -> list[Tally]:
        """Return the tally of each block, once the step is full."""
        assert self.full  # a learner is told whole steps only
        return [self._tally(b) for b in range(len(self.step))]

    def as_json(self) -> list[list[float | None]]:
        """Return the outcomes so far, one list per block; null where there is none yet."""
        return [outcomes_as_json(each) for each in self._outcomes]

    def restore(self, outcomes: object) -> None:
        """Take in what `as_json` wrote; refuse what does not fit the step."""
        name = "outcomes"
        if not isinstance(outcomes, list) or len(outcomes) != len(self.step):
            raise ValueError(
                f"{name} must have {len(self.step)} lists, one per block; got {outcomes!r}"
            )
        for b, (block, own) in enumerate(zip(self.step, outcomes, strict=True)):
            if not isinstance(own, list) or len(own) > block.n:
                raise ValueError(f"{name}[{b}] must be a list of at most {block.n}; got {own!r}")
            for place, value in enumerate(own):
                if value is not None:
                    self.take(self._firsts[b] + place, outcome_of(f"{name}[{b}][{place}]", value))

    def _arm(self, block: Block, i: int) -> Arm:
        if block.edge == 0:
            return block.low
        first = i * self._words
        return tuple(
            a + block.edge * _rng.unit(self._key, first + k) for k, a in enumerate(block.low)
        )

    def _tally(self, b: int) -> Tally:
        block = self.step[b]
        place = _rng.below(self._key, -1 - b, block.n)
        own = self._outcomes[b]
        wins = float(np.frombuffer(own, np.float32).sum(dtype=np.float64))
        return Tally(block.n, wins, self._arm(block, self._firsts[b] + place))
