"""Constants of their own for the transition tests."""

import pytest

from .samples import OWN


@pytest.fixture
def own_constants(monkeypatch):
    for module, constants in OWN.items():
        for name, value in constants.items():
            monkeypatch.setattr(module, name, value)
