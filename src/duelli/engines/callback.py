"""callback: the duels are the user's own; the engine calls a function and counts."""

import math

import numpy as np

from duelli.blocks import Block, Played
from duelli.boxes import Box
from duelli.judges import Duel, DuelMany, Judge
from duelli.serving import OpenStep, serving_key


class Callback:
    """Answers blocks by calling the user's function, in the user's own units.

    The sides are random and balanced within a block. `duelli.optimize` and `duelli.Run` do more:
    they save, resume, and keep many duels open at once.

    Args:
        box: The user's parameters.
        duel: (x, y) -> True if x wins, or any number in [0, 1]; 1/2 is a tie.
        duel_many: (xs, ys) -> one outcome for each pair of points, instead of ``duel``; it gets
            at most 16384 pairs at a time.
        retries: How often a call that raises is repeated before the error is passed on.
        seed: Seed of the arms that are drawn from a block's cube, and of the sides.
    """

    def __init__(
        self,
        box: Box,
        *,
        duel: Duel | None = None,
        duel_many: DuelMany | None = None,
        retries: int = 0,
        seed: int = 0,
    ) -> None:
        self.box = box
        self.duels = 0
        self._judge = Judge(duel=duel, duel_many=duel_many, retries=retries)
        self._key = serving_key(seed)
        self._plays = 0

    def play(self, block: Block) -> Played:
        """Fight the duels of ``block``; the regret is unknown."""
        opened = OpenStep((block,), self._plays, self._key)
        if self._judge.duel_many is None:
            self._one_by_one(opened)
        else:
            self._many(opened)
        self._plays += 1
        self.duels += block.n
        return Played(opened.tallies()[0], math.nan, math.nan)

    def _one_by_one(self, opened: OpenStep) -> None:
        for i in range(opened.total):
            left, reference, left_first = opened.duel(i)
            x, y = self.box.to_raw(left), self.box.to_raw(reference)
            outcome = self._judge.one(x, y) if left_first else 1 - self._judge.one(y, x)
            opened.take(i, outcome)

    def _many(self, opened: OpenStep) -> None:
        while not opened.full:
            left, reference, left_first = opened.duels(opened.answered)
            right = np.broadcast_to(reference, left.shape)
            first = np.where(left_first[:, None], left, right)
            second = np.where(left_first[:, None], right, left)
            xs, ys = self.box.to_raw_many(first), self.box.to_raw_many(second)
            outcomes = self._judge.many(xs, ys)
            opened.take_many(opened.answered, np.where(left_first, outcomes, 1 - outcomes))
