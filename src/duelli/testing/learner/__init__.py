"""LearnerKit: what every learner must hold to, in parts by topic."""

from duelli.testing.learner.answers import Answers
from duelli.testing.learner.broken import BrokenStates
from duelli.testing.learner.horizon import Horizons
from duelli.testing.learner.one_by_one import SinglePairs
from duelli.testing.learner.states import States
from duelli.testing.learner.turns import Turns

__all__ = ["LearnerKit"]


class LearnerKit(Horizons, Turns, States, BrokenStates, Answers, SinglePairs):
    """Subclass it and give it a ``make`` fixture: horizon in, fresh learner out.

    The learner must have its inputs as ``config``, and ``from_state(config, state)``.

        class TestMyLearner(LearnerKit):
            @pytest.fixture
            def make(self):
                return lambda horizon: MyLearner(dim=2, horizon=horizon, seed=0)
    """
