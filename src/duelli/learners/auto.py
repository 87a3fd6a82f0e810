"""Auto: the preference model while it leads, then ArcRace from the point that it has found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from duelli import _check
from duelli._arrays import Array
from duelli.answers import Answer
from duelli.blocks import Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner, takes
from duelli.learners.model import ModelConfig, PreferenceModel
from duelli.learners.model.levels import Levels
from duelli.learners.model.states import Preferences
from duelli.learners.race import ArcRace, RaceConfig
from duelli.learners.race.machine import begun_at
from duelli.learners.race.states import State

HANDOVER = 1_000_000  # duels up to which the model leads (docs/preference_model.md)
LEAST_RACE = 2.0  # ArcRace needs this many times as many duels in all, or the model goes on
GUESSED_LIPSCHITZ = 16.0  # with slope_max = 1/4: win rates change by 4 at most across the box


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoConfig:
    """The inputs of `Auto`. What is unknown may be left out.

    Args:
        dim: d, the number of coordinates.
        horizon: T, the number of duels; None for a run without an end.
        slope_max: Γ, the largest slope of the link, for ArcRace.
        lipschitz: L of the utility in unit coordinates, maximum norm, for ArcRace.
        failure_prob: δ, for ArcRace.
        batch: The least number of pairs in a step of the model.
        repeat: Whether the model may ask a pair twice: "never" or "allowed".
        handover: The duels after which ArcRace goes on; None for the number that was measured to
            be best.
        start: The first point to look at; the middle of the box if None.
        levels: The places of each axis that has only a few, for the model.
        aim: "regret" plays exactly ``horizon`` duels; "answer" at most so many, and no arm meets
            itself.
        seed: Seed of all random draws.
    """

    dim: int
    horizon: int | None = None
    slope_max: float = 0.25
    lipschitz: float = GUESSED_LIPSCHITZ
    failure_prob: float = 0.05
    batch: int = 1
    repeat: str = "never"
    handover: int | None = None
    start: Arm | None = None
    levels: Levels = ()
    aim: str = "regret"
    seed: int = 0

    def __post_init__(self) -> None:
        checked: dict[str, Any] = {}
        for part in (self.model(), self.race()):  # each checks its own
            names = set(part.__dataclass_fields__) & set(self.__dataclass_fields__)
            checked |= {name: getattr(part, name) for name in names}
        if self.handover is not None:
            checked["handover"] = _check.whole("handover", self.handover, 1)
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def model(self) -> ModelConfig:
        """Return the inputs of the preference model."""
        return ModelConfig(
            dim=self.dim,
            horizon=self.horizon,
            batch=self.batch,
            repeat=self.repeat,
            start=self.start,
            levels=self.levels,
            seed=self.seed,
        )

    def race(self) -> RaceConfig:
        """Return the inputs of ArcRace."""
        return RaceConfig(
            dim=self.dim,
            horizon=self.horizon,
            slope_max=self.slope_max,
            lipschitz=self.lipschitz,
            failure_prob=self.failure_prob,
            start=self.start,
            aim=self.aim,
            seed=self.seed,
        )

    def hands_over(self, duels: int) -> bool:
        """Tell whether ArcRace goes on after so many duels."""
        if self.handover is not None:
            return duels >= self.handover
        enough = self.horizon is None or self.horizon >= LEAST_RACE * HANDOVER
        return enough and duels >= HANDOVER


def _fields(config: ModelConfig | RaceConfig) -> dict[str, Any]:
    return {field.name: getattr(config, field.name) for field in fields(config)}


class Auto(BlockLearner[AutoConfig, Preferences | State]):
    """The learner to use if you do not know which: what wins changes with the number of duels.

    Its keyword arguments are those of `AutoConfig`. The preference model finds the region with few
    duels. ArcRace then takes its point as the first reference; any reference is safe, so that its
    guarantee holds for the duels from there on.

    >>> learner = Auto(dim=2, horizon=1000)
    >>> learner.progress().phase
    'model'
    """

    Config: ClassVar[type] = AutoConfig
    States: ClassVar[Mapping[str, type]] = {**PreferenceModel.States, **ArcRace.States}
    EXTENDS: ClassVar[bool] = True

    @takes(AutoConfig)
    def __init__(self, config: AutoConfig) -> None:
        super().__init__(config)

    def _part(self) -> PreferenceModel | ArcRace:
        """Return the learner whose turn it is, in the state that it is in."""
        state, config = self._state, self.config
        if isinstance(state, Preferences):
            return PreferenceModel(**_fields(config.model())).resumed(state, self._pending)
        return ArcRace(**_fields(config.race())).resumed(state, self._pending)

    def _first_state(self) -> Preferences | State:
        return PreferenceModel(**_fields(self.config.model()))._first_state()

    def _next_step(self) -> Step:
        return self._part()._next_step()

    def _advance(self, tallies: Sequence[Tally]) -> Preferences | State:
        after = self._part()._advance(tallies)
        if isinstance(after, Preferences) and self.config.hands_over(after.duels):
            return begun_at(self.config.race(), after.duels, after.incumbent)
        return after

    def _extended(self) -> Preferences | State:
        return self._part()._extended()

    def _check_state(self, state: Preferences | State) -> None:
        self._state = state
        part = self._part()
        part._check_state(state)  # type: ignore[arg-type]

    def recommend(self) -> Arm:
        """Return the point that the learner whose turn it is recommends."""
        return self._part().recommend()

    def best(self) -> Answer:
        """Return the answer of the learner whose turn it is."""
        return self._part().best()

    def believed(self, points: Array) -> tuple[Array, Array] | None:
        """Return what the learner whose turn it is believes of the utility."""
        return self._part().believed(points)

    def progress(self) -> Progress:
        """Return where the learner whose turn it is stands."""
        return self._part().progress()

    def state_bits(self) -> int:
        """Return the bits that the learner whose turn it is has to remember."""
        return self._part().state_bits()
