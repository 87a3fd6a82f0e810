"""Both stores keep the contract."""

import pytest

from duelli.live.stores import open_store
from duelli.testing.store import StoreKit


class TestSqlite(StoreKit):
    @pytest.fixture
    def make(self, tmp_path):
        return lambda: open_store(str(tmp_path / "studies.db"))


class TestPostgres(StoreKit):
    @pytest.fixture
    def make(self, cluster):
        url = cluster.url()
        return lambda: open_store(url)
