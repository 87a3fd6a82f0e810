"""SCALARS: every learner of rewards by name."""

from duelli.blocks import ScalarLearner
from duelli.learners.scalar import SCALARS, PullLearner


def test_the_names_come_in_order():
    assert list(SCALARS) == sorted(SCALARS)


def test_every_entry_is_a_learner_of_rewards():
    for kind in SCALARS.values():
        learner: ScalarLearner = kind(dim=1, horizon=3)
        assert isinstance(learner, PullLearner)
        assert (learner.dim, learner.horizon) == (1, 3)
