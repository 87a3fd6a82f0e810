"""ArcRace: the machine of this package behind ask and tell."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from duelli.answers import Answer
from duelli.blocks import Block, Progress, Tally
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner
from duelli.learners.race import polish, scan
from duelli.learners.race.config import GRID, RaceConfig
from duelli.learners.race.machine import advance, initial, next_block
from duelli.learners.race.states import Check, Commit, Course, Polish, Scan, State

PHASES: dict[str, Any] = {"polish": Polish, "check": Check, "explore": Scan, "cleanup": Commit}
ON_GRID = ("arm", "home", "rival_to", "old", "best")  # arms, kept as multiples of 2^-32
CORNERS = ("low", "high", "seen_low", "seen_high")  # kept as multiples of half a cell


class ArcRace(BlockLearner):
    """The paper's idea with the constants and the stopping it deserves.

    Its keyword arguments are those of `RaceConfig`.

    >>> learner = ArcRace(dim=2, horizon=10**8, slope_max=0.25)
    >>> learner.ask().reference
    (0.5, 0.5)

    Paper: Algorithms 1 and 2; docs/arc_race.md says where it departs from them.
    """

    Config = RaceConfig
    config: RaceConfig

    def _begin(self) -> None:
        self._state: State = initial(self.config)

    def _restore(self, state: Mapping[str, Any]) -> None:
        self._state = _read(state)

    def _next_block(self) -> Block | None:
        return next_block(self._state, self.config)

    def _advance(self, tally: Tally) -> None:
        self._state = advance(self._state, tally, self.config)

    def recommend(self) -> Arm:
        """Return the reference, which is good at any moment.

        Paper: Alg. 1, lines 17 and 20.
        """
        state = self._state
        if isinstance(state, Polish) and state.rival_to is not None:
            return state.rival_to  # a rival has still to prove itself
        if isinstance(state, Check) and state.rival:
            return state.old
        return state.course.arm

    def progress(self) -> Progress:
        """Return the phase, the rounds completed and the reference.

        Paper: M and X^M of Theorem 5.4.
        """
        return Progress(self._phase(), self._state.course.done, self.recommend())

    def best(self) -> Answer:
        """Return the reference with what Lemma 2 lets one claim for it.

        Paper: Lemma 5.2, with the box of all cells that were not eliminated.
        """
        config, course, arm = self.config, self._state.course, self.recommend()
        slope = config.slope_max * config.lipschitz
        corners = zip(course.low, course.high, arm, strict=True)
        away = max(max(high - x, x - low) for low, high, x in corners)
        known, gap_high = min(0.5, slope), min(0.5, slope * away)  # Lemma 2
        confidence = _confidence(course, config)
        return Answer(
            arm=arm,
            low=course.low,
            edge=max(high - low for low, high in zip(course.low, course.high, strict=True)),
            gap_low=0.0,
            gap_high=gap_high,
            confidence=confidence,
            tied_within=polish.stop_drop(course, config),
            duels=course.duels,
            enough=gap_high < known / 2,
            text=_sentence(course, gap_high, known, confidence),
        )

    def state(self) -> dict[str, Any]:
        """Return what `from_state` needs, in lists, numbers and strings.

        Paper: Lemma 5.5, "Quantities maintained".
        """
        flat = asdict(self._state)
        flat |= flat.pop("course")
        depth = flat["round"]
        return {"phase": self._phase(), **{k: _plain(k, v, depth) for k, v in flat.items()}}

    def state_bits(self) -> int:
        """Return the bits that the algorithm has to remember: arms, a path, tallies, counters.

        An arm takes 32 bits a coordinate, a path d bits a level, the corners of the box of
        survivors as many as a path each, and every other number as many as T. It is O(d log T).

        Paper: Lemma 5.5.
        """
        state, dim = self._state, self.config.dim
        arms = sum(getattr(state, name, None) is not None for name in ON_GRID[1:])
        paths = 4 + isinstance(state, Scan)
        tallies = len(state.wins) if isinstance(state, Polish) else 1
        word = max(1, state.course.goal.bit_length())
        return (1 + arms) * 32 * dim + paths * dim * state.course.round + (tallies + 14) * word

    def _phase(self) -> str:
        return next(name for name, kind in PHASES.items() if isinstance(self._state, kind))


def _unit(key: str, depth: int) -> float:
    """Return what an arm or a corner is a multiple of; 1 for any other field."""
    return 1 / GRID if key in ON_GRID else 2.0**-depth if key in CORNERS else 1.0


def _plain(key: str, value: Any, depth: int) -> Any:
    """Return a field as JSON has it: arms and corners as whole numbers, whole numbers as such."""
    if isinstance(value, tuple):
        return [_plain("", x / _unit(key, depth), 0) for x in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _read(state: Mapping[str, Any]) -> State:
    values = dict(state)
    kind, depth = PHASES[values.pop("phase")], values["round"]
    for key, value in values.items():
        if isinstance(value, list):
            unit = _unit(key, depth)
            values[key] = tuple(x if unit == 1 else x * unit for x in value)
    course = {field.name: values.pop(field.name) for field in fields(Course)}
    found: State = kind(course=Course(**course), **values)
    return found


def _confidence(course: Course, config: RaceConfig) -> float:
    """Return 1 - the sum of the levels spent so far: at least 1 - δ if caution is 1 (Lemma 1)."""
    depths = max(1, course.round - 1 - scan.UNTESTED)
    levels: list[float] = [
        depths * (config.failure_prob / (i * (i + 1) * depths)) ** config.caution
        for i in range(1, course.begun + 1)
    ]
    return max(0.0, 1 - sum(levels))


def _sentence(course: Course, gap_high: float, known: float, confidence: float) -> str:
    head = f"After {course.done} round{'s' * (course.done != 1)} and {course.duels} duels"
    if gap_high >= known / 2:
        return (
            f"{head}: not enough duels yet to rule out much of the box. This arm is the best that "
            f"local search has found; the Lipschitz constant alone bounds its gap by {known:.3g}."
        )
    return (
        f"{head} the best arm lies in the box from {course.low} to {course.high} and beats this "
        f"one with probability of at most {0.5 + gap_high:.3g}, at confidence {confidence:.3g}."
    )
