"""ArcRace: the machine of this package behind ask and tell."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from duelli.answers import Answer, in_duels
from duelli.blocks import Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner, takes
from duelli.learners.race import polish, scan
from duelli.learners.race.checks import check_state
from duelli.learners.race.config import RaceConfig
from duelli.learners.race.machine import advance, extended, initial, next_step, recommended
from duelli.learners.race.states import Commit, Confirm, Memory, Polish, Scan, State, Survey


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
        "survey": Survey,
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
        """Return the arm that the duels so far support best, whatever phase they end in.

        Paper: Alg. 1, lines 17 and 20.
        """
        return recommended(self._state, self.config)

    def progress(self) -> Progress:
        """Return the phase, the rounds completed and the reference.

        Paper: M and X^M of Theorem 5.4.
        """
        return Progress(self._phase(), self._state.memory.done, self.recommend())

    def best(self) -> Answer:
        """Return the recommended arm with what Lemma 2 lets one claim for it.

        Paper: Lemma 5.2, with the box of all cells that were not eliminated.
        """
        config, memory, arm = self.config, self._state.memory, self.recommend()
        known, gap_high = min(0.5, config.slope), scan.gap_bound(memory, arm, config)
        answer = Answer(
            arm=arm,
            low=memory.low,
            high=memory.high,
            edge=max(high - low for low, high in zip(memory.low, memory.high, strict=True)),
            gap_low=0.0,
            gap_high=gap_high,
            confidence=1 - memory.spent,
            tied_within=min(0.5, polish.stop_drop(memory, config)),
            duels=memory.duels,
            enough=gap_high < known / 2,
            text=_sentence(memory, gap_high, known),
        )
        doubt = _doubt(memory, config)
        return replace(answer.without_claims(doubt), confidence=0.0) if doubt else answer

    def state_bits(self) -> int:
        """Return the bits that the algorithm has to remember: arms, a path, tallies, counters.

        An arm takes 32 bits per coordinate, a path d bits per level, the corners of the box of
        survivors as many as a path each, an entry of the shape 20 bits, and every other number as
        many as T. It is O(d log T), and O(d²) for the shape.

        Paper: Lemma 5.5.
        """
        state, dim = self._state, self.config.dim
        names = ("home", "rival_to", "old", "best")
        arms = sum(getattr(state, name, None) is not None for name in names)
        arms += state.memory.anchor is not None
        paths = (4 + isinstance(state, Scan)) * dim * state.memory.round
        word = max(1, state.memory.horizon_now.bit_length())
        old = getattr(state, "old_local", None)
        known = [each for each in (state.memory.local, old) if each]
        entries = sum(len(each.shape) + len(each.trend) for each in known)
        words = 21 + sum(len(each.settled) for each in known)
        return (1 + arms) * 32 * dim + paths + words * word + 20 * entries


def _doubt(memory: Memory, config: RaceConfig) -> str:
    """Return why nothing may be claimed although the inputs would allow it; "" if all is well."""
    head = f"After {in_duels(memory.duels)} this arm is the best supported one, but "
    if memory.steepest > config.slope:
        factor = memory.steepest / config.slope
        return (
            f"{head}the duels refute the inputs: win rates change at least {factor:.2g} times as "
            "fast as slope_max and lipschitz allow, so nothing is claimed for it. Run again with "
            "a larger lipschitz constant, or with the right link."
        )
    if memory.refuted:
        return (
            f"{head}two rounds ruled out the whole box between them. Either lipschitz or "
            "slope_max is too small, or an event of probability failure_prob has happened, so "
            "nothing is claimed for it. Run again with a larger lipschitz constant."
        )
    return ""


def _sentence(memory: Memory, gap_high: float, known: float) -> str:
    head = f"After {memory.done} round{'s' * (memory.done != 1)} and {in_duels(memory.duels)}"
    if gap_high >= known / 2:
        return (
            f"{head}: not enough duels yet to rule out much of the box. This arm is the best that "
            f"local search has found; its gap is at most {gap_high:.3g}, at confidence "
            f"{1 - memory.spent:.3g}."
        )
    return (
        f"{head} the best arm beats this one with probability of at most {0.5 + gap_high:.3g}, "
        f"at confidence {1 - memory.spent:.3g}."
    )
