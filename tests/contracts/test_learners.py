"""Every learner of the registry keeps the contract of learners."""

import pytest
from registered import learner_names

from duelli.learners import EXAMPLES, LEARNERS
from duelli.testing import LearnerKit


class TestLearners(LearnerKit):
    @pytest.fixture(params=learner_names())
    def make(self, request):
        kind, inputs = LEARNERS[request.param], EXAMPLES.get(request.param, {})
        return lambda horizon: kind(dim=2, horizon=horizon, **inputs)


def test_every_example_is_of_a_learner():
    assert set(EXAMPLES) <= set(LEARNERS)
