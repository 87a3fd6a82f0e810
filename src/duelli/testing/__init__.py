"""Contract kits, pytest classes: what every learner, engine, link and landscape must hold to.

Subclass a kit in a test file and give it its fixture; pytest then runs every test of the kit.

    import pytest
    from duelli.testing import LearnerKit

    class TestMyLearner(LearnerKit):
        @pytest.fixture
        def make(self):
            return lambda horizon: MyLearner(dim=2, horizon=horizon, seed=0)

| kit | fixture | what the fixture returns |
|---|---|---|
| `LearnerKit` | ``make`` | horizon -> a fresh learner |
| `EngineKit` | ``make`` | (model, seed) -> a fresh engine |
| `LinkKit` | ``link`` | the link |
| `LandscapeKit` | ``landscape`` | the landscape |
| `ScalarKit` | ``make`` | horizon -> a fresh learner of rewards |
| `store.StoreKit` | ``make`` | () -> the store of live studies, opened at the same place |

A parametrised fixture runs a kit over a whole registry. The kits need pytest; nothing else in
duelli does.
"""

try:
    import pytest
except ModuleNotFoundError:
    raise ImportError("duelli.testing needs pytest: pip install 'duelli[dev]'") from None

# Before the kits are imported, or a failed assert in them would not show its values.
pytest.register_assert_rewrite(
    *(
        f"duelli.testing.{kit}"
        for kit in ("engine", "landscape", "learner", "link", "scalar", "store")
    )
)

from duelli.testing.coins import CoinFlips, CoinRewards  # noqa: E402 (see above)
from duelli.testing.engine import EngineKit  # noqa: E402
from duelli.testing.landscape import LandscapeKit  # noqa: E402
from duelli.testing.learner import LearnerKit  # noqa: E402
from duelli.testing.link import LinkKit  # noqa: E402
from duelli.testing.scalar import ScalarKit  # noqa: E402

__all__ = [
    "CoinFlips",
    "CoinRewards",
    "EngineKit",
    "LandscapeKit",
    "LearnerKit",
    "LinkKit",
    "ScalarKit",
]
