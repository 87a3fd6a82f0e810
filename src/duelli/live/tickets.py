"""Tickets and tokens: who may answer which pair, and who may do what.

A ticket is the right to answer one pair, given to one client. A token is the right to act in a
role; a store knows its hash only.
"""

import base64
import hashlib
import hmac
import secrets
import time

from duelli import _check
from duelli.live.stores.base import Reader, Store
from duelli.live.stores.rows import TokenRow

PREFIX = "duelli_"
SECRET = "ticket_secret"
SCOPES: dict[str, frozenset[str]] = {  # what each kind of token allows
    "admin": frozenset({"admin", "read", "play"}),
    "client": frozenset({"read", "play"}),
    "rater": frozenset({"play"}),
    "reader": frozenset({"read"}),
}


class Tickets:
    """Makes and checks tickets.

    Args:
        secret: The key, the same for all servers of a store.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def issue(self, study: str, duel: str, client: str) -> str:
        """Return the ticket with which a client may answer a duel."""
        return f"{_text(client.encode())}.{self._mac(study, duel, client)}"

    def client_of(self, study: str, duel: str, ticket: str) -> str | None:
        """Return the client whose ticket it is; None if it is not valid for this duel."""
        name, _, mac = ticket.partition(".")
        try:
            client = base64.urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode()
        except ValueError:
            return None
        valid = hmac.compare_digest(mac.encode(), self._mac(study, duel, client).encode())
        return client if valid else None

    def _mac(self, study: str, duel: str, client: str) -> str:
        message = f"{study}\0{duel}\0{client}".encode()
        # hmac.digest would be shorter, but lets other threads run in between.
        return _text(hmac.new(self._secret, message, "sha256").digest())


def ticket_secret(store: Store) -> bytes:
    """Return the secret of a store, inside a transaction; the first to ask makes it."""
    store.put_meta(SECRET, secrets.token_hex(32))
    return bytes.fromhex(store.meta(SECRET) or "")


def digest_of(token: str) -> str:
    """Return the hash by which a store knows a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token(
    store: Store, scope: str, study: str | None, *, label: str = "", seconds: float | None = None
) -> str:
    """Make a token, inside a transaction; it is shown once and never kept.

    Args:
        store: The store.
        scope: What it allows: admin, client, rater or reader.
        study: The only study that it is for; None for all, which only an admin token may be.
        label: What it is for, in words.
        seconds: How long it is valid; None for ever.
    """
    _check.one_of("scope", scope, SCOPES)
    if (study is None) != (scope == "admin"):
        raise ValueError(f"a token is for one study unless its scope is admin; got {scope}")
    if study is not None:
        store.study(study)  # it must exist
    token, now = PREFIX + secrets.token_urlsafe(32), time.time()
    expires = None if seconds is None else now + _check.positive("seconds", seconds)
    store.add_token(TokenRow(digest_of(token), scope, study, label, now, expires, None))
    return token


def valid_token(reader: Reader, token: str) -> TokenRow | None:
    """Return what a token is for; None if it is unknown, expired or revoked."""
    row = reader.token(digest_of(token)) if token.startswith(PREFIX) else None
    if row is None or row.revoked_at is not None:
        return None
    return None if row.expires_at is not None and row.expires_at < time.time() else row


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
