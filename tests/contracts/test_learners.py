"""Every learner of the registry keeps the contract of learners."""

import pytest

from duelli.learners import EXAMPLES, LEARNERS
from duelli.testing import LearnerKit

TAKE_LONG = (
    *("auto", "preference_model"),  # they fit a model in every step
    *("double_thompson_sampling", "rmed2", "rmed2f", "versatile_db"),  # many numbers in a duel
)


def learner_names():
    """Yield the names of all learners, those that take long marked as slow."""
    for name in LEARNERS:
        yield pytest.param(name, marks=[pytest.mark.slow] * (name in TAKE_LONG))


class TestLearners(LearnerKit):
    @pytest.fixture(params=learner_names())
    def make(self, request):
        kind, inputs = LEARNERS[request.param], EXAMPLES.get(request.param, {})
        return lambda horizon: kind(dim=2, horizon=horizon, **inputs)


def test_every_example_is_of_a_learner():
    assert set(EXAMPLES) <= set(LEARNERS)
