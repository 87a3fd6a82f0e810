"""Every engine that plays out a model keeps the contract of engines."""

import pytest

from duelli.engines import SIMULATED
from duelli.testing import EngineKit


class TestEngines(EngineKit):
    @pytest.fixture(params=SIMULATED)
    def make(self, request):
        return lambda model, seed: SIMULATED[request.param](model, seed=seed)
