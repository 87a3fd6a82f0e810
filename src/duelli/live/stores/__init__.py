"""Stores: where studies are kept. A path is a file of SQLite, a URL a database of PostgreSQL."""

from duelli.live.stores.base import Reader, Store

__all__ = ["Reader", "Store", "is_url", "open_reader", "open_store"]


def is_url(where: str) -> bool:
    """Tell whether a store is a database of PostgreSQL."""
    return where.startswith(("postgresql://", "postgres://"))


def open_store(where: str, *, forced: bool = False) -> Store:
    """Return the store at a path or a URL, for writing; it is made if it does not exist.

    Args:
        where: The path of a file, or a URL such as postgresql://user@host/name.
        forced: Whether a file on a network file system is accepted.
    """
    if is_url(where):
        from duelli.live.stores.postgres import PostgresStore

        return PostgresStore(where)
    from duelli.live.stores.sqlite import SqliteStore

    return SqliteStore(where, forced=forced)


def open_reader(where: str) -> Reader:
    """Return the store at a path or a URL, for reading only."""
    if is_url(where):
        from duelli.live.stores.postgres import PostgresReader

        return PostgresReader(where)
    from pathlib import Path

    from duelli.live.stores.sqlite import SqliteReader

    return SqliteReader(Path(where))
