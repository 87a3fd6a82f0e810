"""StoreKit: what every store of live studies must hold to."""

from duelli.testing.store.ledgers import LedgerTests
from duelli.testing.store.rows import RowTests

__all__ = ["StoreKit"]


class StoreKit(RowTests, LedgerTests):
    """Subclass it and give it a ``make`` fixture: () -> the store, opened at the same place.

        class TestMyStore(StoreKit):
            @pytest.fixture
            def make(self, tmp_path):
                return lambda: MyStore(tmp_path / "studies")

    A store is closed before it is opened again. The place is empty at first.
    """
