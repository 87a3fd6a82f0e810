"""Reductions between duels and scalar rewards.

Sharma, Jain, Aggarwal, Ghalme (2026), "Lipschitz Dueling Bandits over Continuous Action Spaces",
Section 6. Departs: F51 (rewards other than 0 and 1).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from duelli import _rng
from duelli.blocks import Learner
from duelli.cubes import Arm
from duelli.errors import OutOfTurnError
from duelli.learners import codec
from duelli.learners.one_by_one import OneByOne, OneByOneConfig
from duelli.serving import outcome_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedPulls:
    """A state as it is saved: that of the duels, and the first reward of one in progress."""

    duels: Any
    first: Any


class ScalarFromDuels:
    """B_A: runs a dueling learner A on scalar rewards in [0, 1], two pulls per duel.

    A reward between 0 and 1 is the chance with which it counts as 1, and counts as 0 otherwise.
    Then the arm with the larger reward wins, and a fair coin decides between equal ones, so that x
    beats y with probability (1 + μ(x) - μ(y)) / 2: just what the linear link says. The regret of
    the two pulls is exactly twice that of the duel, so that a lower bound for scalar rewards is
    one for duels, up to this factor.

    Paper: Theorem 6.1. Departs: F51 (rewards other than 0 and 1).

    Args:
        learner: A, any dueling learner.
        seed: Seed of the arms that are drawn from the learner's cubes, and of the coins.

    >>> from duelli.learners.descent import Dbgd
    >>> ScalarFromDuels(Dbgd(dim=2, horizon=1000)).horizon
    2000
    """

    def __init__(self, learner: Learner, *, seed: int = 0) -> None:
        self._duels = OneByOne(learner, seed=seed)
        self._coins = _rng.key(self._duels.seed, "coins")
        self._rewards = _rng.key(self._duels.seed, "rewards")
        self._first: int | None = None  # U_t, once the left arm was pulled
        self._pulled = False

    @property
    def config(self) -> OneByOneConfig:
        """What `from_state` needs beside the state."""
        return self._duels.config

    @property
    def dim(self) -> int:
        """The number of coordinates of an arm."""
        return self._duels.dim

    @property
    def horizon(self) -> int | None:
        """2T, the number of pulls of the whole run; None if it has no end. Paper: Theorem 6.1."""
        return None if self._duels.horizon is None else 2 * self._duels.horizon

    @property
    def pulls(self) -> int:
        """The pulls so far, two for each duel. Paper: Theorem 6.1."""
        return 2 * self._duels.duels + (self._first is not None)

    def pull(self) -> Arm | None:
        """Return the next arm to pull, the same until it is updated; None after 2T pulls.

        Paper: Theorem 6.1, where B_A pulls x_t and then y_t.
        """
        duel = self._duels.ask()
        if not duel:
            return None
        self._pulled = True
        return duel[0].low if self._first is None else duel[0].reference

    def update(self, reward: float) -> None:
        """Take in the reward of the arm pulled last, a number in [0, 1].

        Paper: Theorem 6.1, U_t and V_t, and the synthetic outcome O_t. Departs: F51.
        """
        if not self._pulled:
            raise OutOfTurnError("update() was called with no pull pending; call pull() first")
        value = outcome_of("reward", reward)
        self._pulled = False
        drawn = int(_rng.unit(self._rewards, self.pulls) < value)  # 0 and 1 are themselves
        if self._first is None:
            self._first = drawn
            return
        first, second, self._first = self._first, drawn, None
        coin = _rng.below(self._coins, self._duels.duels, 2)  # C_t
        self._duels.tell_outcome(coin if first == second else float(first > second))

    def recommend(self) -> Arm:
        """Return the dueling learner's own recommendation.

        Paper: Alg. 1, line 20.
        """
        return self._duels.recommend()

    def state(self) -> dict[str, Any]:
        """Return the dueling learner's state, and the first reward of a duel in progress."""
        return {"duels": self._duels.state(), "first": self._first}

    @classmethod
    def from_state(cls, inputs: OneByOneConfig, state: Mapping[str, Any]) -> Self:
        """Return the learner that ``state`` was taken from.

        Args:
            inputs: Its ``config``.
            state: What its ``state()`` returned; one that cannot have been is refused.
        """
        saved: SavedPulls = codec.decode(SavedPulls, state, "state", 0)
        duels = OneByOne.from_state(inputs, saved.duels)
        first = saved.first
        if first is not None and (isinstance(first, bool) or first not in (0, 1)):
            raise ValueError(f"state.first must be 0, 1 or None; got {first!r}")
        if first is not None and not duels.ask():
            raise ValueError(f"state.first must be None after the last duel; got {first!r}")
        again = cls(duels.learner, seed=inputs.seed)
        again._duels, again._first = duels, None if first is None else int(first)
        return again

    def state_bits(self) -> int:
        """Return the bits to remember: those of the duels, and two for the first reward."""
        return self._duels.state_bits() + 2

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._duels.learner!r}, seed={self._duels.seed})"
