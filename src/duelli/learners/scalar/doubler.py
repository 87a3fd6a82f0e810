"""Doubler: a scalar learner plays against the arms that it played in the last epoch.

Ailon, Karnin, Joachims (2014), "Reducing dueling bandits to cardinal bandits", ICML,
https://arxiv.org/abs/1405.3396. The algorithm is standard; the constants of its bound are from
memory and are not used. Departs: F47 (which arm is shown left, the recommended arm).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from duelli import _rng
from duelli.blocks import Block, Tally
from duelli.learners.base import takes
from duelli.learners.codec import Point
from duelli.learners.scalar.epoch_reduction import DoublerConfig, EpochReduction
from duelli.learners.scalar.epochs import begins_at, epoch_at
from duelli.learners.scalar.multiset import Multiset
from duelli.learners.scalar.reduction import Scalar

WORD_BITS = 64


@dataclass(slots=True, kw_only=True)
class Doubling:
    """The duels so far, and the arms of the scalar learner.

    Args:
        duels: The duels so far.
        turns: The duels, and the ties of arms with themselves that were not played.
        answer: The arm that the scalar learner of the last epoch recommended.
        opponents: The arms of the last epoch, from which opponents are drawn.
        played: The arms of this epoch.
        scalars: The scalar learner of this epoch.
    """

    duels: int
    turns: int
    answer: Point | None
    opponents: Multiset
    played: Multiset
    scalars: list[Scalar] = field(init=False, default_factory=list)


class Doubler(EpochReduction[Doubling]):
    """Doubler: epochs of 2, 4, 8, ... duels against what was played in the epoch before.

    Its keyword arguments are those of `DoublerConfig`.

    >>> learner = Doubler(dim=2, horizon=1000, slope_max=0.25, start=(0.1, 0.2))
    >>> learner.ask()[0].reference
    (0.1, 0.2)
    """

    States: ClassVar[Mapping[str, type]] = {"doubling": Doubling}

    @takes(DoublerConfig)
    def __init__(self, config: DoublerConfig) -> None:
        super().__init__(config)

    def _fresh(self) -> Doubling:
        return Doubling(
            duels=0,
            turns=0,
            answer=None,
            opponents=Multiset(arms=[self._first_arm()], counts=[1]),
            played=Multiset(arms=[], counts=[]),
        )

    def _block(self, state: Doubling) -> Block:
        drawn = _rng.below(self._key, state.turns, state.opponents.size)  # Doubler: x in L
        arm = state.scalars[0].pull()  # Doubler: y
        assert arm is not None  # its horizon is that of the epoch
        return Block.pair(arm, state.opponents[drawn])

    def _take(self, state: Doubling, tally: Tally) -> None:
        state.scalars[0].update(tally.wins)  # Doubler: 1 if y wins
        state.played.add(tally.witness)  # Doubler: y is appended to L'
        if begins_at(state.turns):
            state.answer = state.scalars[0].recommend()
            state.opponents, state.played = state.played, Multiset(arms=[], counts=[])  # L = L'
            state.scalars = self._fresh_scalars(state.turns)  # Doubler: reset

    def _check_state(self, state: Doubling) -> None:
        super()._check_state(state)
        epoch = epoch_at(state.turns)
        state.opponents.check("state.opponents", epoch.length // 2)
        state.played.check("state.played", state.turns - epoch.start)

    def _own_bits(self) -> int:
        bits = WORD_BITS * self.dim
        for arms in (self._state.opponents, self._state.played):
            bits += WORD_BITS * self.dim * len(arms.arms) + sum(n.bit_length() for n in arms.counts)
        return bits
