"""ArcDuelli: the state machine of the paper behind ask and tell."""

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

from duelli import cubes
from duelli.answers import Answer, in_duels
from duelli.blocks import Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners.arc.config import ArcConfig
from duelli.learners.arc.machine import advance, initial, next_block
from duelli.learners.arc.observer import CubeCounter
from duelli.learners.arc.states import Anchor, Cleanup, Explore, State
from duelli.learners.base import BlockLearner, takes

MAX_ROUND = 64  # of a saved state: the cubes of later rounds are smaller than floats can tell


class ArcDuelli(BlockLearner[ArcConfig, State]):
    """ARC-DuelLi as printed. Its keyword arguments are those of `ArcConfig`.

    >>> learner = ArcDuelli(dim=2, horizon=10**8, slope_max=0.25)
    >>> learner.ask()[0].n
    343

    Paper: Algorithms 1 and 2.
    """

    Config: ClassVar[type] = ArcConfig
    States: ClassVar[Mapping[str, type]] = {
        "explore": Explore,
        "anchor": Anchor,
        "cleanup": Cleanup,
    }

    @takes(ArcConfig)
    def __init__(self, config: ArcConfig) -> None:
        super().__init__(config)

    def _first_state(self) -> State:
        return initial(self.config)

    def _next_step(self) -> Step:
        block = next_block(self._state, self.config)
        return () if block is None else (block,)

    def _advance(self, tallies: Sequence[Tally]) -> State:
        return advance(self._state, tallies[0], self.config)

    def _check_state(self, state: State) -> None:
        if not 1 <= state.round <= MAX_ROUND:
            raise ValueError(f"state.round must lie in [1, {MAX_ROUND}]; got {state.round}")
        if isinstance(state, Explore) and len(state.path) >= state.round:
            raise ValueError(
                f"state.path must be shorter than the round {state.round}; got {state.path}"
            )
        best = None if isinstance(state, Cleanup) else state.best
        if best is not None and len(best.path) != state.round - 1:
            raise ValueError(
                f"state.best.path must have {state.round - 1} entries; got {best.path}"
            )
        block = next_block(state, self.config)
        if block is not None and state.duels + block.n > self.config.horizon:
            raise ValueError(
                f"state.duels must leave room for a block of {block.n} duels within the horizon "
                f"{self.config.horizon}; got {state.duels}"
            )

    def recommend(self) -> Arm:
        """Return the reference of the last round that was completed.

        Paper: Alg. 1, lines 17 and 20.
        """
        return self.progress().reference

    def progress(self) -> Progress:
        """Return the phase, the rounds completed and the reference that they chose.

        Paper: M and X^M of Theorem 5.4.
        """
        state = self._state
        arm = state.best.arm if isinstance(state, Anchor) else state.reference
        return Progress(self._phase(), state.round - 1, arm)

    def observer(self) -> CubeCounter:
        """Return an observer that counts the cubes of each round. Paper: 𝒜_h^m of Alg. 2."""
        return CubeCounter(self.config.dim)

    def best(self) -> Answer:
        """Return the reference with what Lemmas 5.1 and 5.2 let one claim for it.

        Paper: Eq. (17), the optimal cube, with the width that Hoeffding gives (F9).
        """
        config, (_, m, arm) = self.config, self.progress()
        path = cubes.path_to(arm, max(m, 1) - 1)
        size = cubes.edge(path)
        # n_h duels leave 2δ/T beyond r_h / √32; a uniform arm is d/(d+1) r_h from x* on average.
        width = size / math.sqrt(32)
        slope = config.slope_max * config.lipschitz
        bias = slope * size * config.dim / (config.dim + 1)
        known = min(0.5, slope)  # what the Lipschitz constant says before any duel
        ratio = math.inf if config.slope_ratio is None else config.slope_ratio
        gap_high = min(known, 2 * ratio * (width + bias)) if m else known  # Eq. (17)
        return Answer(
            arm=arm,
            low=(low := cubes.low(path, config.dim)),
            high=tuple(entry + size for entry in low),
            edge=size,
            gap_low=0.0,
            gap_high=gap_high,
            confidence=1 - 2 * config.failure_prob,  # Lemma 5.1
            tied_within=2 * width if m else 1.0,
            duels=self._state.duels,
            enough=gap_high < known,
            text=_sentence(m, self._state.duels, size, gap_high, known, config),
        )

    def state_bits(self) -> int:
        """Return the bits that the algorithm has to remember: counters, gaps, paths and arms.

        A gap is a number of wins among n_h duels; a path takes d bits per level; an arm takes 53
        bits per coordinate. It is O(d log T).

        Paper: Lemma 5.5.
        """
        config, state = self.config, self._state
        arm = 53 * config.dim
        total = 2 + state.duels.bit_length() + state.round.bit_length()
        if isinstance(state, Explore | Cleanup):
            total += arm
        if isinstance(state, Explore):
            total += config.dim * len(state.path)
            total += config.block_size(max(state.round - 1, 1)).bit_length()  # Δ~^(m-1)
        if isinstance(state, Explore | Anchor) and state.best is not None:
            total += config.dim * len(state.best.path) + arm
            total += config.block_size(state.round).bit_length()  # Δ_max^m
        return total


def _sentence(
    m: int, duels: int, size: float, gap_high: float, known: float, config: ArcConfig
) -> str:
    rounds = f"{m} round{'s' * (m != 1)}"
    if m == 0:
        return (
            f"Not enough duels yet: no round is complete after {in_duels(duels)}, "
            "so the arm is only the start."
        )
    if gap_high >= known:
        why = (
            "slope_ratio was not given"
            if config.slope_ratio is None
            else f"cubes of edge {size:g} are too coarse"
        )
        return (
            f"Not enough is known yet: {rounds} complete after {in_duels(duels)}, but {why}, "
            f"and the Lipschitz constant alone bounds the gap by {known:.3g}."
        )
    return (
        f"After {rounds} and {in_duels(duels)} the best arm beats this one with probability "
        f"of at most {0.5 + gap_high:.3g}, at confidence {1 - 2 * config.failure_prob:.3g}."
    )
