"""PullLearner: the base of all learners of rewards, with pull and update."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Protocol, Self, TypeVar

from duelli.cubes import Arm
from duelli.errors import OutOfTurnError
from duelli.learners.stateful import Stateful
from duelli.serving import outcome_of


class ScalarInputs(Protocol):
    """What the inputs of every learner of rewards have."""

    @property
    def dim(self) -> int: ...  # noqa: D102 (the fields say what they are)
    @property
    def horizon(self) -> int: ...  # noqa: D102
    @property
    def seed(self) -> int: ...  # noqa: D102


class ScalarRecord(Protocol):
    """What the states of every learner of rewards have."""

    @property
    def pulls(self) -> int: ...  # noqa: D102


class Pulls(NamedTuple):
    """Pulls whose arms do not depend on their rewards: ``n`` uniform points of one cube."""

    low: Arm
    edge: float  # 0 for the single arm ``low``
    n: int


C = TypeVar("C", bound=ScalarInputs)
S = TypeVar("S", bound=ScalarRecord)


class PullLearner(Stateful[C, S]):
    """Turns of a learner of rewards; which arm comes next and what is learnt is the subclass's.

    A state is changed in place. What `_prepare` works out from the state is not saved.
    """

    COUNT: ClassVar[str] = "pulls"

    def __init__(self, config: C) -> None:
        self._pending: Arm | None = None
        super().__init__(config)
        self._prepare()

    @classmethod
    def from_state(cls, inputs: Any, state: Mapping[str, Any]) -> Self:
        """Return a learner that goes on from ``state`` bit for bit.

        Args:
            inputs: The learner's inputs, as its ``config`` or as a dict of them.
            state: What its ``state()`` returned; one that cannot have been is refused.
        """
        learner = super().from_state(inputs, state)
        learner._prepare()
        return learner

    @property
    def horizon(self) -> int:
        """The number of pulls of the whole run."""
        return self.config.horizon

    @property
    def pulls(self) -> int:
        """The number of rewards that the learner has been told."""
        return self._state.pulls

    def pull(self) -> Arm | None:
        """Return the next arm: the same one until `update`, None once the run has ended."""
        if self._pending is None and self._state.pulls < self.config.horizon:
            self._pending = self._next_arm()
        return self._pending

    def update(self, reward: float) -> None:
        """Take in the reward of the arm that `pull` returned last, a number in [0, 1]."""
        if self._pending is None:
            raise OutOfTurnError("update() was called with no pull pending; call pull() first")
        value = outcome_of("reward", reward)
        self._pending = None
        self._learn(value)

    def pull_many(self, most: int) -> Pulls | None:  # noqa: ARG002 (one pull is never too many)
        """Return the next pulls, which may be made at once; None once the run has ended.

        Args:
            most: The largest number of pulls to return.
        """
        arm = self.pull()
        return None if arm is None else Pulls(arm, 0.0, 1)

    def update_many(self, total: float, n: int) -> None:  # noqa: ARG002 (n is 1 here)
        """Take in the sum of the rewards of the ``n`` pulls that `pull_many` returned last."""
        self.update(total)

    @abstractmethod
    def recommend(self) -> Arm:
        """Return the arm to use if the run ended now."""

    @abstractmethod
    def state_bits(self) -> int:
        """Return the number of bits that the algorithm itself has to remember right now."""

    @abstractmethod
    def _next_arm(self) -> Arm:
        """Return the arm that the state calls for; nothing of the state may change."""

    @abstractmethod
    def _learn(self, reward: float) -> None:
        """Bring the state up to date with the reward of the arm of `_next_arm`."""

    def _prepare(self) -> None:
        """Work out from the state what is not kept in it."""
