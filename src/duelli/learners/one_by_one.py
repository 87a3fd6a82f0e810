"""OneByOne: any learner, one duel at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from duelli import _rng
from duelli._arrays import Array
from duelli.answers import Answer
from duelli.blocks import Block, Learner, Observer, Progress, Step, Tally
from duelli.cubes import Arm
from duelli.learners import codec
from duelli.learners.tallies import check_tallies
from duelli.serving import OpenStep, outcome_of, serving_key


@dataclass(frozen=True, slots=True)
class OneByOneConfig:
    """What a learner that is served one duel at a time is made of.

    Args:
        kind: The class of the learner.
        inputs: The learner's inputs, as its ``config`` or as a dict of them.
        seed: Seed of the arms that are drawn from the learner's cubes.
    """

    kind: type[Learner]
    inputs: Any
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedDuels:
    """A state as it is saved: the learner's own, two counters, and what the open step has."""

    learner: Any
    duels: int
    steps: int
    outcomes: Any


class OneByOne:
    """Serves a learner's steps duel by duel, so that each answer may take its time.

    Its state holds the step in progress too: a run may stop between any two duels, and what was
    answered is kept.

    Args:
        learner: Any learner.
        seed: Seed of the arms that are drawn from the learner's cubes.
    """

    Config: ClassVar[type] = OneByOneConfig
    EXTENDS: ClassVar[bool] = True  # as far as its learner does

    def __init__(self, learner: Learner, *, seed: int = 0) -> None:
        self.learner = learner
        self.seed = _rng.check_seed(seed)
        self.duels = 0  # answered so far, in all steps
        self._key = serving_key(self.seed)
        self._steps = 0  # steps that the learner was told of
        self._open: OpenStep | None = None
        self._pending: Step | None = None

    @property
    def config(self) -> OneByOneConfig:
        """What `from_state` needs beside the state."""
        return OneByOneConfig(type(self.learner), self.learner.config, self.seed)

    @property
    def dim(self) -> int:
        """The number of coordinates of an arm."""
        return self.learner.dim

    @property
    def horizon(self) -> int | None:
        """The number of duels of the whole run; None if it has no end."""
        return self.learner.horizon

    def ask(self) -> Step:
        """Return the next duel as a step of one block, the same until it is told."""
        if self._pending is None:
            opened = self._opened()
            if opened is None:
                return ()
            duel = opened.duel(opened.answered)
            self._pending = (Block.pair(duel.left, duel.reference),)
        return self._pending

    def tell(self, tallies: Sequence[Tally]) -> None:
        """Take in one duel's outcome; tell the learner once its step is full."""
        check_tallies(self._pending, tallies)
        opened = self._opened()
        assert opened is not None  # something was pending
        opened.take(opened.answered, outcome_of("wins", tallies[0].wins))
        self.duels += 1
        self._pending = None
        if opened.full:
            self.learner.tell(opened.tallies())
            self._open = None
            self._steps += 1

    def tell_outcome(self, outcome: float) -> None:
        """Take in the outcome of the duel asked last: 1 if the left arm won, 1/2 for a tie."""
        arm = self._pending[0].low if self._pending else ()  # `tell` refuses what was not asked
        self.tell([Tally(1, outcome_of("outcome", outcome), arm)])

    def recommend(self) -> Arm:
        """Return the learner's own recommendation."""
        return self.learner.recommend()

    def best(self) -> Answer:
        """Return the learner's own answer."""
        return self.learner.best()

    def believed(self, points: Array) -> tuple[Array, Array] | None:
        """Return what the learner believes of the utility."""
        return self.learner.believed(points)

    def progress(self) -> Progress:
        """Return where the learner stands."""
        return self.learner.progress()

    def observer(self) -> Observer | None:
        """Return None: a learner's observer counts whole blocks."""
        return None

    def check_extension(self, horizon: int) -> None:
        """Raise ValueError if the learner cannot go on to ``horizon``."""
        self.learner.check_extension(horizon)

    def extend(self, horizon: int) -> None:
        """Let the run go on to a larger horizon, if the learner allows that."""
        self.learner.extend(horizon)

    def state(self) -> dict[str, Any]:
        """Return the learner's state and the outcomes of the step in progress."""
        opened = self._open if self._open is not None and self._open.answered else None
        return {
            "learner": self.learner.state(),
            "duels": self.duels,
            "steps": self._steps,
            "outcomes": None if opened is None else opened.as_json(),
        }

    @classmethod
    def from_state(cls, inputs: OneByOneConfig, state: Mapping[str, Any]) -> Self:
        """Return the learner that ``state`` was taken from, one by one.

        Args:
            inputs: Its ``config``.
            state: What its ``state()`` returned; one that cannot have been is refused.
        """
        saved: SavedDuels = codec.decode(SavedDuels, state, "state", 0)
        again = cls(inputs.kind.from_state(inputs.inputs, saved.learner), seed=inputs.seed)
        again._steps, again.duels = saved.steps, saved.duels
        again._restore(saved.outcomes)
        return again

    def _restore(self, outcomes: Any) -> None:
        """Take in the outcomes of the step in progress, and check what was counted."""
        opened, answered = self._opened(), 0
        if opened is None and outcomes is not None:
            raise ValueError(f"state.outcomes must be None after the last duel; got {outcomes!r}")
        if opened is not None and outcomes is not None:
            opened.restore(outcomes)
            answered, left = opened.answered, opened.total - opened.answered
            if left == 0 or opened.unanswered_from(answered, left) < left:
                raise ValueError(
                    "state.outcomes must be those of the first duels of the step, and not of all; "
                    f"got {outcomes!r}"
                )
        least, most = self._steps + answered, self.learner.duels + answered
        if not least <= self.duels <= most:  # a step has a duel at least
            raise ValueError(f"state.duels must lie in [{least}, {most}]; got {self.duels}")

    def state_bits(self) -> int:
        """Return the learner's bits, and two for each outcome of the step in progress."""
        counters = self.duels.bit_length() + self._steps.bit_length()
        return self.learner.state_bits() + counters + 2 * (self._open.answered if self._open else 0)

    def _opened(self) -> OpenStep | None:
        """Return the learner's step in progress; None once the run has ended."""
        if self._open is None and (step := self.learner.ask()):
            self._open = OpenStep(step, self._steps, self._key)
        return self._open
