"""callback: the duels are the user's own; it calls a function and counts."""

from collections.abc import Callable
from typing import Any

import numpy as np

from duelli import _rng
from duelli.blocks import Block, Played, Tally
from duelli.boxes import Box
from duelli.cubes import Arm
from duelli.engines import _draws
from duelli.errors import DuelFailedError

Duel = Callable[[Any, Any], Any]
CHUNK = 1 << 14  # points at a time, so that a long block does not fill the memory


class Callback:
    """Answers blocks by calling the user's function, in the user's own units.

    Args:
        box: The user's parameters.
        duel: (x, y) -> True if x wins, or any number in [0, 1]; 1/2 is a tie.
        duel_many: (xs, y) -> one outcome for each of the points ``xs``, instead of ``duel``; it
            gets at most 16384 points at a time.
        seed: Of the arms that are drawn from a block's cube.
    """

    def __init__(
        self,
        box: Box,
        *,
        duel: Duel | None = None,
        duel_many: Duel | None = None,
        seed: int = 0,
    ) -> None:
        if (duel is None) == (duel_many is None):
            raise ValueError("give duel or duel_many, and not both")
        if not callable(duel or duel_many):
            raise TypeError(f"duel must be a function; got {duel or duel_many!r}")
        self.box = box
        self.duels = 0
        self._duel, self._duel_many = duel, duel_many
        self._arm_key = _rng.key(_rng.check_seed(seed), "arms")
        self._witness_key = _rng.key(seed, "witness")

    def play(self, block: Block) -> Played:
        """Fight the duels of ``block``; the regret is unknown."""
        place = _rng.below(self._witness_key, self.duels, block.n)
        wins = 0.0
        for start in range(0, block.n, CHUNK):
            arms = self._arms(block, self.duels + start, min(CHUNK, block.n - start))
            wins += float(self._outcomes(arms, block.reference).sum())
        (witness,) = self._arms(block, self.duels + place, 1)
        self.duels += block.n
        return Played(Tally(block.n, wins, witness), np.nan, np.nan)

    def _arms(self, block: Block, first: int, count: int) -> list[Arm]:
        """Return the left arms of ``count`` duels from number ``first`` on."""
        if block.edge == 0:
            return [block.low] * count
        uniforms = _draws.uniforms(self._arm_key, first, count, len(block.low))
        return [tuple(row) for row in (np.array(block.low) + block.edge * uniforms).tolist()]

    def _outcomes(self, arms: list[Arm], reference: Arm) -> Any:
        y = self.box.to_raw(reference)
        xs = [self.box.to_raw(arm) for arm in arms]
        if self._duel_many is None:
            assert self._duel is not None  # __init__ saw to it
            return np.array([_numbers(self._call(self._duel, x, y), "duel", ()) for x in xs])
        points = xs if self.box.named else np.array(xs)
        answers = self._call(self._duel_many, points, y)
        return _numbers(answers, "duel_many", (len(arms),))

    def _call(self, function: Duel, x: Any, y: Any) -> Any:
        try:
            return function(x, y)
        except Exception as error:
            raise DuelFailedError(
                f"duel raised {type(error).__name__} in duel {self.duels + 1}: {error}"
            ) from error


def _numbers(answers: Any, name: str, shape: tuple[int, ...]) -> Any:
    """Return the answers of the function called ``name`` as numbers of ``shape``."""
    each = f"{shape[0]} outcomes, one per point, each " if shape else ""
    rule = f"{name} must return {each}True, False or a number in [0, 1]"
    try:
        found = np.asarray(answers, dtype=np.float64)
    except (TypeError, ValueError):
        raise DuelFailedError(f"{rule}; got {answers!r}") from None
    if found.shape != shape:
        came = f"the shape {found.shape}" if found.ndim else repr(answers)
        raise DuelFailedError(f"{rule}; got {came}")
    inside = np.atleast_1d((found >= 0) & (found <= 1))  # None has become NaN
    if not inside.all():
        worst = answers[int(np.argmin(inside))] if shape else answers
        raise DuelFailedError(f"{rule}; got {worst!r}")
    return found
