"""Every landscape of the registry, and one of a user's own, keeps the contract of landscapes."""

import numpy as np
import pytest

from duelli.landscapes import LANDSCAPES, landscape
from duelli.testing import LandscapeKit


class TestLandscapes(LandscapeKit):
    @pytest.fixture(params=LANDSCAPES)
    def landscape(self, request):
        return LANDSCAPES[request.param]


class TestCustomLandscape(LandscapeKit):
    @pytest.fixture
    def landscape(self):
        return landscape(lambda xs: np.sin(xs).sum(axis=1) / 3, 3)
