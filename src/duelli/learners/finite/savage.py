"""Savage: all pairs meet until it is clear which of them do not matter any more.

Urvoy, Clerot, Féraud, Naamane (2013), "Generic exploration and K-armed voting bandits", ICML,
https://proceedings.mlr.press/v28/urvoy13.html. The constants agree with two public programs.
Departs: F23 (what follows the exploration, the order of the pairs).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from duelli import _check
from duelli.learners.base import takes
from duelli.learners.codec import Row
from duelli.learners.finite.grid_learner import GridLearner, Meeting
from duelli.learners.finite.grids import MOST_PAIRED_ARMS, GridConfig, pairs_of
from duelli.learners.finite.savage_pairs import WINNERS, PairSweeps


@dataclass(frozen=True, slots=True, kw_only=True)
class SavageConfig(GridConfig):
    """The inputs of SAVAGE: those of `GridConfig` and one of its own.

    Args:
        winner: "condorcet" for the arm that beats all others, which every utility has; "copeland"
            for the one that beats the most others.
    """

    winner: str = "condorcet"

    MEETS_ALL_PAIRS: ClassVar[bool] = True
    MOST: ClassVar[int] = MOST_PAIRED_ARMS

    def _own(self) -> dict[str, object]:
        _check.one_of("winner", self.winner, WINNERS)
        return {}

    @property
    def width(self) -> float:
        """C = ln(η/δ) / 2 of c = √(C / n), where η = K (K - 1) T and δ = 1/T."""
        arms = self.grid.num_arms
        pairs = math.log(arms) + math.log(arms - 1) if arms > 1 else 0.0
        return pairs / 2 + math.log(self.horizon)


@dataclass(slots=True, kw_only=True)
class SavageState:
    """The duels so far, and those of each pair; changed in place.

    Args:
        duels: The duels so far.
        n: The duels of each pair of arms, in the order (0, 1), (0, 2), ..., (1, 2), ...
        wins: Those of them that the first arm of the pair has won.
    """

    duels: int
    n: Row
    wins: Row


class Savage(GridLearner[SavageConfig, SavageState]):
    """SAVAGE, sensitivity analysis of variables for generic exploration, on a grid.

    Its keyword arguments are those of `SavageConfig`. Once all is clear it plays the arm that is
    left.

    >>> learner = Savage(dim=2, horizon=10**5, cells=4)
    >>> len(learner.ask()), learner.ask()[0].n  # no pair can be decided before
    (120, 57)

    Paper: Algorithm 1.
    """

    Config: ClassVar[type] = SavageConfig
    States: ClassVar[Mapping[str, type]] = {"savage": SavageState}

    @takes(SavageConfig)
    def __init__(self, config: SavageConfig) -> None:
        self._width = config.width
        super().__init__(config)
        self._seen: SavageState | None = None

    @property
    def _pairs(self) -> PairSweeps:
        """What follows from the duels so far; made anew for a state that was not seen before."""
        state = self._state
        if self._seen is not state:
            self._seen, self._known = state, self._derived(state)
        return self._known

    def _derived(self, state: SavageState) -> PairSweeps:
        return PairSweeps(
            self.num_arms,
            state.n,
            state.wins,
            width=self._width,
            winner=self.config.winner,
            key=self._key,
        )

    def _first_state(self) -> SavageState:
        pairs = pairs_of(self.num_arms)
        return SavageState(duels=0, n=np.zeros(pairs), wins=np.zeros(pairs))

    def _meetings(self, left: int) -> list[Meeting]:
        pairs = self._pairs
        found = pairs.meetings(left)
        if not found:
            return [(self._champion(), self._champion(), left)]
        return [(int(pairs.left[pair]), int(pairs.right[pair]), n) for pair, n in found]

    def _take(self, i: int, j: int, n: int, wins: float) -> None:
        if i != j:
            self._pairs.add(self._pairs.number(i, j), n, wins)

    def _check_state(self, state: SavageState) -> None:
        n, wins = state.n, state.wins
        if len(n) != pairs_of(self.num_arms) or len(wins) != len(n):
            raise ValueError(
                f"state.n and state.wins must have {pairs_of(self.num_arms)} entries, one for each "
                f"pair; got {len(n)} and {len(wins)}"
            )
        if (n != np.rint(n)).any() or n.sum() > state.duels or (wins > n).any():
            raise ValueError(
                f"state.n must hold whole numbers, {state.duels} in all at most, and state.wins no "
                f"larger ones; they do not"
            )

    def _champion(self) -> int:
        """Return the arm that fewest others surely beat, and that wins the most otherwise."""
        pairs = self._pairs
        return pairs.leader() if self._state.n.any() else self._middle

    def _settled(self) -> bool:
        return not self._pairs.relevant.any()

    def _rounds(self) -> int:
        return self._pairs.decided

    def state_bits(self) -> int:
        """Return the bits to remember: the counter, and two counts for each pair of arms."""
        counts = int(2 * np.ceil(np.log2(self._state.n + 1)).sum())
        return self._state.duels.bit_length() + counts + 1
