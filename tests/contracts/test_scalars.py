"""Every learner of rewards keeps the contract of learners of rewards."""

import pytest

from duelli.learners import EXAMPLES, LEARNERS
from duelli.learners.reductions import ScalarFromDuels
from duelli.learners.scalar import SCALARS
from duelli.testing import ScalarKit

VARIANTS = {
    **{name: (name, {}) for name in SCALARS},
    "zooming in phases": ("zooming", {"radius": "phases"}),
    "steep zooming": ("zooming", {"lipschitz": 12.0}),
    "corrupted zooming": ("robust_zooming", {"corruption": 2.0, "lipschitz": 5.0}),
    "small batches": ("d_blin", {"const": 0.05, "threshold": 0.3}),
    "small batches, the best at last": ("a_blin", {"const": 0.05, "cleanup": "best"}),
    "small cubes": ("log_li", {"const": 0.05, "threshold": 0.3}),
}


class TestScalars(ScalarKit):
    @pytest.fixture(params=VARIANTS)
    def make(self, request):
        name, inputs = VARIANTS[request.param]
        return lambda horizon: SCALARS[name](dim=2, horizon=horizon, **inputs)


# One with long blocks, one with single duels, one with many pairs in a step, one of scalars again.
DUELING = ["arc_duelli", "dbgd", "rmed2f", "sparring"]


class TestScalarFromDuels(ScalarKit):
    @pytest.fixture(params=DUELING)
    def make(self, request):
        name = request.param
        inputs = {"dim": 2, **EXAMPLES.get(name, {})}
        return lambda horizon: ScalarFromDuels(LEARNERS[name](horizon=horizon, **inputs), seed=5)
