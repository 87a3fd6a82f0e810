"""AnchoredDoubler: Doubler with one opponent per epoch.

After Ailon, Karnin, Joachims (2014), "Reducing dueling bandits to cardinal bandits", ICML,
https://arxiv.org/abs/1405.3396. The opponent of an epoch is one arm, drawn uniformly among those of
the epoch before: the expected regret is the same, the rewards of an epoch have one distribution
per arm, and a single arm is remembered. Departs: F48 (it is a variant of duelli's own).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from duelli import _rng
from duelli.blocks import Block, Tally
from duelli.learners.base import takes
from duelli.learners.codec import Point
from duelli.learners.scalar.epoch_reduction import DoublerConfig, EpochReduction
from duelli.learners.scalar.epochs import begins_at
from duelli.learners.scalar.reduction import Scalar

WORD_BITS = 64


@dataclass(slots=True, kw_only=True)
class Anchored:
    """The duels so far, the opponent, and the scalar learner.

    Args:
        duels: The duels so far.
        turns: The duels, and the ties of arms with themselves that were not played.
        answer: The arm that the scalar learner of the last epoch recommended.
        anchor: The opponent of this epoch.
        candidate: An arm drawn uniformly among those of this epoch, the next opponent.
        scalars: The scalar learner of this epoch.
    """

    duels: int
    turns: int
    answer: Point | None
    anchor: Point
    candidate: Point | None
    scalars: list[Scalar] = field(init=False, default_factory=list)


class AnchoredDoubler(EpochReduction[Anchored]):
    """Doubler with one fixed opponent per epoch, drawn from the arms of the epoch before.

    Its keyword arguments are those of `DoublerConfig`. Where the scalar learner pulls a cube many
    times, its duels are one block.

    >>> learner = AnchoredDoubler(dim=2, horizon=10**8, scalar="log_li", start=(0.1, 0.2))
    >>> learner.ask()[0].reference
    (0.1, 0.2)
    """

    States: ClassVar[Mapping[str, type]] = {"anchored": Anchored}

    @takes(DoublerConfig)
    def __init__(self, config: DoublerConfig) -> None:
        super().__init__(config)

    def _fresh(self) -> Anchored:
        return Anchored(duels=0, turns=0, answer=None, anchor=self._first_arm(), candidate=None)

    def _block(self, state: Anchored) -> Block:
        pulls = state.scalars[0].pull_many(self.config.horizon - state.turns)
        assert pulls is not None  # its horizon is that of the epoch
        return Block(pulls.low, pulls.edge, state.anchor, pulls.n)

    def _take(self, state: Anchored, tally: Tally) -> None:
        state.scalars[0].update_many(tally.wins, tally.n)
        seen = state.scalars[0].pulls
        # A reservoir of one: the witness is uniform in its block, the block in proportion to n.
        if _rng.unit(self._key, state.turns) * seen < tally.n:
            state.candidate = tally.witness
        if begins_at(state.turns):
            assert state.candidate is not None  # the first block of an epoch sets it
            state.anchor, state.candidate = state.candidate, None  # x, once per epoch
            state.answer = state.scalars[0].recommend()
            state.scalars = self._fresh_scalars(state.turns)

    def _check_state(self, state: Anchored) -> None:
        super()._check_state(state)
        if (state.candidate is None) != begins_at(state.turns):
            raise ValueError("state.candidate must be there within an epoch, and not between two")

    def _own_bits(self) -> int:
        return 3 * WORD_BITS * self.dim  # the anchor, the candidate and the answer
