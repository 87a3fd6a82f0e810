"""OneByOne: any block-wise learner, one duel at a time."""

from collections.abc import Mapping
from typing import Any

from duelli import _check, _rng
from duelli.blocks import Block, Learner, Progress, Tally
from duelli.cubes import Arm
from duelli.learners.base import check_tally


class OneByOne:
    """Serves a learner's blocks duel by duel, so that each answer may take its time.

    Its state holds the block in progress too: a run may stop between any two duels, and what was
    answered is kept. The arms are a pure function of the seed and the number of the duel.

    Args:
        learner: Any block-wise learner.
        seed: Of the arms that are drawn from the learner's cubes.
    """

    def __init__(self, learner: Learner, *, seed: int = 0) -> None:
        self.learner = learner
        self.seed = _rng.check_seed(seed)
        self._arm_key = _rng.key(self.seed, "arms")
        self._witness_key = _rng.key(self.seed, "witness")
        self.duels = 0  # answered so far, in all blocks
        self._played = 0  # answered so far in this block
        self._wins = 0.0
        self._witness: Arm | None = None
        self._pending: Block | None = None

    @property
    def dim(self) -> int:
        """The number of coordinates. Paper: d."""
        return self.learner.dim

    @property
    def horizon(self) -> int | None:
        """The number of duels of the whole run; None if it has no end. Paper: T."""
        return self.learner.horizon

    def ask(self) -> Block | None:
        """Return the next duel, a block of one, the same until it is told.

        Paper: Alg. 2, line 4, one arm at a time.
        """
        if self._pending is None and (block := self.learner.ask()) is not None:
            self._pending = Block(self._arm(block), 0.0, block.reference, 1)
        return self._pending

    def tell(self, tally: Tally) -> None:
        """Take in one duel's outcome; pass the tally on once the block is full.

        Paper: Alg. 2, line 5.
        """
        check_tally(self._pending, tally)
        block = self.learner.ask()
        assert block is not None  # something was pending
        if self._played == self._witness_place(block):
            self._witness = tally.witness
        self.duels += 1
        self._played += 1
        self._wins += tally.wins
        self._pending = None
        if self._played == block.n:
            assert self._witness is not None  # its place was among the n
            self.learner.tell(Tally(block.n, self._wins, self._witness))
            self._played, self._wins, self._witness = 0, 0.0, None

    def tell_outcome(self, outcome: float) -> None:
        """Take in the outcome of the duel asked last: 1 if the left arm won, 1/2 for a tie.

        Paper: o_t of Section 3.
        """
        arm = () if self._pending is None else self._pending.low  # `tell` refuses what is not asked
        self.tell(Tally(1, _outcome(outcome), arm))

    def recommend(self) -> Arm:
        """Return the learner's own recommendation.

        Paper: Alg. 1, line 20.
        """
        return self.learner.recommend()

    def progress(self) -> Progress:
        """Return where the learner stands.

        Paper: M and X^M of Theorem 5.4.
        """
        return self.learner.progress()

    def state(self) -> dict[str, Any]:
        """Return the learner's state and the block in progress.

        Paper: Lemma 5.5; the tally so far is one more gap and one more arm.
        """
        return {
            "learner": self.learner.state(),
            "duels": self.duels,
            "played": self._played,
            "wins": self._wins,
            "witness": None if self._witness is None else list(self._witness),
        }

    @classmethod
    def from_state(
        cls, kind: Any, config: Any, state: Mapping[str, Any], *, seed: int = 0
    ) -> "OneByOne":
        """Return the learner of class ``kind`` that ``state`` was taken from, one by one.

        Paper: Lemma 5.5.
        """
        again = cls(kind.from_state(config, state["learner"]), seed=seed)
        again.duels, again._played, again._wins = state["duels"], state["played"], state["wins"]
        again._witness = None if state["witness"] is None else tuple(state["witness"])
        return again

    def state_bits(self) -> int:
        """Return the learner's bits and those of the block in progress.

        Paper: Lemma 5.5.
        """
        return self.learner.state_bits() + 3 * self.duels.bit_length() + 53 * self.dim

    def _arm(self, block: Block) -> Arm:
        if block.edge == 0:
            return block.low
        first = self.duels * self.dim
        return tuple(
            a + block.edge * _rng.unit(self._arm_key, first + i) for i, a in enumerate(block.low)
        )

    def _witness_place(self, block: Block) -> int:
        """Return which of the block's duels is the witness's: any with the same chance."""
        opened = self.duels - self._played
        return _rng.below(self._witness_key, opened, block.n)


def _outcome(value: object) -> float:
    number = float(value) if isinstance(value, bool) else _check.real("outcome", value)
    if not 0 <= number <= 1:
        raise ValueError(f"outcome must lie in [0, 1], 1/2 for a tie; got {number}")
    return number
