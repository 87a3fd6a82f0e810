"""Every link of the registry, and one of a user's own, keeps the contract of links."""

import numpy as np
import pytest

from duelli.links import LINKS, link
from duelli.testing import LinkKit


class TestLinks(LinkKit):
    @pytest.fixture(params=LINKS)
    def link(self, request):
        return LINKS[request.param]


class TestCustomLink(LinkKit):
    slack = 2e-3  # its slopes are measured between 2001 points

    @pytest.fixture
    def link(self):
        return link(lambda u: 0.5 + 0.5 * u / np.sqrt(1 + u * u))
