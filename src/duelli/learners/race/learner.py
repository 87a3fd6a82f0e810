"""ArcRace: the machine of this package behind ask and tell."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from duelli.answers import Answer
from duelli.blocks import Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner, takes
from duelli.learners.race import polish, scan
from duelli.learners.race.checks import check_state
from duelli.learners.race.config import RaceConfig
from duelli.learners.race.machine import advance, extended, initial, next_step
from duelli.learners.race.states import Commit, Confirm, Memory, Polish, Scan, State


class ArcRace(BlockLearner[RaceConfig, State]):
    """The paper's idea with tighter constants and local search.

    Its keyword arguments are those of `RaceConfig`.

    >>> learner = ArcRace(dim=2, horizon=10**8, slope_max=0.25)
    >>> learner.ask()[0].reference
    (0.5, 0.5)

    Paper: Algorithms 1 and 2; docs/arc_race.md says where it departs from them.
    """

    Config: ClassVar[type] = RaceConfig
    States: ClassVar[Mapping[str, type]] = {
        "polish": Polish,
        "confirm": Confirm,
        "explore": Scan,
        "cleanup": Commit,
    }
    EXTENDS: ClassVar[bool] = True

    @takes(RaceConfig)
    def __init__(self, config: RaceConfig) -> None:
        super().__init__(config)

    def _first_state(self) -> State:
        return initial(self.config)

    def _next_step(self) -> Step:
        return next_step(self._state, self.config)

    def _advance(self, tallies: Sequence[Tally]) -> State:
        return advance(self._state, tallies, self.config)

    def _extended(self) -> State:
        return extended(self._state, self.config)

    def _check_state(self, state: State) -> None:
        check_state(state, self.config)

    def recommend(self) -> Arm:
        """Return the reference, which is good at any moment.

        Paper: Alg. 1, lines 17 and 20.
        """
        state = self._state
        if isinstance(state, Polish) and state.rival_to is not None:
            return state.rival_to  # a rival has still to prove itself
        if isinstance(state, Confirm) and state.rival:
            return state.old
        return state.memory.reference

    def progress(self) -> Progress:
        """Return the phase, the rounds completed and the reference.

        Paper: M and X^M of Theorem 5.4.
        """
        return Progress(self._phase(), self._state.memory.done, self.recommend())

    def best(self) -> Answer:
        """Return the reference with what Lemma 2 lets one claim for it.

        Paper: Lemma 5.2, with the box of all cells that were not eliminated.
        """
        config, memory, arm = self.config, self._state.memory, self.recommend()
        slope = config.slope_max * config.lipschitz
        corners = zip(memory.low, memory.high, arm, strict=True)
        away = max(max(high - x, x - low) for low, high, x in corners)
        known, gap_high = min(0.5, slope), min(0.5, slope * away)  # Lemma 2
        confidence = _confidence(memory, config)
        return Answer(
            arm=arm,
            low=memory.low,
            high=memory.high,
            edge=max(high - low for low, high in zip(memory.low, memory.high, strict=True)),
            gap_low=0.0,
            gap_high=gap_high,
            confidence=confidence,
            tied_within=polish.stop_drop(memory, config),
            duels=memory.duels,
            enough=gap_high < known / 2,
            text=_sentence(memory, gap_high, known, confidence),
        )

    def state_bits(self) -> int:
        """Return the bits that the algorithm has to remember: arms, a path, tallies, counters.

        An arm takes 32 bits per coordinate, a path d bits per level, the corners of the box of
        survivors as many as a path each, and every other number as many as T. It is O(d log T).

        Paper: Lemma 5.5.
        """
        state, dim = self._state, self.config.dim
        names = ("home", "rival_to", "old", "best")
        arms = sum(getattr(state, name, None) is not None for name in names)
        paths = 4 + isinstance(state, Scan)
        tallies = len(state.wins) if isinstance(state, Polish) else 1
        word = max(1, state.memory.horizon_now.bit_length())
        return (1 + arms) * 32 * dim + paths * dim * state.memory.round + (tallies + 14) * word


def _confidence(memory: Memory, config: RaceConfig) -> float:
    """Return 1 - the sum of the levels spent so far: at least 1 - δ if caution is 1 (Lemma 1)."""
    depths = max(1, memory.round - 1 - scan.UNTESTED)
    levels: list[float] = [
        depths * (config.failure_prob / (i * (i + 1) * depths)) ** config.caution
        for i in range(1, memory.begun + 1)
    ]
    return max(0.0, 1 - sum(levels))


def _sentence(memory: Memory, gap_high: float, known: float, confidence: float) -> str:
    head = f"After {memory.done} round{'s' * (memory.done != 1)} and {memory.duels} duels"
    if gap_high >= known / 2:
        return (
            f"{head}: not enough duels yet to rule out much of the box. This arm is the best that "
            f"local search has found; the Lipschitz constant alone bounds its gap by {known:.3g}."
        )
    return (
        f"{head} the best arm beats this one with probability of at most {0.5 + gap_high:.3g}, "
        f"at confidence {confidence:.3g}."
    )
