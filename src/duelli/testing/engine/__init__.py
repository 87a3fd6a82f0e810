"""EngineKit: what every engine that plays out a `DuelModel` must hold to, in parts by topic."""

from duelli.testing.engine.seeds import Seeds
from duelli.testing.engine.tallies import Tallies
from duelli.testing.engine.truth import Truth

__all__ = ["EngineKit"]


class EngineKit(Tallies, Seeds, Truth):
    """Subclass it and give it a ``make`` fixture: model and seed in, fresh engine out.

    class TestMyEngine(EngineKit):
        @pytest.fixture
        def make(self):
            return lambda model, seed: MyEngine(model, seed=seed)
    """
