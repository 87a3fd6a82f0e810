"""GpLearner: the base of learners that model the win rates of a fixed set of points."""

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, TypeVar

from duelli import _check
from duelli.blocks import Progress
from duelli.cubes import Arm
from duelli.learners.base import BlockLearner
from duelli.learners.descent.arm_counts import ArmCounts, check_counts, no_counts
from duelli.learners.descent.finite_gp import (
    FiniteGp,
    FinitePosterior,
    check_points,
    default_length,
    spread_points,
)
from duelli.learners.descent.growth import step_duels
from duelli.learners.descent.inputs import optional, settle
from duelli.learners.descent.moves import middle
from duelli.learners.descent.walker import WORD_BITS
from duelli.learners.model.threads import one_thread

GROWTH = 25  # a step has at least one duel for so many before it


class GpInputs(Protocol):
    """What the inputs of every such learner have."""

    @property
    def dim(self) -> int: ...  # noqa: D102 (the fields say what they are)
    @property
    def horizon(self) -> int: ...  # noqa: D102
    @property
    def candidates(self) -> int: ...  # noqa: D102
    @property
    def batch(self) -> int: ...  # noqa: D102
    @property
    def length(self) -> float | None: ...  # noqa: D102
    @property
    def start(self) -> Arm | None: ...  # noqa: D102
    @property
    def seed(self) -> int: ...  # noqa: D102


G = TypeVar("G", bound=GpInputs)


def settle_gp(config: Any, **checked: object) -> None:
    """Check the inputs of a frozen config that `GpInputs` names, and set them with ``checked``."""
    settle(
        config,
        candidates=check_points("candidates", config.candidates),
        batch=_check.whole("batch", config.batch, 1),
        length=optional(_check.positive, "length", config.length),
        **checked,
    )


class GpLearner(BlockLearner[G, ArmCounts]):
    """Counts the outcomes of candidates; a subclass says who plays, and whose outcome counts."""

    States: ClassVar[Mapping[str, type]] = {"model": ArmCounts}
    PER_DUEL: ClassVar[int]  # how many outcomes a duel gives

    def __init__(self, config: G) -> None:
        super().__init__(config)
        start = middle(config.dim) if config.start is None else config.start
        length = default_length(config.dim) if config.length is None else config.length
        points = spread_points(config.candidates, config.dim, start, self._key)
        with one_thread():
            self._prior = FiniteGp(points, length)
        self._fitted: tuple[ArmCounts, FinitePosterior] | None = None

    def _first_state(self) -> ArmCounts:
        return no_counts()

    def _posterior(self) -> FinitePosterior:
        """Return what is believed now; it depends on the state alone."""
        if self._fitted is None or self._fitted[0] is not self._state:
            self._fitted = self._state, self._prior.posterior(self._state.outcomes())
        return self._fitted[1]

    def _size(self) -> int:
        """Return the duels of the next step; 0 at the end."""
        config = self.config
        return step_duels(self._state.duels, config.horizon, config.batch, GROWTH)

    def _candidate(self, number: int) -> Arm:
        return tuple(self._prior.points[number].tolist())

    def _check_state(self, state: ArmCounts) -> None:
        check_counts(state, self.config.candidates, self.PER_DUEL)

    def recommend(self) -> Arm:
        """Return the candidate with the largest expected win rate; the start if none is known."""
        if not self._state.arms:
            return self._candidate(0)
        return self._candidate(int(self._posterior().mean.argmax()))

    def progress(self) -> Progress:
        """Return the phase, no rounds, and the recommended candidate."""
        return Progress("model", 0, self.recommend())

    def state_bits(self) -> int:
        """Return the bits to remember: number, outcomes and wins of each point that has played."""
        counters = self._state.duels.bit_length() + self._state.steps.bit_length()
        return counters + WORD_BITS * (1 + 3 * len(self._state.arms))
